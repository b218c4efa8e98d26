"""What a player can seal in a phase of Dog's Judgement, and its notation.

| move | notation |
|---|---|
| ``Play(5, (CHARGE_TOWER, MEDIAN_MERIDIAN))`` | ``5cm`` |
| ``Play(5, (EXCHANGE_STORE, REMOVE_ONE), gain=7)`` | ``5xr7`` |
| ``Play(5, (REMOVE_ONE, BRIBING_THE_DOG), movement=Movement("win", CHARGE_TOWER, REMOVE_ONE))`` | ``5rbwcr`` |
| ``Play(5, (EXCHANGE_STORE, BRIBING_THE_DOG), gain=3)``: explicitly no movement | ``5xb3-`` |
| ``Withdraw()`` | ``-`` |
| ``Challenge(3)``, ``Challenge(None)`` | ``vs3``, ``vs-`` |
| ``Decline()`` | ``end`` |

The letters of events are in :mod:`engine.dog.events`, those of tokens their first ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.dog.events import Card, Event, Movement
from engine.game import Player


@dataclass(frozen=True)
class Play:
    """One card on two different events (rule 1), which stand in the events' order.

    ``gain`` is the value wanted from the Exchange Store (rule 2), None without it; ``movement`` is the token movement
    of a bribe, None for explicitly none and without one (rule 3).
    """

    card: Card
    events: tuple[Event, Event]
    gain: Card | None = None
    movement: Movement | None = None


@dataclass(frozen=True)
class Withdraw:
    """Take the play of this round back: no card is played (rule 4)."""


@dataclass(frozen=True)
class Challenge:
    """The Elimination Candidate's choice of an opponent (rule 16); None leaves it to the lot, as silence does."""

    opponent: Player | None


@dataclass(frozen=True)
class Decline:
    """The host ends the match after the judgement, without a Death Match. Nobody makes it for themselves."""


Move = Play | Withdraw | Challenge | Decline
