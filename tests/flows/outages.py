"""A process that is killed again and again, and a store that fails once."""

from __future__ import annotations

from typing import TypeVar

from handler.ports import MatchStore, StoreUnavailable
from tests.flows.frail import Around, Effect, Frail, Killed
from tests.flows.segments import Segment

START = 2
"""Requests to the store when a process starts. Without an answer to them it does not come up at all."""

WRITES = ("create", "commit", "settle", "take")
"""The effects that are writes to the store."""

T = TypeVar("T")


def run(segment: Segment, around: Around, store: MatchStore | None = None) -> Frail:
    """A segment played through, whatever happens."""
    bot = Frail(store, around)
    segment(bot)
    return bot


class KillOften(Around):
    """The process is killed again and again, each time a few effects after it came up."""

    def __init__(self, every: int, times: int) -> None:
        super().__init__()
        self.every = every
        self.times = times

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if self.times and len(self.effects) % self.every == 0:
            self.times -= 1
            raise Killed
        return effect()


class Outage(Around):
    """The store fails once, at its ``at``-th request, reads included; a write may have taken effect before that."""

    def __init__(self, at: int, *, too_late: bool) -> None:
        super().__init__()
        self.at = at
        self.too_late = too_late
        self.requests = 0

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        return self.read(effect) if name in WRITES else effect()

    def read(self, request: Effect[T]) -> T:
        self.requests += 1
        if self.requests != self.at:
            return request()
        if self.too_late:
            request()
        raise StoreUnavailable


def requests(segment: Segment) -> int:
    """How many requests to the store a segment makes."""
    counter = Outage(0, too_late=False)
    run(segment, counter).close()
    return counter.requests
