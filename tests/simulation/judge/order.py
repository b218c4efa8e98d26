"""Nothing is told before it is stored, and no match is stored that waits for a timer which nobody has armed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.counting import tally
from tests.simulation.trace import Armed, Stored, Struck, Trace
from tests.simulation.verdict import Offence

REFUSED: Final = ("schedule refused", "message refused")
SHORTLY: Final = 60.0
"""Seconds after a timer was refused for which a match may be stored without it: the sweep comes by instead."""
SAME: Final = 0.002


def check(trace: Trace) -> Iterator[Offence]:
    """Presses that were told too early, and alarms that nobody armed."""
    yield from (offence for offence in tally(trace).offences if offence.check == "order")
    armed: dict[str, list[Armed]] = {}
    refused = float("-inf")
    for event in trace.events:
        if isinstance(event, Armed):
            armed.setdefault(event.match, []).append(event)
        elif isinstance(event, Struck) and event.fault in REFUSED:
            refused = event.at
        elif isinstance(event, Stored) and _needs_a_timer(event) and event.at - refused > SHORTLY:
            after, when = event.after, event.after.alarm_at
            assert when is not None
            if not any(a.alarm >= after.alarm and abs(a.when - when) < SAME for a in armed.get(after.match, ())):
                yield Offence("order", f"{after.match} waits for alarm {after.alarm} that nobody armed", event.at)


def _needs_a_timer(write: Stored) -> bool:
    before, after = write.before, write.after
    return after.alarm_at is not None and after.alarm > (0 if before is None else before.alarm)
