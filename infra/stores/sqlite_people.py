"""Profiles and results in the SQLite file of one machine, beside its matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from handler.ports import Result
from infra.stores.kept import KeptPeople
from infra.stores.sqlite_file import SqliteFile

# The columns in the order of Result's fields.
_SELECT = "SELECT match, user, chat, ended_at, body FROM results"
_ORDER = "ORDER BY ended_at DESC, match, user"


class SqlitePeople:
    """A :class:`handler.ports.PeopleStore` in a file that its owner closes."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    def profile(self, id: int) -> str | None:
        with self._file.connection() as connection:
            row = connection.execute("SELECT body FROM profiles WHERE id = ?", (id,)).fetchone()
        return row[0] if row else None

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        with self._file.transaction() as connection:
            if was is None:
                done = connection.execute("INSERT OR IGNORE INTO profiles VALUES (?, ?)", (id, body))
            else:
                done = connection.execute("UPDATE profiles SET body = ? WHERE id = ? AND body = ?", (body, id, was))
            return done.rowcount == 1

    def add(self, results: Sequence[Result]) -> None:
        query = "INSERT OR IGNORE INTO results (match, user, chat, ended_at, body) VALUES (?, ?, ?, ?, ?)"
        with self._file.transaction() as connection:
            connection.executemany(query, [astuple(result) for result in results])

    def of(self, user: int) -> Sequence[Result]:
        return self._results("WHERE user = ?", user)

    def in_chat(self, chat: int) -> Sequence[Result]:
        return self._results("WHERE chat = ?", chat)

    def move(self, old: int, new: int) -> None:
        with self._file.transaction() as connection:
            connection.execute("UPDATE results SET chat = ? WHERE chat = ?", (new, old))
            connection.execute("INSERT OR IGNORE INTO profiles SELECT ?, body FROM profiles WHERE id = ?", (new, old))
            connection.execute("DELETE FROM profiles WHERE id = ?", (old,))

    def forget(self, user: int) -> None:
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM profiles WHERE id = ?", (user,))
            connection.execute("DELETE FROM results WHERE user = ?", (user,))

    def kept(self) -> KeptPeople:
        """Everything, for a move to another store. Raises StoreUnavailable."""
        with self._file.connection() as connection:
            profiles = dict(connection.execute("SELECT id, body FROM profiles ORDER BY id"))
        return KeptPeople(profiles, self._results(""))

    def _results(self, which: str, *parameters: int) -> Sequence[Result]:
        with self._file.connection() as connection:
            return [Result(*row) for row in connection.execute(f"{_SELECT} {which} {_ORDER}", parameters)]
