"""Every fact and every notice is told at least once, in order, to those entitled."""

from __future__ import annotations

from collections.abc import Iterator

from tests.simulation.judge.dues import Due, always
from tests.simulation.judge.told import Heard, told
from tests.simulation.trace import Trace
from tests.simulation.verdict import Offence


def check(trace: Trace) -> Iterator[Offence]:
    """What was not told, not in order, or before it was stored."""
    for heard in told(trace).heard:
        if heard.address.foreign:
            continue
        for telling in heard.tellings:
            about = f"{heard.address}: {telling.said.what} was told"
            if telling.turn == "too early":
                yield Offence("order", f"{about} before it was stored", telling.letter.call.at)
            elif telling.turn == "later":
                yield Offence("notices", f"{about} out of order", telling.letter.call.at)
        if not heard.address.excuse:
            for due in _untold(heard):
                yield Offence("notices", f"{heard.address}: {due.what} was never told", due.stored)


def _untold(heard: Heard) -> Iterator[Due]:
    """What Telegram refused for good is given up, so it counts as told here."""
    for due, letters in zip(heard.address.told, heard.facts, strict=True):
        if not letters and not due.may_miss:
            yield due
    for what in dict.fromkeys(due.what for due in heard.address.notices if always(due.what)):
        dues = [due for due in heard.address.notices if due.what == what]
        yield from dues[len(heard.notices.get(what, [])) :]
