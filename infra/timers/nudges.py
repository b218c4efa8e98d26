"""A nudge as it is written into the queue's messages and the schedules' inputs: a JSON object of its three fields."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite

from handler.ports import Nudge


class NotANudge(Exception):
    """What came out of the queue is no nudge and never will be one. What it was is not kept."""


def write_nudge(nudge: Nudge) -> str:
    """The nudge as the text of a message."""
    return json.dumps(asdict(nudge))


def read_nudge(text: str) -> Nudge:
    """The nudge in a message's text. Raises NotANudge for anything that :func:`write_nudge` would not write."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise NotANudge from None  # the error would quote the text
    match fields:
        case {"match": str(match), "alarm": int(alarm), "at": int(at) | float(at), **rest}:
            pass
        case _:
            raise NotANudge
    if rest or not match or any(isinstance(number, bool) or not _is_count(number) for number in (alarm, at)):
        raise NotANudge
    return Nudge(match, alarm, float(at))


def _is_count(number: float) -> bool:
    """Whether a number is finite and not negative; an integer too large for a float is as good as infinite."""
    try:
        return isfinite(number) and number >= 0
    except OverflowError:
        return False
