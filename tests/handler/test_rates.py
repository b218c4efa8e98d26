"""The pace at which a group is written to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handler import rates as rates_module
from handler.ports import StoreRefused, StoreUnavailable
from handler.rates import BURST, NICETY, SPACING, SPARE, WINDOW, GroupRates, SharedReplies, free_at

MINUTE = 60.001
"""Telegram's clock is not ours: both ends of a minute count."""


@given(st.lists(st.floats(0, 20), max_size=200), st.integers(1, 3))
def test_no_minute_sees_more_than_seventeen_calls_and_none_waits_long(pauses: list[float], calls: int) -> None:
    now = 1_000_000.0
    made: list[float] = []
    for pause in pauses:
        now += pause
        free = free_at(made, now, calls)
        assert now <= free <= now + calls * SPACING + 1e-6
        now = free
        made += [now] * calls
    for time in made:
        assert sum(time <= other <= time + MINUTE for other in made) <= 17


def test_a_burst_goes_at_once_and_then_one_at_a_time() -> None:
    now = 1_000_000.0
    assert free_at([now] * (BURST - 1), now) == now
    assert free_at([now] * BURST, now) == now + SPACING
    assert free_at([now] * BURST, now + SPACING) == now + SPACING
    assert free_at([now] * BURST, now + WINDOW, BURST) == now + WINDOW


def test_a_group_is_counted_by_itself_and_a_private_chat_is_not() -> None:
    rates, now = GroupRates(), 1_000_000.0
    assert all(rates.admit(-1, now) for _ in range(BURST + SPARE))
    assert not rates.admit(-1, now)
    assert rates.admit(-2, now)
    assert all(rates.admit(5, now) for _ in range(100))
    assert rates.times(-1, now) == (now,) * BURST
    assert rates.times(-1, now + WINDOW) == ()


def test_three_replies_a_minute_are_given_while_a_match_fills_the_group() -> None:
    rates, now = GroupRates(), 1_000_000.0
    for _ in range(BURST):
        rates.note(-1, now)
    assert [rates.admit(-1, now) for _ in range(5)] == [True, True, True, False, False]
    assert rates.times(-1, now) == (now,) * BURST, "the match does not wait for them"
    assert rates.admit(-1, now + SPACING), "an ordinary place"
    assert not rates.admit(-1, now + SPACING)
    for _ in range(BURST):
        rates.note(-1, now + WINDOW)
    assert [rates.admit(-1, now + WINDOW) for _ in range(4)] == [True, True, True, False]


@given(st.lists(st.tuples(st.floats(0, 8), st.sampled_from(["match", "reply"])), max_size=300))
def test_match_and_replies_keep_below_twenty_a_minute_and_the_spare_ones_hold_up_nothing(
    attempts: list[tuple[float, str]],
) -> None:
    rates, now = GroupRates(), 1_000_000.0
    ordinary: list[float] = []
    made: list[float] = []
    for pause, what in attempts:
        now += pause
        place = free_at(ordinary, now) <= now
        assert (free_at(rates.times(-1, now), now) <= now) == place
        if what == "match" and place:
            rates.note(-1, now)
            ordinary.append(now)
            made.append(now)
        elif what == "reply":
            admitted = rates.admit(-1, now)
            assert admitted or not place, "a reply has the ordinary places too"
            if place:
                ordinary.append(now)
            if admitted:
                made.append(now)
    for time in made:
        assert sum(time <= other <= time + MINUTE for other in made) <= 20


def test_a_steady_demand_sees_no_second_burst_after_a_minute() -> None:
    made: list[float] = []
    now = 1_000_000.0
    while len(made) < 100:
        now = free_at(made, now)
        made.append(now)
    assert max(sum(time <= other <= time + MINUTE for other in made) for time in made) == BURST + 60 / SPACING


class Counted:
    """A count that all processes share."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, float, int, float]] = []
        self.fails: Exception | None = None

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        if self.fails:
            raise self.fails
        self.asked.append((chat, now, most, window))
        return len(self.asked) <= most


def test_processes_count_their_replies_to_a_group_together() -> None:
    """With the matches' own 17 calls they stay within Telegram's 20, however many processes there are."""
    count, now = Counted(), 1_000_000.0
    processes = [SharedReplies(count) for _ in range(4)]
    assert [process.admit(-1, now) for process in processes] == [True, True, True, False]
    assert count.asked == [(-1, now, SPARE, WINDOW)] * 4
    assert BURST + 60 / SPACING + SPARE == 20
    assert all(process.times(-1, now) == () for process in processes), "no match waits for them"


@pytest.mark.parametrize("error", [StoreUnavailable(), StoreRefused()], ids=lambda e: type(e).__name__)
def test_a_reply_that_cannot_be_counted_is_not_given_to_a_group(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    count = Counted()
    count.fails = error
    rates = SharedReplies(count)
    assert not rates.admit(-1, 1_000_000.0)
    assert [record.__dict__["error"] for record in caplog.records] == [type(error).__name__]
    assert rates.admit(5, 1_000_000.0), "a private chat is counted by nobody"


def test_what_nobody_would_miss_is_said_once_a_minute_and_only_where_there_is_room() -> None:
    rates, now = GroupRates(), 1_000_000.0
    assert [rates.admit_nicety(-1, now + after) for after in (0, WINDOW - 1, WINDOW)] == [True, False, True]
    busy = GroupRates()
    for _ in range(BURST - NICETY + 1):
        busy.note(-1, now)
    assert not busy.admit_nicety(-1, now)
    assert busy.admit(-1, now), "a reply that was asked for still has room"
    count = Counted()
    assert [SharedReplies(count).admit_nicety(-1, now) for _ in range(2)] == [True, False]


def test_groups_that_are_written_to_no_more_are_forgotten() -> None:
    rates, now = GroupRates(), 1_000_000.0
    for hour in range(10):
        for group in range(rates_module.GROUPS):
            rates.note(-1 - group - rates_module.GROUPS * hour, now + 3600 * hour)
            rates.admit(-1 - group - rates_module.GROUPS * hour, now + 3600 * hour)
    assert len(rates._times._times) <= rates_module.GROUPS
    latest = now + 3600 * 9
    assert len(rates.times(-rates_module.GROUPS * 10, latest)) == 2, "what counts is not forgotten"
    for group in range(3 * rates_module.GROUPS):
        rates.note(-1 - group, latest + WINDOW)
    assert all(len(rates.times(-1 - group, latest + WINDOW)) == 1 for group in range(3 * rates_module.GROUPS))
