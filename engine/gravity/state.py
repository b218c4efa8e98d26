"""The whole truth of a match of Gravity Pandemic, split by secrecy, and what of it each viewer may see."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.facts import Private
from engine.gravity.night import Seating
from engine.gravity.view import Board, View


@dataclass(frozen=True)
class State:
    """``board`` is public; everything else is not.

    ``deals`` are the seatings of rounds 1 to 4; ``flightless`` are the birds the poison has reached this round, the
    Penguin among them, rulebook order. By player: ``named`` is the bird of this round's private reveal, ``told`` the
    private facts of this round, in order.
    """

    board: Board
    deals: tuple[Seating, ...]
    flightless: tuple[Bird, ...]
    named: tuple[Bird | None, Bird | None]
    told: tuple[tuple[Private, ...], tuple[Private, ...]]

    @property
    def seats(self) -> Seating:
        """This round's seating."""
        return self.deals[self.board.round - 1]


def view(state: State, viewer: Player | None) -> View:
    """All that a viewer may know; None is the public."""
    if viewer is None:
        return View(None, state.board, None, ())
    return View(viewer, state.board, state.named[viewer], state.told[viewer])
