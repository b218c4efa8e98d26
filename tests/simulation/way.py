"""The way from a process to a store, on which requests are refused, take long, or lose their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from handler.ports import Conflict, StoreUnavailable, Taken
from tests.simulation.processes import LATENCY, Process

PATIENCE: Final = (2.0, 7.0)
"""Seconds after which a process gives up waiting for an answer."""
SLOW: Final = (0.5, 4.0)
"""Seconds that a slow answer takes."""

T = TypeVar("T")


class Way:
    """The way of one process. ``about`` names in the trace what is asked for. Both raise StoreUnavailable."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._weather = process.weather

    def read(self, about: str, read: Callable[[], T]) -> T:
        """Ask for something."""
        self._trouble(about)
        self._process.pause(self._weather.random.uniform(0, LATENCY))
        result = read()
        self._process.pause(self._weather.random.uniform(0, LATENCY))
        return result

    def carry_out(self, what: str, about: str, carry_out: Callable[[], T]) -> T:
        """Have something done, which may be done although nobody hears of it."""
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
