"""Every update is acknowledged or lives out its life, and nothing fails that no fault explains."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from tests.simulation.judge.faults import Faults
from tests.simulation.trace import Delivered, Dropped, Logged, Pressed, Trace, Wrote
from tests.simulation.verdict import Offence

PRESS_LIFE: Final = 150.0
LIFE: Final = 24 * 3600.0
WELL: Final = 100.0
"""Seconds at the end of a press's life in which a house that is well takes it."""
HAMPERING: Final = ("killed", "out of time", "restart", "outage", "release", "store", "update", "answer", "telegram s")

EXCUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "a timer is not armed": ("schedule", "message"),
    "an event came to nothing": ("store", "message", "schedule"),
    "the sweep failed": ("store",),
    "the sweep failed for a match": ("store", "message"),
    "a picture cannot be drawn": ("drawing",),
}
"""Errors of which the bot may speak when it was just struck so."""
RECENT: Final = 60.0
OURS: Final = ("engine", "handler", "infra")


def check(trace: Trace) -> Iterator[Offence]:
    """Updates that were lost, statuses that no webhook gives, and errors in the log."""
    faults = Faults(trace)
    yield from _updates(trace, faults)
    for logged in trace.of(Logged):
        if logged.level in ("ERROR", "CRITICAL") and not _is_excused(logged, faults):
            yield Offence("updates", f"logged: {logged.line[:500]}", logged.at)


def _updates(trace: Trace, faults: Faults) -> Iterator[Offence]:
    born: dict[int, float] = {}
    pressed: set[int] = set()
    done: set[int] = set()
    for event in trace.events:
        match event:
            case Pressed(at=at, update=update):
                born[update] = at
                pressed.add(update)
            case Wrote(at=at, update=int(update)):
                born[update] = at
            case Delivered(at=at, update=update, status=status):
                born.setdefault(update, at)
                if status is not None and 200 <= status < 300:
                    done.add(update)
                elif status not in (None, 503):
                    yield Offence("updates", f"update {update} was answered {status}", event.until)
            case Dropped(at=at, update=update):
                done.add(update)
                yield from _dropped(event, born.get(update, at), faults, press=update in pressed)
    end = trace.events[-1].at if trace.events else 0.0
    for update in born:
        if update not in done:
            yield Offence("updates", f"update {update} is neither acknowledged nor dropped", end)


def _dropped(event: Dropped, born: float, faults: Faults, *, press: bool) -> Iterator[Offence]:
    if press:
        if event.at - born < PRESS_LIFE - 1:
            yield Offence("updates", f"press {event.update} was dropped before its time", event.at)
        struck = faults.between(event.at - WELL, event.at, HAMPERING)
        if not struck and not faults.lasting(event.at):
            yield Offence("updates", f"press {event.update} was dropped by a house that was well", event.at)
    elif event.at - born < LIFE / 2 and not faults.lasting(event.at):
        yield Offence("updates", f"update {event.update} was dropped before its time", event.at)


def _is_excused(logged: Logged, faults: Faults) -> bool:
    try:
        line = json.loads(logged.line)
    except ValueError:
        line = {"message": logged.line}
    message = str(line.get("message", ""))
    kinds = EXCUSES.get(message)
    if kinds is None and str(line.get("logger", OURS[0])).partition(".")[0] not in OURS:
        kinds = ("telegram", "schedule", "message", "store")  # a library speaks of what struck it
    return kinds is not None and bool(faults.between(logged.at - RECENT, logged.at + 1, kinds))
