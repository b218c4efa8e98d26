"""What a scenario has planned to go wrong, let happen when its phase has come."""

from __future__ import annotations

from functools import partial

from tests.simulation.house import House
from tests.simulation.people import People
from tests.simulation.scenario import Planned, Scenario
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Stored, Trace


class Plan:
    """Follows the match that the scenario is about, and lets each mishap happen once."""

    def __init__(self, scenario: Scenario, scheduler: Scheduler, trace: Trace, house: House, people: People) -> None:
        self._scheduler = scheduler
        self._trace = trace
        self._house = house
        self._people = people
        self._left = list(scenario.mishaps)
        self._matches = 2 if scenario.others else 1
        self._number = -1
        self._seen = 0

    def follow(self) -> None:
        """Look at what has happened since the last time."""
        events = self._trace.events
        while self._left and self._seen < len(events):
            event = events[self._seen]
            self._seen += 1
            if isinstance(event, Stored) and event.after.match == self._people.match:
                match = event.after
                if match.stage == "playing" and match.number > self._number:
                    self._number = match.number
                    self._await()

    def _await(self) -> None:
        """A phase has opened, in which something may happen."""
        for planned in self._left:
            if planned.phase <= self._number:
                self._scheduler.at(self._scheduler.now + planned.after, partial(self._happen, planned, self._number))

    def _happen(self, planned: Planned, number: int) -> None:
        """It happens if the phase has lasted so long."""
        match = self._trace.latest[self._people.match or ""]
        if planned not in self._left or (match.stage, match.number) != ("playing", number):
            return
        if planned.mishap == "release" and self._beginning():
            return
        self._left.remove(planned)
        match planned.mishap:
            case "restart":
                self._house.restart("restart")
            case "outage":
                self._house.outage(planned.seconds)
            case "release":
                self._house.release(planned.seconds)
            case _:
                self._people.mishap(planned)

    def _beginning(self) -> bool:
        """Whether a match might begin, by rules that nobody knows once the release is rolled back."""
        matches = self._trace.latest.values()
        return sum(match.seed is not None for match in matches) < self._matches or any(
            match.stage == "lobby" for match in matches
        )
