"""What the judge says of presses that count, and of those that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulation.calm import PROCESS, duel, evening
from tests.simulation.edits import accused, edited, with_events
from tests.simulation.judge.counting import tally
from tests.simulation.judge.presses import check
from tests.simulation.trace import Call, Delivered, Pressed, Stored, Trace

LATE = "Noted, but you have pressed something newer since. Your panel shows what counts."


def pressed(trace: Trace, tail: str) -> Pressed:
    """The first press whose data ends so."""
    return next(event for event in trace.of(Pressed) if event.data.endswith(tail))


def answering(trace: Trace, tail: str, text: str) -> Trace:
    """The trace with another answer to a press."""
    query = pressed(trace, tail).query

    def change(call: Call) -> list[Call]:
        if call.params.get("callback_query_id") != query:
            return [call]
        return [replace(call, params={**call.params, "text": text})]

    return edited(trace, Call, change)


def pressing(trace: Trace, tail: str, **changed: object) -> Trace:
    """The trace with another press in the place of one."""
    old = pressed(trace, tail)
    return edited(trace, Pressed, lambda event: [replace(event, **changed) if event == old else event])  # type: ignore[arg-type]


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_a_calm_match_is_without_offence(trace: Trace) -> None:
    """All checks of this half have nothing to say."""
    assert not accused(trace) & {"presses", "phases", "order", "record", "pending", "updates"}


def test_a_move_that_nobody_pressed() -> None:
    """What lies in the box is the press's, not something else."""
    trace = duel()
    match = pressed(trace, ":0:s?o").data.partition(":")[0]
    assert [o.check for o in check(pressing(trace, ":0:s?o", data=f"{match}:0:s?c"))]


def test_a_press_of_somebody_else() -> None:
    """Nobody's press appears in another seat's move."""
    trace = duel()
    bruno = pressed(trace, ":0:s?-").user
    assert accused(pressing(trace, ":0:s?o", user=bruno)) >= {"presses"}


def test_a_press_that_was_never_brought() -> None:
    """Nothing counts that the bot never had in hand."""
    trace = duel()
    update = pressed(trace, ":0:s?o").update
    lost = edited(trace, Delivered, lambda event: [] if event.update == update else [event])
    assert "presses" in accused(lost)


def test_a_press_in_another_process_hands() -> None:
    """The process that stored it must have had it in hand."""
    trace = duel()
    update = pressed(trace, ":0:s?o").update

    def elsewhere(event: Delivered) -> list[Delivered]:
        return [replace(event, process=PROCESS + 1) if event.update == update else event]

    assert "presses" in accused(edited(trace, Delivered, elsewhere))


def test_a_refused_press_that_counted() -> None:
    """What was refused each time it came does not count."""
    [offence] = check(answering(duel(), ":0:s?o", "That phase is over."))
    assert "was refused and counted" in offence.why


def test_a_press_refused_at_its_second_coming() -> None:
    """What failed on its first way may have counted then."""
    trace = duel()
    update = pressed(trace, ":0:s?o").update

    def twice(event: Delivered) -> list[Delivered]:
        return [replace(event, status=None), event] if event.update == update else [event]

    assert not list(check(edited(answering(trace, ":0:s?o", "That phase is over."), Delivered, twice)))


def test_an_acknowledged_press_that_did_not_count() -> None:
    """Whoever is told that it counts can rely on it."""
    offences = list(check(answering(duel(), ":0:s?w", LATE)))
    assert any("against the rules" in offence.why for offence in offences)
    trace = duel()
    again = replace(pressed(trace, ":0:s?h"), update=pressed(trace, ":0:s?h").update, query="again")
    told = Call(again.at, PROCESS, "answerCallbackQuery", None, {"callback_query_id": "again", "text": LATE}, True, 200)
    ignored = replace(again, update=1)
    assert any("did not count" in o.why for o in check(with_events(trace, [ignored, *trace.events, told])))


def test_an_answer_that_nobody_knows() -> None:
    """A text that is in no table says nothing that could be relied on."""
    [offence] = check(answering(duel(), ":0:s?o", "Perhaps."))
    assert "'Perhaps.'" in offence.why


def test_a_press_after_the_deadline() -> None:
    """What closes because its time is up closes with what lay in the box."""
    trace = duel()
    panel = pressed(trace, ":0:s?-").data
    number = int(panel.split(":")[1])
    closing = next(w for w in trace.of(Stored) if w.before and w.before.number == number < w.after.number)
    assert closing.before is not None
    boxed = {player: slot for player, slot in closing.before.box.items() if player == 0}
    before = replace(closing.before, deadline=closing.after.opened - 1, box=boxed)
    late = replace(closing, before=before)
    named = replace(late, after=replace(late.after, steps=({0: "?o", 1: "?c"}, *late.after.steps[1:])))
    assert any("too late" in o.why for o in check(edited(trace, Stored, lambda w: [named if w == closing else w])))


def test_a_move_of_a_house_player() -> None:
    """House players move as the engine does, from the match's seed."""

    def other(write: Stored) -> list[Stored]:
        snapshot = write.after
        box = {seat: ("1cr" if seat == 2 and slot[1] else slot[0], slot[1]) for seat, slot in snapshot.box.items()}
        return [replace(write, after=replace(snapshot, box=box))]

    assert "presses" in accused(edited(evening(), Stored, other))


def test_a_resignation_that_nobody_asked_for() -> None:
    """Only the player's own Yes resigns."""
    trace = duel()
    match = pressed(trace, ":resign:yes").data.partition(":")[0]
    assert any("never resigned" in o.why for o in check(pressing(trace, ":resign:yes", data=f"{match}:resign:no")))


def test_too_much_is_never_possible_in_a_calm_match() -> None:
    """The sets of what may have counted stay small."""
    assert tally(duel()).capped == 0


@pytest.mark.parametrize(("status", "offences"), [(200, 1), (503, 0)])
def test_a_press_that_was_taken_for_done(status: int, offences: int) -> None:
    """What Telegram does not bring again has counted, though nobody was told so."""
    trace = duel()
    actions = next(w for w in trace.of(Stored) if w.before and w.before.number == 9 < w.after.number)
    ada, at = actions.after.seats[0], actions.at + 50
    assert ada is not None
    assert ada.user is not None
    press = Pressed(at, 10**6, ada.user, ada.user, 1, f"{actions.after.match}:10:l", "unheard")
    came = Delivered(at, at + 1, press.update, PROCESS, status)
    found = list(check(with_events(trace, [*trace.events, press, came])))
    assert len(found) == offences
    assert all("was taken and did not count" in offence.why for offence in found)
