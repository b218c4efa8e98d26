"""What stands in a place."""

from __future__ import annotations

from handler.match import Match
from handler.ports import Place
from handler.table import Ports, change, keep
from handler.telling import settle


def here(ports: Ports, place: Place) -> Match | None:
    """The match in a place, with whatever is due there done."""
    id = ports.store.at(place)
    outcome = None if id is None else change(ports, id, keep)
    settle(ports, outcome)
    return None if outcome is None or outcome.match.stage not in ("lobby", "playing") else outcome.match
