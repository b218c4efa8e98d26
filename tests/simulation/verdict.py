"""What a judge has to say of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Check = Literal[
    "presses",  # the match is what the rules make of the presses that were acknowledged
    "phases",  # each phase closed once, never early, and not too late
    "order",  # nothing told before it was stored, no timer armed after what needs it
    "notices",  # told at least once, in order, to those entitled
    "repeats",  # told again only where a fault explains it
    "results",  # what is kept of people: each result once, and nothing of whom was forgotten
    "secrets",  # told to no one else; no line and no call holds what it may not
    "rate",  # the group's rate held
    "record",  # the record replays, verifies and is what is stored
    "pending",  # nothing is left undone
    "calls",  # every call was one that a correct bot makes
    "updates",  # every update was acknowledged or lived out its life
]


@dataclass(frozen=True)
class Offence:
    """Something that must never happen. ``at`` is when, in Unix seconds; ``why`` says what, for whoever mends it."""

    check: Check
    why: str
    at: float
