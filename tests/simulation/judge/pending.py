"""At the end nothing is left undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.matches import courses
from tests.simulation.trace import Trace
from tests.simulation.verdict import Offence

LEASE: Final = 20.0
"""Seconds for which a lease is held at most, counted from when it was asked for."""


def check(trace: Trace) -> Iterator[Offence]:
    """Matches that have not ended or are not told, and whatever is still on its way."""
    end = trace.events[-1].at if trace.events else 0.0
    for text in trace.pending:
        yield Offence("pending", text, end)
    for course in courses(trace).values():
        last = course.last
        if last.stage not in ("over", "cancelled"):
            yield Offence("pending", f"{last.match} is {last.stage}", end)
        if last.told != last.news:
            yield Offence("pending", f"{last.match} has {last.news} news and told {last.told}", end)
        if last.alarm_at is not None:
            yield Offence("pending", f"{last.match} waits for an alarm", end)
        for write in course.writes:
            if write.after.lease is not None and write.after.lease_until > write.clock + LEASE:
                yield Offence("pending", f"{last.match} is leased until {write.after.lease_until}", write.at)
