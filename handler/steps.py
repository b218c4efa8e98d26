"""A step of a record as an item keeps it: ``0:h 1:p``, the moves by player, in notation."""

from __future__ import annotations

from engine.record import Step


def write_step(step: Step) -> str:
    """The text of a step."""
    return " ".join(f"{player}:{text}" for player, text in sorted(step.items()))


def read_step(text: str) -> Step:
    """The step that :func:`write_step` gave."""
    moves = (move.partition(":") for move in text.split())
    return {int(player): notation for player, _, notation in moves}
