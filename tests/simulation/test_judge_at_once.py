"""What the judge says of a write that does two things: what was due when it was decided, and what was decided."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from handler.match import Match
from tests.flows.players import play, quiet
from tests.simulation.calm import CalmFlow
from tests.simulation.judge import leaks, notices, repeats
from tests.simulation.trace import Call

Happens = Callable[[CalmFlow, Match], None]


def unnoticed(flow: CalmFlow, seconds: float) -> None:
    """Let time pass of which no timer tells the bot."""
    flow.timers.heap.clear()
    flow.clock.time += seconds


def offers(flow: CalmFlow, match: Match) -> None:
    """Bruno's seat is offered by the press with which the bot notices that his time is over."""
    _replaced(flow)
    unnoticed(flow, 120)
    flow.press(flow.ada, "Another person")


def _replaced(flow: CalmFlow) -> None:
    flow.wait(61)
    flow.say(flow.ada, "/replace")
    flow.press(flow.ada, "\u2068Bruno")


def keeps(flow: CalmFlow, match: Match) -> None:
    """And it is offered no more, likewise."""
    _replaced(flow)
    flow.press(flow.ada, "Another person")
    flow.wait(1)
    flow.say(flow.ada, "/replace")
    flow.press(flow.ada, "\u2068Bruno")
    unnoticed(flow, 301)
    assert flow.press(flow.ada, "Nobody: ") == "Done."


def extends_the_next(flow: CalmFlow, match: Match) -> None:
    """The minutes that are asked for in a phase that has run out are the next one's."""
    unnoticed(flow, 61)
    flow.say(flow.ada, "/extend 2")
    assert (flow.match().number, flow.match().extended) == (match.number + 1, 2)


def extends_late(flow: CalmFlow, match: Match) -> None:
    """The table is reminded that Ada's pick is awaited, and then there are minutes more."""
    play(flow, match.id, quiet, until="draft")
    unnoticed(flow, 61)
    flow.say(flow.ada, "/extend 2")
    assert flow.match().reminded


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (offers, "offers the seat of"),
        (keeps, "is no longer offered"),
        (extends_the_next, "has added"),
        (extends_late, "has added"),
        (extends_late, "is waiting for your pick"),
    ],
)
def test_two_things_at_once(happens: Happens, words: str) -> None:
    """Both are told, and it is known why."""
    flow = CalmFlow("at once")
    happens(flow, flow.begin())
    trace = flow.done()
    assert any(words in call.text for call in trace.of(Call) if call.method == "sendMessage")
    for check in (notices.check, leaks.check, repeats.check):
        assert not list(check(trace))
