"""What follows from the sweep, and how much it says is pending."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from handler.deadlines import SWEEP_LIMIT, SWEEP_RESERVE, nudged, sweep
from handler.ports import Conflict, Item, Pointers, StoreUnavailable
from handler.unknown import leave_alone
from tests.flows.house import Flow, flow
from tests.handler.deadlines.desk import GONE, Desk, Queue, age, left_alone, measured, unavailable


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
