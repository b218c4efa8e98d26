"""A process that writes to a SQLite store until it is done or killed.

``python -m tests.infra.sqlite_writer TASK FILE``, where TASK is one of the functions below.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from handler.ports import Conflict, Item, Place, Pointers
from infra.stores import sqlite
from infra.stores.sqlite import SqliteStore

CHAT = -100


def wander(store: SqliteStore) -> None:
    """Move the match from topic to topic for ever; each commit that was acknowledged is a line of output."""
    item = _first("0")
    store.create(item, Pointers(take_place=Place(CHAT, 1), add_people=(1,)))
    while True:
        here, there = item.version, item.version + 1
        moved = Pointers(Place(CHAT, there), Place(CHAT, here), add_people=(there,), drop_people=(here,))
        item = store.commit(item, replace(item, version=there, body="x" * 2000), moved, None, now=0.0)
        sys.stdout.write(f"{item.version}\n")
        sys.stdout.flush()


def count(store: SqliteStore) -> None:
    """Add one to the number in the body, a hundred times, beside others who do the same."""
    with suppress(Conflict):
        store.create(_first("0"), Pointers())
    for _ in range(100):
        item = store.load("m1")
        while item:
            try:
                after = replace(item, version=item.version + 1, body=str(int(item.body) + 1))
                store.commit(item, after, None, None, now=0.0)
                break
            except Conflict as conflict:
                item = conflict.current


def die_half_way(store: SqliteStore) -> None:
    """Die inside a transaction, with the pointers written and the item not."""
    sqlite._write = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    store.create(_first("0"), Pointers(take_place=Place(CHAT), add_people=(1,)))


def _first(body: str) -> Item:
    return Item("m1", 1, body, 5.0, 0, 0, "", 0, 0.0, None, 0.0)


if __name__ == "__main__":
    task = {"wander": wander, "count": count, "die_half_way": die_half_way}[sys.argv[1]]
    task(SqliteStore(Path(sys.argv[2])))
