"""What follows from a nudge that comes out of the queue."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler.deadlines import SHORT_WAIT, WHILE_TOLD, nudged
from handler.ports import Nudge, StoreUnavailable
from handler.table import LEASE_SECONDS
from handler.unknown import leave_alone
from tests.flows.house import flow
from tests.handler.deadlines.desk import GONE, Desk, age, left_alone, unavailable

# --- due --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [-1, 0, 1, 5])
@pytest.mark.parametrize("late", [0.0, 0.3, 3600.0])
def test_what_is_due_is_done_whatever_the_number(desk: Desk, ahead: int, late: float) -> None:
    nudge = desk.nudge(ahead)
    desk.at(-late)
    desk.take(nudge)
    assert desk.closed
    assert desk.item.told == desk.item.news
    assert (desk.queue.put_in, desk.slept) == ([], [])


@pytest.mark.parametrize("ahead", [1, 2])
def test_a_nudge_for_what_comes_after_the_phase_that_is_due_does_not_close_it(desk: Desk, ahead: int) -> None:
    """Its commit was lost. While nothing can be written each try arms such nudges: would they try as well, they would
    arm more of their kind, and ever more.
    """
    nudge = desk.nudge(ahead, at=desk.deadline + 60)
    desk.at(-10)
    desk.take(nudge)
    assert not desk.closed
    assert desk.queue.put_in == [(nudge, 50)], "kept, in case the commit is only late"
    desk.at(-61)
    desk.take(nudge)
    assert not desk.closed
    assert len(desk.queue.put_in) == 1
    desk.take(desk.nudge())
    assert desk.closed


def test_a_second_nudge_for_what_is_done_is_dropped(desk: Desk) -> None:
    nudge = desk.nudge()
    desk.at(0)
    desk.take(nudge)
    item = desk.item
    desk.take(nudge)
    assert desk.item == item
    assert desk.queue.put_in == []


def test_what_is_untold_is_told_when_whoever_told_it_is_gone(desk: Desk) -> None:
    now = desk.bot.clock.time
    desk.hold(now + 5)
    desk.bot.clock.time += 5
    desk.take(desk.nudge(at=now + 5))
    assert (desk.item.told, desk.item.lease) == (desk.item.news, None)
    assert not desk.closed
    assert desk.queue.put_in == []


def test_a_nudge_before_its_time_does_what_is_due_and_waits_for_its_own(desk: Desk) -> None:
    desk.at(30)
    desk.hold(desk.bot.clock.time + 5)
    desk.at(25)
    desk.take(desk.nudge())
    assert desk.item.told == desk.item.news
    assert desk.queue.put_in == [(desk.nudge(), 25)]


# --- early ------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.floats(0, 1000, exclude_min=True), st.integers(-2, 8), st.floats(-1000, 1000))
def test_nothing_is_done_before_its_moment(before: float, ahead: int, off: float) -> None:
    with flow() as bot:
        desk = Desk(bot)
        desk.at(before)
        nudge, deadline = desk.nudge(ahead, desk.deadline + off), desk.deadline
        desk.take(nudge)
        assert len(desk.queue.put_in) <= 1
        of_a_lost_commit = ahead > 0 and nudge.at > deadline
        assert desk.closed == (bot.clock.time >= deadline and not of_a_lost_commit)
        assert all(0 < seconds <= SHORT_WAIT for seconds in desk.slept)


@pytest.mark.parametrize("before", [SHORT_WAIT, 0.7, 0.001])
def test_a_short_wait_is_waited_out(desk: Desk, before: float) -> None:
    desk.at(before)
    nudge = desk.nudge()
    desk.take(nudge)
    assert desk.slept == [pytest.approx(before, abs=1e-5)]
    assert desk.closed
    assert desk.queue.put_in == []


def test_a_clock_that_is_set_back_meanwhile_is_waited_for(desk: Desk) -> None:
    desk.at(1)
    deadline = desk.deadline

    def sleep(seconds: float) -> None:
        desk.sleep(seconds if desk.slept else seconds - 0.25)

    nudged(desk.bot.ports, desk.queue, desk.nudge(), sleep)
    assert len(desk.slept) == 2
    assert desk.closed
    assert desk.bot.clock.time == deadline


@pytest.mark.parametrize("before", [1.6, 30.0, 5000.0])
def test_a_long_wait_is_waited_in_the_queue(desk: Desk, before: float) -> None:
    desk.at(before)
    desk.take(desk.nudge())
    [(nudge, seconds)] = desk.queue.put_in
    assert nudge == desk.nudge()
    assert seconds == pytest.approx(before, abs=1e-5)
    assert desk.slept == []
    assert not desk.closed


@pytest.mark.parametrize("before", [0.5, 45.0])
@pytest.mark.parametrize("off", [-0.01, 0.01])
def test_a_nudge_of_whoever_lost_the_race_to_close_is_dropped_before_its_time(
    desk: Desk, before: float, off: float
) -> None:
    """It has the number that the winner's has, and a time that nobody waits for."""
    desk.at(before)
    desk.take(desk.nudge(at=desk.deadline + off))
    assert (desk.queue.put_in, desk.slept, desk.closed) == ([], [], False)


