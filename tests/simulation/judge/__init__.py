"""What is to be said of a run by code that knows nothing of the bot's: the engine, the rules' words, and the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from traceback import extract_tb
from typing import Final

from tests.simulation.judge import (
    callers,
    calls,
    hosts,
    notices,
    order,
    pending,
    phases,
    presses,
    rate,
    record,
    repeats,
    results,
    seats,
    secrets,
    updates,
)
from tests.simulation.trace import Trace
from tests.simulation.verdict import Check, Offence

CHECKS: Final[Sequence[tuple[Check, Callable[[Trace], Iterator[Offence]]]]] = (
    ("presses", presses.check),
    ("presses", hosts.check),
    ("presses", seats.check),
    ("presses", callers.check),
    ("phases", phases.check),
    ("order", order.check),
    ("notices", notices.check),
    ("repeats", repeats.check),
    ("results", results.check),
    ("secrets", secrets.check),
    ("rate", rate.check),
    ("record", record.check),
    ("pending", pending.check),
    ("calls", calls.check),
    ("updates", updates.check),
)


def judge(trace: Trace) -> list[Offence]:
    """Everything that must never happen and did, in the order in which it did."""
    found = [offence for name, check in CHECKS for offence in _checked(name, check, trace)]
    return sorted(found, key=lambda offence: offence.at)


def _checked(name: Check, check: Callable[[Trace], Iterator[Offence]], trace: Trace) -> Iterator[Offence]:
    """What a check has to say. That it fails is an offence too: it may never be silent."""
    try:
        yield from check(trace)
    except Exception as error:
        places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(extract_tb(error.__traceback__)))
        yield Offence(name, f"the check itself failed: {error!r} at {places}", trace.events[-1].at)
