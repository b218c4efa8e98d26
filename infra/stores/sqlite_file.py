"""One SQLite file, for any number of threads and processes, as the stores of one machine have it in common."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from handler.ports import StoreUnavailable
from infra.stores.schema import UnusableFile, prepare


class SqliteFile:
    """The file, brought up to this release. An acknowledged write survives a kill of the process or the machine.

    ``patience`` is how long a call waits, in seconds, for other writers before it raises StoreUnavailable.

    Raises :class:`infra.stores.schema.UnusableFile` if the file is another program's, a newer release's, or damaged.
    """

    def __init__(self, path: Path, *, patience: float = 5.0) -> None:
        self._path = path
        self._patience = patience
        self._idle: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._closed = False
        with suppress(OSError):  # it is there already, or SQLite says why it cannot be made
            # Seeds and sealed moves are for no other user of the machine. What SQLite puts beside it is as private.
            os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with self.connection() as connection:
                prepare(connection, patience)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file. A call that is still running closes its own connection at its end."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction that holds the write lock from its start, so that what it reads stays true until it ends."""
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection nobody else uses meanwhile, idle or new; one that failed is not used again."""
        try:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            connection = connection or self._connect()
            usable = True
            try:
                yield connection
            except sqlite3.Error:
                usable = False
                raise
            finally:
                self._put_back(connection, usable)
        except sqlite3.OperationalError as error:
            raise StoreUnavailable(f"SQLite: {error}") from error
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise UnusableFile(f"{self._path.name}: {error}") from error
            raise

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=self._patience, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _put_back(self, connection: sqlite3.Connection, usable: bool) -> None:
        with self._lock:
            if usable and not self._closed:
                self._idle.append(connection)
                return
        connection.close()
