"""Calls to the Bot API that come in the webhook's answer to an update (webhook_delivery.json, reply_in_body)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.botapi.errors import flood
from infra.local.botapi.faults import refused
from infra.local.botapi.world import VISIBLE
from tests.infra.local.steps import Scene, scene


def answer(at: Scene, content_type: str = "application/json", **given: Any) -> int | None:
    """What the world makes of an answer: the status of its call, None if it holds none."""
    found = at.world.replied(content_type, json.dumps(given).encode())
    return None if found is None else found.status


def edit(at: Scene, message: int, text: str = "edited") -> dict[str, Any]:
    return {"method": "editMessageText", "chat_id": at.group, "message_id": message, "text": text}


def test_it_is_carried_out_and_remembered_like_any_other() -> None:
    at = scene()
    message = at.send(at.group)["message_id"]
    given = {**edit(at, message), "reply_markup": {"inline_keyboard": [[{"text": "Go", "callback_data": "x"}]]}}
    assert answer(at, "application/json; charset=utf-8", **given) == 200
    shown = at.world.message(at.group, message)
    assert (shown["text"], shown["reply_markup"]) == ("edited", given["reply_markup"])
    sent, edited = at.world.calls
    assert (sent.replied, edited.replied) == (False, True)
    assert edited.method == "editMessageText"
    assert edited.params == {name: value for name, value in given.items() if name != "method"}
    assert at.world.busiest_minute(at.group) == 2
    assert {sent.method, edited.method} <= set(VISIBLE)
    assert at.world.violations == []


def test_a_refusal_or_a_fault_is_nobodys_to_know() -> None:
    at = scene()
    message = at.send(at.group)["message_id"]
    assert answer(at, **edit(at, message + 1)) == 400
    at.world.faults.expect("editMessageText", refused(flood(5)))
    assert answer(at, **edit(at, message)) == 429
    assert at.world.message(at.group, message)["text"] == "hello"
    assert at.world.violations == []


@pytest.mark.parametrize(
    "given",
    [
        {"text": "x"},
        {"chat_id": 1, "message_id": 1, "text": "x", "future": 1},
        {"chat_id": 1, "message_id": "m", "text": "x"},
    ],
)
def test_what_no_correct_bot_would_call_is_a_violation(given: dict[str, Any]) -> None:
    at = scene()
    assert answer(at, method="editMessageText", **given) == 400
    assert [violation.method for violation in at.world.violations] == ["editMessageText"]


@pytest.mark.parametrize("method", ["getMe", "getChatMember", "setWebhook", "deleteWebhook", "close", "logOut"])
def test_some_methods_are_never_carried_out_there(method: str) -> None:
    at = scene()
    assert answer(at, method=method) is None
    assert at.world.calls == []
    assert [violation.method for violation in at.world.violations] == [method]


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/plain; charset=utf-8", b"ok"),
        ("text/plain", b'{"method": "sendMessage"}'),
        ("", b""),
        ("application/json", b""),
        ("application/json", b"\xff"),
        ("application/json", b"[]"),
        ("application/json", b'{"text": "x"}'),
        ("application/json", b'{"method": 7}'),
    ],
)
def test_anything_else_is_no_call(content_type: str, body: bytes) -> None:
    at = scene()
    assert at.world.replied(content_type, body) is None
    assert at.world.calls == []
    assert at.world.violations == []
