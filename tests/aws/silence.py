"""Matches that nobody presses in, on the timers of AWS: each phase closes by its deadline, and how late is noted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from handler.codec import read_match
from handler.deadlines import nudged, sweep
from handler.lobby import opened, seat
from handler.match import Match, Pace, Person
from handler.message import Message
from handler.phases import begin
from handler.ports import Item, Lease, Me, NotSent, Place, Pointers
from handler.rates import GroupRates
from handler.table import Ports, change, create
from handler.telling import settle
from infra.aws import calls
from infra.stores.memory import MemoryStore
from infra.stores.memory_people import MemoryPeople
from infra.timers.nudges import read_nudge
from infra.timers.scheduled import ScheduledTimers
from infra.together import OneByOne, at_once
from tests.aws.cloud import FAIR, Cloud, Weather, cloud
from tests.drawn import sketch
from tests.flows.house import CountingEntropy, ManualClock

PEOPLE = (Person(11, "Ada"), Person(12, "Bruno"))


@dataclass(frozen=True)
class Close:
    """A phase that has closed: its match and number, when it opened, when it was due and when it closed."""

    match: str
    number: int
    opened: float
    deadline: float
    time: float

    @property
    def length(self) -> int:
        """Seconds that it was given."""
        return round(self.deadline - self.opened)

    @property
    def late(self) -> float:
        """Seconds from its deadline to its close."""
        return self.time - self.deadline


class WatchedStore(MemoryStore):
    """A store that writes down each phase as its close is stored."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self.clock = clock
        self.closes: list[Close] = []

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        stored = super().commit(before, after, pointers, lease, now)
        old, new = json.loads(before.body), json.loads(after.body)
        number, then = (len(body["record"]["steps"]) if body["record"] else 0 for body in (old, new))
        if then > number:  # by more than one where the rules give the phases after it no time
            self.closes.append(Close(before.id, number, old["opened"], old["deadline"], self.clock.time))
        return stored


class Quiet:
    """Telegram where every call succeeds, unless it is ``down``. ``said`` are the time, chat and text of each new
    message.
    """

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._ids = count(1)
        self.said: list[tuple[float, int, str]] = []
        self.down = False

    def me(self) -> Me:
        return Me(1, "raven_dog_bot")

    def send(self, place: Place, message: Message, *, quiet: bool = False) -> int:
        self._reach()
        self.said.append((self._clock.time, place.chat, message.text))
        return next(self._ids)

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        self._reach()

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        raise AssertionError("nobody presses")

    def pin(self, chat: int, message_id: int) -> None:
        self._reach()

    def document(self, place: Place, name: str, content: bytes, caption: Message) -> int:
        self._reach()
        return next(self._ids)

    def photo(self, place: Place, picture: bytes, caption: Message, *, quiet: bool = False) -> int:
        self._reach()
        return next(self._ids)

    def edit_photo(self, chat: int, message_id: int, picture: bytes, caption: Message) -> None:
        self._reach()

    def member(self, chat: int, user: int) -> str:
        return "member"

    def _reach(self) -> None:
        if self.down:
            raise NotSent


class House:
    """The bot on AWS's timers, with its matches in memory."""

    def __init__(self, clock: ManualClock, cloud: Cloud, seed: int) -> None:
        self.clock = clock
        self.cloud = cloud
        self._chats = 0
        self.store = WatchedStore(clock)
        self.telegram = Quiet(clock)
        self.scheduler, self.sqs = calls.scheduler(), calls.sqs()
        self.timers = ScheduledTimers(lambda: self.scheduler, lambda: self.sqs, cloud.settings, clock)
        entropy = CountingEntropy(f"silence/{seed}")
        self.ports = Ports(
            self.store,
            MemoryPeople(),
            self.timers,
            self.telegram,
            clock,
            entropy,
            GroupRates(),
            sketch,
            OneByOne(),
            at_once,
        )
        cloud.consumer = self.consume
        cloud.sweep = lambda: sweep(self.ports, self.timers, lambda: 29.0)

    def consume(self, event: dict[str, Any]) -> None:
        """What the function does with records of the queue."""
        for record in event["Records"]:
            nudged(self.ports, self.timers, read_nudge(record["body"]), self.cloud.sleep)

    def lobby(self, id: str) -> Match:
        """A lobby in a chat of its own, with two people in their seats."""
        self._chats += 1
        place = Place(-self._chats)
        match = opened(id, place, "The Garden", "gravity", 2, PEOPLE[0], 1, self.clock.time)
        for person in PEOPLE:
            match = seat(match, person)
        settle(self.ports, create(self.ports, match))
        return match

    def begin(self, id: str, pace: Pace) -> None:
        """The match of a lobby begins at this pace."""
        seed = self.ports.entropy.bytes(32)

        def start(match: Match) -> tuple[Match, None]:
            return begin(replace(match, pace=pace), seed, self.clock.time), None

        settle(self.ports, change(self.ports, id, start))

    def load(self, id: str) -> Match:
        """A match as stored."""
        item = self.store.load(id)
        assert item is not None
        return read_match(id, item.body)

    def run(self, id: str) -> None:
        """Let time pass until a match has ended and all of it is told."""
        while (item := self.store.load(id)) is not None and item.moment is not None:
            self.cloud.step()


@contextmanager
def house(seed: int, weather: Weather = FAIR) -> Iterator[House]:
    """The bot in an account of its own."""
    clock = ManualClock()
    with cloud(clock, seed, weather) as made:
        yield House(clock, made, seed)
