"""What a text tells of the house's own: that a match begins under its seal, moves, waits, loses somebody, ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from tests.simulation.judge.texts import TOKEN, WHO, Said

_BEGUN: Final = re.compile(r"The match begins\.\n[^\n]*\n([0-9a-f]{64})\n")
_CANCELLED: Final = re.compile(
    rf"{WHO} has cancelled the match\.|Everybody agreed to end the match here\."
    r"|The match that was played here is cancelled"
)
_MOVED: Final = re.compile(r"This group has become a supergroup\. The match has moved here")
_UNREACHABLE: Final = re.compile(rf"I cannot write to {WHO} in private any more\.[^\n\d⟨]*{WHO} can open")
_GRANTED: Final = re.compile(r"this phase now runs until ([^.\n]*)\.")
_TURN: Final = re.compile(rf"{WHO}, the table is waiting for your pick\. At ([^.\n]*?) I pick")

_PAUSED: Final = re.compile(rf"⏸ {WHO} has paused the match\. ")
_RESUMED: Final = re.compile(rf"▶ {WHO} has resumed the match\. This phase runs until ([^.\n]*)\.")
_EXTENDED: Final = re.compile(
    rf"{WHO} has added {TOKEN}\. (?:This phase runs until ([^.\n]*)\.|When the match goes on, [^.\n]* left\.)"
)
_REPLACED: Final = re.compile(
    rf"{WHO} has given the seat of {WHO} to {WHO}\.|{WHO} has agreed to leave\. {WHO} plays on in that seat\."
    rf"|{WHO} has taken the seat of {WHO} and plays on there\."
)
_OFFERED: Final = re.compile(
    rf"{WHO} offers the seat of {WHO} to somebody else\. Until it is taken, {WHO} plays on;"
    rf"|{WHO} has agreed to leave\. The seat is free to take, [^\n⟨]*; until then {WHO} plays on\."
)
_STAYS: Final = re.compile(rf"(?:The seat of {WHO} is no longer offered\. )?{WHO} stays in the match\.")
_WELCOME: Final = re.compile(rf"You play on in {TOKEN}, in the seat of {WHO}\.")

_ENDED: Final = re.compile(rf"The match in {TOKEN} is over\. The result")
_REMOVED: Final = re.compile(
    rf"I was removed from {TOKEN}, so your match there is cancelled|Your match in {TOKEN} is cancelled"
)
_REMINDED: Final = re.compile(rf"Your choice in {TOKEN} is still open until ([^.\n]*)\.")

PUBLIC: Final = frozenset(
    {
        *("begun", "cancelled", "moved", "unreachable", "granted", "turn"),
        *("paused", "resumed", "extended", "replaced", "offered", "stays"),
    }
)


def read(text: str) -> Iterator[Said]:
    """What a text tells, to everybody or to a player."""
    if "The match begins." in text:
        for found in _BEGUN.finditer(text):
            yield Said(found.span(), ("begun", found[1]))
    if "cancelled" in text or "Everybody agreed" in text:
        for found in _CANCELLED.finditer(text):
            yield Said(found.span(), ("cancelled",))
        for found in _REMOVED.finditer(text):
            yield Said(found.span(), ("removed",))
    if "has moved here" in text:
        for found in _MOVED.finditer(text):
            yield Said(found.span(), ("moved",))
    if "I cannot write to" in text:
        for found in _UNREACHABLE.finditer(text):
            yield Said(found.span(), ("unreachable", found[1]))
    if "now runs until" in text:
        for found in _GRANTED.finditer(text):
            yield Said(found.span(), ("granted", found[1]))
    if "waiting for your pick" in text:
        for found in _TURN.finditer(text):
            yield Said(found.span(), ("turn", found[1], found[2]))
    yield from _called(text)
    if "The match in " in text:
        for found in _ENDED.finditer(text):
            yield Said(found.span(), ("ended",))
    if "still open until" in text:
        for found in _REMINDED.finditer(text):
            yield Said(found.span(), ("reminded", found[2]))


def _called(text: str) -> Iterator[Said]:
    """What a text tells of the host's calls."""
    if "the match" in text:
        for found in _PAUSED.finditer(text):
            yield Said(found.span(), ("paused",))
        for found in _RESUMED.finditer(text):
            yield Said(found.span(), ("resumed", found[2]))
        for found in _STAYS.finditer(text):
            yield Said(found.span(), ("stays", found[2]))
    if "has added" in text:
        for found in _EXTENDED.finditer(text):
            yield Said(found.span(), ("extended", found[3]))
    if "seat" in text:
        for found in _REPLACED.finditer(text):
            old, new = (found[2] or found[4] or found[7], found[3] or found[5] or found[6])
            yield Said(found.span(), ("replaced", old, new))
        for found in _OFFERED.finditer(text):
            yield Said(found.span(), ("offered", found[2] or found[4]))
        for found in _WELCOME.finditer(text):
            yield Said(found.span(), ("welcome", found[2]))


def moment(unix: float) -> str:
    """A moment as a text shows it where nothing turns it into the reader's own time."""
    return f"{datetime.fromtimestamp(int(unix), UTC):%Y-%m-%d %H:%M:%S} UTC"
