"""One process of the bot, as the simulation sees it: a clock that is a little off, effects, and an end at any time."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from greenlet import getcurrent, greenlet

from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Booted, Ended, Trace
from tests.simulation.weather import Weather

LATENCY: Final = 0.03
"""Seconds on each way to a service and back, at most."""

T = TypeVar("T")


class Killed(BaseException):
    """The process is no more. No handler of errors gets to see it."""


class Tasks:
    """A :class:`handler.ports.Together`: a task for each call, where a process has threads."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._parked: set[greenlet] = set()

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        """Begin a call."""
        made: Future[Any] = Future()
        caller = getcurrent()

        def make() -> None:
            try:
                made.set_result(call())
            except Exception as error:
                made.set_exception(error)
            except Killed:
                pass  # as the caller notices
            if caller in self._parked:
                self._parked.remove(caller)
                self._process.scheduler.wake(caller)

        self._process.scheduler.spawn(make)
        return made

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        """Sleep until one of the calls is made. Raises Killed if the process does not live to see it."""
        while not (done := [each for each in running if each.done()]):
            self._parked.add(getcurrent())
            self._process.scheduler.park()
            self._process.check()
        return done


class Process:
    """A process. It is a :class:`handler.ports.Clock`, ``skew`` seconds ahead of the true time.

    ``until``: the true time at which it is ended whatever it does, None for never.
    """

    speed = 1.0

    def __init__(self, number: int, skew: float, scheduler: Scheduler, weather: Weather, trace: Trace) -> None:
        self.number = number
        self.skew = skew
        self.scheduler = scheduler
        self.weather = weather
        self.trace = trace
        self.until: float | None = None
        self.alive = True
        self.together = Tasks(self)
        trace.add(Booted(scheduler.now, number, skew))

    def now(self) -> float:
        """What the process takes for the time."""
        return self.scheduler.now + self.skew

    def end(self, why: str) -> None:
        """It is no more; whatever task of it comes next to a pause or an effect ends there."""
        if self.alive:
            self.alive = False
            self.trace.add(Ended(self.scheduler.now, self.number, why))

    def pause(self, seconds: float) -> None:
        """Let time pass. Raises Killed if the process does not outlive it."""
        self.check()
        if self.until is not None and self.scheduler.now + seconds > self.until:
            self.scheduler.sleep(max(0.0, self.until - self.scheduler.now))
            if self.alive:
                self.weather.note("out of time", self.number)
                self.end("out of time")
        else:
            self.scheduler.sleep(seconds)
        self.check()

    def effect(self, what: str, about: str, carry_out: Callable[[], T]) -> T:
        """Something that changes the world outside, with a way there and back on which others go on, and the process
        may end. ``what`` and ``about`` name it in the trace.
        """
        self.pause(self.weather.random.uniform(0, LATENCY))
        if self.weather.strikes("killed before an effect", self.number, about):
            self.end(f"killed before {what}")
        self.check()
        result = carry_out()
        if self.weather.strikes("killed after an effect", self.number, about):
            self.end(f"killed after {what}")
        self.pause(self.weather.random.uniform(0, LATENCY))
        return result

    def check(self) -> None:
        """Raises Killed if it is no more."""
        if not self.alive:
            raise Killed
