"""The host's calls as decisions: what each gives, and what none of them may ever do."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler import calls
from handler.calls import MATCH_MINUTES, MOST_NOTICES, PHASE_MINUTES, PRESS_MINUTES, TYPED, Caller
from handler.codec import read_match, write_match
from handler.lobby import HOUSE_NAMES, opened
from handler.match import Leaving, Match, Person, Sealed, lock, pause_mark, with_notice
from handler.phases import LONG_PAUSE_SECONDS, begin, next_alarm, wake
from handler.ports import Place
from handler.views.calls import span
from handler.views.layout import duration

NOW = 1_800_000_000.0
GROUP = Place(-100)
EVE = Caller(9, "Eve")
ADA = Caller(1, "Ada")


def match(game: str = "gravity", *, people: int = 2, place: Place = GROUP) -> Match:
    """A match that has just begun."""
    seats = {"gravity": 2, "dog": 7}[game]
    lobby = opened("abcdefgh", place, "The Garden", game, seats, Person(1, "Ada"), 1, NOW)
    seated = [
        Person(seat + 1, f"P{seat + 1}") if seat < people else Person(None, HOUSE_NAMES[seat]) for seat in range(seats)
    ]
    return begin(replace(lobby, seats=tuple(seated)), bytes(range(32)), NOW)


def stored(match: Match) -> Match:
    """The match as it comes back from the store."""
    return read_match(match.id, write_match(match))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["wait", "pause", "resume", "extend"]), st.integers(0, 90)), max_size=12))
def test_whatever_is_called_the_time_that_runs_is_the_phases_and_what_was_added(done: list[tuple[str, int]]) -> None:
    """A phase lasts as long as the rules say and as was added, pauses left out; and never closes while it is paused."""
    held, now, run = match(), NOW, 0.0
    for what, seconds in done:
        if what == "wait":
            now += seconds
            run += seconds if held.paused is None else 0
        elif what == "pause":
            held, _ = calls.pause(held, EVE, now)
        elif what == "resume":
            held, _ = calls.resume(held, EVE, now)
        else:
            held, _ = calls.extend(held, EVE, 1 + seconds % 10)
        woken = wake(held, now)
        if run >= 60 + 60 * held.extended:
            assert woken.number > 0
            return
        assert woken.number == 0
        held = stored(woken)
        assert (next_alarm(held) is None) == (held.paused is not None)
        assert held.deadline is not None
        left = held.rest if held.rest is not None else held.deadline - now
        assert left == pytest.approx(60 + 60 * held.extended - run)


def test_nothing_closes_while_paused_though_all_are_in_and_then_it_does() -> None:
    paused, _ = calls.pause(match(), EVE, NOW)
    ready = lock(lock(paused, 0), 1)
    assert wake(ready, NOW + 10_000) == ready
    resumed, _ = calls.resume(ready, EVE, NOW + 10_000)
    assert wake(resumed, NOW + 10_000).number == 1


def test_a_match_that_cannot_be_paused_any_more_can_still_be_resumed() -> None:
    held = match()
    for _ in range(MOST_NOTICES):
        held = with_notice(held, "calls.resume.told", name="Eve", unix="0")
    refused, verdict = calls.pause(held, EVE, NOW)
    assert (refused, verdict.done) == (held, False)
    paused = replace(held, paused=NOW)
    assert calls.resume(paused, EVE, NOW + 1)[0].paused is None


def test_marks_tell_one_pause_from_the_next() -> None:
    held = match()
    marks = [pause_mark(held)]
    for call in (calls.pause, calls.resume, calls.pause):
        held, _ = call(held, EVE, NOW)
        marks.append(pause_mark(held))
    assert len(set(marks)) == 4
    assert not calls.resume(held, EVE, NOW, marks[1])[1].done
    assert calls.resume(held, EVE, NOW, marks[3])[1].done


def test_the_latest_typed_calls_are_remembered_and_no_more() -> None:
    held = match()
    for update in range(TYPED + 5):
        call = calls.resume if held.paused is not None else calls.pause
        held, verdict = call(held, replace(EVE, update=update), NOW)
        assert verdict.done
    assert held.typed == tuple(range(5, TYPED + 5))
    again, verdict = calls.pause(held, replace(EVE, update=TYPED), NOW)
    assert (again, verdict.done) == (held, True)


def test_no_more_can_be_added_than_there_is_room_for() -> None:
    held = match()
    assert calls.room(held) == PRESS_MINUTES
    assert calls.extend(held, EVE, PRESS_MINUTES + 1)[0] == held
    held = replace(held, extended=PHASE_MINUTES - 3)
    assert (calls.room(held), calls.steps(held)) == (3, (1, 2))
    assert calls.room(replace(held, lent=MATCH_MINUTES - PHASE_MINUTES + 2)) == 1
    assert calls.room(replace(held, pace="letters")) == PRESS_MINUTES * 144


@pytest.mark.parametrize("total", ["", "x", "-1", "³", "1.5", "9" * 30])
def test_a_forged_total_is_none(total: str) -> None:
    held = match()
    assert calls.extend_to(held, EVE, "0", total)[0] == held


def test_a_long_pause_forgets_the_ids_of_updates() -> None:
    held = replace(match(), typed=(7,), seats=(Person(1, "Ada", turned=5), Person(2, "Bruno")))
    paused, _ = calls.pause(held, EVE, NOW)
    short, _ = calls.resume(paused, EVE, NOW + 60)
    long, _ = calls.resume(paused, EVE, NOW + LONG_PAUSE_SECONDS)
    assert short.typed == (7,)
    assert (long.typed, [who and who.turned for who in long.seats]) == ((), [0, 0])


def test_whoever_has_a_seat_given_loses_what_lay_sealed_and_nobody_else() -> None:
    held = replace(
        match("dog", people=7), box={2: Sealed("5cm", final=True), 3: Sealed("4cm", final=True)}, consent=(1,)
    )
    changed, verdict = calls.replace_by(held, EVE, 2, "house")
    assert verdict.done
    assert set(changed.box) == {2, 3}
    assert changed.box[3] == held.box[3]
    assert changed.box[2].text != "5cm"
    assert (changed.consent, changed.former) == (None, ((3, 2),))
    assert stored(changed) == changed


def test_a_house_player_is_called_one_in_the_language_of_whoever_hears_of_it() -> None:
    held = replace(match("dog", people=6), language="es", leaving={6: Leaving("person", agreed=True)})
    group, welcome = calls.take(held, Person(50, "Nora"), 6).notices[-2:]
    assert "jugador de la casa" in dict(group.args)["old"]
    assert "house player" in dict(welcome.args)["old"]


def test_only_a_person_who_plays_asks_for_consent() -> None:
    held = match("dog", people=6)
    for caller, seat, asked in (
        (ADA, 1, True),
        (EVE, 1, False),
        (ADA, 0, False),
        (ADA, 6, False),
        (Caller(None, None), 1, False),
    ):
        changed, _ = calls.replace_by(held, caller, seat, "person")
        assert changed.leaving == {seat: Leaving("person", agreed=not asked)}


def test_a_seat_goes_to_nobody_who_may_know_more_than_it() -> None:
    held, _ = calls.replace_by(match("dog", people=7), EVE, 2, "person")
    held = replace(held, former=((50, 2), (51, 4)))
    assert {user: calls.cannot_take(held, user, 2) for user in (1, 3, 50, 51, 52)} == {
        1: "already",
        3: "already",
        50: None,
        51: "sat",
        52: None,
    }
    assert calls.cannot_take(held, 52, 1) == "late"
    assert calls.cannot_take(held, 51, None) == "sat"
    taken = calls.take(held, Person(52, "Nora"), None)
    assert (taken.player(52), taken.free) == (2, ())


def test_what_was_stored_before_there_were_calls_reads_as_it_was() -> None:
    held = match()
    data = json.loads(write_match(held))
    for key in ("paused", "extended", "typed", "leaving", "former"):
        del data[key]
    data["seats"] = [seat[:6] for seat in data["seats"]]
    assert read_match(held.id, json.dumps(data)) == held


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (200.9, "3:20"), (3599, "59:59"), (3840, "1:04:00"), (90_000, "25:00:00")]
)
def test_what_is_left_reads_as_on_a_stopwatch(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_minutes_read_as_people_say_them() -> None:
    spans: dict[int, Any] = {1: "1 min", 59: "59 min", 60: "1 h", 144: "2 h 24 min"}
    assert {minutes: span(minutes) for minutes in spans} == spans
