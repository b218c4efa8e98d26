"""Telegram's limit of what a bot may send in all, about thirty messages a second (Bots FAQ, "How can I message all of
my bot's subscribers at once?").
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep
from typing import Final

A_SECOND: Final = 25.0
"""Calls that may begin in a second, or at once after a quiet one. The rest is left to answers, which wait for none."""


class Pace:
    """Turns for calls, in the order in which they are asked for. For any number of threads."""

    def __init__(self, now: Callable[[], float] = monotonic, wait: Callable[[float], None] = sleep) -> None:
        self._now = now
        self._wait = wait
        self._lock = Lock()
        self._next = -1.0

    def turn(self) -> None:
        """Take a turn, and return when it has come: after one call of each thread that asked before, at the latest."""
        with self._lock:
            now = self._now()
            self._next = max(self._next, now - 1.0) + 1 / A_SECOND
            early = self._next - now
        if early > 0:
            self._wait(early)
