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
from infra.local.botapi.errors import flood
from infra.local.botapi.faults import refused
from tests.flows.house import Flow, flow


@pytest.fixture
def bot() -> Iterator[Flow]:
    leave_alone.cache_clear()
    with flow() as made:
        made.begin()
        made.wait(20)
        with_rules(made, stored(made).id, 1)
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


def test_what_is_untold_of_a_match_that_is_over_waits_for_its_rules(caplog: pytest.LogCaptureFixture) -> None:
    """Without its rules it cannot be worded; tried all the same, it failed at each sweep anew."""
    leave_alone.cache_clear()
    with flow() as bot:
        id = bot.begin().id
        bot.wait(20)
        bot.world.faults.expect("sendMessage", refused(flood(600)), chat=bot.group)
        bot.say(bot.ada, "/resign", bot.ada)
        bot.press(bot.ada, "Yes", bot.ada)
        with_rules(bot, id, 1)
        bot.clock.time += 3600
        before, calls = bot.store.load(id), len(bot.world.calls)
        caplog.clear()
        for _ in range(3):
            nudge(bot.ports, id)
        assert bot.store.load(id) == before
        assert len(bot.world.calls) == calls
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
            "a match is left as it is"
        ]
        with_rules(bot, id, -1)
        nudge(bot.ports, id)
        assert "wins the duel" in "".join(bot.texts(bot.group))


def with_rules(bot: Flow, id: str, more: int) -> None:
    """The match is by rules whose number is so much higher."""
    item = bot.store.load(id)
    assert item is not None
    body = json.loads(item.body)
    body["record"]["rules"] += more
    bot.store.commit(item, replace(item, version=item.version + 1, body=json.dumps(body)), None, None, bot.clock.time)
