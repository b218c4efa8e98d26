"""Telegram's limit of what a bot may send in all, about thirty messages a second (Bots FAQ, "How can I message all of
my bot's subscribers at once?").
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from threading import Lock
from time import monotonic, sleep
from typing import Final

A_SECOND: Final = 25
"""Calls that may begin within any second. The rest is left to answers, which wait for none."""


class Pace:
    """Turns for calls, in the order in which they are asked for. For any number of threads."""

    def __init__(self, now: Callable[[], float] = monotonic, wait: Callable[[float], None] = sleep) -> None:
        self._now = now
        self._wait = wait
        self._lock = Lock()
        self._begun = deque([-inf] * A_SECOND, A_SECOND)

    def turn(self) -> None:
        """Take a turn, and return when it has come. Each thread that asked before has one first."""
        with self._lock:
            now = self._now()
            begins = max(now, self._begun[0] + 1.0)
            self._begun.append(begins)
            early = begins - now
        if early > 0:
            self._wait(early)