@pytest.mark.parametrize("late", [0.0, 0.01, 20.0])
def test_it_is_as_good_as_any_where_something_is_due(desk: Desk, late: float) -> None:
    desk.at(-0.02 - late)
    desk.take(desk.nudge(at=desk.deadline + 0.01))
    assert desk.closed


def test_a_nudge_whose_time_has_passed_is_dropped_where_nothing_is_due(desk: Desk) -> None:
    desk.at(30)
    for off in (-40, -30):
        desk.take(desk.nudge(at=desk.deadline + off))
    assert desk.queue.put_in == []


def test_a_nudge_for_a_telling_that_waits_is_dropped_for_that_has_its_own(desk: Desk) -> None:
    """Each failed telling arms two nudges: would those before them stay, there would be ever more."""
    desk.at(30)
    desk.hold(desk.bot.clock.time)
    now = desk.bot.clock.time
    desk.bot.store.settle(replace(desk.item, tell_at=now + 10), done=True)
    desk.take(desk.nudge(at=now))
    assert desk.queue.put_in == []


@pytest.mark.parametrize(("ago", "again"), [(0.0, True), (LEASE_SECONDS - 1, True), (LEASE_SECONDS, False)])
def test_a_nudge_for_a_telling_that_somebody_is_at_comes_again_for_a_while(desk: Desk, ago: float, again: bool) -> None:
    desk.at(30)
    desk.hold(desk.bot.clock.time + 20)
    desk.take(desk.nudge(at=desk.bot.clock.time - ago))
    assert [seconds for _, seconds in desk.queue.put_in] == ([WHILE_TOLD] if again else [])


def test_a_nudge_that_overtakes_what_it_was_armed_for_is_not_lost(desk: Desk) -> None:
    """Whoever tells arms the time to go on and then stores it; a message without delay may come out in between."""
    desk.at(40)
    go_on = desk.bot.clock.time + 0.4
    desk.hold(desk.bot.clock.time + LEASE_SECONDS)

    def store_meanwhile(seconds: float) -> None:
        desk.bot.store.settle(replace(desk.item, tell_at=go_on), done=True)
        desk.sleep(seconds)

    nudged(desk.bot.ports, desk.queue, desk.nudge(at=go_on), store_meanwhile)
    assert desk.item.told == desk.item.news


def test_a_nudge_for_the_end_of_a_lease_waits_for_it_although_that_was_prolonged(desk: Desk) -> None:
    desk.at(40)
    now = desk.bot.clock.time
    desk.hold(now + LEASE_SECONDS)
    desk.take(desk.nudge(at=now + 10))
    assert desk.queue.put_in == [(desk.nudge(at=now + 10), 10)]


# --- behind and ahead --------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [SHORT_WAIT + 0.1, 30.0])
def test_a_nudge_behind_the_match_is_dropped(desk: Desk, before: float) -> None:
    desk.at(before)
    desk.take(desk.nudge(ahead=-1))
    assert (desk.queue.put_in, desk.slept, desk.closed) == ([], [], False)


def test_a_nudge_of_a_commit_that_is_late_waits_until_its_time(desk: Desk) -> None:
    desk.at(30)
    nudge = desk.nudge(ahead=1, at=desk.bot.clock.time + 50)
    desk.take(nudge)
    assert desk.queue.put_in == [(nudge, 50)]
    desk.bot.clock.time = nudge.at
    desk.bot.store.commit(
        desk.item, replace(desk.item, version=desk.item.version + 1, alarm_at=nudge.at + 60), None, None, 0
    )
    desk.take(nudge)
    assert len(desk.queue.put_in) == 1, "its commit was lost"


@pytest.mark.parametrize("alarm", [0, 1, 2])
@pytest.mark.parametrize("off", [-1.0, 0.0, 60.0])
def test_a_nudge_of_a_match_that_never_was_is_dropped(desk: Desk, alarm: int, off: float) -> None:
    desk.take(Nudge(GONE, alarm, desk.bot.clock.time + off))
    assert desk.queue.put_in == []


def test_a_match_that_wants_nothing_is_left_alone(desk: Desk) -> None:
    item = desk.item
    stored = desk.bot.store.commit(item, replace(item, version=item.version + 1, alarm_at=None), None, None, 0)
    assert stored.moment is None
    desk.take(Nudge(desk.id, stored.alarm, desk.bot.clock.time))
    assert (desk.item, desk.queue.put_in) == (stored, [])


# --- failures ----------------------------------------------------------------------------------------


def test_a_store_that_fails_is_for_the_queue_to_bring_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.bot.store, "load", unavailable)
    with pytest.raises(StoreUnavailable):
        desk.take(Nudge(desk.id, 1, 0.0))


@pytest.mark.parametrize("ahead", [0, 1])
def test_a_match_of_other_rules_is_left_as_it_is(desk: Desk, ahead: int, caplog: pytest.LogCaptureFixture) -> None:
    leave_alone.cache_clear()
    nudge = desk.nudge(ahead)
    desk.at(0)
    stored = age(desk)
    for _ in range(3):
        desk.take(nudge)
    assert desk.item == stored
    assert desk.queue.put_in == []
    assert left_alone(caplog) == [desk.id], "said once in a process"
