"""Every call was one that a correct bot makes, as the stand-in for Telegram found it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.simulation.trace import Trace
from tests.simulation.verdict import Offence


def check(trace: Trace) -> Iterator[Offence]:
    """Each violation."""
    end = trace.events[-1].at if trace.events else 0.0
    for violation in trace.violations:
        yield Offence("calls", str(violation), end)
