"""Random nights judged twice."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.gravity import judging
from tests.engine import oracle


def any_night(random: Random) -> dict[str, Any]:
    """A night as hosts may send it, illegal actions among the others."""
    ring = random.sample(oracle.ORDER, 11)
    others = [bird for bird in oracle.ORDER if bird != "raven"]
    drafted = [bird for bird in random.sample(oracle.ORDER, 11) if bird != "lovebird_a"]
    actions: dict[str, dict[str, Any]] = {}
    for bird in random.sample(oracle.ORDER, 11):
        if random.random() < 0.85:
            by_seat = {"seat": random.randint(0, 12)} if random.random() < 0.1 else {"seat": random.randint(1, 11)}
            by_seat = by_seat if random.random() < 0.7 else {"seat": ring.index(random.choice(ring)) + 1}
            by_name = {"bird": random.choice(oracle.ORDER)}
            lark = bird == "lark" and random.random() < 0.9
            actions[bird] = by_name if lark or random.random() < 0.3 else by_seat
    return {
        "seats": {str(seat): bird for seat, bird in enumerate(ring, start=1)},
        "flightless": random.sample(others, random.choice((0, 1, 3, 5, 8, 9, 10))),
        "revealed": random.sample(others, random.choice((0, 0, 1, 2, 4))),
        "drafts": {"p1": drafted[:5], "p2": drafted[5:]},
        "actions": actions,
    }


@given(st.integers(min_value=0))
def test_a_night_is_judged_as_the_oracle_judges_it(seed: int) -> None:
    random = Random(seed)
    for _ in range(30):
        night = any_night(random)
        assert judging.night(night, "input") == oracle.night(night)


def test_the_random_nights_hold_what_is_rare() -> None:
    random = Random(1)
    seen: Counter[str] = Counter()
    for _ in range(2000):
        output = oracle.night(any_night(random))
        responses = output["responses"]
        seen.update(f"{bird} {'N/A' if text == 'N/A' else 'says'}" for bird, text in responses.items())
        seen["parrot repeats a list"] += ": " in responses["parrot"]
        seen["lovebird_a stays"] += "lovebird_a" not in output["visits"]
        seen["robin gains"] += output["robin"]["quarters"] > 0
    for what in ("penguin N/A", "lark says", "owl says", "eagle says", "lovebird_b says", "parrot says"):
        assert seen[what] > 50, what
    for what in ("parrot repeats a list", "lovebird_a stays", "robin gains"):
        assert seen[what] > 20, what
