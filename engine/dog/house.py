"""The house player: a beginner who plays every round, mends the hand in time and knows what a bribe is good for.

It sees a view, so it can know nothing that a person in its place would not. Its chance comes from outside.

What a play promises is counted in marks, which compare plays and mean nothing else: in a VP event the chance of scoring
in percent, times the VP it would be, times what a VP counts there now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, TypeVar

from engine.dog.choices import options
from engine.dog.events import CARDS, ROUNDS, THRESHOLD, VP_EVENTS, Card, Event, Movement, Points
from engine.dog.moves import Challenge, Move, Play
from engine.dog.round import BONUS
from engine.dog.view import ChoiceOptions, PlayOptions, View
from engine.game import Draw

_CHANCE: Final = {
    Event.REMOVE_ONE: (50, 42, 34, 27, 19, 13, 8),
    Event.MEDIAN_MERIDIAN: (25, 35, 42, 46, 54, 44, 20),
    Event.BRIBING_THE_DOG: (5, 8, 12, 20, 30, 42, 50),
}
"""In percent, how often the cards 1 to 7 score, or bribe, at a table of players like this one: the numbers that suit an
event best are the first to collide.
"""

_RARE: Final = {Event.CHARGE_TOWER: 13, Event.REMOVE_ONE: 8, Event.MEDIAN_MERIDIAN: 3}
"""How much a VP counts: each event is won by itself (rule 10), and with the fewer VP the harder they are to have."""

_USUAL: Final = {Event.CHARGE_TOWER: 2, Event.REMOVE_ONE: 4, Event.MEDIAN_MERIDIAN: 13}
"""The VP that players like this one have at the end."""

_HELP: Final = 4
"""How far the smaller cards of others may take the tower before a card's turn comes (rule 5)."""

_MOVEMENT: Final = 60
"""The marks of moving a token, for each percent of the chance to bribe."""

Worth = Mapping[Event, int]
Use = Mapping[Card, int]
"""The marks of a card in its two best events."""

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
    # What the Exchange Store gives in the last round comes too late.
    events = [event for event in offered.events if event is not Event.EXCHANGE_STORE or view.board.round < ROUNDS]
    worth = _worth(view)
    use = {card: _use(view, worth, card) for card in CARDS}
    wanted = {card: _wanted(view, use, values) for card, values in offered.values}
    promised = {
        (card, pair): _promise(view, worth, use, card, pair, wanted[card][0])
        for card in offered.cards
        for pair in combinations(events, 2)
    }
    best = max(promised.values())
    card, pair = _one([play for play, promise in promised.items() if 10 * promise >= 7 * best], draw)
    gain = _one(wanted[card], draw) if Event.EXCHANGE_STORE in pair else None
    movement = _movement(view, pair, draw) if Event.BRIBING_THE_DOG in pair else None
    return Play(card, pair, gain, movement)


def _one(items: Sequence[T], draw: Draw) -> T:
    return items[draw(len(items))]


# --- what a play promises ---------------------------------------------------------------------------


def _promise(view: View, worth: Worth, use: Use, card: Card, pair: tuple[Event, Event], gain: Card) -> int:
    level = view.board.level
    bribes = _CHANCE[Event.BRIBING_THE_DOG][card - 1] if Event.BRIBING_THE_DOG in pair else 0
    promise = bribes * _MOVEMENT
    promise += sum(_marks(level, worth, event, card, bribes * BONUS // 100) for event in pair if event in VP_EVENTS)
    if Event.EXCHANGE_STORE in pair:
        promise += _exchange(view, use, card, gain)
    return promise


def _worth(view: View) -> Worth:
    """What a VP counts in each VP event: more with the tokens there, the Lose Token among them, and with one's lead if
    it is the best.
    """
    tokens = view.board.tokens
    best = _by_strength(view, ())[-1]
    return {
        event: _RARE[event] * (3 + tokens.on(event) + (tokens.lose is event) + (event is best)) for event in VP_EVENTS
    }


def _marks(level: int, worth: Worth, event: Event, card: Card, bonus: Points = 0) -> int:
    """What a card promises in one of the VP events."""
    prize = 8 - card if event is Event.CHARGE_TOWER else card
    return _chance(level, event, card) * (prize + bonus) * worth[event]


def _chance(level: int, event: Event, card: Card) -> int:
    """In percent, how often a card scores; on the tower it must break the threshold, best without any help."""
    if event is not Event.CHARGE_TOWER:
        return _CHANCE[event][card - 1]
    if level + card > THRESHOLD:
        return 25 + 4 * card
    return 5 * card if level + card + _HELP > THRESHOLD else 3


def _by_strength(view: View, trying: Sequence[Event]) -> list[Event]:
    """The VP events from one's worst to one's best: by one's own VP for what is usual there, and where that is equal by
    what one tries now.
    """

    def strength(event: Event) -> tuple[float, bool]:
        return view.points[VP_EVENTS.index(event)] / _USUAL[event], event in trying

    return sorted(VP_EVENTS, key=strength)


# --- the Exchange Store -----------------------------------------------------------------------------


def _exchange(view: View, use: Use, card: Card, gain: Card) -> int:
    """What a card gained promises: the more, the sooner the hand would run out before the last round."""
    short = max(0, ROUNDS + 1 - view.board.round - len(view.hand))
    better = max(0, use[gain] - use[card])
    return 300 + 3000 * short // len(view.hand) + better // 2


def _wanted(view: View, use: Use, values: Sequence[Card]) -> list[Card]:
    """The two most useful values, best first; what the hand holds already counts half."""
    useful = {value: use[value] // (2 if value in view.hand else 1) for value in values}
    return sorted(values, key=lambda value: -useful[value])[:2]


def _use(view: View, worth: Worth, card: Card) -> int:
    """What a card promises in its two best events."""
    return sum(sorted(_marks(view.board.level, worth, event, card) for event in VP_EVENTS)[1:])


# --- the bribe --------------------------------------------------------------------------------------


def _movement(view: View, pair: tuple[Event, Event], draw: Draw) -> Movement | None:
    """A Win Token to the event it does best in, or the Lose Token to where it is safest, sooner if that lies where it
    does worst; none if neither is left to do. It goes by its own VP alone.
    """
    tokens = view.board.tokens
    worst, middle, best = _by_strength(view, pair)
    greedy = [Movement("win", origin, best) for origin in (worst, middle) if tokens.on(origin)][:1]
    careful = [Movement("lose", tokens.lose, best)] if tokens.lose is not best else []
    helpful = greedy + careful * (2 if tokens.lose is worst else 1)
    return _one(helpful, draw) if helpful else None
