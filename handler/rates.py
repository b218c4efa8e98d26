"""How often the bot writes to a group: at most 20 messages and edits a minute are allowed by Telegram (Bots FAQ).

The first few calls go at once; then they are spaced, so that a busy group sees a steady pace and not half a minute of
silence after a burst.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from threading import Lock
from typing import Final

WINDOW: Final = 60.0
MOST: Final = 18
"""Calls in any window. Two below Telegram's limit: its clock is not ours."""
BURST: Final = 7
"""Calls in a window that need no spacing."""
SPACING: Final = 3.5
"""Seconds between further calls."""


def free_at(times: Iterable[float], now: float) -> float:
    """The earliest time, at or after ``now``, at which one more call may be made after calls at ``times``."""
    recent = sorted(time for time in times if time > now - WINDOW)
    free = now
    if len(recent) >= BURST:
        free = max(free, recent[-1] + SPACING)
    if len(recent) >= MOST:
        free = max(free, recent[-MOST] + WINDOW)
    return free


class GroupRates:
    """The calls of this process to each group within the last minute. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._times: defaultdict[int, list[float]] = defaultdict(list)

    def times(self, chat: int, now: float) -> tuple[float, ...]:
        """When this process wrote to ``chat`` within the last minute."""
        with self._lock:
            recent = [time for time in self._times.pop(chat, []) if time > now - WINDOW]
            if recent:
                self._times[chat] = recent
            return tuple(recent)

    def note(self, chat: int, now: float) -> None:
        """One call to ``chat`` is being made."""
        with self._lock:
            self._times[chat].append(now)

    def admit(self, chat: int, now: float) -> bool:
        """Take a place for one call to ``chat`` if one is free at once; a private chat (positive id) always is."""
        if chat > 0:
            return True
        if free_at(self.times(chat, now), now) > now:
            return False
        self.note(chat, now)
        return True
