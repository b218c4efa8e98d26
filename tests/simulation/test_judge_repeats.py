"""What the judge says of what was told again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.simulation.calm import PROCESS, CalmFlow, duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.repeats import check
from tests.simulation.trace import Call, Ended, Event, Happened, Pressed, Stored, Struck, Trace

TOLD = ("The match begins", "Between you and me", "wins the duel", "The result stands there")


def twice(words: str, seconds: float = 1.0) -> Callable[[Call], Sequence[Event]]:
    """Whatever is sent with these words is sent again."""

    def sent(call: Call) -> Sequence[Event]:
        again = replace(call, at=call.at + seconds)
        return (call, again) if call.method == "sendMessage" and words in call.text else (call,)

    return sent


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_a_calm_match_repeats_nothing(trace: Trace) -> None:
    assert not list(check(trace))


@pytest.mark.parametrize("words", TOLD)
@pytest.mark.parametrize("seconds", [0.0, 1.0, 3000.0])
def test_a_repeat_without_a_reason(words: str, seconds: float) -> None:
    assert list(check(edited(duel(), Call, twice(words, seconds))))


@pytest.mark.parametrize("words", ["Time to talk.", "Play one card on two events"])
def test_another_board_of_the_same_scene(words: str) -> None:
    assert any("the board of" in offence.why for offence in check(edited(evening(), Call, twice(words))))


def at_the_end(trace: Trace, words: str, fault: Callable[[float], Event]) -> list[str]:
    """What is said if something happens right after a telling, and that is repeated."""
    at = next(call.at for call in trace.of(Call) if words in call.text)
    changed = edited(trace, Call, twice(words))
    return [each.why for each in check(with_events(changed, [*changed.events, fault(at + 0.5)]))]


@pytest.mark.parametrize("words", TOLD)
@pytest.mark.parametrize(
    ("fault", "explains"),
    [
        (lambda at: Ended(at, PROCESS, "killed after commit"), True),
        (lambda at: Ended(at, PROCESS + 1, "killed after commit"), False),
        (lambda at: Ended(at, PROCESS, "idle"), False),
        (lambda at: Struck(at, "store throttled", PROCESS), True),
        (lambda at: Struck(at, "store throttled", PROCESS + 1), False),
        (lambda at: Struck(at, "telegram slow", PROCESS), True),
        (lambda at: Struck(at, "schedule lost"), False),
        (lambda at: Struck(at + 100, "store throttled", PROCESS), False),
        (lambda at: Struck(at - 100, "store throttled", PROCESS), False),
    ],
)
def test_a_fault_of_whoever_told_it_explains_a_repeat(
    words: str, fault: Callable[[float], Event], explains: bool
) -> None:
    assert bool(at_the_end(duel(), words, fault)) is not explains


def test_an_answer_that_was_lost_explains_a_repeat() -> None:
    def lost(call: Call) -> Sequence[Event]:
        again = replace(call, at=call.at + 1)
        return (replace(call, status=None), again) if "wins the duel" in call.text else (call,)

    assert not list(check(edited(duel(), Call, lost)))


@pytest.mark.parametrize(("times", "again"), [(2, 0), (3, 1)])
def test_what_each_of_two_matches_may_have_told_somebody_is_no_repeat(times: int, again: int) -> None:
    """The bot is removed where both are played, and people are just about to end one of them."""
    flow = CalmFlow("removed")
    flow.begin()
    flow.wait(20)
    flow.trace.add(Happened(flow.clock.time, "bot removed", flow.group, flow.ada))
    flow.world.groups.remove_bot(flow.group, flow.ada)
    flow.deliver()
    trace = flow.done()

    def other(write: Stored) -> Sequence[Event]:
        before = write.before and replace(write.before, match="aaaaaaaa")
        return write, replace(write, before=before, after=replace(write.after, match="aaaaaaaa"))

    def told(call: Call) -> Sequence[Event]:
        removed = call.chat == flow.ada and "I was removed from" in call.text
        return [replace(call, at=call.at + number) for number in range(times if removed else 1)]

    both = edited(edited(trace, Stored, other), Call, told)
    ended = next(write.at for write in trace.of(Stored) if write.after.stage == "cancelled")
    press = Pressed(ended - 1, 9_000_000, flow.bruno, flow.group, 1, "aaaaaaaa:cancel:yes", "q")
    repeats = [offence.why for offence in check(with_events(both, [press, *both.events]))]
    assert len([why for why in repeats if "'removed'" in why]) == again
