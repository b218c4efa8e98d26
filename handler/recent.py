"""Records lately read, kept replayed: a process that stays warm replays of a match only what is new."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from engine.record import Record, Setup, Step

MOST: Final = 64
"""Matches whose replay is kept."""


class RecentRecords:
    """The latest record of each of the matches read last. Safe for threads: records never change."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._records: OrderedDict[Setup, Record] = OrderedDict()

    def record(self, setup: Setup, steps: tuple[Step, ...]) -> Record:
        """The record of these steps, grown from the one that was read before where it can be."""
        with self._lock:
            known = self._records.get(setup)
        record = Record(setup, steps) if known is None else _grown(known, steps)
        with self._lock:
            self._records[setup] = record
            self._records.move_to_end(setup)
            if len(self._records) > self._most:
                self._records.popitem(last=False)
        return record


def _grown(known: Record, steps: tuple[Step, ...]) -> Record:
    if known.steps != steps[: len(known.steps)]:
        return Record(known.setup, steps)
    for step in steps[len(known.steps) :]:
        known = known.then(step)
    return known
