"""The tables in the SQLite file, and how files of earlier releases are brought up to them."""

from __future__ import annotations

import sqlite3
import time

# "Rave": tells the file apart from other programs' databases.
APPLICATION_ID = 0x52617665

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            version INTEGER NOT NULL,
            body TEXT NOT NULL,
            alarm_at REAL,
            alarm INTEGER NOT NULL,
            news INTEGER NOT NULL,
            telling TEXT NOT NULL,
            told INTEGER NOT NULL,
            tell_at REAL NOT NULL,
            lease TEXT,
            lease_until REAL NOT NULL,
            moment REAL
        )
        """,
        "CREATE INDEX matches_by_moment ON matches (moment, id) WHERE moment IS NOT NULL",
        """
        CREATE TABLE places (
            chat INTEGER NOT NULL,
            topic INTEGER NOT NULL,
            match TEXT NOT NULL,
            PRIMARY KEY (chat, topic)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE people (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL,
            match TEXT NOT NULL,
            UNIQUE (user, match)
        )
        """,
    ),
    (
        "ALTER TABLE matches ADD COLUMN ended_at REAL",
        # Of the matches that are over, nobody knows any more since when; from now on is late, but never too early.
        "UPDATE matches SET ended_at = CAST(strftime('%s', 'now') AS REAL)"
        " WHERE alarm_at IS NULL AND id NOT IN (SELECT match FROM places)",
    ),
    (
        "CREATE TABLE profiles (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
        """
        CREATE TABLE results (
            user INTEGER NOT NULL,
            match TEXT NOT NULL,
            chat INTEGER NOT NULL,
            ended_at REAL NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (user, match)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX results_by_chat ON results (chat)",
    ),
)
"""The statements that lead from each version to the next; the file's version (PRAGMA user_version) counts those done.

A released migration is never changed: a new one is added at the end.
"""


class UnusableFile(Exception):
    """The file cannot be this program's store. The message says why."""


class ForeignFile(UnusableFile):
    """A database of another program."""


class NewerFile(UnusableFile):
    """A newer release of this program has written the file."""


def prepare(connection: sqlite3.Connection, patience: float) -> None:
    """Bring the file to the latest version, whoever else is opening it. Waits ``patience`` seconds for others."""
    _check(connection)
    _use_wal(connection, patience)
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Checked again, with the write lock held: another process may have been faster.
        _migrate(connection, _check(connection))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    if version == len(MIGRATIONS):
        return
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _check(connection: sqlite3.Connection) -> int:
    """The file's version, if it is one of ours or still empty."""
    # One statement, so that it reads one moment of the file.
    application, version, tables = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise ForeignFile("the file is another program's database")
    if version > len(MIGRATIONS):
        raise NewerFile(f"the file has version {version}; this release knows versions up to {len(MIGRATIONS)}")
    return int(version)


def _use_wal(connection: sqlite3.Connection, patience: float) -> None:
    """Switch to write-ahead logging, which is remembered in the file.

    SQLite does not wait for a lock here as it does elsewhere: with two processes switching at once, one is refused.
    """
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(0.01)
