"""How often the bot writes to a group: at most 20 messages and edits a minute are allowed by Telegram (Bots FAQ).

A few calls go at once; after them each waits its turn, so that a busy group sees a steady pace and never half a minute
of silence after a burst (the generic cell rate algorithm).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from threading import Lock
from typing import Final

from handler.logs import kind
from handler.ports import ReplyCount, StoreRefused, StoreUnavailable

log = logging.getLogger(__name__)

BURST: Final = 7
"""Calls that may be made at once after a quiet minute."""
SPACING: Final = 6.0
"""Seconds until a place is free again. So no minute sees more than BURST + 60 / SPACING = 17 of these calls."""
WINDOW: Final = 60.0 + SPACING
"""Seconds after which a call is forgotten. Forgotten after a minute, all of a burst would be free again at the very
moment at which the minute before it ends.
"""
NICETY: Final = 4
"""Calls that must still be possible at once for a reply that nobody would miss."""
SPARE: Final = 3
"""The rest of Telegram's 20: calls within a minute that are kept for replies when no place is free, so that whoever
asks in a busy group is answered. They count by themselves, and nothing else waits for them.

Matches remember their own calls wherever they are told from. Replies are counted by the process on one machine, and
across all processes on AWS (SharedReplies), so that neither goes beyond 20. What remains: matches in several topics of
one group that several processes tell at once know nothing of each other's calls, and what a process on one machine
replied in its last minute is forgotten with it. So there may be more than 20; to take a minute for a full one whenever
nobody knows would hold up every group after every start. Telegram then refuses, and says how long to wait.
"""

GROUPS: Final = 1_000
"""So many groups are remembered before those whose calls no longer count are forgotten."""


def free_at(times: Iterable[float], now: float, calls: int = 1) -> float:
    """The earliest time, at or after ``now``, at which ``calls`` (1 to BURST) more may be made at once, after calls at
    ``times``.
    """
    all_free = 0.0
    for time in sorted(times):
        if time > now - WINDOW:
            all_free = max(all_free, time) + SPACING
    return max(now, all_free - (BURST - calls) * SPACING)


class _Calls:
    """When each group was written to, as far as it still counts. Whoever uses it holds a lock."""

    def __init__(self) -> None:
        self._times: dict[int, list[float]] = {}
        self._room = GROUPS

    def recent(self, chat: int, now: float) -> list[float]:
        """The calls to a group within the window."""
        return [time for time in self._times.get(chat, ()) if time > now - WINDOW]

    def add(self, chat: int, now: float, number: int = 1) -> None:
        """So many calls to a group at once."""
        self._times[chat] = [*self.recent(chat, now), *[now] * number]
        if len(self._times) > self._room:
            # Many groups are never written to again, once their match is over.
            recent = {each: self.recent(each, now) for each in self._times}
            self._times = {each: times for each, times in recent.items() if times}
            self._room = max(GROUPS, 2 * len(self._times))


class GroupRates:
    """The calls of this process to each group within the window. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._times = _Calls()
        self._spared = _Calls()
        self._nice = _Calls()

    def times(self, chat: int, now: float) -> tuple[float, ...]:
        """When this process wrote to ``chat`` within the window, apart from the spare calls."""
        with self._lock:
            return tuple(self._times.recent(chat, now))

    def note(self, chat: int, now: float) -> None:
        """One call to ``chat`` is being made."""
        with self._lock:
            self._times.add(chat, now)

    def assume(self, chat: int, time: float) -> None:
        """Take it that another process wrote to ``chat`` at ``time`` as often as it may at once: nobody knows how often
        it did. A private chat (positive id) has no such limit.
        """
        if chat < 0:
            with self._lock:
                self._times.add(chat, time, BURST)

    def admit(self, chat: int, now: float) -> bool:
        """Take a place for one reply to ``chat`` if one is free at once, or else one of the spare calls; a private chat
        (positive id) always has one.
        """
        if chat > 0:
            return True
        with self._lock:
            if free_at(self._times.recent(chat, now), now) <= now:
                self._times.add(chat, now)
            elif len(self._spared.recent(chat, now)) < SPARE:
                self._spared.add(chat, now)
            else:
                return False
            return True

    def admit_nicety(self, chat: int, now: float) -> bool:
        """Take an ordinary place for a reply that nobody would miss, if there are several and none was taken for such a
        reply within the window.
        """
        with self._lock:
            if self._nice.recent(chat, now) or free_at(self._times.recent(chat, now), now, NICETY) > now:
                return False
            self._times.add(chat, now)
            self._nice.add(chat, now)
            return True


class SharedReplies(GroupRates):
    """Replies of many processes: each has a place among the spare calls alone, which all of them count together. The
    ordinary places are the matches', since no process knows who else is telling one.
    """

    def __init__(self, count: ReplyCount) -> None:
        super().__init__()
        self._count = count

    def admit(self, chat: int, now: float) -> bool:
        """Take one of the spare calls for a reply to ``chat``; none if they cannot be counted. A private chat (positive
        id) always has one.
        """
        return chat > 0 or self._counts(chat, now, SPARE)

    def admit_nicety(self, chat: int, now: float) -> bool:
        """Take one of the spare calls for a reply that nobody would miss, if none was taken within the window."""
        return self._counts(chat, now, 1)

    def _counts(self, chat: int, now: float, most: int) -> bool:
        try:
            return self._count.admit(chat, now, most, WINDOW)
        except (StoreUnavailable, StoreRefused) as error:
            log.warning("a reply that cannot be counted is not given", extra=kind(error))
            return False
