"""However many matches a file holds, no statement of a press, a command or a sweep looks at all of them.

Every method of both stores is called, and SQLite is asked how it would carry out each statement that came of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handler.ports import Conflict, Lease, MatchStore, PeopleStore, Place, Pointers, Result, Taken
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from tests.infra.store_contract import GROUP, following, new

OTHER = Place(-7, 3)
PLANNED = re.compile(r"\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE)\b")


class Calls:
    """A store whose methods are noted as they are called."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.called: set[str] = set()

    def __getattr__(self, method: str) -> Any:
        self.called.add(method)
        return getattr(self._store, method)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "matches.sqlite")
    yield store
    store.close()


def of(protocol: type) -> set[str]:
    """The methods of a protocol."""
    return {name for name in vars(protocol) if not name.startswith("_")}


def scans(store: SqliteStore, said: list[str]) -> list[str]:
    """Of the statements that were carried out, those that look at every row of a table."""
    found = []
    with store.file.connection() as connection:
        connection.set_trace_callback(None)
        for statement in dict.fromkeys(filter(PLANNED.match, said)):
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
            if any(step.startswith("SCAN") for step in plan):
                found.append(statement)
    return found


def traced(store: SqliteStore) -> list[str]:
    """The statements from now on, with their parameters in place. One thread has one connection all the time."""
    said: list[str] = []
    with store.file.connection() as connection:
        connection.set_trace_callback(said.append)
    return said


def test_no_statement_about_matches_looks_at_all_of_them(store: SqliteStore) -> None:
    said, calls = traced(store), Calls(store)
    item = new(alarm_at=5.0)
    calls.create(item, Pointers(take_place=GROUP, add_people=(1, 2)))
    with pytest.raises(Taken):
        calls.create(new("other"), Pointers(take_place=GROUP))
    moved = Pointers(take_place=OTHER, leave_place=GROUP, add_people=(3,), drop_people=(2,))
    item = calls.commit(item, following(item, news=1), moved, Lease("a", 20.0), 10.0)
    item = calls.settle(item, done=True)
    calls.take(calls.commit(item, following(item, news=2), None, None, 10.0), Lease("b", 40.0), 30.0)
    with pytest.raises(Conflict):
        calls.commit(item, following(item), None, None, 30.0)
    assert calls.load("m1") is not None
    assert calls.at(OTHER) == "m1"
    assert list(calls.in_chat(OTHER.chat)) == ["m1"]
    assert list(calls.of_person(3)) == ["m1"]
    assert list(calls.due(1e9)) == ["m1"]
    assert calls.alarms() == [("m1", 5.0)]
    assert calls.called == of(MatchStore)
    assert len([statement for statement in said if PLANNED.match(statement)]) > 20
    assert scans(store, said) == []


def test_no_statement_about_people_looks_at_all_of_them(store: SqliteStore) -> None:
    said, calls = traced(store), Calls(SqlitePeople(store.file))
    assert calls.keep_profile(1, "one", None)
    assert calls.keep_profile(1, "two", "one")
    assert calls.keep_profile(-5, "group", None)
    calls.add([Result("m1", 1, -5, 10.0, "won"), Result("m1", 2, -5, 10.0, "lost")])
    calls.move(-5, -6)
    assert calls.profile(-6) == "group"
    assert len(calls.of(1)) == 1
    assert len(calls.in_chat(-6)) == 2
    calls.forget(1)
    assert calls.called == of(PeopleStore)
    assert scans(store, said) == []


def test_a_statement_that_looks_at_all_rows_is_found(store: SqliteStore) -> None:
    assert scans(store, ["SELECT id FROM matches WHERE version = 3"]) != []
    said = traced(store)
    store.kept()
    assert len(scans(store, said)) == 3, "a move to another store reads every match, place and person"
