"""The group's board changes when something that everybody may know has changed, and never because somebody sealed."""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from tests.simulation.trace import Call, Ended, Snapshot, Stored, Struck, Trace
from tests.simulation.verdict import Offence

RACE: Final = 0.5
"""Seconds from reading a match to showing it, where nothing is slow; what is stored meanwhile is not shown yet."""
LONG: Final = 40.0
"""Seconds after trouble in which a board may lag behind, or be shown again: the longest that a lease is held."""
TROUBLES: Final = ("store", "telegram", "killed", "out of time")

_MATCH: Final = re.compile(r"panel-([a-z2-7]{8})")


def check(trace: Trace) -> Iterator[Offence]:
    """Each edit of a group's board that no public change came before."""
    changes: dict[str, list[float]] = defaultdict(list)
    boards: dict[tuple[int | None, int | None], tuple[str, int]] = {}
    trouble = float("-inf")
    for event in trace.events:
        match event:
            case Stored(before=before, after=after) if before is None or _open(before) != _open(after):
                changes[after.match].append(event.at)
            case Struck(fault=fault) if fault.startswith(TROUBLES):
                trouble = event.at
            case Ended(why=why) if why != "idle":
                trouble = event.at
            case Call(method="sendMessage", done=True, chat=int() as chat) if chat < 0:
                id = _board(event)
                if id is not None:
                    boards[chat, event.message] = (id, _shown(changes[id], 0, event.at))
            case Call(method="editMessageText", done=True) if (event.chat, event.message) in boards:
                id, shown = boards[event.chat, event.message]
                if len(changes[id]) <= shown and event.at - trouble > LONG:
                    yield Offence("secrets", f"the board of {id} changed, and nothing public had", event.at)
                boards[event.chat, event.message] = (id, _shown(changes[id], shown, event.at))


def _board(call: Call) -> str | None:
    """Whose board a message is: they are sent without a sound, and lead to one's own panel."""
    found = _MATCH.search(str(call.params.get("reply_markup", ""))) if call.params.get("disable_notification") else None
    return None if found is None else found[1]


def _shown(changes: Sequence[float], before: int, at: float) -> int:
    """How many changes a board surely shows that showed so many before: all that did not race with it, and at least one
    more, or it would not have been shown.
    """
    return max(min(before + 1, len(changes)), bisect(changes, at - RACE))


def _open(match: Snapshot) -> tuple[object, ...]:
    """All of a match that is public, apart from names, which wait for the next news; and when it reminds."""
    seats = tuple(None if seat is None else (seat.user, seat.reachable) for seat in match.seats)
    offered = tuple(sorted(seat for seat, leaving in match.leaving.items() if leaving == ("person", True)))
    return (match.stage, match.chat, match.topic, match.number, match.deadline, match.alarm_at, seats, offered)
