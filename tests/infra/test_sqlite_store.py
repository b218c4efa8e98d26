"""The store in SQLite keeps the contract, across processes and kills, and guards its file's version."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handler.ports import Item, Place, Pointers, StoreUnavailable
from infra.stores import schema
from infra.stores.schema import MIGRATIONS, ForeignFile, NewerFile, UnusableFile
from infra.stores.sqlite import SqliteStore
from tests.infra.sqlite_writer import CHAT
from tests.infra.store_contract import GROUP, NOTHING, StoreContract, at_once, following, new

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches of today.db"


Opened = Callable[..., SqliteStore]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens stores as SqliteStore does, and closes them when the test is over."""
    with ExitStack() as stack:

        def open(path: Path, **options: Any) -> SqliteStore:
            return stack.enter_context(closing(SqliteStore(path, **options)))

        yield open


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, path: Path) -> Iterator[SqliteStore]:
        store = SqliteStore(path, patience=60.0)
        yield store
        store.close()


def writer(task: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.infra.sqlite_writer", task, str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def ran(task: str, path: Path) -> int:
    with writer(task, path) as process:
        return process.wait()


def test_matches_outlive_the_store(path: Path, opened: Opened) -> None:
    first = opened(path)
    first.create(new(), Pointers(take_place=GROUP, add_people=(5,)))
    first.close()
    second = opened(path)
    assert second.load("m1") == new()
    assert second.at(GROUP) == "m1"
    assert list(second.of_person(5)) == ["m1"]


def test_writes_are_flushed_and_logged_ahead(path: Path, opened: Opened) -> None:
    with opened(path).file.connection() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_due_is_answered_from_the_index(path: Path, opened: Opened) -> None:
    with opened(path).file.connection() as connection:
        query = "EXPLAIN QUERY PLAN SELECT id FROM matches WHERE moment <= 5 ORDER BY moment, id LIMIT 9"
        (plan,) = connection.execute(query).fetchall()
    assert "COVERING INDEX matches_by_moment" in plan[-1]


def test_two_processes_lose_nothing(path: Path, opened: Opened) -> None:
    assert at_once(lambda _: ran("count", path), 2) == [0, 0]
    item = opened(path).load("m1")
    assert item is not None
    assert (item.body, item.version) == ("200", 201)


@pytest.mark.parametrize("lines", [1, 7, 40])
def test_killed_writer_leaves_every_acknowledged_write_whole(path: Path, opened: Opened, lines: int) -> None:
    with writer("wander", path) as process:
        assert process.stdout
        read = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        read += process.stdout.readlines()
    acknowledged = int([line for line in read if line.endswith("\n")][-1])
    store = opened(path)
    item = store.load("m1")
    assert item is not None
    assert item.version in (acknowledged, acknowledged + 1)
    assert list(store.in_chat(CHAT)) == ["m1"]
    assert store.at(Place(CHAT, item.version)) == "m1"
    people = [user for user in range(acknowledged + 2) if store.of_person(user)]
    assert people == [item.version]
    store.commit(item, following(item), None, None, now=0.0)


def test_process_killed_inside_a_transaction_leaves_nothing(path: Path, opened: Opened) -> None:
    assert ran("die_half_way", path) == -signal.SIGKILL
    store = opened(path)
    assert store.load("m1") is None
    assert store.at(Place(CHAT)) is None
    assert list(store.of_person(1)) == []
    store.create(new(), Pointers(take_place=Place(CHAT)))


def test_locked_file_is_unavailable_until_it_is_free(path: Path, opened: Opened) -> None:
    store = opened(path, patience=0.0)
    store.create(new(), NOTHING)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        store.commit(new(), following(new()), None, None, now=0.0)
    assert store.load("m1") == new()
    other.execute("ROLLBACK")
    assert store.commit(new(), following(new()), None, None, now=0.0).version == 2
    other.close()


@pytest.mark.parametrize("linked", [False, True])
def test_other_users_of_the_machine_can_read_neither_the_file_nor_what_lies_beside_it(
    path: Path, opened: Opened, linked: bool
) -> None:
    file = path
    if linked:  # to a place where there is no file yet
        file = path.parent / "elsewhere.db"
        path.symlink_to(file)
    before = os.umask(0o022)
    try:
        opened(path).create(new(), NOTHING)
    finally:
        os.umask(before)
    modes = {
        each.name: each.stat().st_mode & 0o777 for each in path.parent.iterdir() if each.name.startswith(file.name)
    }
    assert modes == dict.fromkeys((file.name, f"{file.name}-wal", f"{file.name}-shm"), 0o600)


def test_missing_directory_is_unavailable(path: Path, opened: Opened) -> None:
    with pytest.raises(StoreUnavailable, match="unable to open"):
        opened(path / "nowhere")


# --- the file's version ---------------------------------------------------------------------------


def test_first_opens_at_once(path: Path, opened: Opened) -> None:
    stores = at_once(lambda _: opened(path, patience=60.0), 8)
    stores[0].create(new(), NOTHING)
    assert [store.load("m1") for store in stores] == [new()] * 8


def test_older_file_is_brought_up_with_its_matches(path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(path).create(new(), NOTHING)
    change = ("CREATE TABLE extra (x)", "INSERT INTO extra VALUES (1)")
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, change))
    stores = at_once(lambda _: opened(path, patience=60.0), 4)
    assert stores[0].load("m1") == new()
    with stores[0].file.connection() as connection:
        assert connection.execute("SELECT x FROM extra").fetchall() == [(1,)]
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)


