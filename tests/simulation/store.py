"""A store as one process reaches it: over a way on which requests are refused, take long, or lose their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from handler.ports import Conflict, Item, Lease, MatchStore, Place, Pointers, ReplyCount, StoreUnavailable, Taken
from tests.simulation.processes import LATENCY, Process
from tests.simulation.reading import snapshot
from tests.simulation.trace import Snapshot, Stored

PATIENCE: Final = (2.0, 7.0)
"""Seconds after which a process gives up waiting for an answer."""
SLOW: Final = (0.5, 4.0)
"""Seconds that a slow answer takes."""

T = TypeVar("T")


class DistantStore:
    """A :class:`handler.ports.MatchStore` and a :class:`handler.ports.ReplyCount` for one process. Whatever takes
    effect is told to the trace, whether or not the process hears of it.
    """

    def __init__(self, store: MatchStore, replies: ReplyCount, process: Process) -> None:
        self._store = store
        self._replies = replies
        self._process = process
        self._weather = process.weather

    def load(self, id: str) -> Item | None:
        return self._read(id, lambda: self._store.load(id))

    def create(self, item: Item, pointers: Pointers) -> None:
        def create() -> Item:
            self._store.create(item, pointers)
            return item

        self._write("create", item.id, self._process.now(), create)

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        return self._write("commit", before.id, now, lambda: self._store.commit(before, after, pointers, lease, now))

    def settle(self, item: Item, *, done: bool) -> Item:
        return self._write("settle", item.id, self._process.now(), lambda: self._store.settle(item, done=done))

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        return self._write("take", item.id, now, lambda: self._store.take(item, lease, now))

    def at(self, place: Place) -> str | None:
        return self._read(str(place.chat), lambda: self._store.at(place))

    def in_chat(self, chat: int) -> Sequence[str]:
        return self._read(str(chat), lambda: self._store.in_chat(chat))

    def of_person(self, user: int) -> Sequence[str]:
        return self._read(str(user), lambda: self._store.of_person(user))

    def due(self, now: float) -> Iterable[str]:
        return self._read("", lambda: self._store.due(now))

    def alarms(self) -> Sequence[tuple[str, float]]:
        return self._read("", self._store.alarms)

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        return self._carry_out("admit", str(chat), lambda: self._replies.admit(chat, now, most, window))

    def _read(self, about: str, read: Callable[[], T]) -> T:
        self._trouble(about)
        self._process.pause(self._weather.random.uniform(0, LATENCY))
        result = read()
        self._process.pause(self._weather.random.uniform(0, LATENCY))
        return result

    def _write(self, write: str, id: str, clock: float, carry_out: Callable[[], Item]) -> Item:
        """``clock`` is what the process takes for the time of its decision."""

        def store() -> Item:
            item = carry_out()
            trace = self._process.trace
            at, before = self._process.scheduler.now, trace.latest.get(id)
            after = snapshot(item)
            astray = self._astray(after) if write in ("create", "commit") else ()
            trace.add(Stored(at, self._process.number, clock, write, before, after, astray))
            return item

        return self._carry_out(write, id, store)

    def _astray(self, match: Snapshot) -> tuple[str, ...]:
        """Who is led elsewhere than a match demands, straight from the store."""
        is_open, store = match.stage in ("lobby", "playing"), self._store
        place = Place(match.chat, match.topic)
        users = (who.user for who in match.seats if who is not None and who.user is not None)
        lost = [str(user) for user in users if (match.match in store.of_person(user)) != is_open]
        return tuple(lost if (store.at(place) == match.match) == is_open else [str(place), *lost])

    def _carry_out(self, what: str, about: str, carry_out: Callable[[], T]) -> T:
        self._trouble(about)
        lost = self._weather.strikes("store lost after", self._process.number, about)
        try:
            result = self._process.effect(what, about, carry_out)
        except (Conflict, Taken):
            if not lost:
                raise
        else:
            if not lost:
                return result
        raise self._unanswered()

    def _trouble(self, about: str) -> None:
        """What may happen before a request is answered. Raises StoreUnavailable where it does nothing."""
        if self._weather.strikes("store slow", self._process.number, about):
            self._process.pause(self._weather.random.uniform(*SLOW))
        if self._weather.strikes("store throttled", self._process.number, about):
            self._process.pause(self._weather.random.uniform(0, LATENCY))
            raise StoreUnavailable("throttled")
        if self._weather.strikes("store lost before", self._process.number, about):
            raise self._unanswered()

    def _unanswered(self) -> StoreUnavailable:
        """What follows from waiting in vain."""
        self._process.pause(self._weather.random.uniform(*PATIENCE))
        return StoreUnavailable("no answer")
