"""Whom a phase asks something gets its panel, which is put away when the phase is over; nobody else does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.matches import Course, courses
from tests.simulation.judge.waits import Waits, closed, waits_of
from tests.simulation.trace import Call, Pressed, Stored, Trace, Wrote
from tests.simulation.verdict import Offence

ASKED: Final = 200.0
"""Seconds in which somebody is sent the panel that they have asked for."""


def check(trace: Trace) -> Iterator[Offence]:
    """Panels that came late, that stayed as they were, and that came to people who had left."""
    waits = waits_of(trace)
    asked: dict[int, list[float]] = {}
    for event in trace.events:
        if isinstance(event, Pressed | Wrote):
            asked.setdefault(event.user, []).append(event.at)
    for course in courses(trace).values():
        for write in course.writes:
            yield from _shown(course, write, waits)
            yield from _put_away(course, write, waits)
            yield from _unasked(course, write, waits, asked)


def _shown(course: Course, write: Stored, waits: Waits) -> Iterator[Offence]:
    """The panel of a phase comes as soon as it opens, and again when it is given more time."""
    before, after = write.before, write.after
    if before is None or after.stage != "playing" or not course.knows(after.number):
        return
    phase = course.phase(after.number)
    opens = before.seed is None or before.number < after.number
    if phase is None or phase.instant or not (opens or before.deadline != after.deadline):
        return
    over = closed(course, after.number)
    for player in phase.active:
        who = after.seats[player]
        if who is None or who.user is None or who.left or not who.reachable:
            continue
        panels = waits.panels.get((who.user, f"{course.match}:{after.number}"), ())
        calls = (call.at for call in panels if call.at >= write.at)
        shown = min(next(calls, float("inf")), over)
        if waits.late(who.user, write.at, shown):
            why = f"{course.match}:{after.number} player {player} got their panel {shown - write.at:.1f} s late"
            yield Offence("notices", why, write.at)


def _put_away(course: Course, write: Stored, waits: Waits) -> Iterator[Offence]:
    """Of the messages with a panel at least the last that the bot knows of shows what counted; others stay copies."""
    before, after = write.before, write.after
    if before is None or before.seed is None or (before.number == after.number and before.stage == after.stage):
        return
    for who in after.seats:
        if who is None or who.user is None or not who.reachable:
            continue
        panels = waits.panels.get((who.user, f"{course.match}:{before.number}"), ())
        showing = {call.message for call in panels if call.at <= write.at and call.done}
        if showing:
            edits = (c.at for c in waits.calls[who.user] if c.at >= write.at and _edits(c, showing))
            end = next(edits, waits.end)
            if waits.late(who.user, write.at, end):
                why = f"{course.match}:{before.number} {who.user} keeps a panel for {end - write.at:.1f} s"
                yield Offence("notices", why, write.at)


def _edits(call: Call, messages: set[int | None]) -> bool:
    return call.method == "editMessageText" and call.params.get("message_id") in messages


def _unasked(course: Course, write: Stored, waits: Waits, asked: dict[int, list[float]]) -> Iterator[Offence]:
    """Whoever has left a match that goes on without them is sent no panel but what they ask for."""
    before, after = write.before, write.after
    opens = before is not None and before.seed is not None and before.number < after.number
    if not opens or after.stage != "playing" or not course.knows(after.number):
        return
    phase = course.phase(after.number)
    assert before is not None
    for player, who in enumerate(after.seats):
        was = before.seats[player]
        if who is None or was is None or who.user is None or not (who.left and was.left):
            continue
        if phase is None or phase.active == (player,) or course.can_resign(after.number, player):
            continue
        over = closed(course, after.number)
        for call in waits.panels.get((who.user, f"{course.match}:{after.number}"), ()):
            recent = any(call.at - ASKED < at <= call.at for at in asked.get(who.user, ()))
            if call.method == "sendMessage" and write.at <= call.at <= over and not recent:
                why = f"{course.match}:{after.number} player {player} has left, and got a panel"
                yield Offence("notices", why, call.at)
