"""The stores of people in memory and in SQLite keep the contract."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from handler.ports import Pointers, StoreUnavailable
from infra.stores import schema
from infra.stores.memory_people import MemoryPeople
from infra.stores.schema import MIGRATIONS
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from tests.infra.people_contract import ADA, GROUP, PeopleContract, result
from tests.infra.store_contract import new


class TestMemoryPeople(PeopleContract):
    @pytest.fixture
    def people(self) -> MemoryPeople:
        return MemoryPeople()


class TestSqlitePeople(PeopleContract):
    @pytest.fixture
    def people(self, file: Path) -> Iterator[SqlitePeople]:
        with closing(SqliteStore(file, patience=60.0)) as store:
            yield SqlitePeople(store.file)


def test_people_outlive_the_file_beside_its_matches(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        store.create(new(), Pointers(add_people=(ADA,)))
        SqlitePeople(store.file).add([result()])
        SqlitePeople(store.file).keep_profile(GROUP, "{}", None)
    with closing(SqliteStore(file)) as store:
        people = SqlitePeople(store.file)
        people.forget(ADA + 1)
        assert list(people.of(ADA)) == [result()]
        assert people.profile(GROUP) == "{}"
        assert store.load("m1") == new()
        people.forget(ADA)
        assert list(store.of_person(ADA)) == ["m1"], "the match that somebody is in is no result"


def test_an_earlier_releases_file_gets_room_for_people(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", MIGRATIONS[:2])
        with closing(SqliteStore(file)) as store:
            store.create(new(), Pointers(add_people=(ADA,)))
    with closing(SqliteStore(file)) as store:
        people = SqlitePeople(store.file)
        people.add([result()])
        assert list(people.in_chat(GROUP)) == [result()]
        assert store.load("m1") == new()


def test_a_locked_file_is_unavailable_and_nothing_is_half_added(file: Path) -> None:
    with (
        closing(SqliteStore(file, patience=0.0)) as store,
        closing(sqlite3.connect(file, isolation_level=None)) as other,
    ):
        people = SqlitePeople(store.file)
        other.execute("BEGIN IMMEDIATE")
        for write in (
            lambda: people.add([result()]),
            lambda: people.keep_profile(ADA, "{}", None),
            lambda: people.move(GROUP, -5),
            lambda: people.forget(ADA),
        ):
            with pytest.raises(StoreUnavailable, match="locked"):
                write()
        other.execute("ROLLBACK")
        assert list(people.of(ADA)) == []
        people.add([result()])
        assert list(people.of(ADA)) == [result()]
