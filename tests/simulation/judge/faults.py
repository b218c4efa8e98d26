"""What went wrong when: the excuses there are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from tests.simulation.trace import Struck, Trace

LONG: Final = ("outage", "release of other rules")
AFTERWARDS: Final = 200.0
"""Seconds for which an outage or a release of other rules has its effect once it is over."""


def lasts(struck: Struck) -> float:
    """Until when (Unix seconds) a fault that goes on for a while may be to blame; it says for how long it does."""
    return struck.at + float(struck.about or 0) + AFTERWARDS


class Faults:
    """The faults of a trace."""

    def __init__(self, trace: Trace) -> None:
        self._struck = sorted(trace.of(Struck), key=lambda struck: struck.at)
        self._times = [struck.at for struck in self._struck]
        self._long = [struck for struck in self._struck if struck.fault in LONG]

    def between(self, start: float, end: float, kinds: Sequence[str]) -> list[Struck]:
        """The faults of that time whose names begin so."""
        first, last = bisect_left(self._times, start), bisect_left(self._times, end)
        return [struck for struck in self._struck[first:last] if struck.fault.startswith(tuple(kinds))]

    def lasting(self, at: float) -> bool:
        """Whether an outage or a release of other rules may be going on."""
        return any(struck.at <= at <= lasts(struck) for struck in self._long)

    def lasted(self, start: float, end: float) -> float:
        """For how many seconds between two moments an outage or a release of other rules may have been going on."""
        seconds, known = 0.0, start
        for struck in self._long:
            since, until = max(struck.at, known), min(lasts(struck), end)
            if since < until:
                seconds += until - since
                known = until
        return seconds
