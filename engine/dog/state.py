"""The whole truth of a match of Dog's Judgement, split by secrecy, and what of it each viewer may see."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dog.events import Card, Points
from engine.dog.facts import RoundTold
from engine.dog.moves import Play
from engine.dog.view import Board, View
from engine.game import Player


@dataclass(frozen=True)
class State:
    """``board`` is public; everything else is not.

    ``seed`` draws the lots of rule 16. By player: ``hands`` ascending, ``points`` in the order of ``VP_EVENTS``,
    ``told`` what each was told of every round so far. ``plays`` are by closed round and then by player, None for
    nothing played.
    """

    board: Board
    seed: bytes
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[tuple[Points, Points, Points], ...]
    told: tuple[tuple[RoundTold, ...], ...]
    plays: tuple[tuple[Play | None, ...], ...]


def view(state: State, viewer: Player | None) -> View:
    """All that a viewer may know; None is the public."""
    if viewer is None:
        return View(None, state.board, (), (0, 0, 0), ())
    return View(viewer, state.board, state.hands[viewer], state.points[viewer], state.told[viewer])
