"""Timers inside the process, for one machine."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from heapq import heappop, heappush
from threading import Condition, Thread

from handler.ports import Clock, MatchStore, StoreUnavailable

SWEEP_EVERY = 60.0
"""Clock seconds between two looks into the store for what no timer knows of, such as another process's doings."""

AGAIN_AFTER = 5.0
"""Clock seconds after which a nudge is repeated that the store's failure kept from its work."""

LONGEST_WAIT = 1.0
"""Seconds of the wall after which the clock is read again, should it have been set or the machine have slept."""

WORKERS = 4

TELLERS = 64
"""Threads for what is done afterwards, begun when they are needed: neither presses nor deadlines shall wait for it, not
even where many matches close at once and Telegram's pace makes all of them slow.
"""

logger = logging.getLogger(__name__)


class LocalTimers:
    """A :class:`handler.ports.Timers` with one thread that keeps the time and a few that nudge.

    Nothing is nudged before :meth:`start`. Nudges armed are lost with the process: the store knows them.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = Condition()
        self._heap: list[tuple[float, str]] = []
        self._armed: set[tuple[float, str]] = set()
        self._queued: set[str] = set()
        self._telling = 0
        self._closed = False
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="nudge")
        self._tellers = ThreadPoolExecutor(TELLERS, thread_name_prefix="afterwards")
        self._thread: Thread | None = None

    def arm(self, match: str, alarm: int, at: float) -> None:
        # The alarm's number is not needed: nudges of a match that fall due together become one.
        with self._changed:
            if (at, match) not in self._armed:
                self._armed.add((at, match))
                heappush(self._heap, (at, match))
                self._changed.notify()

    def start(self, store: MatchStore, nudge: Callable[[str], None]) -> None:
        """Arm what the store knows and begin to nudge, several matches at a time.

        An exception of ``nudge`` is logged; the match comes up again in the next sweep. Raises StoreUnavailable.
        """
        for match, at in store.alarms():
            self.arm(match, 0, at)
        self._thread = Thread(target=self._run, args=(store, nudge), name="timers", daemon=True)
        self._thread.start()

    def afterwards(self, match: str, work: Callable[[], None]) -> None:
        """A :class:`handler.ports.Afterwards`: in a thread of its own if one is free. Nothing waits for one, for the
        lease with which a match is told would run out meanwhile.
        """
        with self._changed:
            free = self._telling < TELLERS and not self._closed
            if free:
                self._telling += 1
                self._tellers.submit(self._tell, match, work)
        if not free:
            work()

    def _tell(self, match: str, work: Callable[[], None]) -> None:
        try:
            self._attend(match, work)
        finally:
            with self._changed:
                self._telling -= 1

    def wake(self) -> None:
        """Read the clock again: to be called when it was set or its speed changed."""
        with self._changed:
            self._changed.notify()

    def close(self) -> None:
        """Nudge nobody any more. Waits for the nudges that are running, and for what is done afterwards."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread:
            self._thread.join()
        self._pool.shutdown(cancel_futures=True)
        self._tellers.shutdown(cancel_futures=True)

    def _run(self, store: MatchStore, nudge: Callable[[str], None]) -> None:
        sweep_at = self._clock.now() + SWEEP_EVERY
        with self._changed:
            while not self._closed:
                now = self._clock.now()
                while self._heap and self._heap[0][0] <= now:
                    due = heappop(self._heap)
                    self._armed.discard(due)
                    self._submit(due[1], nudge)
                if now >= sweep_at:
                    sweep_at = now + SWEEP_EVERY
                    self._pool.submit(self._sweep, store, nudge)
                next_at = min(sweep_at, self._heap[0][0]) if self._heap else sweep_at
                self._changed.wait(min((next_at - now) / self._clock.speed, LONGEST_WAIT))

    def _sweep(self, store: MatchStore, nudge: Callable[[str], None]) -> None:
        try:
            due = store.due(self._clock.now())
        except Exception:
            logger.exception("the sweep failed")
            return
        with self._changed:
            for match in due:
                self._submit(match, nudge)

    def _submit(self, match: str, nudge: Callable[[str], None]) -> None:
        """Let a worker nudge the match, unless it waits for one already. The caller holds the lock."""
        if match not in self._queued and not self._closed:
            self._queued.add(match)
            self._pool.submit(self._nudge, match, nudge)

    def _nudge(self, match: str, nudge: Callable[[str], None]) -> None:
        with self._changed:
            self._queued.discard(match)
        self._attend(match, partial(nudge, match))

    def _attend(self, match: str, work: Callable[[], None]) -> None:
        try:
            work()
        except StoreUnavailable as error:
            logger.warning("match %s is nudged again: %s", match, error)
            self.arm(match, 0, self._clock.now() + AGAIN_AFTER)
        except Exception:
            logger.exception("match %s could not be looked after", match)
