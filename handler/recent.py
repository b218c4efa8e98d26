"""Records lately read, kept replayed: a process that stays warm reads and replays of a match only what is new.

A whole history takes up to 350 kB, so few are kept. Of many more matches the latest transition is, packed into some
kilobytes: that is all that most presses need, and unpacking it takes a small part of the time of a replay.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from engine.record import Record, Setup
from handler.steps import read_step

MOST: Final = 64
"""Matches whose replay is kept."""

PACKED_BYTES: Final = 80_000_000
"""What other matches may take: 10,000 of them, at the 7 kB that one has on average."""

_Texts = Sequence[str]


@dataclass(frozen=True)
class _Packed:
    """``content`` is a record's steps and its latest transition, pickled; ``read`` are the ``number`` texts of these
    steps, joined.
    """

    number: int
    read: str
    content: bytes

    @property
    def size(self) -> int:
        return len(self.read) + len(self.content)


class RecentRecords:
    """The latest record of each of the matches read last. Safe for threads: records never change."""

    def __init__(self, most: int = MOST, packed_bytes: int = PACKED_BYTES) -> None:
        self._most = most
        self._packed_bytes = packed_bytes
        self._lock = Lock()
        self._records: OrderedDict[Setup, tuple[_Texts, Record]] = OrderedDict()
        self._packed: OrderedDict[Setup, _Packed] = OrderedDict()
        self._size = 0

    def record(self, setup: Setup, steps: _Texts) -> Record:
        """The record of steps as :mod:`handler.steps` writes them, grown from the one that was read before where it
        can be.
        """
        record = self._known(setup, steps) or Record(setup)
        for text in steps[len(record.steps) :]:
            record = record.then(read_step(text))
        with self._lock:
            self._records[setup] = steps, record
            self._records.move_to_end(setup)
            oldest = self._records.popitem(last=False)[1] if len(self._records) > self._most else None
        if oldest is not None:
            self._pack(*oldest)
        return record

    def _known(self, setup: Setup, steps: _Texts) -> Record | None:
        """The record of as many of these steps as have been read before."""
        with self._lock:
            known = self._records.get(setup)
            packed = self._packed.get(setup)
        if known is not None:
            read, record = known
            return record if steps[: len(read)] == read else None
        if packed is None or "\n".join(steps[: packed.number]) != packed.read:
            return None
        earlier, latest = pickle.loads(packed.content)  # noqa: S301 - this process has packed it
        return Record(setup, earlier).reaching(latest)

    def _pack(self, steps: _Texts, record: Record) -> None:
        """Keep of a record what a press needs, if it is known; those packed longest ago make room for it."""
        if not record.is_replayed:
            return
        with self._lock:
            before = self._packed.get(record.setup)
        packed = before
        if packed is None or packed.number != len(steps):
            packed = _Packed(len(steps), "\n".join(steps), pickle.dumps((record.steps, record.latest)))
        with self._lock:
            before = self._packed.pop(record.setup, None)
            self._packed[record.setup] = packed
            self._size += packed.size - (before.size if before else 0)
            while self._size > self._packed_bytes:
                self._size -= self._packed.popitem(last=False)[1].size
