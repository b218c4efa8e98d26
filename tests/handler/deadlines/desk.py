"""A match with its deadline and a queue, and what was said about matches in the log."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from handler.deadlines import nudged
from handler.ports import Item, Lease, Nudge, StoreUnavailable
from tests.flows.house import Flow

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


def measured(caplog: pytest.LogCaptureFixture, name: str) -> list[float]:
    """The numbers that were said under this name."""
    said = (record.__dict__["measure"] for record in caplog.records if record.name == "handler.measures")
    return [value for each, value in said if each == name]
