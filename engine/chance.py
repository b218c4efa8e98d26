"""Chance that anybody can check afterwards: every draw follows from the match's seed and a label.

The labels in use are listed in ``docs/records.md``. Two labels share nothing, so a draw more or less under one of
them moves nothing under another.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from struct import Struct
from typing import TypeVar

from engine.game import Draw

T = TypeVar("T")

SEED_BYTES = 32
_BLOCK = Struct(">8I")
_WORDS = 2**32


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed in hex: posted before a match, so that the seed cannot be chosen afterwards."""
    return hashlib.sha256(seed).hexdigest()


def words(seed: bytes, label: str) -> Iterator[int]:
    """Endless 32-bit words: HMAC-SHA256(seed, label, 0, block number), block after block, big-endian."""
    prefix = label.encode() + b"\0"
    block = 0
    while True:
        digest = hmac.digest(seed, prefix + block.to_bytes(4, "big"), "sha256")
        yield from _BLOCK.unpack(digest)
        block += 1


def draws(seed: bytes, label: str) -> Draw:
    """A ``draw(n)`` under a label: each call gives the next number from 0 to n-1, all equally likely."""
    source = words(seed, label)

    def draw(n: int) -> int:
        limit = _WORDS // n * n  # words beyond the last whole multiple of n would favour small numbers
        while (word := next(source)) >= limit:
            pass
        return word % n

    return draw


def shuffled(seed: bytes, label: str, items: Sequence[T]) -> tuple[T, ...]:
    """The items in an order drawn under the label, every order equally likely."""
    draw = draws(seed, label)
    shuffle = list(items)
    for last in range(len(shuffle) - 1, 0, -1):
        other = draw(last + 1)
        shuffle[last], shuffle[other] = shuffle[other], shuffle[last]
    return tuple(shuffle)
