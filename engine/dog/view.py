"""What one viewer may know of a match of Dog's Judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.dog.events import Card, Event, Movement, Points, Tokens
from engine.dog.facts import CandidateNamed, Judgement, NoDeathMatch, OpponentNamed, RoundResolved, RoundTold
from engine.game import Player

Stage = Literal["pregame", "round", "choice", "over"]


@dataclass(frozen=True)
class Board:
    """The public part of a match: everything the group may know (rule 9). Kept whole inside the state.

    ``round`` is 0 in the pre-game; ``announced`` are the rounds so far; ``judgement`` stands after round 9. While the
    stage is ``choice`` the ``candidate`` chooses an opponent; ``end`` says what came of it once the match is over.
    """

    stage: Stage
    round: int
    level: int
    tokens: Tokens
    announced: tuple[RoundResolved, ...] = ()
    judgement: Judgement | None = None
    candidate: CandidateNamed | None = None
    end: OpponentNamed | NoDeathMatch | None = None


@dataclass(frozen=True)
class View:
    """A viewer's knowledge: their own ``hand`` (ascending), their VP by event, and what they were told of each round.

    For the public (viewer None) hand and told are empty and the points are zero.
    """

    viewer: Player | None
    board: Board
    hand: tuple[Card, ...]
    points: tuple[Points, Points, Points]
    told: tuple[RoundTold, ...]


@dataclass(frozen=True)
class PlayOptions:
    """What a play can be built of (rules 1 to 3): one of the ``cards`` (each value once, ascending) on two of the
    ``events``; with the Exchange Store one of the ``values`` of that card; with the bribe one of the ``movements``, or
    none. Every legal play can be built so, and no other.
    """

    cards: tuple[Card, ...]
    events: tuple[Event, ...]
    values: tuple[tuple[Card, tuple[Card, ...]], ...]
    movements: tuple[Movement, ...]


@dataclass(frozen=True)
class ChoiceOptions:
    """Whom the candidate may challenge (rule 16), table order; or they leave it to the lot."""

    players: tuple[Player, ...]


Options = PlayOptions | ChoiceOptions | None
"""None when the viewer has nothing to choose: the public, the pre-game, an empty hand, somebody else's choice."""
