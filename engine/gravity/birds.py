"""The rules' own words: birds in rulebook order, seats on the circle, scores in quarters."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

Seat = int
"""1 to 11, clockwise; 11 is next to 1."""

Quarters = int
"""Scores are whole quarters of a point, so 4 is one point."""

SEATS: Final = tuple(range(1, 12))

ROUNDS: Final = 4


class Bird(StrEnum):
    """The eleven birds in rulebook order; every list of birds is printed in it, because any other order leaks."""

    HAWK = "hawk"
    PENGUIN = "penguin"
    CROW = "crow"
    LOVEBIRD_A = "lovebird_a"
    LOVEBIRD_B = "lovebird_b"
    LARK = "lark"
    OWL = "owl"
    EAGLE = "eagle"
    ROBIN = "robin"
    PARROT = "parrot"
    RAVEN = "raven"


BIRDS: Final = tuple(Bird)
DRAFTED: Final = tuple(bird for bird in Bird if bird is not Bird.LOVEBIRD_A)
"""The ten birds of a draft (rule 4)."""

NAMES: Final = {
    Bird.HAWK: "Hawk",
    Bird.PENGUIN: "Penguin",
    Bird.CROW: "Crow",
    Bird.LOVEBIRD_A: "Lovebird A",
    Bird.LOVEBIRD_B: "Lovebird B",
    Bird.LARK: "Lark",
    Bird.OWL: "Owl",
    Bird.EAGLE: "Eagle",
    Bird.ROBIN: "Robin",
    Bird.PARROT: "Parrot",
    Bird.RAVEN: "Raven",
}
"""The names that stand in responses and records; whoever shows them in another language translates them there."""

LETTERS: Final = {
    Bird.HAWK: "h",
    Bird.PENGUIN: "p",
    Bird.CROW: "c",
    Bird.LOVEBIRD_A: "a",
    Bird.LOVEBIRD_B: "b",
    Bird.LARK: "l",
    Bird.OWL: "o",
    Bird.EAGLE: "e",
    Bird.ROBIN: "r",
    Bird.PARROT: "t",
    Bird.RAVEN: "v",
}
"""One letter a bird in the moves' notation."""

RULEBOOK: Final = {bird: place for place, bird in enumerate(Bird)}
"""A sort key: ``sorted(birds, key=RULEBOOK.__getitem__)``."""
