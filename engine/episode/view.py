"""What an episode adds to its two games: the Death Match as its main match's players see it, and what is told of it.

In the Death Match's own views and facts the players are 0 (EC) and 1 (DMO); ``pair`` says who they are at the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.dog.view import View as MainView
from engine.game import Player
from engine.gravity.view import View as GravityView

Pair = tuple[Player, Player]
"""The Elimination Candidate and the Death Match Opponent, as players of the episode."""


@dataclass(frozen=True)
class DeathView:
    """A view of the Death Match; whoever is not of the ``pair`` has the public's."""

    pair: Pair
    view: GravityView


View = MainView | DeathView
"""Until the Death Match begins, the view of the main match."""


@dataclass(frozen=True)
class DeathBegan:
    """The Death Match begins (rule 16) under a seal of its own: the SHA-256 of its seed, in hex."""

    pair: Pair
    commitment: str


@dataclass(frozen=True)
class InDeath:
    """A fact of the Death Match."""

    pair: Pair
    fact: Any


@dataclass(frozen=True)
class EpisodeEnded:
    """The Death Match is over: its loser is eliminated (rule 16)."""

    eliminated: Player
