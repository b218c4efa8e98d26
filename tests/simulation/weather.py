"""What goes wrong by chance, how often, and the count of it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, Literal, get_args

from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Struck, Trace

Fault = Literal[
    # the process
    "killed before an effect",
    "killed after an effect",
    "out of time",
    "restart",
    "outage",
    "release of other rules",
    # the store: refused, timed out before or after it took effect
    "store throttled",
    "store lost before",
    "store lost after",
    "store slow",
    # from Telegram to the bot
    "update twice",
    "update late",
    "update overtaken",
    "answer lost",
    # from the bot to Telegram
    "telegram connection refused",
    "telegram cut before",
    "telegram cut after",
    "telegram silent before",
    "telegram silent after",
    "telegram slow",
    "telegram 429",
    "telegram 500",
    "telegram 502",
    "telegram 500 after",
    "telegram empty answer",
    "telegram edit not found",
    "telegram query too old",
    # pictures
    "drawing failed",
    # timers
    "schedule refused",
    "schedule lost",
    "schedule late",
    "schedule twice",
    "message refused",
    "message lost",
    "message late",
    "message twice",
    "sweep lost",
    "timers lost",
    # people and groups
    "blocked",
    "left",
    "renamed",
    "migrated",
    "bot removed",
    "topic closed",
    "rights withdrawn",
]
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)


class Weather:
    """Strikes at the rates that it is given (0 to 1, for each chance to strike), until it is ``calm``."""

    def __init__(self, rates: Mapping[Fault, float], random: Random, scheduler: Scheduler, trace: Trace) -> None:
        self.calm = False
        self.random = random
        self._rates = rates
        self._scheduler = scheduler
        self._trace = trace

    def strikes(self, fault: Fault, process: int | None = None, about: str = "") -> bool:
        """Whether it strikes here and now; if so, it is in the trace."""
        rate = 0.0 if self.calm else self._rates.get(fault, 0.0)
        if rate == 0.0 or self.random.random() >= rate:
            return False
        self.note(fault, process, about)
        return True

    def note(self, fault: Fault, process: int | None = None, about: str = "") -> None:
        """Something has gone wrong that was planned, not struck by chance."""
        self._trace.add(Struck(self._scheduler.now, fault, process, about))
