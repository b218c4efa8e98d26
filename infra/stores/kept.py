"""What a store holds, as it goes from one store to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from handler.ports import Item, Place, Result


@dataclass(frozen=True)
class Kept:
    """A match with everything that points to it: the place it is in, and its people, by user id. Each person's number
    orders that person's matches, oldest first; between stores it stays as it is.
    """

    item: Item
    place: Place | None
    people: Mapping[int, int]


@dataclass(frozen=True)
class KeptPeople:
    """What outlives matches: every profile by its id, and every result."""

    profiles: Mapping[int, str]
    results: Sequence[Result]


@dataclass(frozen=True)
class Contents:
    """All that a store holds, the oldest match first."""

    matches: Sequence[Kept]
    people: KeptPeople


def in_order(kept: Iterable[Kept]) -> list[Kept]:
    """The oldest first, as far as people say how old a match is; those of nobody, which are over, before them."""
    return sorted(kept, key=lambda each: (min(each.people.values(), default=0), each.item.id))
