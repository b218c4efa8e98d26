"""What two people do in a match of Gravity Pandemic that is written down: a script that knows the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.game import Player
from engine.gravity.birds import SEATS, Bird
from engine.gravity.moves import Guess, Move, Pass, Reveal
from engine.gravity.state import State


@dataclass(frozen=True)
class Script:
    """``named``: who names which bird in private, by round; whoever is not there names none. ``guessed``: who guesses
    which bird, rightly or not, by round, night and guessing period. ``away``: who is silent, by round, night and stage;
    in a draft, for one pick.
    """

    named: Mapping[tuple[int, Player], Bird] = field(default_factory=dict)
    guessed: Mapping[tuple[int, int, int, Player], tuple[Bird, bool]] = field(default_factory=dict)
    away: tuple[tuple[int, int, str, Player], ...] = ()

    def is_away(self, state: State, player: Player) -> bool:
        """Whether a player is silent now."""
        board = state.board
        drafting = board.stage == "draft" and len(board.picks) > 1
        return (board.round, board.night, board.stage, player) in self.away and not drafting

    def move(self, state: State, player: Player) -> Move | None:
        """What a player names or guesses; None where neither is asked."""
        board = state.board
        if board.stage == "reveals":
            return Reveal(self.named.get((board.round, player)))
        if board.stage != "guesses":
            return None
        wanted = self.guessed.get((board.round, board.night, board.period, player))
        return Pass() if wanted is None else guess(state, *wanted)


def guess(state: State, bird: Bird, right: bool) -> Guess:
    """A bird's seat, or the first other one that is not known to all."""
    known = {seat for seat, _ in state.board.revealed}
    true = state.seats.index(bird) + 1
    return Guess(true if right else next(seat for seat in SEATS if seat not in {true, *known}), bird)
