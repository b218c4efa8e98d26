"""The rules' own words: the five events, cards, the tower's levels, and where the tokens lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

Card = int
"""1 to 7."""

Points = int
"""Victory Points (VP), whole and never negative."""

CARDS: Final = tuple(range(1, 8))
"""The cards there are, and everybody's hand at the start."""

ROUNDS: Final = 9
SEATS: Final = 7
PLAYERS: Final = tuple(range(SEATS))
THRESHOLD: Final = 11
"""The highest level of the tower; a card that would take it further breaks the threshold (rule 5)."""


class Event(StrEnum):
    """The five events; every list of events is printed in this order."""

    EXCHANGE_STORE = "exchange_store"
    CHARGE_TOWER = "charge_tower"
    REMOVE_ONE = "remove_one"
    MEDIAN_MERIDIAN = "median_meridian"
    BRIBING_THE_DOG = "bribing_the_dog"


EVENTS: Final = tuple(Event)
VP_EVENTS: Final = (Event.CHARGE_TOWER, Event.REMOVE_ONE, Event.MEDIAN_MERIDIAN)
"""The events that hold Victory Points, each its own; tokens lie only on these."""

ORDER: Final = {event: place for place, event in enumerate(Event)}
"""A sort key: ``sorted(events, key=ORDER.__getitem__)``."""

LETTERS: Final = {
    Event.EXCHANGE_STORE: "x",
    Event.CHARGE_TOWER: "c",
    Event.REMOVE_ONE: "r",
    Event.MEDIAN_MERIDIAN: "m",
    Event.BRIBING_THE_DOG: "b",
}
"""One letter an event in the moves' notation."""

Token = Literal["win", "lose"]


@dataclass(frozen=True)
class Movement:
    """One token taken from a VP event to another (rule 3)."""

    token: Token
    origin: Event
    goal: Event


@dataclass(frozen=True)
class Tokens:
    """Where the tokens lie: how many Win Tokens on each VP event, in their order, and the event of the Lose Token."""

    win: tuple[int, int, int] = (1, 1, 1)
    lose: Event = Event.CHARGE_TOWER

    def on(self, event: Event) -> int:
        """How many Win Tokens lie on a VP event."""
        return self.win[VP_EVENTS.index(event)]

    def movements(self) -> Iterator[Movement]:
        """Every movement there is now (rule 3): Win Tokens before the Lose Token, then in the events' order."""
        for origin in VP_EVENTS:
            if self.on(origin):
                yield from (Movement("win", origin, goal) for goal in VP_EVENTS if goal is not origin)
        yield from (Movement("lose", self.lose, goal) for goal in VP_EVENTS if goal is not self.lose)

    def holds(self, movement: Movement) -> bool:
        """Whether there is a token to move, from one VP event to another as the movement says."""
        match movement:
            case Movement("lose", origin):
                return origin is self.lose
            case Movement(_, origin):
                return self.on(origin) > 0

    def moved(self, movement: Movement) -> Tokens:
        """The tokens after one of the movements there are."""
        match movement:
            case Movement("lose", _, goal):
                return Tokens(self.win, goal)
            case Movement(_, origin, goal):
                change = {origin: -1, goal: 1}
                charge, remove, median = (self.on(event) + change.get(event, 0) for event in VP_EVENTS)
                return Tokens((charge, remove, median), self.lose)
