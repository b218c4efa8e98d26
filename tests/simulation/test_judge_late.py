"""What the judge says of what is told or shown late for no reason, and of reminders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.simulation.calm import duel, evening
from tests.simulation.edits import accused, edited, with_events
from tests.simulation.judge import late, panels
from tests.simulation.trace import Call, Event, Happened, Snapshot, Stored, Struck, Trace


def whys(trace: Trace) -> list[str]:
    return [offence.why for check in (late.check, panels.check) for offence in check(trace)]


def later(words: str, seconds: float) -> Callable[[Call], Sequence[Event]]:
    """Let what is sent with these words come so much later."""
    return lambda call: (replace(call, at=call.at + seconds) if words in call.text else call,)


def without(keep: Callable[[Call], bool]) -> Callable[[Call], Sequence[Event]]:
    """Leave out whatever is not kept."""
    return lambda call: (call,) if keep(call) else ()


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_a_calm_match_is_told_promptly(trace: Trace) -> None:
    assert not whys(trace)


@pytest.mark.parametrize(("words", "seconds"), [("What your birds heard", 9.0), ("wins the Death Match", 15.0)])
def test_a_fact_that_is_told_late(words: str, seconds: float) -> None:
    late = edited(duel(), Call, later(words, seconds))
    assert any("s after it was stored" in why for why in whys(late))


@pytest.mark.parametrize("fault", ["store slow", "telegram 500", "restart", "outage"])
def test_a_fault_explains_a_wait(fault: str) -> None:
    trace = edited(duel(), Call, later("What your birds heard", 9.0))
    told = next(call for call in trace.of(Call) if "What your birds heard" in call.text)
    struck = Struck(told.at - 12.0, fault)
    at = next(place for place, event in enumerate(trace.events) if event.at >= struck.at)
    assert not whys(with_events(trace, [*trace.events[:at], struck, *trace.events[at:]]))


def test_a_panel_that_does_not_come() -> None:
    """Neither to whom it is asked from the other nor to both."""
    lost = edited(evening(), Call, without(lambda call: ":1:" not in str(call.params.get("reply_markup"))))
    assert any("got their panel" in why for why in whys(lost))


def test_a_panel_that_is_not_put_away() -> None:
    lost = edited(evening(), Call, without(lambda call: (call.chat or 0) < 0 or call.method != "editMessageText"))
    assert any("keeps a panel" in why for why in whys(lost))


def test_a_panel_for_somebody_who_has_left() -> None:
    """Bruno never does anything, so all that he gets he is sent unasked."""

    def leaving(match: Snapshot) -> Snapshot:
        return replace(match, seats=tuple(who and replace(who, left=who.name == "Bruno") for who in match.seats))

    def left(write: Stored) -> Sequence[Event]:
        return (replace(write, before=write.before and leaving(write.before), after=leaving(write.after)),)

    assert any("has left, and got a panel" in why for why in whys(edited(evening(), Stored, left)))


def test_a_board_that_stays_as_it_was() -> None:
    trace = evening()
    begun = next(call.at for call in trace.of(Call) if "The match begins" in call.text)
    lost = edited(trace, Call, without(lambda call: (call.chat or 0) > 0 or call.at <= begun))
    assert any("the board of" in why for why in whys(lost))


def test_a_match_in_a_group_that_has_removed_the_bot() -> None:
    """It ends as soon as that is known."""
    trace = duel()
    writes = [write for write in trace.of(Stored) if write.after.stage == "playing"]
    last = next(one for one, following in pairwise(writes) if following.at - one.at > 60)
    group, place = last.after.chat, trace.events.index(last)
    removed = Happened(last.at, "bot removed", group, 1)
    refused = Call(last.at, last.process, "sendMessage", group, {"chat_id": group}, False, 403)
    added = Happened(last.at + 5.0, "bot added", group, 1)
    before, after = trace.events[: place + 1], trace.events[place + 1 :]
    assert any("has removed the bot" in why for why in whys(with_events(trace, [*before, removed, refused, *after])))
    assert not whys(with_events(trace, [*before, removed, *after]))
    assert not whys(with_events(trace, [*before, removed, refused, added, *after]))


def test_a_reminder_that_nobody_gets() -> None:
    lost = edited(evening(), Call, without(lambda call: "is still open until" not in call.text))
    assert any("('reminded'" in why and "never told" in why for why in whys(lost))


def test_a_reminder_of_somebody_who_owes_nothing() -> None:
    """Whoever has locked in is told nothing of the kind."""
    trace = evening()
    told = next(call for call in trace.of(Call) if "is still open until" in call.text)
    ada = next(user for user, word in trace.words.items() if word == "Ada")
    assert told.chat != ada
    both = edited(trace, Call, lambda call: (call, replace(call, chat=ada)) if call is told else (call,))
    assert "secrets" in accused(both)


def test_a_reminder_before_its_time() -> None:
    """Its alarm stands too early, too."""

    def early(write: Stored) -> Sequence[Event]:
        match = write.after
        if match.stage != "playing" or match.alarm_at is None or match.reminded:
            return (write,)
        return (replace(write, after=replace(match, alarm_at=match.opened + 10)),)

    assert "phases" in accused(edited(evening(), Stored, early))
