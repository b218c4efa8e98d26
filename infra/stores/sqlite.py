"""Matches in one SQLite file, for one machine: any number of threads and processes may have it open."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from handler.ports import Conflict, Item, Lease, Place, Pointers, Taken
from infra.stores.conditions import committed, settled, taken
from infra.stores.kept import Kept, in_order
from infra.stores.sqlite_file import SqliteFile

# The columns in the order of Item's fields.
_SELECT = """
    SELECT id, version, body, alarm_at, alarm, news, telling, told, tell_at, lease, lease_until, ended_at
    FROM matches
"""
# In place: a row that is replaced (REPLACE INTO) moves, and every index with it.
_WRITE = """
    INSERT INTO matches (
        id, version, body, alarm_at, alarm, news, telling, told, tell_at, lease, lease_until, ended_at, moment
    )
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
        version = excluded.version,
        body = excluded.body,
        alarm_at = excluded.alarm_at,
        alarm = excluded.alarm,
        news = excluded.news,
        telling = excluded.telling,
        told = excluded.told,
        tell_at = excluded.tell_at,
        lease = excluded.lease,
        lease_until = excluded.lease_until,
        ended_at = excluded.ended_at,
        moment = excluded.moment
"""


class SqliteStore:
    """A :class:`handler.ports.MatchStore`, in a :class:`infra.stores.sqlite_file.SqliteFile` that is opened as that
    says; ``file`` is for other stores of the same file.
    """

    def __init__(self, path: Path, *, patience: float = 5.0) -> None:
        self.file = SqliteFile(path, patience=patience)

    def close(self) -> None:
        """Close the file, for whoever else has it too."""
        self.file.close()

    def load(self, id: str) -> Item | None:
        with self.file.connection() as connection:
            return _load(connection, id)

    def create(self, item: Item, pointers: Pointers) -> None:
        with self.file.transaction() as connection:
            stored = _load(connection, item.id)
            if stored:
                raise Conflict(stored)
            _point(connection, item.id, pointers)
            _write(connection, item)

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        with self.file.transaction() as connection:
            item = committed(_load(connection, before.id), before, after, lease, now)
            if pointers:
                _point(connection, item.id, pointers)
            _write(connection, item)
        return item

    def settle(self, item: Item, *, done: bool) -> Item:
        with self.file.transaction() as connection:
            stored = settled(_load(connection, item.id), item, done=done)
            _write(connection, stored)
        return stored

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        with self.file.transaction() as connection:
            stored = taken(_load(connection, item.id), item, lease, now)
            _write(connection, stored)
        return stored

    def at(self, place: Place) -> str | None:
        with self.file.connection() as connection:
            return _at(connection, place)

    def in_chat(self, chat: int) -> Sequence[str]:
        return self._ids("SELECT match FROM places WHERE chat = ? ORDER BY topic", chat)

    def of_person(self, user: int) -> Sequence[str]:
        return self._ids("SELECT match FROM people WHERE user = ? ORDER BY number", user)

    def due(self, now: float) -> Sequence[str]:
        return self._ids("SELECT id FROM matches WHERE moment <= ? ORDER BY moment, id", now)

    def alarms(self) -> Sequence[tuple[str, float]]:
        with self.file.connection() as connection:
            return connection.execute("SELECT id, moment FROM matches WHERE moment IS NOT NULL").fetchall()

    def kept(self) -> Sequence[Kept]:
        """Every match with everything that points to it, for a move to another store. Raises StoreUnavailable."""
        people: defaultdict[str, dict[int, int]] = defaultdict(dict)
        with self.file.transaction() as connection:
            items = [Item(*row) for row in connection.execute(_SELECT)]
            places = {id: Place(chat, topic or None) for chat, topic, id in connection.execute("SELECT * FROM places")}
            for number, user, id in connection.execute("SELECT number, user, match FROM people"):
                people[id][user] = number
        return in_order(Kept(item, places.get(item.id), people[item.id]) for item in items)

    def keep(self, kept: Kept) -> None:
        """Bring a match in, with everything that points to it. Raises Conflict, Taken, StoreUnavailable."""
        with self.file.transaction() as connection:
            stored = _load(connection, kept.item.id)
            if stored:
                raise Conflict(stored)
            _point(connection, kept.item.id, Pointers(take_place=kept.place))
            for user, number in kept.people.items():
                _number(connection, user, kept.item.id, number)
            _write(connection, kept.item)

    def _ids(self, query: str, *parameters: float) -> Sequence[str]:
        with self.file.connection() as connection:
            return tuple(id for (id,) in connection.execute(query, parameters))


def _load(connection: sqlite3.Connection, id: str) -> Item | None:
    row = connection.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchone()
    return Item(*row) if row else None


def _write(connection: sqlite3.Connection, item: Item) -> None:
    connection.execute(_WRITE, (*vars(item).values(), item.moment))


def _at(connection: sqlite3.Connection, place: Place) -> str | None:
    query = "SELECT match FROM places WHERE chat = ? AND topic = ?"
    row: tuple[str] | None = connection.execute(query, _key(place)).fetchone()
    return row[0] if row else None


def _point(connection: sqlite3.Connection, match: str, pointers: Pointers) -> None:
    """Change the pointers. Taken leaves it to the transaction to undo what was done before."""
    if pointers.take_place:
        winner = _at(connection, pointers.take_place)
        if winner is not None:
            raise Taken(winner)
        connection.execute("INSERT INTO places VALUES (?, ?, ?)", (*_key(pointers.take_place), match))
    if pointers.leave_place:
        query = "DELETE FROM places WHERE chat = ? AND topic = ? AND match = ?"
        connection.execute(query, (*_key(pointers.leave_place), match))
    for user in pointers.drop_people:
        connection.execute("DELETE FROM people WHERE user = ? AND match = ?", (user, match))
    for user in pointers.add_people:
        connection.execute("INSERT OR IGNORE INTO people (user, match) VALUES (?, ?)", (user, match))


def _number(connection: sqlite3.Connection, user: int, match: str, number: int) -> None:
    """Let a person have a match under this number, or the next that is free: elsewhere two may have the same."""
    while connection.execute("SELECT 1 FROM people WHERE number = ?", (number,)).fetchone():
        number += 1
    connection.execute("INSERT INTO people VALUES (?, ?, ?)", (number, user, match))


def _key(place: Place) -> tuple[int, int]:
    """The chat, and the topic or 0: two NULLs would both be allowed in a unique index."""
    return place.chat, place.topic or 0
