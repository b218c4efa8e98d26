"""A bot of one process around a store, with whatever is outside left away: Telegram says nothing, the clock stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks.scale_matches import NOW, Open
from handler.ports import MatchStore, Me, Telegram
from handler.rates import GroupRates
from handler.table import Ports
from infra.entropy import SystemEntropy
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from infra.together import OneByOne, at_once
from tests.drawn import sketch
from tests.flows.house import ManualTimers


@dataclass
class Clock:
    """Time that is set by hand."""

    time: float = NOW
    speed: float = 1.0

    def now(self) -> float:
        """The time now."""
        return self.time


class Silent:
    """Telegram, of which nothing is heard: each call does ``wait`` and succeeds."""

    def __init__(self, wait: Callable[[], None] = lambda: None) -> None:
        self._wait = wait

    def me(self) -> Me:
        """The bot itself."""
        return Me(1, "raven_dog_bot")

    def __getattr__(self, method: str) -> Callable[..., int]:
        def call(*_: Any, **__: Any) -> int:
            self._wait()
            return 1

        return call


class Counting:
    """A store that counts what it is asked, by method."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store
        self.asked: Counter[str] = Counter()

    def __getattr__(self, method: str) -> Any:
        self.asked[method] += 1
        return getattr(self._store, method)


def filled(path: Path, opened: Sequence[Open]) -> SqliteStore:
    """A new file with these matches open. Its first connection, and so the only one of a single thread, waits for no
    disk: what that costs is measured apart.
    """
    store = SqliteStore(path)
    with store.file.connection() as connection:
        connection.execute("PRAGMA synchronous = OFF")
    for each in opened:
        store.create(each.item, each.pointers)
    return store


def ports(
    store: MatchStore, file: SqliteStore, clock: Clock | None = None, wait: Callable[[], None] = lambda: None
) -> Ports:
    """What a bot has around it. ``file`` is where its people are."""
    silent = cast("Telegram", Silent(wait))
    people = SqlitePeople(file.file)
    return Ports(
        store,
        people,
        ManualTimers(),
        silent,
        clock or Clock(),
        SystemEntropy(),
        GroupRates(),
        sketch,
        OneByOne(),
        at_once,
    )
