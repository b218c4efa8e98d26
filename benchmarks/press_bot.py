"""The bot as it is measured: its webhook, its SQLite file and its timers in one process, with a count of what it asks
its store.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.copies import renamed
from benchmarks.elsewhere import serve
from handler.codec import read_match
from handler.dispatch import handle
from handler.ports import Item, Lease, MatchStore, Place, Pointers
from handler.webhook import make_app
from handler.wiring import one_machine
from infra.telegram import BotTelegram

SECRET: Final = "of-the-webhook"  # noqa: S105 - of a webhook that only this machine reaches

IN_HAND: Final = 60.0
"""Seconds within which a match's next moment is no limit of its phase, at the pace of letters: it is being told."""


@dataclass(frozen=True)
class Asked:
    """One request to the store: ``load``, ``commit`` … and the bytes of the item that it wrote, 0 for a read."""

    what: str
    size: int = 0


class CountingStore:
    """A store that remembers what it was asked. Any number of threads."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store
        self.asked: list[Asked] = []

    def load(self, id: str) -> Item | None:
        self.asked.append(Asked("load"))
        return self._store.load(id)

    def create(self, item: Item, pointers: Pointers) -> None:
        self._written("create", item)
        self._store.create(item, pointers)

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        self._written("commit", after)
        return self._store.commit(before, after, pointers, lease, now)

    def settle(self, item: Item, *, done: bool) -> Item:
        self._written("settle", item)
        return self._store.settle(item, done=done)

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        self._written("take", item)
        return self._store.take(item, lease, now)

    def at(self, place: Place) -> str | None:
        self.asked.append(Asked("at"))
        return self._store.at(place)

    def in_chat(self, chat: int) -> Sequence[str]:
        self.asked.append(Asked("in_chat"))
        return self._store.in_chat(chat)

    def of_person(self, user: int) -> Sequence[str]:
        self.asked.append(Asked("of_person"))
        return self._store.of_person(user)

    def due(self, now: float) -> Iterable[str]:
        self.asked.append(Asked("due"))
        return self._store.due(now)

    def alarms(self) -> Sequence[tuple[str, float]]:
        self.asked.append(Asked("alarms"))
        return self._store.alarms()

    def _written(self, what: str, item: Item) -> None:
        self.asked.append(Asked(what, len(item.body.encode()) + len(item.telling.encode())))


class LaterClock:
    """The machine's clock, which can be put on."""

    speed = 1.0

    def __init__(self) -> None:
        self.later = 0.0

    def now(self) -> float:
        return time.time() + self.later


class Bot:
    """The whole bot, with the Bot API at ``address`` and its state in ``folder``."""

    def __init__(self, address: str, token: str, folder: Path) -> None:
        self._open = ExitStack()
        self._clock = LaterClock()
        ports = self._open.enter_context(one_machine(folder, BotTelegram(token, address), self._clock))
        self._uncounted = ports.store
        self._store = CountingStore(ports.store)
        self._address = serve(make_app(partial(handle, replace(ports, store=self._store)), SECRET))

    def close(self) -> None:
        """Stop the timers, close the file and the connections to the Bot API."""
        self._open.close()

    def address(self) -> str:
        """Where updates are taken in."""
        return self._address

    def let_have(self, match: str, names: Mapping[str, str]) -> None:
        """Store a match once more, everything in it named anew (:func:`benchmarks.copies.renamed`), with another seed:
        what is remembered of one shall be of no use for another.
        """
        item = self._uncounted.load(match)
        assert item is not None
        record = read_match(match, item.body).record
        assert record is not None
        fresh = {**names, record.setup.seed: secrets.token_hex(32)}
        copied = replace(
            item, id=names[match], body=renamed(item.body, fresh), telling=renamed(item.telling, names), version=1
        )
        stored = read_match(copied.id, copied.body)
        self._uncounted.create(copied, Pointers(take_place=stored.place, add_people=stored.users))

    def pass_time(self, seconds: float) -> None:
        """Let time have passed. Groups that were waiting for their rate are told what is left by timers that look at
        the clock every second.
        """
        self._clock.later += seconds

    def untold(self) -> int:
        """How many matches have something due or untold."""
        return sum(at <= self._clock.now() + IN_HAND for _, at in self._uncounted.alarms())

    def closed(self) -> int:
        """How many phases of all open matches have closed."""
        items = (self._uncounted.load(id) for id, _ in self._uncounted.alarms())
        return sum(read_match(item.id, item.body).number for item in items if item is not None)

    def asked(self) -> Sequence[Asked]:
        """What the updates asked of the store since last time, in order, and what was told after their answers."""
        asked, self._store.asked = self._store.asked, []
        return asked

    def worked(self) -> float:
        """Seconds of a processor that this process has used."""
        return time.process_time()
