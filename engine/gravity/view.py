"""What one viewer may know of a match of Gravity Pandemic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.game import Player
from engine.gravity.birds import Bird, Seat
from engine.gravity.facts import By, Private, Scores

Stage = Literal["reveals", "draft", "actions", "guesses", "over"]


@dataclass(frozen=True)
class Board:
    """The public part of a match: everything the group may know. Kept whole inside the state.

    ``picks`` are tonight's draft in order; ``revealed`` are this round's publicly revealed seats, ascending; ``used``
    are the birds that no longer may be named (rule 3), rulebook order; ``idle`` are the players the bot picks for
    tonight (rule 6); ``first`` drafts (or drafted) first on the latest night; ``updates`` are the scores after each
    scoring update that changed them, in order (rule 20); ``winner`` stands once the stage is ``over``.
    """

    stage: Stage
    round: int
    night: int
    period: int
    scores: Scores
    first: Player | None
    picks: tuple[tuple[Player, Bird, By], ...]
    revealed: tuple[tuple[Seat, Bird], ...]
    used: tuple[Bird, ...]
    idle: tuple[Player, ...]
    updates: tuple[Scores, ...]
    winner: Player | None


@dataclass(frozen=True)
class View:
    """A viewer's knowledge. ``named`` is the viewer's own private reveal of this round (rule 2); ``told`` are the
    private facts of this round, in order. For the public (viewer None) both are empty.
    """

    viewer: Player | None
    board: Board
    named: Bird | None
    told: tuple[Private, ...]


@dataclass(frozen=True)
class RevealOptions:
    """Birds that may be named privately (rules 1, 3), rulebook order."""

    birds: tuple[Bird, ...]


@dataclass(frozen=True)
class DraftOptions:
    """Birds left to draft, rulebook order; empty unless the viewer is to pick. ``here``: may say "I am back"."""

    birds: tuple[Bird, ...]
    here: bool


@dataclass(frozen=True)
class ActionOptions:
    """For each of the viewer's birds that needs a submission, in rulebook order: the seats and birds it may name."""

    birds: tuple[tuple[Bird, tuple[Seat, ...], tuple[Bird, ...]], ...]


@dataclass(frozen=True)
class GuessOptions:
    """Seats and birds that may be guessed (rule 18)."""

    seats: tuple[Seat, ...]
    birds: tuple[Bird, ...]


Options = RevealOptions | DraftOptions | ActionOptions | GuessOptions | None
"""None when the viewer has nothing to choose: the public, a stranger to this phase, a match that is over."""
