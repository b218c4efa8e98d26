"""A file that matches are moved out of: it stays as it is, whatever has become of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from infra import move
from infra.stores.schema import APPLICATION_ID, MIGRATIONS
from infra.stores.sqlite import SqliteStore
from tests.infra.test_move import Said, fill, in_table, moved


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


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
