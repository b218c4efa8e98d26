"""The table of methods against the Bot API's description, and what reading a call refuses."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from infra.local.botapi.calls import CALLS
from infra.local.botapi.errors import Malformed
from infra.local.botapi.methods import METHODS, Upload, read
from tests.shared import ROOT, SHARED, needs_shared


@needs_shared
@pytest.mark.parametrize("name", sorted(METHODS))
def test_the_bot_api_describes_each_method_so(name: str) -> None:
    described = json.loads((SHARED / "botapi" / "api.min.json").read_text())["methods"][name]
    fields: dict[str, Any] = {field["name"]: field for field in described.get("fields", [])}
    method = METHODS[name]
    assert set(method.required) == {field for field, facts in fields.items() if facts["required"]}
    for parameter, types in {**method.required, **method.optional}.items():
        assert set(types.split("|")) <= set(fields[parameter]["types"]), parameter


def test_every_method_of_the_table_is_carried_out() -> None:
    assert set(CALLS) == set(METHODS)


def test_the_table_holds_what_the_bot_and_its_operator_call() -> None:
    files = ("infra/telegram.py", "infra/operator/bot.py")
    source = "".join((ROOT / file).read_text("utf-8") for file in files)
    names = {name: re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name) for name in METHODS}
    called = {name for name, in_python in names.items() if re.search(rf"(bot\.{in_python}|/{name})\b", source)}
    assert METHODS.keys() - called == set()


def test_a_form_and_json_say_the_same() -> None:
    as_json = {"chat_id": -5, "text": "5", "disable_notification": True, "reply_markup": {"inline_keyboard": []}}
    as_form = {
        "chat_id": "-5",
        "text": "5",
        "disable_notification": "true",
        "reply_markup": '{"inline_keyboard": []}',
    }
    assert read("sendMessage", as_form) == read("sendMessage", as_json) == as_json


@pytest.mark.parametrize(
    ("method", "given", "why"),
    [
        ("sendPoem", {}, "method not found"),
        ("sendMessage", {"chat_id": 1}, "needs text"),
        ("editMessageText", {"chat_id": 1, "text": "x"}, "needs message_id"),
        ("getMe", {"chat_id": 1}, "no parameter chat_id"),
        ("sendMessage", {"chat_id": 1, "text": 5}, "sendMessage.text must be String"),
        ("getChatMember", {"chat_id": 1, "user_id": "me"}, "user_id must be Integer"),
        ("getChatMember", {"chat_id": 1, "user_id": "²"}, "user_id must be Integer"),
        ("sendMessage", {"chat_id": 1, "text": "x", "reply_markup": "[]"}, "reply_markup must be InlineKeyboardMarkup"),
        ("sendMessage", {"chat_id": 1, "text": "x", "reply_markup": "{"}, "reply_markup must be InlineKeyboardMarkup"),
        ("sendMessage", {"chat_id": 1, "text": "x", "protect_content": "yes"}, "protect_content must be Boolean"),
        ("sendMessage", {"chat_id": 1, "text": Upload("a", b"b", "c")}, "text must be String"),
        ("setMyCommands", {"commands": "{}"}, "commands must be Array of BotCommand"),
    ],
)
def test_reading_refuses(method: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(Malformed, match=why):
        read(method, given)
