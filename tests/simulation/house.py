"""The bot's side of a simulation: its processes, and what befalls all of them at once."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import Any

from handler import codec
from handler.recent import RecentRecords
from handler.unknown import leave_alone
from infra.local.botapi.transport import TOKEN
from tests.simulation.delivery import Brought
from tests.simulation.functions import Functions
from tests.simulation.logs import listening
from tests.simulation.machine import Machine
from tests.simulation.moments import untold
from tests.simulation.premises import SECRET, Premises
from tests.simulation.release import Release
from tests.simulation.scenario import Scenario
from tests.simulation.schedule import Scheduler
from tests.simulation.stores import opened
from tests.simulation.telegram import Telegram
from tests.simulation.trace import Trace
from tests.simulation.weather import Weather


class House:
    """One machine, or the functions on AWS. It is up from the start."""

    def __init__(
        self,
        scenario: Scenario,
        scheduler: Scheduler,
        weather: Weather,
        trace: Trace,
        telegram: Telegram,
        random: Random,
    ) -> None:
        self._scheduler = scheduler
        self._weather = weather
        self._trace = trace
        self._release = Release()
        self._end = ExitStack()
        self._end.callback(self._release.roll_back)
        # What a process of the bot remembers, the next run would remember too.
        leave_alone.cache_clear()
        codec._RECENT = RecentRecords()
        self._end.enter_context(listening(scheduler, trace, measured=scenario.house == "aws"))
        stores = self._end.enter_context(opened(scenario.store))
        premises = Premises(scenario, scheduler, weather, trace, telegram, stores, random)
        self._place = Machine(premises) if scenario.house == "machine" else Functions(premises)
        self._outages = 0
        trace.secrets += [TOKEN, SECRET]
        self._place.start()

    def take(self, update: Any) -> Brought:
        """An update is brought."""
        return self._place.take(update)

    def restart(self, why: str) -> None:
        """End every process, and let others start."""
        self._weather.note("restart")
        self._begin_anew(why)

    def outage(self, seconds: float) -> None:
        """Nothing runs for a while."""
        self._weather.note("outage", about=str(seconds))
        self._outages += 1
        self._place.stop("outage")
        self._scheduler.at(self._scheduler.now + seconds, self._recover)

    def release(self, seconds: float) -> None:
        """Run a release of other rules for a while, until it is rolled back."""
        if self._release.other:
            return
        self._weather.note("release of other rules", about=str(seconds))
        self._release.replace()
        self._begin_anew("release")
        self._scheduler.at(self._scheduler.now + seconds, self._roll_back)

    def calm(self) -> None:
        """Nothing more befalls it, and what has is over."""
        self._roll_back()
        if self._outages:
            self._outages = 0
            self._place.start()

    def pending(self) -> list[str]:
        """What is being done, and who still has to be told."""
        behind = [f"news of {match.match}" for match in self._trace.latest.values() if untold(match)]
        return [*self._place.pending(), *behind]

    def close(self) -> None:
        """It is no more, and leaves nothing behind."""
        self._end.close()

    def _begin_anew(self, why: str) -> None:
        self._place.stop(why)
        if not self._outages:
            self._place.start()

    def _recover(self) -> None:
        if self._outages:
            self._outages -= 1
            if not self._outages:
                self._place.start()

    def _roll_back(self) -> None:
        if self._release.other:
            self._release.roll_back()
            self._begin_anew("rolled back")
