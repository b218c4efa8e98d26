"""Turns for calls by a clock that a test moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handler.table import LEASE_SECONDS
from infra.pace import A_SECOND, Pace
from infra.telegram import LONGEST_CALL
from infra.timers.local import TELLERS


class Time:
    """Whoever waits lets it pass."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def test_a_second_of_calls_begins_at_once_after_a_quiet_one() -> None:
    time = Time()
    pace = Pace(lambda: time.now, time.wait)
    for _ in range(int(A_SECOND)):
        pace.turn()
    assert time.waits == []
    pace.turn()
    assert time.waits == [pytest.approx(1 / A_SECOND)]
    time.now += 1000.0
    for _ in range(int(A_SECOND)):
        pace.turn()
    assert len(time.waits) == 1


@given(st.lists(st.floats(0, 0.2), min_size=100, max_size=300))
def test_no_second_begins_more_than_twice_as_many_and_no_minute_much_more(pauses: list[float]) -> None:
    time = Time()
    pace = Pace(lambda: time.now, time.wait)
    begun = []
    for pause in pauses:
        time.now += pause
        pace.turn()
        begun.append(time.now)
    for first, start in enumerate(begun):
        for last in range(first, len(begun)):
            assert last - first <= (begun[last] - start + 1.0) * A_SECOND + 1e-6


def test_whoever_asks_together_waits_in_turn_and_not_for_long() -> None:
    """Twenty threads that tell ask at the same moment. What they wait for is no danger to their leases."""
    time = Time()
    waits: list[float] = []
    pace = Pace(lambda: time.now, waits.append)
    for _ in range(int(A_SECOND)):
        pace.turn()
    tellers = TELLERS + 12
    for _ in range(tellers):
        pace.turn()
    assert waits == [pytest.approx(n / A_SECOND) for n in range(1, tellers + 1)]
    assert max(waits) + LONGEST_CALL < LEASE_SECONDS / 2
