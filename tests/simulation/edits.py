"""Traces as they would be had something else happened: for the judge's own tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from tests.simulation.judge import judge
from tests.simulation.trace import Event, Trace

E = TypeVar("E", bound=Event)


def edited(trace: Trace, kind: type[E], change: Callable[[E], Sequence[Event]]) -> Trace:
    """The trace with each event of a kind replaced by what ``change`` makes of it."""
    events: list[Event] = []
    for event in trace.events:
        events.extend(change(event) if isinstance(event, kind) else (event,))
    return with_events(trace, events)


def with_events(trace: Trace, events: Sequence[Event]) -> Trace:
    """The trace with other events."""
    other = Trace()
    for event in events:
        other.add(event)
    other.secrets, other.words = list(trace.secrets), dict(trace.words)
    return replace(other, pending=list(trace.pending), files=dict(trace.files))


def accused(trace: Trace) -> set[str]:
    """The checks that have something to say."""
    return {offence.check for offence in judge(trace)}
