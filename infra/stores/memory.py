"""Matches in memory, for tests and simulations: every condition is kept, nothing survives the process."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from handler.ports import Conflict, Item, Lease, Place, Pointers, Taken
from infra.stores.conditions import committed, settled, taken


class MemoryStore:
    """A :class:`handler.ports.MatchStore` for the threads of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._items: dict[str, Item] = {}
        self._places: dict[Place, str] = {}
        self._people: dict[int, dict[str, None]] = {}

    def load(self, id: str) -> Item | None:
        with self._lock:
            return self._items.get(id)

    def create(self, item: Item, pointers: Pointers) -> None:
        with self._lock:
            if item.id in self._items:
                raise Conflict(self._items[item.id])
            self._point(item.id, pointers)
            self._items[item.id] = item

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        with self._lock:
            item = committed(self._items.get(before.id), before, after, lease, now)
            if pointers:
                self._point(item.id, pointers)
            self._items[item.id] = item
            return item

    def settle(self, item: Item, *, done: bool) -> Item:
        with self._lock:
            stored = self._items[item.id] = settled(self._items.get(item.id), item, done=done)
            return stored

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        with self._lock:
            stored = self._items[item.id] = taken(self._items.get(item.id), item, lease, now)
            return stored

    def at(self, place: Place) -> str | None:
        with self._lock:
            return self._places.get(place)

    def in_chat(self, chat: int) -> Sequence[str]:
        with self._lock:
            return tuple(match for place, match in self._places.items() if place.chat == chat)

    def of_person(self, user: int) -> Sequence[str]:
        with self._lock:
            return tuple(self._people.get(user, ()))

    def due(self, now: float) -> Sequence[str]:
        return tuple(id for _, id in sorted((at, id) for id, at in self.alarms() if at <= now))

    def alarms(self) -> Sequence[tuple[str, float]]:
        with self._lock:
            moments = ((id, item.moment) for id, item in self._items.items())
            return tuple((id, at) for id, at in moments if at is not None)

    def _point(self, match: str, pointers: Pointers) -> None:
        """Change the pointers, all or none. The caller holds the lock."""
        if pointers.take_place and pointers.take_place in self._places:
            raise Taken(self._places[pointers.take_place])
        if pointers.leave_place and self._places.get(pointers.leave_place) == match:
            del self._places[pointers.leave_place]
        if pointers.take_place:
            self._places[pointers.take_place] = match
        for user in pointers.drop_people:
            self._people.get(user, {}).pop(match, None)
        for user in pointers.add_people:
            self._people.setdefault(user, {}).setdefault(match)
