"""The group's board changes when something that everybody may know has changed, and never because somebody sealed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.letters import letters
from tests.simulation.judge.matches import Course, courses
from tests.simulation.trace import Ended, Snapshot, Struck, Trace
from tests.simulation.verdict import Offence

SHORTLY: Final = 3.0
"""Seconds that may pass from reading a match to showing it, where nothing is slow."""
LONG: Final = 40.0
"""The same where something was: the longest that a lease is held over slow calls."""

_MATCH: Final = re.compile(r"panel-([a-z2-7]{8})")


def check(trace: Trace) -> Iterator[Offence]:
    """Each edit of a group's board without a cause."""
    matches = courses(trace)
    troubles = _troubles(trace)
    shown: dict[tuple[int | None, int | None], tuple[str, float]] = {}
    for letter in letters(trace):
        call, place = letter.call, (letter.call.chat, letter.call.message)
        if not call.done or call.chat is None or call.chat > 0:
            continue
        if call.method == "sendMessage" and call.params.get("disable_notification"):
            match = _MATCH.search(str(call.params.get("reply_markup", "")))
            if match is not None and match[1] in matches:
                shown[place] = (match[1], call.at)
        elif call.method == "editMessageText" and place in shown:
            match_id, since = shown[place]
            shown[place] = (match_id, call.at)
            slow = any(since - LONG <= at <= call.at for at in troubles)
            if not slow and not any(_public(matches[match_id], since - SHORTLY, call.at)):
                yield Offence("secrets", f"the board of {match_id} changed, and nothing public had", call.at)


def _troubles(trace: Trace) -> list[float]:
    """When anything went wrong on the way from the store to the group."""
    return [
        event.at
        for event in trace.events
        if (isinstance(event, Struck) and event.fault.startswith(("store", "telegram", "killed", "out of time")))
        or (isinstance(event, Ended) and event.why != "idle")
    ]


def _public(course: Course, start: float, end: float) -> Iterator[bool]:
    """Whether each write of that time changed what everybody may know."""
    for write in course.writes:
        if start <= write.at <= end:
            yield write.before is None or _open(write.before) != _open(write.after)


def _open(match: Snapshot) -> tuple[object, ...]:
    """All of a match that is public, apart from names, which wait for the next news; and when it reminds."""
    seats = tuple(None if seat is None else (seat.user, seat.reachable) for seat in match.seats)
    return (match.stage, match.chat, match.topic, match.number, match.deadline, match.alarm_at, seats)
