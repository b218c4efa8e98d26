"""Time, weather and a process for tests of the simulation's own parts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

from tests.simulation.processes import Process
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Trace
from tests.simulation.weather import Fault, Weather

START: Final = 1_800_000_000.0

T = TypeVar("T")


class PlannedWeather(Weather):
    """Strikes once where it is planned, and at its rates."""

    def __init__(self, random: Random, scheduler: Scheduler, trace: Trace) -> None:
        self.rates: dict[Fault, float] = {}
        super().__init__(self.rates, random, scheduler, trace)
        self._planned: list[Fault] = []

    def plan(self, *faults: Fault) -> None:
        """Each of them is to strike at its next chance."""
        self._planned += faults

    def strikes(self, fault: Fault, process: int | None = None, about: str = "") -> bool:
        if fault in self._planned and not self.calm:
            self._planned.remove(fault)
            self.note(fault, process, about)
            return True
        return super().strikes(fault, process, about)


class Stage:
    """A world in which nothing has happened yet."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.trace = Trace()
        self.scheduler = Scheduler(START, self.stream("scheduler"))
        self.weather = PlannedWeather(self.stream("weather"), self.scheduler, self.trace)
        self.process = Process(1, 0.0, self.scheduler, self.weather, self.trace)

    def stream(self, name: str) -> Random:
        """Chance, the same at each run."""
        return Random(f"{self.seed}/{name}")

    def run(self, work: Callable[[], T]) -> T:
        """Do something in a task of its own, until it is done. Raises what it raises."""
        results: list[T] = []
        failures: list[BaseException] = []

        def task() -> None:
            try:
                results.append(work())
            except BaseException as failure:  # Killed, too
                failures.append(failure)

        self.scheduler.spawn(task)
        while not results and not failures:
            assert self.scheduler.step()
        if failures:
            raise failures[0]
        return results[0]

    def pass_time(self, seconds: float) -> None:
        """Let everything happen that does within some seconds."""
        self.run(lambda: self.scheduler.sleep(seconds))
