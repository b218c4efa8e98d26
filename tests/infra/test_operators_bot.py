"""How an operator's bot shows itself: menus by audience and language, descriptions, the rights it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.local.botapi.world import World
from infra.local.clock import TableClock
from infra.operator.bot import Appearance, OperatorsBot

ENGLISH = Appearance("", {"private": (("help", "what I understand"),)}, "Good evening.", "A host.")
SPANISH = Appearance("es", {"administrators": (("help", "lo que entiendo"),)}, "Buenas noches.", "Lleva juegos.")


@pytest.fixture
def world() -> World:
    return World(TableClock())


@pytest.fixture
def bot(world: World) -> Iterator[OperatorsBot]:
    with closing(OperatorsBot(TOKEN, "http://telegram.test", WorldTransport(world))) as made:
        yield made


def asked(world: World, method: str, **params: Any) -> Any:
    return world.call(method, params).result


def test_each_audience_is_shown_its_menu_in_its_language(world: World, bot: OperatorsBot) -> None:
    assert bot.show([ENGLISH, SPANISH])
    private, administrators = {"type": "all_private_chats"}, {"type": "all_chat_administrators"}
    [command] = asked(world, "getMyCommands", scope=private)
    assert command == {"command": "help", "description": "what I understand"}
    [command] = asked(world, "getMyCommands", scope=administrators, language_code="es")
    assert command["description"] == "lo que entiendo"
    assert asked(world, "getMyCommands", scope=private, language_code="es") == []
    assert asked(world, "getMyDescription") == {"description": "Good evening."}
    assert asked(world, "getMyDescription", language_code="es") == {"description": "Buenas noches."}
    assert asked(world, "getMyShortDescription", language_code="es") == {"short_description": "Lleva juegos."}
    assert world.violations == []


def test_in_groups_it_asks_to_pin_and_for_nothing_in_channels(world: World, bot: OperatorsBot) -> None:
    bot.show([])
    groups = asked(world, "getMyDefaultAdministratorRights")
    assert {name for name, granted in groups.items() if granted} == {"can_manage_chat", "can_pin_messages"}
    channels = asked(world, "getMyDefaultAdministratorRights", for_channels=True)
    assert not any(channels.values())


def test_what_is_so_already_is_left_alone(world: World, bot: OperatorsBot) -> None:
    bot.show([ENGLISH, SPANISH])
    before = len(world.calls)
    assert not bot.show([ENGLISH, SPANISH])
    assert all(call.method.startswith("get") for call in world.calls[before:])
    assert bot.show([ENGLISH, replace(SPANISH, short="Otra cosa.")])
    assert [call.method for call in world.calls if call.method.startswith("set")][-1] == "setMyShortDescription"


def test_rights_that_are_not_whole_are_refused_by_the_stand_in(world: World) -> None:
    assert world.call("setMyDefaultAdministratorRights", {"rights": {"can_pin_messages": True}}).status == 400
