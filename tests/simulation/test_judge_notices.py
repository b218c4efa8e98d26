"""What the judge says of what was told too little, out of order, or before its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.simulation.calm import duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.dues import addresses
from tests.simulation.judge.notices import check
from tests.simulation.trace import Call, Event, Happened, Snapshot, Stored, Trace


def sent_with(words: str) -> Callable[[Call], Sequence[Event]]:
    """Leave out whatever is sent with these words."""
    return lambda call: () if call.method == "sendMessage" and words in call.text else (call,)


def whys(trace: Trace) -> list[str]:
    return [offence.why for offence in check(trace)]


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_a_calm_match_tells_everything(trace: Trace) -> None:
    assert not whys(trace)
    assert sum(len(address.told) for address in addresses(trace)) > 3


@pytest.mark.parametrize(
    ("trace", "words", "kind"),
    [
        (duel(), "The match begins", "begun"),
        (duel(), "Between you and me", "reveal"),
        (duel(), "picks first (ruling", "night"),
        (duel(), "What your birds heard", "heard"),
        (duel(), "wins the duel", "won"),
        (duel(), "The result stands there", "ended"),
        (evening(), "Who scored:", "round resolved"),
        (evening(), "Scored this round: ", "told"),
        (evening(), "Nobody wins", "cancelled"),
    ],
)
def test_something_that_is_never_told(trace: Trace, words: str, kind: str) -> None:
    """Each kind of fact and notice is missed by its own name, and only with those that stood in the same message."""
    assert any(f"('{kind}'" in why and "never told" in why for why in whys(edited(trace, Call, sent_with(words))))


@pytest.mark.parametrize("status", [400, 403, 429, 500, None])
def test_what_a_player_is_refused_has_to_be_told_later(status: int | None) -> None:
    def refused(call: Call) -> Sequence[Event]:
        told = "Between you and me" in call.text
        return (replace(call, done=False, status=status, text="") if told else call,)

    assert any("'reveal'" in why for why in whys(edited(duel(), Call, refused)))


def test_what_a_group_refuses_for_good_is_given_up() -> None:
    def refused(call: Call) -> Sequence[Event]:
        told = call.method == "sendMessage" and "wins the duel" in call.text
        return (replace(call, done=False, status=400, text="") if told else call,)

    assert not whys(edited(duel(), Call, refused))


def test_what_a_group_refuses_because_it_has_moved_is_not() -> None:
    trace = duel()
    [chat] = {call.chat for call in trace.of(Call) if "The match begins" in call.text}
    start = trace.events[0].at

    def refused(call: Call) -> Sequence[Event]:
        return (replace(call, done=False, status=400, text="") if call.chat == chat else call,)

    moved = Happened(start, "migrated", chat, number=-100)
    changed = edited(with_events(trace, [moved, *trace.events]), Call, refused)
    assert any("'won'" in why for why in whys(changed))


def test_nothing_more_is_owed_to_somebody_who_is_out_of_reach() -> None:
    def lost(write: Stored) -> Sequence[Event]:
        return (replace(write, before=write.before and _without(write.before), after=_without(write.after)),)

    silent = edited(duel(), Call, lambda call: () if call.method == "sendMessage" and (call.chat or 0) > 0 else (call,))
    assert {why.partition(":")[0][-8:] for why in whys(silent)} == {"player 0", "player 1"}
    assert {why.partition(":")[0][-8:] for why in whys(edited(silent, Stored, lost))} == {"player 1"}


def _without(match: Snapshot) -> Snapshot:
    """The match with Ada out of reach."""
    return replace(match, seats=tuple(seat and replace(seat, reachable=seat.name != "Ada") for seat in match.seats))


def test_a_group_that_has_removed_the_bot_is_owed_nothing() -> None:
    trace = edited(duel(), Call, sent_with("wins the duel"))
    chat = next(call.chat for call in trace.of(Call) if "The match begins" in call.text)
    removed = Happened(trace.events[-1].at, "bot removed", chat)
    assert whys(trace)
    assert not whys(with_events(trace, [*trace.events, removed]))


def test_out_of_order() -> None:
    """The same messages, the last of them first as soon as all that they tell is stored."""
    trace = duel()
    group = [call for call in trace.of(Call) if (call.chat or 0) < 0 and call.method == "sendMessage"]
    end = trace.events[-1].at

    def late(call: Call) -> Sequence[Event]:
        return (replace(call, at=end + len(group) - group.index(call)) if call in group else call,)

    assert any("out of order" in why for why in whys(edited(trace, Call, late)))


def test_told_before_it_was_stored() -> None:
    early = edited(
        duel(),
        Call,
        lambda call: (replace(call, at=call.at - 3) if "wins the duel" in call.text else call,),
    )
    assert [offence.check for offence in check(early)] == ["order"]
