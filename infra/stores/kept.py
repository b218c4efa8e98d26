"""A match with everything that points to it, as it goes from one store to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from handler.ports import Item, Place


@dataclass(frozen=True)
class Kept:
    """A match, the place it is in, and its people, by user id. Each person's number orders that person's matches,
    oldest first; between stores it stays as it is.
    """

    item: Item
    place: Place | None
    people: Mapping[int, int]


def in_order(kept: Iterable[Kept]) -> list[Kept]:
    """The oldest first, as far as people say how old a match is; those of nobody, which are over, before them."""
    return sorted(kept, key=lambda each: (min(each.people.values(), default=0), each.item.id))
