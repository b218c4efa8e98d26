"""The match is what the rules make of the presses that were acknowledged, and of no others."""

from __future__ import annotations

from collections.abc import Iterator

from tests.simulation.judge.answers import is_known, meaning
from tests.simulation.judge.buttons import InPhase
from tests.simulation.judge.counting import tally
from tests.simulation.judge.made import presses
from tests.simulation.trace import Trace
from tests.simulation.verdict import Offence


def check(trace: Trace) -> Iterator[Offence]:
    """What counted that nobody had pressed, what did not that was acknowledged, and answers that say neither."""
    yield from (offence for offence in tally(trace).offences if offence.check == "presses")
    for press in presses(trace).all:
        for at, text in press.answers:
            asks = press.asks
            known = meaning(asks.verb, text) is not None if isinstance(asks, InPhase) else is_known(text)
            if not known:
                yield Offence("presses", f"press {press.update} ({asks}) was answered {text!r}", at)
