"""The timers of one machine (``infra/timers/local.py``) in virtual time: tasks in place of its threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from heapq import heappop
from typing import Any, cast

from handler.ports import MatchStore
from infra.timers.local import SWEEP_EVERY, TELLERS, WORKERS, LocalTimers
from tests.simulation.moments import anything_due
from tests.simulation.processes import Process
from tests.simulation.trace import Armed, Nudged

BARELY = 0.001
"""Seconds after its time that a timer fires, so that no rounding makes it come too early."""

CarryOut = Callable[[str, Callable[[], None]], None]
"""Does what a thread of the process does, by name."""


class Pool:
    """A few tasks, ``most`` at once, that do what is submitted. ``name`` says what that is."""

    def __init__(self, name: str, most: int, process: Process, carry_out: CarryOut) -> None:
        self._name = name
        self._most = most
        self._process = process
        self._carry_out = carry_out
        self._waiting: deque[tuple[str, Callable[[], None]]] = deque()
        self._busy = 0

    def submit(self, work: Callable[..., None], *arguments: Any) -> None:
        """Let a task do it, as soon as one is free."""
        self._waiting.append((self._name, lambda: work(*arguments)))
        if self._busy < self._most:
            self._busy += 1
            self._process.scheduler.spawn(self._work)

    def _work(self) -> None:
        while self._waiting and self._process.alive:
            self._carry_out(*self._waiting.popleft())
        self._busy -= 1


class VirtualTimers(LocalTimers):
    """All of the real ones but the thread that keeps the time: here the scheduler does. A nudge is lost now and then,
    as with the process, so that the sweep has something to find.
    """

    def __init__(self, process: Process, carry_out: CarryOut) -> None:
        super().__init__(process)
        self._process = process
        self._pool = cast(Any, Pool("nudge or sweep", WORKERS, process, carry_out))
        self._tellers = cast(Any, Pool("telling afterwards", TELLERS, process, carry_out))
        self._nudged: Callable[[str], None] | None = None  # until it is started

    def arm(self, match: str, alarm: int, at: float) -> None:
        process = self._process
        process.trace.add(Armed(process.scheduler.now, process.number, match, alarm, at))
        if not process.weather.strikes("timers lost", process.number, match):
            super().arm(match, alarm, at)
            process.scheduler.at(at - process.skew + BARELY, self._tick)

    def start(self, store: MatchStore, nudge: Callable[[str], None]) -> None:
        for match, at in store.alarms():
            self.arm(match, 0, at)
        self._nudged = nudged = partial(self._note, nudge)
        self._tick()
        self._minute(partial(self._sweep, store, nudged))

    def _tick(self) -> None:
        """Submit what is due."""
        if self._nudged is None or not self._process.alive:
            return
        while self._heap and self._heap[0][0] <= self._process.now():
            due = heappop(self._heap)
            self._armed.discard(due)
            self._submit(due[1], self._nudged)

    def _minute(self, sweep: Callable[[], None]) -> None:
        """Sweep a minute from now, and so on; a sweep that would find nothing is not worth its time here."""
        process = self._process

        def look() -> None:
            if not process.alive:
                return
            if anything_due(process.trace, process.now()) and not process.weather.strikes("sweep lost", process.number):
                self._pool.submit(sweep)
            self._minute(sweep)

        process.scheduler.at(process.scheduler.now + SWEEP_EVERY, look)

    def _sweep(self, store: MatchStore, nudge: Callable[[str], None]) -> None:
        self._note(lambda _: super(VirtualTimers, self)._sweep(store, nudge), "")

    def _note(self, nudge: Callable[[str], None], match: str) -> None:
        """Nudge, and tell the trace."""
        process = self._process
        at, done = process.scheduler.now, False
        try:
            nudge(match)
            done = True
        finally:
            process.trace.add(Nudged(at, process.scheduler.now, process.number, match, done))
