"""A move that was asked for wrongly, or that a store does not let happen, says so in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import boto3
import pytest

from infra.aws.errors import AwsTrouble, Denied, Invalid, Missing, Throttled
from infra.move import main
from infra.stores.dynamo_kept import WholeDynamoStore
from infra.stores.kept import Kept
from infra.stores.sqlite import SqliteStore
from tests.aws.table import make_table
from tests.infra.moving import Said, fill, moved


@pytest.fixture
def filled(file: Path) -> Path:
    with closing(SqliteStore(file)) as store:
        fill(store)
    return file


def test_a_source_that_is_not_there_is_not_made(file: Path, table: str, capsys: Said) -> None:
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    assert capsys.readouterr().err == f"sqlite:{file}: there is no such file.\n"
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "FROM, TO"),
        (["sqlite:a.db"], "TO"),
        (["a.db", "dynamodb:t"], "'a.db' is neither sqlite:PATH nor dynamodb:TABLE"),
        (["/dev/null", "dynamodb:t"], "Is it sqlite:/dev/null?"),
        (["sqlite:./a.db", "sqlite:b/../a.db"], "FROM and TO are the same"),
        (["sqlite:", "dynamodb:t"], "'sqlite:' is neither"),
        (["sqlite:a.db", "redis:x"], "'redis:x' is neither"),
        (["sqlite:a.db", "sqlite:a.db"], "FROM and TO are the same"),
        (["sqlite:a.db", "dynamodb:t", "--keep-days", "0"], "'0' is not a number of days"),
        (["sqlite:a.db", "dynamodb:t", "--keep-days", "soon"], "'soon' is not a number of days"),
    ],
)
def test_what_was_asked_for_wrongly_is_said(arguments: Sequence[str], words: str, capsys: Said) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (Missing("Scan"), "there is no such table in this account and region."),
        (Denied("Scan"), "AWS does not permit this"),
        (Invalid("Scan"), "this is not the table of a bot."),
        (Throttled("Scan"), "AWS does not answer, or not so often."),
    ],
)
def test_trouble_with_aws_is_said_in_words(
    file: Path, table: str, capsys: Said, monkeypatch: pytest.MonkeyPatch, trouble: AwsTrouble, words: str
) -> None:
    def fail(self: WholeDynamoStore) -> Sequence[Kept]:
        raise trouble

    monkeypatch.setattr(WholeDynamoStore, "kept", fail)
    assert moved(f"dynamodb:{table}", f"sqlite:{file}") == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"dynamodb:{table}: {words}")
    assert not file.exists(), "the target is opened once there is something to move"


@pytest.mark.usefixtures("aws")
def test_a_table_that_is_not_there_is_said(filled: Path, capsys: Said) -> None:
    for arguments in ((f"sqlite:{filled}", "dynamodb:nowhere"), ("dynamodb:nowhere", f"sqlite:{filled}")):
        assert moved(*arguments) == 1
        assert capsys.readouterr().err == "dynamodb:nowhere: there is no such table in this account and region.\n"


def test_without_a_region_it_is_said(filled: Path, table: str, capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    assert moved(f"sqlite:{filled}", f"dynamodb:{table}") == 1
    assert "no region is set" in capsys.readouterr().err


def test_without_the_profile_it_is_said(
    filled: Path, table: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nope")
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    assert moved(f"sqlite:{filled}", f"dynamodb:{table}") == 1
    assert "there is no profile of the name that AWS_PROFILE says." in capsys.readouterr().err


def test_a_folder_is_no_file(filled: Path, tmp_path: Path, capsys: Said) -> None:
    for arguments in ((f"sqlite:{tmp_path}", "sqlite:new.sqlite"), (f"sqlite:{filled}", f"sqlite:{tmp_path}")):
        assert moved(*arguments) == 1
        said = capsys.readouterr().err
        assert said == f"sqlite:{tmp_path}: this is a folder. Is it sqlite:{tmp_path}/matches.sqlite?\n"


def test_where_there_are_no_matches_it_is_said(file: Path, tmp_path: Path, capsys: Said) -> None:
    SqliteStore(file).close()
    assert moved(f"sqlite:{file}", f"sqlite:{tmp_path / 'other.sqlite'}") == 0
    assert capsys.readouterr().out == "There are no matches to move.\n"


def test_the_region_may_be_where_the_aws_command_line_has_it(
    filled: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """boto3 itself reads AWS_DEFAULT_REGION only."""
    client = boto3.client("dynamodb", region_name="eu-west-1")
    make_table(client, "there")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    assert moved(f"sqlite:{filled}", "dynamodb:there") == 0
    assert client.scan(TableName="there")["Count"] > 0


def test_a_file_that_is_no_store_is_said(file: Path, table: str, capsys: Said) -> None:
    file.write_bytes(b"Dear diary, today the raven " * 100)
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    assert capsys.readouterr().err.startswith(f"sqlite:{file}: ")
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    assert moved(f"dynamodb:{table}", f"sqlite:{file}") == 1
    assert "another program's database" in capsys.readouterr().err
