"""What the judge says of what was told again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from tests.flows.players import make
from tests.simulation.calm import PROCESS, CalmFlow, duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.repeats import check
from tests.simulation.judge.told import told as placed
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


def removed() -> tuple[Trace, Call]:
    """Two matches of Ada and Bruno, from whose group the bot is removed just when people are about to end the second
    one, in which no phase has closed; and what Ada is told of it. The calls are the first one's.
    """
    flow = CalmFlow("removed")
    match = flow.begin()
    make(flow, match, flow.ada, Reveal(Bird.OWL))
    make(flow, match, flow.bruno, Reveal(None))
    flow.wait(20)
    flow.trace.add(Happened(flow.clock.time, "bot removed", flow.group, flow.ada))
    flow.world.groups.remove_bot(flow.group, flow.ada)
    flow.deliver()
    trace = flow.done()

    def other(write: Stored) -> Sequence[Event]:
        after = replace(write.after, match="aaaaaaaa", steps=())
        before = write.before and replace(write.before, match="aaaaaaaa", steps=())
        return write, replace(write, before=before, after=after)

    ended = next(write.at for write in trace.of(Stored) if write.after.stage == "cancelled")
    press = Pressed(ended - 1, 9_000_000, flow.bruno, flow.group, 1, "aaaaaaaa:cancel:yes", "q")
    both = edited(trace, Stored, other)
    told = next(call for call in trace.of(Call) if call.chat == flow.ada and "I was removed from" in call.text)
    return with_events(both, [press, *both.events]), told


@pytest.mark.parametrize(("times", "dies", "again"), [(2, None, 0), (3, None, 1), (3, PROCESS, 0), (3, PROCESS + 2, 1)])
def test_what_each_of_two_matches_may_have_told_somebody_is_no_repeat(times: int, dies: int | None, again: int) -> None:
    """The first process tells of one of them, the second of the other; who of them dies may have told again."""
    trace, told = removed()
    calls = [replace(told, at=told.at + number, process=PROCESS + (number > 0)) for number in range(times)]
    ended = [] if dies is None else [Ended(told.at + 0.5, dies, "killed after sendMessage")]
    without = [event for event in trace.events if event is not told]
    repeats = [offence.why for offence in check(with_events(trace, [*without, *calls, *ended]))]
    assert len([why for why in repeats if "'removed'" in why]) == again


def test_what_only_one_match_has_to_say_tells_whose_the_rest_of_a_letter_is() -> None:
    trace, told = removed()
    [reveal] = [call for call in trace.of(Call) if call.chat == told.chat and "Between you and me" in call.text]
    other = replace(told, at=told.at + 1)
    letter = replace(told, at=told.at + 2, text=f"{reveal.text}\n\n{told.text}")
    heard = placed(with_events(trace, [*trace.events, other, letter])).heard
    mine = [each for each in heard if each.address.tenure is not None and each.address.tenure.user == told.chat]
    assert [len(each.notices["removed",]) for each in mine] == [2, 1]


def test_a_repeat_is_not_of_a_match_that_has_it_still_to_come() -> None:
    """One match in a group is ended, which is told twice; a second one is ended there later."""
    trace = evening()

    def later(write: Stored) -> Sequence[Event]:
        after = replace(write.after, match="aaaaaaaa")
        ends = write.after.stage == "cancelled"
        before = write.before and replace(write.before, match="aaaaaaaa")
        return write, replace(write, at=write.at + (100 if ends else 0), before=before, after=after)

    def told(call: Call) -> Sequence[Event]:
        ended = call.method == "sendMessage" and "Everybody agreed" in call.text
        return [replace(call, at=call.at + seconds) for seconds in ((0, 1, 101) if ended else (0,))]

    both = edited(edited(trace, Stored, later), Call, told)
    heard = [each for each in placed(both).heard if each.address.tenure is None]
    assert [len(each.notices["cancelled",]) for each in heard] == [2, 1]
    assert not [telling for each in heard for telling in each.tellings if telling.said.what == ("cancelled",)]
