"""What the judge says of updates that got lost and of errors in the log."""

from __future__ import annotations

import json

import pytest

from tests.simulation.edits import with_events
from tests.simulation.judge.updates import check
from tests.simulation.trace import Delivered, Dropped, Event, Logged, Pressed, Struck, Trace, Wrote

PRESS = Pressed(1000.0, 1, 7, 7, 3, "-:rules:gravity", "q")
COMMAND = Wrote(1000.0, 1, 7, 7, "/rules")


def brought(status: int | None) -> Delivered:
    """The update comes once."""
    return Delivered(1000.0, 1001.0, 1, 1, status)


def said(*events: Event) -> list[str]:
    """What is said of a trace of these events."""
    return [offence.why for offence in check(with_events(Trace(), events))]


def error(message: str, logger: str = "handler.intake") -> Logged:
    """An error in the log."""
    return Logged(1000.0, "ERROR", json.dumps({"logger": logger, "message": message}))


@pytest.mark.parametrize(
    "events",
    [
        (PRESS, brought(200)),
        (PRESS, brought(503), brought(None), brought(200)),
        (PRESS, brought(503), Struck(1100.0, "store throttled"), Dropped(1150.0, 1)),
        (PRESS, brought(None), Struck(900.0, "outage", about="400"), Dropped(1150.0, 1)),
        (COMMAND, brought(None), Dropped(1000.0 + 86_400, 1)),
        (error("a timer is not armed"), Struck(990.0, "schedule refused"))[::-1],
        (Struck(990.0, "telegram 502"), error("it broke", "telegram.ext")),
        (Logged(1000.0, "WARNING", "not JSON"),),
    ],
)
def test_what_may_happen(events: tuple[Event, ...]) -> None:
    """Acknowledged at last, or dropped after its life by a house in trouble; errors that a fault explains."""
    assert said(*events) == []


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ((PRESS,), "neither acknowledged nor dropped"),
        ((PRESS, brought(503)), "neither acknowledged nor dropped"),
        ((PRESS, brought(500), brought(200)), "was answered 500"),
        ((PRESS, brought(None), Dropped(1150.0, 1)), "by a house that was well"),
        ((PRESS, Struck(1010.0, "store throttled"), Dropped(1150.0, 1)), "by a house that was well"),
        ((PRESS, Struck(1010.0, "store throttled"), Dropped(1050.0, 1)), "before its time"),
        ((COMMAND, Dropped(1150.0, 1)), "before its time"),
        ((error("an update failed"), Struck(1000.0, "store throttled")), "an update failed"),
        ((error("telling failed", "handler.teller"),), "telling failed"),
        ((error("a timer is not armed"),), "a timer is not armed"),
        ((Logged(1000.0, "ERROR", "no JSON"),), "no JSON"),
    ],
)
def test_what_must_not_happen(events: tuple[Event, ...], why: str) -> None:
    """Each with just this offence."""
    [said_of_it] = said(*events)
    assert why in said_of_it
