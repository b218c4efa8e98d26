"""At the end nothing is left undone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.matches import courses
from tests.simulation.trace import Trace
from tests.simulation.verdict import Offence

LEASE: Final = 20.0
"""Seconds for which a lease is held at most, counted from when it was asked for."""
APART: Final = 6.0
"""Seconds that the clocks of whoever holds it and whoever writes are apart at most, and that a decision may be old."""

DONE: Final = ("over", "cancelled")
_TIMER: Final = re.compile(r"(?:schedule|message) ([a-z2-7]{8})\.\d+ at .*")
"""A nudge on its way, as the cloud names it."""


def check(trace: Trace) -> Iterator[Offence]:
    """Matches that have not ended or are not told, and whatever is still on its way. A lobby that nobody started, and a
    match that somebody began on the side, may wait for their time: the people's own are over, or they are pending.
    """
    end = trace.events[-1].at if trace.events else 0.0
    for text in trace.pending:
        if not _is_idle(text, trace):
            yield Offence("pending", text, end)
    for course in courses(trace).values():
        last = course.last
        waits = last.stage not in DONE and last.deadline is not None and last.deadline > end
        if last.stage not in DONE and not waits:
            yield Offence("pending", f"{last.match} is {last.stage}", end)
        if last.told != last.news:
            yield Offence("pending", f"{last.match} has {last.news} news and told {last.told}", end)
        if last.alarm_at is not None and not waits:
            yield Offence("pending", f"{last.match} waits for an alarm", end)
        for write in course.writes:
            if write.after.lease is not None and write.after.lease_until > write.clock + LEASE + APART:
                yield Offence("pending", f"{last.match} is leased until {write.after.lease_until}", write.at)


def _is_idle(text: str, trace: Trace) -> bool:
    """Whether it is a nudge that will find nothing to do: nobody takes back the timers of a match that has ended, or
    that could not be opened.
    """
    timer = _TIMER.fullmatch(text)
    match = None if timer is None else trace.latest.get(timer[1])
    return timer is not None and (match is None or (match.stage in DONE and match.told == match.news))
