"""What the judge says of a write that does two things: what was due when it was decided, and what was decided."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from handler.match import Match
from tests.flows.players import play, quiet, stranger
from tests.flows.seven import NAMES, challenge, company, judged
from tests.simulation.calm import CalmFlow
from tests.simulation.judge import judge
from tests.simulation.trace import Call, Snapshot, Stored

Happens = Callable[[CalmFlow, Match], None]


def unnoticed(flow: CalmFlow, seconds: float) -> None:
    """Let time pass of which no timer tells the bot."""
    flow.timers.heap.clear()
    flow.clock.time += seconds


def offers(flow: CalmFlow, match: Match) -> None:
    """Bruno's seat is offered by the press with which the bot notices that his time is over."""
    _replaced(flow)
    unnoticed(flow, 301)
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


def extends_late(flow: CalmFlow, match: Match) -> None:
    """The table is reminded that Ada's pick is awaited, and then there are minutes more."""
    play(flow, match.id, quiet, until="draft")
    flow.say(flow.ada, "/extend")
    unnoticed(flow, 61)
    flow.press(flow.ada, "+ 2 min")


@pytest.mark.parametrize(
    ("happens", "words", "what"),
    [
        (offers, "offers the seat of", "phase"),
        (keeps, "is no longer offered", "phase"),
        (extends_late, "has added", "reminder"),
        (extends_late, "is waiting for your pick", "reminder"),
    ],
)
def test_two_things_at_once(happens: Happens, words: str, what: str) -> None:
    """Both are told, and it is known why."""
    flow = CalmFlow("at once")
    happens(flow, flow.begin())
    trace = flow.done()
    calls = [write for write in trace.of(Stored) if write.before is not None and _is_called(write.before, write.after)]
    assert [did for write in calls for did in _due_too(write)] == [what]
    assert any(words in call.text for call in trace.of(Call) if call.method == "sendMessage")
    assert [offence.why for offence in judge(trace) if " s late, " not in offence.why] == []


def _is_called(before: Snapshot, after: Snapshot) -> bool:
    return (before.leaving, before.extended) != (after.leaving, after.extended)


def _due_too(write: Stored) -> list[str]:
    """What else a write does."""
    before, after = write.before, write.after
    assert before is not None
    closes, reminds = before.number < after.number, after.reminded and not before.reminded
    return [name for name, done in (("phase", closes), ("reminder", reminds)) if done]


def test_a_seat_that_is_offered_no_more_because_it_does_not_play_on() -> None:
    """Nobody is told so, and nobody misses it."""
    flow = CalmFlow("a Death Match")
    host, people = stranger(flow), company(flow)
    flow.trace.words = dict(zip((*people, host), (*NAMES, "Eve"), strict=True))
    judged(flow, people, host=host)
    flow.wait(20)
    flow.say(host, "/replace")
    flow.press(host, "\u2068Ada")
    flow.press(host, "Another person")
    flow.wait(20)
    assert flow.match().free == (0,)
    challenge(flow, people[6], 1)
    assert flow.match().free == ()
    assert [offence.why for offence in judge(flow.done())] == []
