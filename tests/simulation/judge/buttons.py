"""What a button carries, read anew: ``match:number:verb+argument`` in a phase, ``match:act:argument`` about a match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MOVES: Final = "sf"
"""Seal the move that follows; seal it and lock in."""

_IN_PHASE: Final = re.compile(r"([a-z2-7]{8}):([0-9]{1,5}):([sflum])(.*)", re.DOTALL)
_ABOUT: Final = re.compile(r"([a-z2-7]{8}):([a-z]{1,12}):(.*)", re.DOTALL)


@dataclass(frozen=True)
class InPhase:
    """A press in phase ``number``: s and f seal the move ``arg``, l and u lock and unlock, m shows a menu."""

    match: str
    number: int
    verb: str
    arg: str


@dataclass(frozen=True)
class About:
    """A press about a match as a whole."""

    match: str
    act: str
    arg: str


def read(data: str) -> InPhase | About | None:
    """What a press asks for; None for what is about no match."""
    if len(data.encode("utf-8", "replace")) > 64:
        return None
    found = _IN_PHASE.fullmatch(data)
    if found is not None:
        return InPhase(found[1], int(found[2]), found[3], found[4])
    found = _ABOUT.fullmatch(data)
    return None if found is None else About(found[1], found[2], found[3])
