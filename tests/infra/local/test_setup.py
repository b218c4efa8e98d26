"""What an operator sets up in the simulated Telegram, and what it refuses of that."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.botapi.world import World
from infra.local.clock import TableClock

URL = "https://bot.example/telegram"


@pytest.fixture
def world() -> World:
    return World(TableClock())


def result(world: World, method: str, **params: Any) -> Any:
    return world.call(method, params).result


def test_a_webhook_is_told_without_its_secret(world: World) -> None:
    result(world, "setWebhook", url=URL, secret_token="s-e_c", allowed_updates=["message"], max_connections=7)
    told = {"url": URL, "has_custom_certificate": False, "pending_update_count": 0}
    assert result(world, "getWebhookInfo") == {**told, "max_connections": 7, "allowed_updates": ["message"]}


def test_kinds_that_are_not_said_again_stay_and_connections_do_not(world: World) -> None:
    result(world, "setWebhook", url=URL, allowed_updates=["message"], max_connections=7)
    result(world, "setWebhook", url=f"{URL}?again")
    info = result(world, "getWebhookInfo")
    assert (info["allowed_updates"], info["max_connections"]) == (["message"], 40)


def test_without_a_webhook_updates_are_counted_and_no_connections_told(world: World) -> None:
    ada = world.people.add("Ada")
    world.people.start(ada)
    told = {"url": "", "has_custom_certificate": False, "pending_update_count": 1}
    assert result(world, "getWebhookInfo") == told
    result(world, "setWebhook", url=URL)
    result(world, "deleteWebhook")
    assert result(world, "getWebhookInfo") == told


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("setWebhook", {"url": URL, "secret_token": "no spaces"}),
        ("setWebhook", {"url": URL, "secret_token": ""}),
        ("setWebhook", {"url": URL, "max_connections": 0}),
        ("setWebhook", {"url": URL, "max_connections": 101}),
        ("setMyDescription", {"description": "x" * 513}),
        ("setMyShortDescription", {"short_description": "x" * 121}),
        ("getMyDescription", {"language_code": "english"}),
        ("getMyCommands", {"scope": {"type": "chat"}}),
    ],
)
def test_what_no_correct_operator_sets_is_refused(world: World, method: str, params: dict[str, Any]) -> None:
    assert world.call(method, params).status == 400
    assert [violation.method for violation in world.violations] == [method]


def test_menus_are_kept_by_scope_and_language(world: World) -> None:
    groups, english = {"type": "all_group_chats"}, [{"command": "new", "description": "Open a lobby"}]
    result(world, "setMyCommands", commands=english, scope=groups)
    assert result(world, "getMyCommands", scope=groups) == english
    assert result(world, "getMyCommands", scope=groups, language_code="de") == []
    assert result(world, "getMyCommands") == []


def test_a_description_is_everybodys_unless_a_language_has_its_own(world: World) -> None:
    result(world, "setMyDescription", description="Good evening.")
    result(world, "setMyDescription", description="Guten Abend.", language_code="de")
    assert result(world, "getMyDescription", language_code="en") == {"description": "Good evening."}
    assert result(world, "getMyDescription", language_code="de") == {"description": "Guten Abend."}
    assert result(world, "getMyShortDescription") == {"short_description": ""}
