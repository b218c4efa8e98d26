"""What the judge says of things told too early, and of timers that nobody armed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulation.calm import duel
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.answers import PICKED
from tests.simulation.judge.order import check
from tests.simulation.trace import Armed, Call, Event, Stored, Struck


@pytest.mark.parametrize(
    "text", ["Owl it is. Lock in when you are done.", "You have resigned.", "Off we go.", "You have a seat."]
)
def test_an_answer_before_the_write(text: str) -> None:
    """Nothing is said before it is stored."""
    trace = duel()
    told = next(n for n, e in enumerate(trace.events) if isinstance(e, Call) and e.params.get("text") == text)
    write = max(n for n in range(told) if isinstance(e := trace.events[n], Stored) and e.write == "commit")
    events: list[Event] = [
        *trace.events[:write],
        trace.events[told],
        *trace.events[write:told],
        *trace.events[told + 1 :],
    ]
    assert not list(check(trace))
    [offence] = check(with_events(trace, events))
    assert f"was told {text!r} before it was stored" in offence.why


def test_an_alarm_that_nobody_armed() -> None:
    """Whoever stores a match that waits has armed a timer first."""
    trace = duel()
    last = max(trace.of(Armed), key=lambda armed: armed.alarm)
    unarmed = edited(trace, Armed, lambda armed: [] if armed.alarm >= last.alarm - 1 else [armed])
    assert any("nobody armed" in offence.why for offence in check(unarmed))


def test_an_alarm_armed_after_the_write() -> None:
    """Armed afterwards is too late: the process may end in between."""
    trace = duel()
    events = [*(e for e in trace.events if not isinstance(e, Armed)), *trace.of(Armed)]
    assert list(check(with_events(trace, events)))


def test_an_alarm_armed_for_another_time() -> None:
    """A timer that comes at another moment is none."""
    assert list(check(edited(duel(), Armed, lambda armed: [replace(armed, when=armed.when + 1)])))


def test_an_alarm_that_could_not_be_armed() -> None:
    """Where no timer is to be had the match goes on all the same."""
    trace = edited(duel(), Armed, lambda armed: [])
    struck: list[Event] = []
    for event in trace.events:
        struck += [Struck(event.at, "message refused"), event] if isinstance(event, Stored) else [event]
    assert not list(check(with_events(trace, struck)))


def test_what_a_pick_is_told() -> None:
    """The text names whoever was picked for, whatever they are called."""
    assert PICKED.fullmatch("Picked for A\nda.")
