"""What the judge says of results and of pictures."""

from __future__ import annotations

import pytest

from tests.simulation.calm import PROCESS, duel
from tests.simulation.edits import with_events
from tests.simulation.judge import pictures, results, spanish
from tests.simulation.trace import Call, Event, Kept, Stored, Trace

RING = "Ring(head=Head(game='Gravity Pandemic', place='Round 1 of 4', note='', own={own}), seats=({seats}), legend=())"
UNKNOWN = ", ".join(["Seat(known='no', bird='', not_here=())"] * 11)
FORGED = UNKNOWN.replace("Seat(known='no', bird=''", "Seat(known='all', bird='Raven'", 1)


def kept(trace: Trace) -> list[Kept]:
    """A result for each person of the match, as it is written when the match is over."""
    match = next(reversed(trace.latest.values()), None) or list(trace.of(Stored))[-1].after
    users = [who.user for who in match.seats if who is not None and who.user is not None]
    return [Kept(trace.events[-1].at, PROCESS, "result", user, match.match, new=True) for user in users]


def whys(*more: Event, first: bool = False) -> str:
    """What is wrong with a trace that has these events too, at its end or right at its start."""
    trace = duel()
    events = [*more, *trace.events] if first else [*trace.events, *more]
    return "\n".join(offence.why for offence in results.check(with_events(trace, events)))


def test_each_result_once_and_not_before_the_end() -> None:
    those = kept(duel())
    assert not whys(*those)
    assert "has no result" in whys()
    assert "has no result" in whys(those[0])
    assert "was written again" in whys(*those, those[0])
    assert "before the match was over" in whys(*those, first=True)


def test_whoever_was_forgotten_stays_so() -> None:
    those = kept(duel())
    at, user = those[0].at, those[0].user
    forgotten = Kept(at + 1, PROCESS, "forget", user)
    assert not whys(*those, forgotten)
    again = Kept(at + 2, PROCESS, "result", user, those[0].match, new=True)
    assert "after they were forgotten" in whys(*those, forgotten, again)


@pytest.mark.parametrize(
    ("seats", "own", "why"),
    [
        (UNKNOWN, False, ""),
        (UNKNOWN, True, "one player's own"),
        (FORGED, False, "not what its readers may know"),
    ],
)
def test_a_picture_in_the_group(seats: str, own: bool, why: str) -> None:
    """It shows what everybody may know."""
    trace = duel()
    begun = next(write for write in trace.of(Stored) if write.after.seed is not None)
    params = {"chat_id": begun.after.chat, "photo": RING.format(own=own, seats=seats)}
    call = Call(begun.at + 1, PROCESS, "sendPhoto", begun.after.chat, params, True, 200)
    found = "\n".join(offence.why for offence in pictures.check(with_events(trace, [*trace.events, call])))
    assert why in found
    assert bool(found) == bool(why)


def test_a_story_before_the_end() -> None:
    trace = duel()
    begun = next(write for write in trace.of(Stored) if write.after.seed is not None)
    params = {"photo": "GravityTale(head=Head(game='', place='', note='', own=False), verdict='')"}
    call = Call(begun.at + 1, PROCESS, "sendPhoto", begun.after.chat, params, True, 200)
    [offence] = [each for each in pictures.check(with_events(trace, [*trace.events, call])) if each.at == call.at]
    assert "came before the end" in offence.why


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Ya tienes asiento.", "You have a seat."),
        (
            "3 en Tienda de Canje (por un 2) y Torre de Carga. Cuenta.",
            "3 on Exchange Store (for a 2) and Charge Tower.",
        ),
    ],
)
def test_answers_in_spanish(text: str, other: str) -> None:
    """They are read by the catalogues, whatever stands in them."""
    assert any(each.startswith(other) for each in spanish.english(text))
