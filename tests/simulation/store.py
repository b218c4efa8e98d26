"""A store of matches as one process reaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from handler.ports import Item, Lease, MatchStore, Place, Pointers, ReplyCount
from tests.simulation.processes import Process
from tests.simulation.reading import snapshot
from tests.simulation.trace import FORGOTTEN, Snapshot, Stored
from tests.simulation.way import Way


class DistantStore:
    """A :class:`handler.ports.MatchStore` and a :class:`handler.ports.ReplyCount` for one process. Whatever takes
    effect is told to the trace, whether or not the process hears of it.
    """

    def __init__(self, store: MatchStore, replies: ReplyCount, process: Process, way: Way) -> None:
        self._store = store
        self._replies = replies
        self._process = process
        self._way = way

    def load(self, id: str) -> Item | None:
        return self._way.read(id, lambda: self._store.load(id))

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
        return self._way.read(str(place.chat), lambda: self._store.at(place))

    def in_chat(self, chat: int) -> Sequence[str]:
        return self._way.read(str(chat), lambda: self._store.in_chat(chat))

    def of_person(self, user: int) -> Sequence[str]:
        return self._way.read(str(user), lambda: self._store.of_person(user))

    def due(self, now: float) -> Iterable[str]:
        return self._way.read("", lambda: self._store.due(now))

    def alarms(self) -> Sequence[tuple[str, float]]:
        return self._way.read("", self._store.alarms)

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        return self._way.carry_out("admit", str(chat), lambda: self._replies.admit(chat, now, most, window))

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

        return self._way.carry_out(write, id, store)

    def _astray(self, match: Snapshot) -> tuple[str, ...]:
        """Who is led elsewhere than a match demands, straight from the store."""
        is_open, store = match.stage in ("lobby", "playing"), self._store
        place = Place(match.chat, match.topic)
        users = (who.user for who in match.seats if who is not None and who.user not in (None, FORGOTTEN))
        lost = [str(user) for user in users if (match.match in store.of_person(user)) != is_open]
        return tuple(lost if (store.at(place) == match.match) == is_open else [str(place), *lost])
