"""A hundred seeds that are always the same, and fifty that nobody has seen before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from multiprocessing import get_context

import pytest

from tests.simulation.run import Result, run
from tests.simulation.scenario import Store

FRESH = random.SystemRandom().sample(range(1_000_000, 1_000_000_000), 50)

Job = tuple[int, Store]

FIXED: list[Job] = [
    *((seed, "memory") for seed in range(86)),
    *((seed, "sqlite") for seed in range(86, 98)),
    *((seed, "dynamodb") for seed in range(98, 100)),
]
NEW: list[Job] = [(seed, "memory") for seed in FRESH]


def result(job: Job) -> Result:
    seed, store = job
    return run(seed, store=store)


@pytest.mark.parametrize("jobs", [FIXED, NEW], ids=["fixed", "fresh"])
def test_nothing_is_lost_nothing_leaks_nothing_is_stuck(jobs: list[Job]) -> None:
    with get_context("spawn").Pool(2) as pool:
        wrong = list(_wrong(pool.imap_unordered(result, jobs)))
    assert not wrong, "\n".join(wrong)


def _wrong(results: Iterator[Result]) -> Iterator[str]:
    """The command that runs a failing seed again, and what is wrong."""
    for each in results:
        if each.failed:
            yield f"{each.command}\n{each.why}"
