"""A file that matches are moved out of: it stays as it is, whatever has become of it."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from infra import move
from infra.local.lock import LOCK, AlreadyOpen, alone
from infra.stores.dynamo_kept import WholeDynamoStore
from infra.stores.kept import Kept
from infra.stores.schema import APPLICATION_ID, MIGRATIONS
from infra.stores.sqlite import SqliteStore
from tests.infra.moving import Said, fill, in_table, moved


def of_an_earlier_release(path: Path) -> None:
    """A file with a match, as the first release wrote it: without what later migrations added. Its last writes are in
    the write-ahead log still, because the process was killed.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO matches VALUES ('b', 3, 'body', 9000, 1, 1, '', 1, 0, NULL, 0, 9000)")
        for suffix in ("", "-wal"):
            killed = path.with_name(f"killed.sqlite{suffix}")
            killed.write_bytes(path.with_name(f"{path.name}{suffix}").read_bytes())
    path.unlink()


def test_from_stays_as_it_is_to_the_byte_although_an_earlier_release_wrote_it(
    file: Path, tmp_path: Path, table: str
) -> None:
    of_an_earlier_release(file)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert before.keys() == {"killed.sqlite", "killed.sqlite-wal"}
    assert moved(f"sqlite:{tmp_path / 'killed.sqlite'}", f"dynamodb:{table}") == 0
    found = in_table(table).load("b")
    assert found is not None
    assert (found.version, found.ended_at) == (3, None)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_empty_file_is_no_store_of_nothing(file: Path, table: str, capsys: Said) -> None:
    file.touch()
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    assert capsys.readouterr().err == f"sqlite:{file}: the file is empty.\n"
    assert file.read_bytes() == b""


def test_a_file_goes_into_a_folder_that_is_made(file: Path, tmp_path: Path) -> None:
    """As what was exported goes into var/host, where no bot has run yet."""
    with closing(SqliteStore(file)) as store:
        fill(store)
    target = tmp_path / "var" / "host" / "matches.sqlite"
    assert moved(f"sqlite:{file}", f"sqlite:{target}") == 0
    with closing(SqliteStore(target)) as store:
        assert len(store.kept()) == 4


def test_a_folder_that_cannot_be_made_is_said(file: Path, tmp_path: Path, capsys: Said) -> None:
    with closing(SqliteStore(file)) as store:
        fill(store)
    assert moved(f"sqlite:{file}", f"sqlite:{file}/host/matches.sqlite") == 1
    assert capsys.readouterr().err == f"sqlite:{file}/host/matches.sqlite: Not a directory.\n"


def test_a_file_that_nobody_may_read_is_said(
    file: Path, table: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    with closing(SqliteStore(file)) as store:
        fill(store)
    monkeypatch.setattr(move, "copyfile", refuse)
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 1
    assert capsys.readouterr().err == f"sqlite:{file}: Permission denied.\n"


# --- bots that run --------------------------------------------------------------------------------


def filled(path: Path) -> Path:
    path.parent.mkdir()
    with closing(SqliteStore(path)) as store:
        fill(store)
    return path


def test_no_match_is_moved_out_of_a_file_or_into_it_while_a_bot_runs_on_it(tmp_path: Path, capsys: Said) -> None:
    used, other = filled(tmp_path / "used" / "matches.sqlite"), filled(tmp_path / "other" / "matches.sqlite")
    with alone(used.parent):
        for arguments in ((f"sqlite:{used}", f"sqlite:{other}"), (f"sqlite:{other}", f"sqlite:{used}")):
            assert moved(*arguments) == 1
            assert capsys.readouterr().err == f"sqlite:{used}: a bot is running there. Please stop it first.\n"
    assert moved(f"sqlite:{used}", f"sqlite:{other}") == 0


def test_no_bot_begins_to_run_on_a_file_while_matches_are_moved_out_of_it(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = filled(tmp_path / "used" / "matches.sqlite")
    with alone(used.parent):
        pass
    keep, refused = WholeDynamoStore.keep, []

    def look(self: WholeDynamoStore, each: Kept) -> None:
        with pytest.raises(AlreadyOpen), alone(used.parent):
            pass
        refused.append(each.item.id)
        keep(self, each)

    monkeypatch.setattr(WholeDynamoStore, "keep", look)
    assert moved(f"sqlite:{used}", f"dynamodb:{table}") == 0
    assert len(refused) == 4


def test_two_files_of_one_folder_are_no_bots_to_each_other(tmp_path: Path) -> None:
    used = filled(tmp_path / "used" / "matches.sqlite")
    with alone(used.parent):
        pass
    assert moved(f"sqlite:{used}", f"sqlite:{used.with_name('other.sqlite')}") == 0


def test_where_no_bot_has_ever_run_nothing_is_left_behind(tmp_path: Path, table: str) -> None:
    file = filled(tmp_path / "export" / "matches.sqlite")
    assert moved(f"sqlite:{file}", f"dynamodb:{table}") == 0
    assert [path.name for path in file.parent.iterdir()] == ["matches.sqlite"]


@pytest.mark.parametrize(("number", "status"), [(errno.EACCES, 1), (errno.EROFS, 0)])
def test_a_lock_that_cannot_be_looked_at_is_no_sign_that_nobody_runs(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch, number: int, status: int
) -> None:
    """It may be held by another user; but on a disk that nobody can write to, nobody can run."""

    def refuse(folder: Path) -> NoReturn:
        raise OSError(number, "no")

    used = filled(tmp_path / "used" / "matches.sqlite")
    (used.parent / LOCK).touch()
    monkeypatch.setattr(move, "alone", refuse)
    assert moved(f"sqlite:{used}", f"sqlite:{tmp_path / 'other.sqlite'}") == status
    assert ("cannot be seen" in capsys.readouterr().err) == (status == 1)
