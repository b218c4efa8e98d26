"""What becomes known in Gravity Pandemic, and so may be told. Whom a fact is told is the ``Tell``'s business.

Scores are pairs (EC, DMO) in quarters, as they stand after the fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.game import Player
from engine.gravity.birds import Bird, Quarters, Seat
from engine.gravity.moves import Guess

Scores = tuple[Quarters, Quarters]
By = Literal["player", "bot", "host"]
Why = Literal["points", "led_last", "never_led", "resigned"]

NOTHING: Final = "N/A"
"""The text of a response that says nothing (rule 15)."""


# --- public ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundBegan:
    """A new seating is dealt; ``used`` are the birds nobody may name for a private reveal any more (rule 3)."""

    round: int
    used: tuple[Bird, ...]
    scores: Scores


@dataclass(frozen=True)
class NightBegan:
    """A draft opens; ``first`` picks first (rule 5)."""

    round: int
    night: int
    first: Player


@dataclass(frozen=True)
class Picked:
    """A draft pick, public (rule 4). ``pick`` counts from 1; ``by`` says who really chose (rule 6)."""

    round: int
    night: int
    pick: int
    player: Player
    bird: Bird
    by: By


@dataclass(frozen=True)
class NightResolved:
    """The night is over; the Robin's gain, if there was one (rule 15)."""

    round: int
    night: int
    robin: tuple[Player, Quarters] | None
    scores: Scores


@dataclass(frozen=True)
class Judged:
    """One player's guess as announced: the content only when right (rule 17)."""

    player: Player
    delta: Quarters
    right: Guess | None


@dataclass(frozen=True)
class PeriodClosed:
    """A guessing period was judged (rules 16, 19). ``judged`` has, in table order, only those who guessed."""

    round: int
    night: int
    period: int
    judged: tuple[Judged, ...]
    again: bool
    raven_found: bool
    scores: Scores


@dataclass(frozen=True)
class RoundEnded:
    """``named`` are the birds privately revealed this round: not who named them, not where they sat (rule 3)."""

    round: int
    raven_found: bool
    named: tuple[Bird, ...]
    scores: Scores


@dataclass(frozen=True)
class MatchEnded:
    """``why``: more points; tied, but led last (rule 20); tied and never led; resignation (rule 21)."""

    winner: Player
    why: Why
    scores: Scores


# --- to one player --------------------------------------------------------------------------------


@dataclass(frozen=True)
class RevealTold:
    """The private reveal's answer (rule 1); both None for a player who named none. Told to both players always."""

    round: int
    bird: Bird | None
    seat: Seat | None


@dataclass(frozen=True)
class Response:
    """What one drafted bird was answered; ``target`` is what counted as submitted, None for no valid action."""

    bird: Bird
    target: Seat | Bird | None
    text: str


@dataclass(frozen=True)
class NightTold:
    """The five responses of a player's night, in rulebook order (rule 15). ``silent``: nothing was submitted."""

    round: int
    night: int
    responses: tuple[Response, ...]
    silent: bool


@dataclass(frozen=True)
class GuessTold:
    """A player's own guess and what it brought; ``guess`` None for none. Told to both players always."""

    round: int
    night: int
    period: int
    guess: Guess | None
    delta: Quarters


Private = RevealTold | NightTold | GuessTold
Public = RoundBegan | NightBegan | Picked | NightResolved | PeriodClosed | RoundEnded | MatchEnded
Fact = Public | Private
