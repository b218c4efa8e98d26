"""What becomes known in Dog's Judgement, and so may be told. Whom a fact is told is the ``Tell``'s business.

Triples stand in the order of ``VP_EVENTS``; tuples of seven in table order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.dog.events import VP_EVENTS, Card, Event, Movement, Points
from engine.dog.moves import Play
from engine.game import Player

How = Literal["chosen", "lot"]
WhyNone = Literal["no_candidate", "no_opponent", "declined"]


# --- public ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundResolved:
    """All that is announced of a round (rule 9): who scored in each VP event (table order, no amounts), the tower's
    level, and the token moved; None whether nobody bribed or the briber moved nothing.
    """

    round: int
    scored: tuple[tuple[Player, ...], tuple[Player, ...], tuple[Player, ...]]
    level: int
    moved: Movement | None


@dataclass(frozen=True)
class EventJudged:
    """Rule 10 in one event: its ``leaders`` with their ``points``, its Win Tokens, and the Tokens of Life each wins."""

    event: Event
    tokens: int
    leaders: tuple[Player, ...]
    points: Points
    each: int


@dataclass(frozen=True)
class Judgement:
    """Rules 10 to 13. ``events`` are the VP events that hold Win Tokens; ``won`` are each player's Tokens of Life
    before the loss of rule 11, ``life`` after it; ``least`` is the lowest VP, in the event of the Lose Token, of those
    without a Token of Life, None where everybody holds one.
    """

    events: tuple[EventJudged, ...]
    won: tuple[int, ...]
    all_lose: bool
    life: tuple[int, ...]
    garnets: tuple[int, ...]
    lose: Event
    least: Points | None
    candidates: tuple[Player, ...]


@dataclass(frozen=True)
class Published:
    """Rule 14: every player's VP, and what they played in each round (None: nothing)."""

    points: tuple[tuple[Points, Points, Points], ...]
    plays: tuple[tuple[Play | None, ...], ...]


@dataclass(frozen=True)
class CandidateNamed:
    """Rule 16: who is the Elimination Candidate (by ``lot`` among joint ones), and whom they may challenge."""

    candidate: Player
    lot: bool
    eligible: tuple[Player, ...]


@dataclass(frozen=True)
class OpponentNamed:
    """Rule 16: the two who meet, and how the opponent was found."""

    candidate: Player
    opponent: Player
    how: How


@dataclass(frozen=True)
class NoDeathMatch:
    """Rule 16: nobody is eliminated. ``declined``: by the host."""

    why: WhyNone


# --- to one player --------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundTold:
    """One round as it went for one player, told to everybody whether they played or not: the play, the VP it scored
    by event (bonus included), the card gained, and what they hold now.
    """

    round: int
    play: Play | None
    scored: tuple[Points, Points, Points]
    gained: Card | None
    points: tuple[Points, Points, Points]
    hand: tuple[Card, ...]

    @property
    def bribed(self) -> bool:
        """Whether this proves that the Dog took the player's bribe: a card scored more than it can without (rule 8).
        Where its other event did not score, the player cannot know.
        """
        if self.play is None or Event.BRIBING_THE_DOG not in self.play.events:
            return False
        plain = {event: 8 - self.play.card if event is Event.CHARGE_TOWER else self.play.card for event in VP_EVENTS}
        return any(scored > plain[event] for event, scored in zip(VP_EVENTS, self.scored, strict=True))


Public = RoundResolved | Judgement | Published | CandidateNamed | OpponentNamed | NoDeathMatch
Private = RoundTold
Fact = Public | Private
