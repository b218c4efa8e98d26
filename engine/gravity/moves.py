"""What a player can seal in a phase of Gravity Pandemic, and its notation.

| move | notation |
|---|---|
| ``Reveal(Bird.HAWK)``, ``Reveal(None)`` | ``?h``, ``?-`` |
| ``Pick(Bird.HAWK)``, ``HostPick(Bird.HAWK)`` | ``h``, ``h!`` |
| ``Here()`` | ``+`` |
| ``Actions(((Bird.HAWK, 5), (Bird.CROW, None)))`` | ``ah5,c-`` |
| ``Guess(5, Bird.HAWK)``, ``Pass()`` | ``g5h``, ``g-`` |
| ``Resign()`` | ``resign`` |

A target in ``Actions`` is a seat (``5``), a bird (its letter) or none (``-``); ``a`` alone leaves every bird idle.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.gravity.birds import Bird, Seat

Target = Seat | Bird


@dataclass(frozen=True)
class Reveal:
    """The bird whose seat is to be told privately, or none (rule 1)."""

    bird: Bird | None


@dataclass(frozen=True)
class Pick:
    """The drafter's choice (rule 4)."""

    bird: Bird


@dataclass(frozen=True)
class HostPick:
    """The host's choice for the drafter (rule 6), made in the drafter's name and legal where their own would be.

    It says nothing about whether the drafter is there: whoever was idle stays so, and nobody becomes idle by it.
    """

    bird: Bird


@dataclass(frozen=True)
class Here:
    """An idle drafter is back, while the other is to pick: the bot stops picking for them (rule 6)."""


@dataclass(frozen=True)
class Actions:
    """What each of a player's own birds is sent to, in rulebook order; None takes a target back.

    As a press it holds the one bird that was touched; ``amend`` lays it over what is sealed. Birds not named are idle.
    """

    targets: tuple[tuple[Bird, Target | None], ...] = ()


@dataclass(frozen=True)
class Guess:
    """One guess (rule 16)."""

    seat: Seat
    bird: Bird


@dataclass(frozen=True)
class Pass:
    """Explicitly no guess; the same as silence, said aloud."""


@dataclass(frozen=True)
class Resign:
    """Give the match up (rule 21)."""


Move = Reveal | Pick | HostPick | Here | Actions | Guess | Pass | Resign