def test_first_releases_file_learns_when_its_matches_ended(path: Path, opened: Opened) -> None:
    """Of a match that is over it takes the present for its end; an open one has none: it is in a place, or has an
    alarm.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        match = "INSERT INTO matches VALUES (?, 3, 'body', ?, 2, 5, 'telling', 4, 1.5, NULL, 0.0, ?)"
        connection.execute(match, ("lobby", None, 1.5))
        connection.execute(match, ("played", 100.25, 1.5))
        connection.execute(match, ("over", None, 1.5))
        connection.execute("INSERT INTO places VALUES (?, 0, 'lobby')", (GROUP.chat,))
        connection.execute("INSERT INTO people (user, match) VALUES (5, 'lobby')")
    before = time.time()
    store = opened(path)
    lobby = Item("lobby", 3, "body", None, 2, 5, "telling", 4, 1.5, None, 0.0)
    assert store.load("lobby") == lobby
    assert store.load("played") == replace(lobby, id="played", alarm_at=100.25)
    over = store.load("over")
    assert over is not None
    assert over == replace(lobby, id="over", ended_at=over.ended_at)
    assert over.ended_at is not None
    assert int(before) <= over.ended_at <= time.time()
    assert store.at(GROUP) == "lobby"
    assert list(store.of_person(5)) == ["lobby"]
    assert sorted(store.alarms()) == [("lobby", 1.5), ("over", 1.5), ("played", 1.5)]
    later = opened(path)
    assert later.load("over") == over, "opened again, nothing is done again"


def test_failed_migration_leaves_the_file_as_it_was(
    path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(path).create(new(), NOTHING)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, ("CREATE TABLE extra (x)", "CREATE TABLE extra (x)")))
        with pytest.raises(StoreUnavailable):
            opened(path)
    store = opened(path)
    assert store.load("m1") == new()
    with store.file.connection() as connection:
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'extra'").fetchall() == []


def test_newer_file_is_refused_unchanged(path: Path, opened: Opened) -> None:
    opened(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerFile, match=f"version {len(MIGRATIONS) + 1}"):
        opened(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE theirs (x)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"]
)
def test_another_programs_database_is_refused_unchanged(path: Path, opened: Opened, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ForeignFile):
        opened(path)
    assert path.read_bytes() == before


def test_file_that_is_no_database_is_refused(path: Path, opened: Opened) -> None:
    path.write_bytes(b"Dear diary, today the raven " * 100)
    with pytest.raises(UnusableFile, match="not a database"):
        opened(path)


def test_damaged_file_is_named(path: Path, opened: Opened) -> None:
    store = opened(path)
    store.create(replace(new(), body="x" * 100_000), NOTHING)
    store.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(UnusableFile, match="malformed"):
        opened(path).load("m1")
