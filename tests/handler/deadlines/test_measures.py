"""What is armed for a deadline, and what is measured when it has come."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from handler.deadlines import nudged
from handler.match import lock
from handler.ports import Conflict, Item, Lease, Pointers
from handler.table import change, keep
from infra.stores.memory import MemoryStore
from tests.flows.house import flow
from tests.handler.deadlines.desk import Desk, measured


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
        deadline, reminder = armed[:2]
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
