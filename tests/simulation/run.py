"""One run, from its seed to the verdict."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final

from tests.simulation.house import House
from tests.simulation.judge import judge
from tests.simulation.people import People
from tests.simulation.planned import Plan
from tests.simulation.scenario import Game, Scenario, Store, draw
from tests.simulation.schedule import Scheduler
from tests.simulation.telegram import Telegram
from tests.simulation.trace import Struck, Trace
from tests.simulation.verdict import Offence
from tests.simulation.weather import Weather

START: Final = 1_800_000_000.0
LONGEST: Final = 40 * 86_400.0
"""Seconds after which people are no longer waited for."""
DRAIN: Final = 6 * 3600.0
"""Seconds, in calm weather, in which everything has to come to its end."""
LOOK_EVERY: Final = 10.0


@dataclass(frozen=True)
class Result:
    """What came of a run. ``digest`` is of the whole trace; ``trouble`` a traceback, if the simulation itself fell."""

    scenario: Scenario
    digest: str
    counts: Mapping[str, int]
    offences: tuple[Offence, ...]
    trouble: str
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.offences or self.trouble)

    @property
    def why(self) -> str:
        """What is wrong, first things first."""
        if self.trouble or not self.offences:
            return self.trouble.strip()
        first, *others = self.offences
        return f"{first.check}: {first.why}" + (f" (and {len(others)} more)" if others else "")

    @property
    def command(self) -> str:
        """What runs it again."""
        which = self.scenario
        return f"python -m tests.simulation --seeds {which.seed} --game {which.game} --store {which.store} --story"


def simulate(scenario: Scenario) -> Trace:
    """Let it all happen."""
    seed, trace = scenario.seed, Trace()
    scheduler = Scheduler(START + Random(f"{seed}/start").uniform(0, 86_400), Random(f"{seed}/order"))
    weather = Weather(scenario.rates, Random(f"{seed}/weather"), scheduler, trace)
    telegram = Telegram(scheduler, weather, trace, Random(f"{seed}/telegram"))
    house = House(scenario, scheduler, weather, trace, telegram, Random(f"{seed}/house"))
    try:
        telegram.bring_to(house.take)
        people = People(scenario, scheduler, weather, trace, telegram, Random(f"{seed}/people"))
        plan = Plan(scenario, scheduler, trace, house, people)
        people.begin()
        until = scheduler.now + LONGEST
        while scheduler.now < until and not people.finished() and scheduler.step():
            plan.follow()
        weather.calm = True
        house.calm()
        people.settle()
        trace.pending = _drain(scheduler, house, telegram, people)
    finally:
        scheduler.close()
        house.close()
        telegram.close()
    trace.violations = list(map(str, telegram.world.violations))
    return trace


def _drain(scheduler: Scheduler, house: House, telegram: Telegram, people: People) -> list[str]:
    """Let everything come to its end; what does not."""
    until = scheduler.now + DRAIN
    while True:
        look = scheduler.now + LOOK_EVERY
        while scheduler.now < look and scheduler.step():
            pass
        pending = [*house.pending(), *telegram.pending(), *([] if people.finished() else ["people"])]
        if not pending or scheduler.now >= until:
            return pending


def run(seed: int, game: Game | None = None, store: Store = "memory") -> Result:
    """Let a seed's scenario happen, and judge it."""
    return run_scenario(draw(seed, game, store))


def run_scenario(scenario: Scenario) -> Result:
    """Let a scenario happen, and judge it. Whatever is raised on the way is in the result."""
    begun = time.process_time()
    digest, counts, trouble = "", Counter[str](), ""
    offences: tuple[Offence, ...] = ()
    try:
        trace = simulate(scenario)
        digest, counts = fingerprint(trace), count(trace)
        offences = tuple(judge(trace))
    except Exception:
        trouble = traceback.format_exc()
    return Result(scenario, digest, counts, offences, trouble, time.process_time() - begun)


def fingerprint(trace: Trace) -> str:
    """The whole trace as one number."""
    digest = sha256()
    for event in trace.events:
        digest.update(repr(event).encode("utf-8", "backslashreplace"))
    digest.update(repr((trace.pending, trace.violations, sorted(trace.files))).encode())
    return digest.hexdigest()


def count(trace: Trace) -> Counter[str]:
    """How much happened, by kind, and each fault by its name."""
    counts = Counter(type(event).__name__ for event in trace.events)
    counts.update(event.fault for event in trace.of(Struck))
    counts["phases"] = sum(match.number for match in trace.latest.values())
    counts["matches"] = len(trace.latest)
    return counts
