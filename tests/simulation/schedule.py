"""Virtual time. Everything that happens in a simulation happens here, one thing at a time, in an order that a seed
decides.

A task is a plain function in a greenlet: it runs until it sleeps, and then another does. So the bot's own code, which
knows nothing of this, is interrupted exactly where the simulation sleeps in its name: around its effects.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random

from greenlet import GreenletExit, getcurrent, greenlet

Work = Callable[[], None]


class Scheduler:
    """The time, and what is to happen in it. ``now`` is the true time, in Unix seconds."""

    def __init__(self, start: float, random: Random) -> None:
        self.now = start
        self._random = random
        self._ahead: list[tuple[float, float, int, Callable[[], object]]] = []
        self._count = 0
        self._asleep: dict[greenlet, None] = {}
        self._hub = getcurrent()

    def at(self, time: float, happen: Callable[[], object]) -> None:
        """Let something happen at ``time`` or, should that have passed, now. It must not sleep.

        What is to happen at the same time happens in any order.
        """
        self._count += 1
        heapq.heappush(self._ahead, (max(time, self.now), self._random.random(), self._count, happen))

    def spawn(self, work: Work, delay: float = 0.0) -> None:
        """Begin a task, ``delay`` seconds from now. What it raises ends the simulation."""
        self.at(self.now + delay, lambda: greenlet(work, self._hub).switch())

    def sleep(self, seconds: float) -> None:
        """Let time pass in the task that calls this, and others go on meanwhile."""
        self.at(self.now + seconds, getcurrent().switch)
        self.park()

    def park(self) -> None:
        """Let the task that calls this sleep until somebody wakes it."""
        task = getcurrent()
        assert task is not self._hub, "only a task can sleep"
        self._asleep[task] = None
        try:
            self._hub.switch()
        finally:
            del self._asleep[task]

    def wake(self, task: greenlet) -> None:
        """Let a task that is parked go on."""
        self.at(self.now, task.switch)

    def step(self) -> bool:
        """Go on to the next thing that happens; False if nothing ever will."""
        if not self._ahead:
            return False
        self.now, _, _, happen = heapq.heappop(self._ahead)
        happen()
        return True

    def close(self) -> None:
        """Nothing happens any more. Tasks that are asleep end where they are, so that nothing of them is kept."""
        self._ahead.clear()
        for task in list(self._asleep):
            task.throw(GreenletExit)
