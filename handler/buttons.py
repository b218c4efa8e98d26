"""What a button carries (callback_data, at most 64 bytes), and reading it back.

A client can forge any of it: a press is authorised by who pressed, the match and its open phase, never by its data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

MATCH_ID = re.compile(r"[a-z2-7]{8}")
"""Eight base32 characters: with a five-digit phase number and 48 bytes of notation the data is exactly 64 bytes."""


class Verb(StrEnum):
    """What a press in a match's phase asks for."""

    SEAL = "s"
    """Seal the move whose notation follows; it may be changed until the phase closes."""
    FINAL = "f"
    """Seal it and lock in, in one press."""
    LOCK = "l"
    """Lock in what is sealed."""
    UNLOCK = "u"
    """Take the lock back; what is sealed stays sealed."""
    MENU = "m"
    """Show another page of the panel: nothing is sealed, the argument is the view's own."""


@dataclass(frozen=True)
class PhasePress:
    """A press in phase ``number`` of a match. ``arg`` is a move's notation, or a menu's place."""

    match: str
    number: int
    verb: Verb
    arg: str = ""


@dataclass(frozen=True)
class MatchPress:
    """A press about a match as a whole (lobby, resigning, cancelling): ``act`` is a word, ``arg`` what it needs."""

    match: str
    act: str
    arg: str = ""


@dataclass(frozen=True)
class PlainPress:
    """A press about no match (rules pages, help, a new lobby)."""

    act: str
    arg: str = ""


Press = PhasePress | MatchPress | PlainPress


def write(press: Press) -> str:
    """The callback_data of a press."""
    match press:
        case PhasePress(match=id, number=number, verb=verb, arg=arg):
            return f"{id}:{number}:{verb.value}{arg}"
        case MatchPress(match=id, act=act, arg=arg):
            return f"{id}:{act}:{arg}"
        case PlainPress(act=act, arg=arg):
            return f"-:{act}:{arg}"


def read(data: str) -> Press | None:
    """The press behind callback_data; None for anything this bot never wrote."""
    id, _, rest = data.partition(":")
    middle, colon, arg = rest.partition(":")
    if not colon or len(data.encode("utf-8", "replace")) > 64:
        return None
    if id == "-":
        return PlainPress(middle, arg) if re.fullmatch(r"[a-z]{1,12}", middle) else None
    if not MATCH_ID.fullmatch(id):
        return None
    if re.fullmatch(r"[0-9]{1,5}", middle):
        if arg[:1] not in {verb.value for verb in Verb}:
            return None
        return PhasePress(id, int(middle), Verb(arg[0]), arg[1:])
    return MatchPress(id, middle, arg) if re.fullmatch(r"[a-z]{1,12}", middle) else None
