"""A whole match of Gravity Pandemic in hindsight, as values; all of it is public once the match is over (rule 22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.facts import Scores

Outcome = Literal["", "right", "wrong", "raven", "robin"]
"""What a scoring update was for a player: nothing, a right or wrong guess, the Raven found, or a visited Robin."""


@dataclass(frozen=True)
class RoundStory:
    """A round that was begun. ``seats`` is the seating, seat 1 first; ``poisoned`` are the birds the poison reached
    with the night it did, in that order; ``guessed`` are the right guesses, each with its player; ``raven_found`` says
    whether that ended it, ``whole`` is False where the match ended before the round did.
    """

    round: int
    seats: tuple[Bird, ...]
    poisoned: tuple[tuple[Bird, int], ...]
    guessed: tuple[tuple[Player, Bird], ...]
    raven_found: bool
    whole: bool


@dataclass(frozen=True)
class Update:
    """A scoring update (rule 20): where in the match it was, the scores after it, and what it was for each player."""

    round: int
    night: int
    scores: Scores
    outcomes: tuple[Outcome, Outcome]


@dataclass(frozen=True)
class Story:
    """The rounds in order, the scoring updates in order, the final scores, and who won."""

    rounds: tuple[RoundStory, ...]
    updates: tuple[Update, ...]
    scores: Scores
    winner: Player
