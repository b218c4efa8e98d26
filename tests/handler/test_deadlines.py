"""What follows from a nudge in the queue, from the sweep, and what is measured on the way."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler.deadlines import SHORT_WAIT, SWEEP_LIMIT, SWEEP_RESERVE, WHILE_TOLD, nudged, sweep
from handler.match import lock
from handler.ports import Conflict, Item, Lease, Nudge, Pointers, StoreUnavailable
from handler.table import LEASE_SECONDS, change, keep
from handler.unknown import leave_alone
from infra.stores.memory import MemoryStore
from tests.flows.house import Flow, flow

GONE = "nowhere"


class Queue:
    """A queue that only remembers what was put into it."""

    def __init__(self) -> None:
        self.put_in: list[tuple[Nudge, float]] = []

    def put(self, nudge: Nudge, seconds: float) -> None:
        self.put_in.append((nudge, seconds))


class Desk:
    """A match in its first phase (of 60 seconds), and a queue; timers do nothing."""

    def __init__(self, bot: Flow) -> None:
        self.bot = bot
        self.id = bot.begin().id
        bot.wait(20)  # all of it is told
        self.queue = Queue()
        self.slept: list[float] = []
        assert self.item.told == self.item.news

    @property
    def item(self) -> Item:
        item = self.bot.store.load(self.id)
        assert item is not None
        return item

    @property
    def deadline(self) -> float:
        assert self.item.alarm_at is not None
        return self.item.alarm_at

    def nudge(self, ahead: int = 0, at: float | None = None) -> Nudge:
        """A nudge for the match's alarm, or one numbered otherwise, or for another time."""
        return Nudge(self.id, self.item.alarm + ahead, self.deadline if at is None else at)

    def take(self, nudge: Nudge) -> None:
        """A nudge comes out of the queue."""
        nudged(self.bot.ports, self.queue, nudge, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.bot.clock.time += seconds

    def at(self, before: float) -> None:
        """It is so many seconds before the deadline."""
        self.bot.clock.time = self.deadline - before

    def hold(self, until: float) -> None:
        """Something is untold, and somebody who never comes back has been telling it until then."""
        told = self.bot.store.take(self.item, Lease("gone", until), self.bot.clock.time)
        stored = self.bot.store.settle(replace(told, told=told.news - 1), done=False)
        assert stored.moment == min(until, self.deadline)

    @property
    def closed(self) -> bool:
        return self.bot.load(self.id).number == 1


@pytest.fixture
def desk() -> Iterator[Desk]:
    with flow() as bot:
        yield Desk(bot)


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


def age(desk: Desk) -> Item:
    """The match was begun under other rules."""
    body = json.loads(desk.item.body)
    body["record"]["rules"] += 1
    other = replace(desk.item, version=desk.item.version + 1, body=json.dumps(body))
    return desk.bot.store.commit(desk.item, other, None, None, desk.bot.clock.time)


def left_alone(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The matches that were said to be."""
    found = [record.__dict__ for record in caplog.records if record.name == "handler.unknown"]
    assert all(line["error"] == "UnknownRules" for line in found)
    return [line["match"] for line in found]


def unavailable(*_: object, **__: object) -> None:
    raise StoreUnavailable("no answer")


# --- the sweep ---------------------------------------------------------------------------------------


def measured(caplog: pytest.LogCaptureFixture, name: str) -> list[float]:
    """The numbers that were said under this name."""
    said = (record.__dict__["measure"] for record in caplog.records if record.name == "handler.measures")
    return [value for each, value in said if each == name]


class Lobbies:
    """Three lobbies overdue, oldest first."""

    def __init__(self, bot: Flow) -> None:
        self.bot = bot
        self.queue = Queue()
        self.ids = []
        for _ in range(3):
            group = bot.world.groups.add("A garden", bot.ada)
            bot.world.groups.add_bot(group, bot.ada)
            bot.deliver()
            bot.say(bot.ada, "/gravity", group)
            [id] = bot.store.in_chat(group)
            self.ids.append(id)
            bot.wait(30)
        bot.timers.heap.clear()
        bot.clock.time += 100_000

    def closed(self) -> list[bool]:
        return [self.bot.load(id).stage == "cancelled" for id in self.ids]

    def sweep(self, left: Callable[[], float] = lambda: 29.0) -> None:
        sweep(self.bot.ports, self.queue, left)


@pytest.fixture
def lobbies() -> Iterator[Lobbies]:
    with flow() as bot:
        yield Lobbies(bot)


def test_the_sweep_does_whatever_is_due(lobbies: Lobbies, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    lobbies.sweep()
    assert lobbies.closed() == [True] * 3
    assert lobbies.queue.put_in == []
    assert measured(caplog, "DeliveriesPending") == [0]
    lobbies.sweep()
    assert measured(caplog, "DeliveriesPending") == [0, 0]


def test_what_there_is_no_time_for_goes_into_the_queue(lobbies: Lobbies) -> None:
    left = iter((SWEEP_RESERVE, SWEEP_RESERVE - 0.1, 1.0))
    lobbies.sweep(lambda: next(left))
    assert lobbies.closed() == [True, False, False]
    assert [(nudge.match, seconds) for nudge, seconds in lobbies.queue.put_in] == [(id, 0) for id in lobbies.ids[1:]]
    for nudge, _ in lobbies.queue.put_in * 2:
        nudged(lobbies.bot.ports, lobbies.queue, nudge, lambda seconds: None)
    assert lobbies.closed() == [True] * 3
    assert len(lobbies.queue.put_in) == 2


@pytest.mark.parametrize("error", [StoreUnavailable("x"), RuntimeError("x"), KeyError("x"), Conflict(None)])
def test_a_match_that_fails_stops_nobody(
    lobbies: Lobbies, error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    load = lobbies.bot.store.load

    def fails(id: str) -> Item | None:
        if id == lobbies.ids[0]:
            raise error
        return load(id)

    with monkeypatch.context() as patch:
        patch.setattr(lobbies.bot.store, "load", fails)
        lobbies.sweep()
    assert lobbies.closed() == [False, True, True]
    [line] = [record.__dict__ for record in caplog.records if record.name == "handler.deadlines"]
    assert (line["match"], line["error"]) == (lobbies.ids[0], type(error).__name__)


def test_a_queue_that_fails_stops_nobody(
    lobbies: Lobbies, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lobbies.queue, "put", unavailable)
    left = iter((0.0, 29.0, 0.0))
    lobbies.sweep(lambda: next(left))
    assert lobbies.closed() == [False, True, False]
    assert [record.__dict__["match"] for record in caplog.records] == [lobbies.ids[0], lobbies.ids[2]]


def test_a_sweep_that_finds_no_list_fails_openly(lobbies: Lobbies, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies.bot.store, "due", unavailable)
    with pytest.raises(StoreUnavailable):
        lobbies.sweep()


def test_a_list_that_lags_behind_harms_nobody(lobbies: Lobbies, monkeypatch: pytest.MonkeyPatch) -> None:
    lobbies.sweep()
    items = [lobbies.bot.store.load(id) for id in lobbies.ids]
    monkeypatch.setattr(lobbies.bot.store, "due", lambda now: [*lobbies.ids, GONE])
    lobbies.sweep()
    assert [lobbies.bot.store.load(id) for id in lobbies.ids] == items


def test_the_sweep_tells_what_is_untold_and_says_how_much(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    desk.hold(desk.bot.clock.time + 5)
    desk.bot.clock.time += 5
    sweep(desk.bot.ports, desk.queue, lambda: 29.0)
    assert desk.item.told == desk.item.news
    assert measured(caplog, "DeliveriesPending") == [1]


def test_matches_of_other_rules_do_not_hide_the_others_from_the_sweep(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    leave_alone.cache_clear()
    desk.at(0)
    item = replace(desk.item, told=0)
    old = [f"old{number:03}" for number in range(SWEEP_LIMIT)]
    body = age(desk).body
    for id in old:
        desk.bot.store.create(replace(item, id=id, version=1, body=body, alarm_at=desk.deadline - 60), Pointers())
    desk.bot.store.create(replace(item, id="due", version=1), Pointers())
    for _ in range(2):
        sweep(desk.bot.ports, desk.queue, lambda: 29.0)
    assert desk.bot.load("due").number == 1
    assert left_alone(caplog) == [*old, desk.id]
    assert measured(caplog, "DeliveriesPending") == [1, 0], "what nobody can tell is not pending"


def test_a_sweep_looks_after_so_many_and_no_more(lobbies: Lobbies, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handler.deadlines.SWEEP_LIMIT", 2)
    lobbies.sweep()
    assert lobbies.closed() == [True, True, False]
    lobbies.sweep(lambda: 0.0)
    assert [nudge.match for nudge, _ in lobbies.queue.put_in] == lobbies.ids[2:]


# --- what is armed and measured ----------------------------------------------------------------------


def test_a_deadline_is_armed_with_its_reminder_and_under_the_number_it_will_have() -> None:
    armed: list[tuple[int, float]] = []
    with flow() as bot:
        desk = Desk(bot)
        ports = replace(bot.ports, timers=Noting(armed))
        bot.clock.time = desk.deadline
        nudged(ports, desk.queue, desk.nudge(), desk.sleep)  # reveals have closed
        while (match := bot.load(desk.id)).deadline == (moment := desk.item.alarm_at):
            armed.clear()
            bot.clock.time = desk.deadline
            nudged(ports, desk.queue, desk.nudge(), desk.sleep)
        reminder, deadline = armed[:2]
        assert reminder == (desk.item.alarm, moment)
        assert deadline == (desk.item.alarm + 1, match.deadline)
        bot.clock.time = desk.deadline
        nudged(ports, desk.queue, desk.nudge(), desk.sleep)
        assert bot.load(desk.id).reminded
        assert (desk.item.alarm, desk.item.alarm_at) == deadline


class Noting:
    """Timers that write down what is armed."""

    def __init__(self, armed: list[tuple[int, float]]) -> None:
        self.armed = armed

    def arm(self, match: str, alarm: int, at: float) -> None:
        self.armed.append((alarm, at))


@pytest.mark.parametrize("late", [0.0, 1.25, 60.0])
def test_how_late_a_phase_closed_is_said_once(desk: Desk, late: float, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    desk.at(-late)
    for _ in range(2):
        change(desk.bot.ports, desk.id, keep)
    assert measured(caplog, "DeadlineLateness") == [pytest.approx(late, abs=1e-5)]


def test_a_phase_that_everybody_closes_has_no_lateness(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    change(desk.bot.ports, desk.id, lambda match: (lock(lock(match, 0), 1), None))
    assert desk.closed
    assert measured(caplog, "DeadlineLateness") == []


class Racing(MemoryStore):
    """A store in which somebody else is faster than the next commits."""

    faster = 0

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        if self.faster:
            self.faster -= 1
            raise Conflict(self.load(before.id))
        return super().commit(before, after, pointers, lease, now)


def test_conflicts_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    store = Racing()
    with flow(store) as bot:
        desk = Desk(bot)
        desk.at(0)
        store.faster = 3
        desk.take(desk.nudge())
        assert desk.closed
    assert measured(caplog, "Conflicts") == [1, 1, 1]
