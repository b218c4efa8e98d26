"""Lines for the adjudicator: a night to judge, how it is changed, and what is answered."""

from __future__ import annotations

import copy
import json
from typing import Any

from engine.adjudicator import adjudicate

DELETED = object()
"""In place of a value: take it out."""

RING = ["hawk", "penguin", "crow", "lovebird_a", "lovebird_b", "lark", "owl", "eagle", "robin", "parrot", "raven"]
SEATS = {str(seat): bird for seat, bird in enumerate(RING, start=1)}
NIGHT: dict[str, Any] = {
    "seats": SEATS,
    "flightless": [],
    "revealed": [],
    "drafts": {
        "p1": ["hawk", "penguin", "owl", "robin", "parrot"],
        "p2": ["crow", "lovebird_b", "lark", "eagle", "raven"],
    },
    "actions": {"hawk": {"bird": "parrot"}},
}
"""The input of a night that can be judged."""


def ask(kind: str, question: Any) -> Any:
    """The answer to a question of this kind."""
    return answer(json.dumps({"kind": kind, "input": question}).encode())


def answer(line: bytes) -> Any:
    """The one answer to a line; an error must say so in its flag, and anything else must not."""
    ((text, judged),) = adjudicate([line])
    value = json.loads(text)
    assert "\n" not in text
    assert judged == ("error" not in value)
    return value


def changed(base: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of an input with the value at a dotted path replaced, or with DELETED, removed."""
    result = copy.deepcopy(base)
    *way, last = path.split(".")
    place: Any = result
    for name in way:
        place = place[int(name) if isinstance(place, list) else name]
    if value is DELETED:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return result
