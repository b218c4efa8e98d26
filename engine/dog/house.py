"""The house player: a beginner who plays every round, mends the hand in time and knows what a bribe is good for.

It sees a view, so it can know nothing that a person in its place would not. Its chance comes from outside.

What an event promises is counted in hundredths of a VP: the chance of scoring there in percent, times the VP of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeVar

from engine.dog.choices import options
from engine.dog.events import ROUNDS, THRESHOLD, VP_EVENTS, Card, Event, Movement
from engine.dog.moves import Challenge, Move, Play
from engine.dog.view import ChoiceOptions, PlayOptions, View
from engine.game import Draw

_CHANCE: Final = {
    Event.REMOVE_ONE: (80, 60, 45, 35, 25, 18, 12),
    Event.MEDIAN_MERIDIAN: (30, 40, 45, 50, 52, 45, 30),
    Event.BRIBING_THE_DOG: (5, 10, 15, 25, 35, 45, 50),
}
"""In percent, how often the cards 1 to 7 score (or bribe): low ones are rarely alone among those who reach for them."""

_HELP: Final = 4
"""How far the smaller cards of others usually take the tower before a card's turn comes (rule 5)."""

_BONUS: Final = 3
"""Rule 8: what a briber scores more in the card's other event."""
_MOVEMENT: Final = 2
"""What moving a token is worth to the house player, in VP."""

T = TypeVar("T")


def house(view: View, draw: Draw) -> Move | None:
    """The move in the open phase; None for whoever has nothing to choose. A candidate asks for the lot (rule 16)."""
    match options(view):
        case PlayOptions() as offered:
            return _play(view, offered, draw)
        case ChoiceOptions():
            return Challenge(None)
        case None:
            return None


def _play(view: View, offered: PlayOptions, draw: Draw) -> Play:
    """One of the good plays: what is best for one house player is best for all of them, and they would collide."""
    promised = {
        (card, pair): _promise(view, offered, card, pair)
        for card in offered.cards
        for pair in combinations(offered.events, 2)
    }
    best = max(promised.values())
    card, pair = _one([play for play, promise in promised.items() if 5 * promise >= 4 * best], draw)
    gain = _one(_wanted(view, offered, card), draw) if Event.EXCHANGE_STORE in pair else None
    movement = _movement(view, pair, draw) if Event.BRIBING_THE_DOG in pair else None
    return Play(card, pair, gain, movement)


def _one(items: Sequence[T], draw: Draw) -> T:
    return items[draw(len(items))]


# --- what a play promises ---------------------------------------------------------------------------


def _promise(view: View, offered: PlayOptions, card: Card, pair: tuple[Event, Event]) -> int:
    level = view.board.level
    promise = sum(_chance(level, event, card) * _prize(event, card) for event in pair if event in VP_EVENTS)
    if Event.EXCHANGE_STORE in pair:
        promise += _need(view) + max(0, _use(level, _wanted(view, offered, card)[0]) - _use(level, card)) // 2
    if Event.BRIBING_THE_DOG in pair:
        promise += _chance(level, Event.BRIBING_THE_DOG, card) * _MOVEMENT
        scoring = sum(_chance(level, event, card) for event in pair if event in VP_EVENTS)
        promise += _chance(level, Event.BRIBING_THE_DOG, card) * _BONUS * scoring // 100
    return promise


def _chance(level: int, event: Event, card: Card) -> int:
    if event is not Event.CHARGE_TOWER:
        return _CHANCE[event][card - 1]
    if level + card > THRESHOLD:
        return 60
    return 35 if level + card + _HELP > THRESHOLD else 10


def _prize(event: Event, card: Card) -> int:
    return 8 - card if event is Event.CHARGE_TOWER else card


def _use(level: int, card: Card) -> int:
    """What a card promises in its two best events."""
    return sum(sorted(_chance(level, event, card) * _prize(event, card) for event in VP_EVENTS)[1:])


# --- the Exchange Store -----------------------------------------------------------------------------


def _need(view: View) -> int:
    """How much another card is worth: the more, the sooner the hand would run out before the last round."""
    left = ROUNDS - view.board.round
    if not left:
        return 0
    short = max(0, left + 1 - len(view.hand))
    return 40 + 300 * short // len(view.hand)


def _wanted(view: View, offered: PlayOptions, card: Card) -> list[Card]:
    """The two most useful values in reach, best first; one the hand does not hold before one it does."""
    values = dict(offered.values)[card]
    use = {value: _use(view.board.level, value) // (1 + (value in view.hand)) for value in values}
    return sorted(values, key=lambda value: (-use[value], value))[:2]


# --- the bribe --------------------------------------------------------------------------------------


def _movement(view: View, pair: tuple[Event, Event], draw: Draw) -> Movement | None:
    """A Win Token to the event it does best in, or the Lose Token from where it does worst to where it is safe; none
    if neither would help it. It goes by its own VP alone, and by the event it tries now where they are equal.
    """
    tokens = view.board.tokens
    worst, middle, best = sorted(VP_EVENTS, key=lambda event: (view.points[VP_EVENTS.index(event)], event in pair))
    greedy = [Movement("win", origin, best) for origin in (worst, middle) if tokens.on(origin)][:1]
    careful = [Movement("lose", tokens.lose, best)] if tokens.lose is not best else []
    if tokens.lose is worst:
        careful *= 2
    helpful = greedy + careful
    return _one(helpful, draw) if helpful else None
