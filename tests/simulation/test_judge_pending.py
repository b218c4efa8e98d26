"""What the judge says of what is left undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.simulation.calm import duel
from tests.simulation.edits import with_events
from tests.simulation.judge.pending import check
from tests.simulation.trace import Snapshot, Stored


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda s: replace(s, stage="playing"), "is playing"),
        (lambda s: replace(s, told=s.news - 1), "news and told"),
        (lambda s: replace(s, alarm_at=1.0), "waits for an alarm"),
        (lambda s: replace(s, lease="a", lease_until=9e9), "is leased until"),
    ],
)
def test_a_match_that_is_left(change: Callable[[Snapshot], Snapshot], why: str) -> None:
    """At the end it is over, told, and waits for nothing."""
    trace = duel()
    assert not list(check(trace))
    last = next(iter(trace.latest.values()))
    stored = next(event for event in reversed(trace.events) if isinstance(event, Stored))
    wrong = replace(stored, after=change(last))
    [offence] = check(with_events(trace, [*trace.events, wrong]))
    assert why in offence.why


def test_a_lobby_that_waits_for_its_day() -> None:
    """It closes by itself, when its time has come."""
    trace = duel()
    lobby = next(event for event in trace.of(Stored) if event.after.stage == "lobby")
    told = replace(lobby, after=replace(lobby.after, told=lobby.after.news))
    assert not list(check(with_events(trace, [told])))
    [stage, alarm] = check(with_events(trace, [told, replace(told, at=told.at + 86_401)]))
    assert "is lobby" in stage.why
    assert "waits for an alarm" in alarm.why


@pytest.mark.parametrize(
    ("text", "idle"),
    [("schedule {}.3 at 1", True), ("message zzzzzzzz.1 at 1, 0 times received", True), ("update 7", False)],
)
def test_what_is_still_on_its_way(text: str, idle: bool) -> None:
    """Timers of a match that has ended find nothing to do; anything else is left undone."""
    trace = with_events(duel(), duel().events)
    trace.pending = [text.format(next(iter(trace.latest)))]
    assert (not list(check(trace))) == idle
