"""How long things take: one batch of each in turn, so that a slow moment of the machine falls on all of them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Final, TypeVar

T = TypeVar("T")

ROUNDS: Final = 15
"""How often each batch is run."""

Batch = Callable[[], float]
"""Runs, and gives the seconds of this process's own work that one thing of it took."""
Samples = Mapping[str, tuple[float, ...]]
"""The seconds of one thing, for each run of each batch."""


def batch(work: Callable[[T], object], things: Sequence[T], count: int | None = None) -> Batch:
    """Work on each of the things; ``count``, if given, is of what they hold and is asked about."""
    assert things
    number = len(things) if count is None else count

    def run() -> float:
        begun = process_time()
        for thing in things:
            work(thing)
        return (process_time() - begun) / number

    return run


def interleaved(batches: Mapping[str, Batch]) -> Samples:
    """Each batch once, then each again, and so on. What was made before is left out of the collector's sight: programs
    do not keep a whole benchmark's material.
    """
    gc.collect()
    gc.freeze()
    taken = [{name: run() for name, run in batches.items()} for _ in range(ROUNDS)]
    return {name: tuple(each[name] for each in taken) for name in batches}


def rate(samples: Sequence[float]) -> float:
    """How many a second."""
    return 1 / median(samples)
