"""Turns for calls by a clock that a test moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from handler.table import LEASE_SECONDS
from handler.teller import PROLONGED_AT
from infra.local.pace import A_SECOND, Pace
from infra.local.polling import WORKERS as UPDATE_WORKERS
from infra.telegram import LONGEST_CALL
from infra.timers.local import TELLERS, WORKERS


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
    for _ in range(A_SECOND):
        pace.turn()
    assert time.waits == []
    pace.turn()
    assert time.waits == [1.0]
    time.now += 1000.0
    for _ in range(A_SECOND):
        pace.turn()
    assert len(time.waits) == 1


@given(st.lists(st.floats(0, 0.2), min_size=100, max_size=300))
def test_no_second_begins_more_than_it_may(pauses: list[float]) -> None:
    time = Time()
    pace = Pace(lambda: time.now, time.wait)
    begun = []
    for pause in pauses:
        time.now += pause
        pace.turn()
        begun.append(time.now)
    assert all(later - sooner > 1.0 - 1e-6 for sooner, later in zip(begun, begun[A_SECOND:], strict=False))


def test_whoever_asks_together_waits_in_turn_and_not_for_long() -> None:
    """All threads that tell ask at the same moment. What they wait for is no danger to their leases."""
    time = Time()
    waits: list[float] = []
    pace = Pace(lambda: time.now, waits.append)
    tellers = TELLERS + WORKERS + UPDATE_WORKERS
    for _ in range(A_SECOND + tellers):
        pace.turn()
    assert waits == [1.0 + n // A_SECOND for n in range(tellers)]
    assert max(waits) + LONGEST_CALL < LEASE_SECONDS * PROLONGED_AT
