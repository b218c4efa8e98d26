"""The time of the machine."""

from __future__ import annotations

import time
from typing import Protocol


class RunningClock(Protocol):
    """A :class:`handler.ports.Clock` that runs by itself, though perhaps not as fast as the clock on the wall."""

    def now(self) -> float:
        """Unix seconds, UTC."""

    @property
    def speed(self) -> float:
        """How many of its seconds pass in one second; more than 0."""


class SystemClock:
    """The machine's own clock."""

    speed = 1.0

    def now(self) -> float:
        return time.time()
