"""A match of Dog's Judgement as the rounds of a readable record (``docs/records.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.dog import fields
from engine.dog.events import PLAYERS
from engine.dog.fields import Json
from engine.dog.moves import Move, Play
from engine.dog.state import State
from engine.game import Player


def export(states: Sequence[State], steps: Sequence[Mapping[Player, Move]], players: Sequence[str]) -> Json:
    """The ``rounds`` of a match that went through these states by these steps, one less; ``players`` are the seven's
    names in the document, table order. Who played nothing, or took it back, is absent.
    """
    closed = zip(states, steps, strict=False)  # nothing was sealed in the last state
    return {"rounds": [_round(step, players) for state, step in closed if state.board.stage == "round"]}


def place(state: State) -> str | None:
    """Where in the document stands what the open phase will leave; None where it leaves nothing there."""
    return f"rounds[{state.board.round - 1}].plays" if state.board.stage == "round" else None


def _round(step: Mapping[Player, Move], players: Sequence[str]) -> Json:
    moves = {player: step.get(player) for player in PLAYERS}
    return {
        "plays": {
            players[player]: fields.written_play(move) for player, move in moves.items() if isinstance(move, Play)
        }
    }
