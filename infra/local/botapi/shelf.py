"""Rows of JSON in one SQLite database, on disk or in memory: what the simulated Telegram remembers."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.stores.schema import UnusableFile

Json = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS rows (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, content BLOB NOT NULL);
"""


class Shelf:
    """Written through within :meth:`change`, read once at start. Used by one thread at a time. Without a ``path`` it
    keeps files alone: rows in memory would be read by nobody.

    Raises :class:`infra.stores.schema.UnusableFile`, also while it is read, if the file is damaged or no such shelf.
    """

    def __init__(self, path: Path | None) -> None:
        self._name = path.name if path else ":memory:"
        self._lasts = path is not None
        with self._usable():
            self._db = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
        try:
            with self._usable():
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.executescript(_SCHEMA)
        except UnusableFile:
            self.close()
            raise
        self._depth = 0

    @contextmanager
    def change(self) -> Iterator[None]:
        """All that is written inside becomes durable together, or not at all. May be nested."""
        self._depth += 1
        try:
            if self._depth == 1:
                self._db.execute("BEGIN IMMEDIATE")
            yield
            if self._depth == 1:
                self._db.execute("COMMIT")
        except BaseException:
            if self._depth == 1 and self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        finally:
            self._depth -= 1

    def rows(self, kind: str) -> dict[str, Json]:
        """Every row of a kind, by key."""
        with self._usable():
            found = self._db.execute("SELECT key, body FROM rows WHERE kind = ?", (kind,))
            return {key: json.loads(body) for key, body in found}

    def save(self, kind: str, key: object, row: Json) -> None:
        """Write one row."""
        if not self._lasts:
            return
        body = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        self._db.execute("REPLACE INTO rows VALUES (?, ?, ?)", (kind, str(key), body))

    def drop(self, kind: str, key: object) -> None:
        """Remove one row, if it is there."""
        if self._lasts:
            self._db.execute("DELETE FROM rows WHERE kind = ? AND key = ?", (kind, str(key)))

    def save_file(self, id: str, content: bytes) -> None:
        """Keep a file's bytes."""
        self._db.execute("REPLACE INTO files VALUES (?, ?)", (id, content))

    def file(self, id: str) -> bytes | None:
        """A file's bytes."""
        found = self._db.execute("SELECT content FROM files WHERE id = ?", (id,)).fetchone()
        return None if found is None else bytes(found[0])

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as error:
            raise UnusableFile(f"{self._name}: {error}") from error
