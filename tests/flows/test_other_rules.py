"""After an upgrade a match stands in a group whose rules the bot does not know any more: people hear of it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from handler.dispatch import nudge
from handler.ports import Item
from handler.unknown import leave_alone
from tests.flows.house import Flow, flow


@pytest.fixture
def bot() -> Iterator[Flow]:
    leave_alone.cache_clear()
    with flow() as made:
        made.begin()
        made.wait(20)
        item = stored(made)
        body = json.loads(item.body)
        body["record"]["rules"] += 1
        other = replace(item, version=item.version + 1, body=json.dumps(body))
        made.store.commit(item, other, None, None, made.clock.time)
        yield made


def stored(bot: Flow) -> Item:
    """The one match."""
    [id] = bot.store.in_chat(bot.group)
    item = bot.store.load(id)
    assert item is not None
    return item


@pytest.mark.parametrize("command", ["/status", "/cancel", "/gravity", "/pick"])
def test_a_command_in_its_place_is_answered(bot: Flow, command: str) -> None:
    before = stored(bot)
    bot.say(bot.ada, command)
    assert bot.texts(bot.group)[-1].startswith("The match here was begun under rules that have changed since")
    assert stored(bot) == before


def test_the_rulebook_is_open_all_the_same(bot: Flow) -> None:
    bot.say(bot.ada, "/rules")
    assert not bot.texts(bot.group)[-1].startswith("The match here was begun under rules")


def test_a_press_in_it_is_answered(bot: Flow) -> None:
    before = stored(bot)
    label = bot.labels(bot.ada)[0]
    assert bot.press(bot.ada, label, bot.ada).startswith("This match was begun under rules that have changed since")
    assert stored(bot) == before


def test_its_people_lose_nothing_else(bot: Flow) -> None:
    bot.say(bot.ada, "/start", bot.ada)
    assert bot.texts(bot.ada)[-1].startswith("Good evening, ")
    bot.say(bot.ada, "/matches", bot.ada)
    assert bot.texts(bot.ada)[-1].startswith("You are in no match at the moment")


def test_timers_leave_it_as_it_is_and_say_so_once(bot: Flow, caplog: pytest.LogCaptureFixture) -> None:
    before = stored(bot)
    bot.clock.time += 3600
    for _ in range(3):
        nudge(bot.ports, before.id)
    assert stored(bot) == before
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.__dict__["match"] for record in warnings] == [before.id]
