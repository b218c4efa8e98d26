"""Points: what guesses bring (rules 16, 17, 19) and who wins (rule 20)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Player
from engine.gravity.birds import Bird, Quarters, Seat
from engine.gravity.draft import DMO, EC
from engine.gravity.facts import Scores, Why
from engine.gravity.moves import Guess

POINT: Final[Quarters] = 4
WRONG: Final[Quarters] = -POINT
RIGHT: Final[Quarters] = POINT
RAVEN_RIGHT: Final[Quarters] = 3 * POINT


@dataclass(frozen=True)
class Verdict:
    """A guessing period judged: ``deltas`` of those who guessed, the newly ``revealed`` seats ascending, whether the
    Raven was found, and whether ``again`` another period follows.
    """

    deltas: Mapping[Player, Quarters]
    revealed: tuple[tuple[Seat, Bird], ...]
    raven_found: bool
    again: bool


def judge(seats: Sequence[Bird], guesses: Mapping[Player, Guess]) -> Verdict:
    """Judge all guesses of one period together; ``guesses`` holds only those that rule 18 admits."""
    deltas: dict[Player, Quarters] = {}
    right = set()
    for player, guess in guesses.items():
        if seats[guess.seat - 1] is not guess.bird:
            deltas[player] = WRONG
            continue
        deltas[player] = RAVEN_RIGHT if guess.bird is Bird.RAVEN else RIGHT
        right.add((guess.seat, guess.bird))
    raven_found = any(bird is Bird.RAVEN for _, bird in right)
    return Verdict(deltas, tuple(sorted(right)), raven_found, again=bool(guesses) and not raven_found)


def leader(scores: Scores) -> Player | None:
    """Who has more points, None when tied."""
    if scores[EC] == scores[DMO]:
        return None
    return EC if scores[EC] > scores[DMO] else DMO


def winner(scores: Scores, updates: Iterable[Scores]) -> tuple[Player, Why]:
    """Who wins after four rounds, and why (rule 20); ``updates`` are the scores after each scoring update, in order."""
    ahead = leader(scores)
    if ahead is not None:
        return ahead, "points"
    for earlier in reversed(tuple(updates)):
        led = leader(earlier)
        if led is not None:
            return led, "led_last"
    return DMO, "never_led"
