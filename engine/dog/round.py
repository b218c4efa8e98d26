"""One round resolved by rules 5 to 8. Pure: the match and the adjudicator both judge by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.dog.events import THRESHOLD, VP_EVENTS, Card, Event, Movement, Points, Tokens
from engine.dog.moves import Play
from engine.game import Player

BONUS: Final[Points] = 3
"""What a briber who scored in the card's other event scores there on top (rule 8)."""

Scores = Mapping[Player, Points]
"""The VP of those who scored in one event, in table order; nobody scores 0."""


@dataclass(frozen=True)
class Resolved:
    """What a round brought: the tower's ``level`` and where the ``tokens`` lie from now on.

    ``scores`` stand in the order of ``VP_EVENTS``, the bonus included. ``briber`` is None where nobody bribed, and
    ``moved`` also where the briber moved nothing.
    """

    level: int
    scores: tuple[Scores, Scores, Scores]
    tokens: Tokens
    briber: Player | None
    moved: Movement | None


def resolve(level: int, tokens: Tokens, plays: Mapping[Player, Play]) -> Resolved:
    """Resolve a round.

    ``level`` and ``tokens`` before it; ``plays`` of those who played, only legal ones
    (:func:`engine.dog.choices.refused`).
    """
    after, charge = _charge_tower(level, _played(plays, Event.CHARGE_TOWER))
    scores = (
        charge,
        _remove_one(_played(plays, Event.REMOVE_ONE)),
        _median_meridian(_played(plays, Event.MEDIAN_MERIDIAN)),
    )
    bribing = briber(plays)
    if bribing is None:
        return Resolved(after, scores, tokens, None, None)
    bribe = plays[bribing]
    for event, scored in zip(VP_EVENTS, scores, strict=True):
        if event in bribe.events and bribing in scored:
            scored[bribing] += BONUS
    moved = bribe.movement
    return Resolved(after, scores, tokens if moved is None else tokens.moved(moved), bribing, moved)


def briber(plays: Mapping[Player, Play]) -> Player | None:
    """Whose bribe the Dog takes (rule 8), whether or not it moves a token; None where nobody's."""
    bribers = _unique(_played(plays, Event.BRIBING_THE_DOG))
    return bribers[max(bribers)] if bribers else None


def _unique(cards: Mapping[Player, Card]) -> dict[Card, Player]:
    """The numbers that exactly one player played in an event, ascending, and who did."""
    numbers = [*cards.values()]
    return {card: player for card, player in sorted(zip(numbers, cards, strict=True)) if numbers.count(card) == 1}


def _played(plays: Mapping[Player, Play], event: Event) -> dict[Player, Card]:
    """The cards on an event, by player in table order."""
    return {
        player: play.card for player, play in sorted(plays.items(), key=lambda each: each[0]) if event in play.events
    }


def _charge_tower(level: int, cards: Mapping[Player, Card]) -> tuple[int, dict[Player, Points]]:
    """Rule 5: the level after the unique numbers, and what those who broke the threshold score."""
    scores = {}
    for card, player in _unique(cards).items():
        level += card
        if level > THRESHOLD:
            level -= THRESHOLD
            scores[player] = 8 - card
    return level, dict(sorted(scores.items()))


def _remove_one(cards: Mapping[Player, Card]) -> dict[Player, Points]:
    """Rule 6."""
    return {player: card for card, player in list(_unique(cards).items())[:1]}


def _median_meridian(cards: Mapping[Player, Card]) -> dict[Player, Points]:
    """Rule 7, in halves of a number, so that a mean of two stays whole."""
    numbers = sorted(set(cards.values()))
    if not numbers:
        return {}
    twice = numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]
    least = min(abs(2 * number - twice) for number in numbers)
    return {player: card for player, card in cards.items() if abs(2 * card - twice) == least}
