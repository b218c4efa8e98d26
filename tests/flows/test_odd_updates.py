"""Updates that are not for the bot, or no updates at all: each is acknowledged, and changes and says nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from infra.local.botapi.world import Call
from infra.stores.sqlite import SqliteStore
from tests.flows.house import START, Flow, flow
from tests.shared import SHARED, needs_shared

Json = dict[str, Any]


def emptiness(bot: Flow) -> None:
    """Nothing is being played."""


def a_match(bot: Flow) -> None:
    bot.begin()
    bot.wait(30)


SCENES: list[Callable[[Flow], Any]] = [emptiness, Flow.lobby, a_match]


@pytest.fixture(params=SCENES, ids=["empty", "lobby", "match"])
def bot(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flow]:
    """The bot on an SQLite file, before a lobby, in one, and in a match."""
    with closing(SqliteStore(tmp_path / "matches.sqlite")) as store, flow(store) as made:
        request.param(made)
        yield made


def stored(bot: Flow) -> list[Any]:
    """Everything in the store that the group and its people lead to."""
    return [bot.store.load(id) for id in bot.matches()]


def calls_for(bot: Flow, update: Any) -> list[Call]:
    """Post an update; what the bot called because of it."""
    before = len(bot.world.calls)
    assert bot.post(update) == 200
    return bot.world.calls[before:]


# --- published samples ----------------------------------------------------------------------------

SAMPLES = sorted((SHARED / "updates").glob("*/*.json"))


@needs_shared
def test_samples_of_other_bots_change_nothing(bot: Flow) -> None:
    """Their commands and presses are answered where they come from; nobody of ours hears anything."""
    before = stored(bot)
    assert len(SAMPLES) > 150
    for sample in SAMPLES:
        update = json.loads(sample.read_bytes())
        for call in calls_for(bot, update):
            asked = update.get("message") or update.get("callback_query")
            assert asked is not None, sample.name
            assert call.method in ("sendMessage", "answerCallbackQuery"), sample.name
            assert call.params.get("chat_id") in (None, asked.get("chat", {}).get("id")), sample.name
            assert not bot.matches() or bot.matches()[0] not in json.dumps(call.params), sample.name
    assert stored(bot) == before


MEANT = {
    "removed": ("ptba2204_anon_admin_removes_bot", "upd_my_chat_member"),
    "moved": ("migrate", "telegraph692"),
    "answered": ("callback_query", "command", "upd_message_text_2"),
}
"""Samples that do mean something when they happen in one's own group: the bot goes, the group moves, a command."""


@needs_shared
def test_samples_happening_in_the_own_group_change_nothing(bot: Flow) -> None:
    """The same samples once more, as if our people did all that in the group: chatter, media, service messages."""
    before = stored(bot)
    meant = [part for parts in MEANT.values() for part in parts]
    tried = 0
    for sample in SAMPLES:
        if not any(part in sample.name for part in meant):
            assert calls_for(bot, _transplanted(json.loads(sample.read_bytes()), bot)) == [], sample.name
            tried += 1
    assert tried > 140
    assert stored(bot) == before


def _transplanted(value: Any, bot: Flow, key: str = "") -> Any:
    if isinstance(value, list):
        return [_transplanted(each, bot) for each in value]
    if not isinstance(value, dict):
        return value
    moved = {name: _transplanted(each, bot, name) for name, each in value.items()}
    if key == "chat" and "id" in moved:
        moved |= {"id": bot.group, "type": "group", "title": "The Garden"}
    if key == "from" and "id" in moved:
        moved |= {"id": bot.ada, "is_bot": False}
    return moved


# --- our own ---------------------------------------------------------------------------------------


def message(bot: Flow, **fields: Any) -> Json:
    """A command that opens a lobby, unless ``fields`` spoil it."""
    return {
        "update_id": 900_000_001,
        "message": {
            "message_id": 5_000,
            "date": int(START),
            "chat": {"id": bot.ada, "type": "private", "first_name": "Ada"},
            "from": {"id": bot.ada, "is_bot": False, "first_name": "Ada"},
            "text": "/gravity",
            **fields,
        },
    }


def press(bot: Flow, **fields: Any) -> Json:
    """A press that opens a lobby, unless ``fields`` spoil it."""
    return {
        "update_id": 900_000_002,
        "callback_query": {
            "id": "77",
            "from": {"id": bot.ada, "is_bot": False, "first_name": "Ada"},
            "chat_instance": "1",
            "data": "-:new:gravity",
            "message": message(bot)["message"],
            **fields,
        },
    }


def spoilt(whole: Json) -> Iterator[Json]:
    """An update with each of its fields missing, or of a wrong type or size, one at a time."""
    for path in _paths(whole):
        for wrong in WRONG:
            update = deepcopy(whole)
            where: Any = update
            for name in path[:-1]:
                where = where[name]
            if wrong is MISSING:
                del where[path[-1]]
            else:
                where[path[-1]] = wrong
            yield update


MISSING = object()
WRONG: list[Any] = [MISSING, None, "", "x", "\ud800", 0, -1, 2**63, -(2**70), 1.5, float("nan"), True, [], [{}], {}]


def _paths(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, each in value.items():
        yield (*path, name)
        if isinstance(each, dict):
            yield from _paths(each, (*path, name))


def test_spoilt_updates_never_fail(bot: Flow, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is missing or wrong, the update is acknowledged, and nothing of a match changes."""
    before = stored(bot)
    games = [message(bot, text="/status"), message(bot, text="/matches"), press(bot, data="-:matches:")]
    tried = 0
    for whole in games:
        for update in spoilt(whole):
            calls_for(bot, update)
            tried += 1
    assert tried > 300
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert stored(bot) == before


ODD: list[Any] = [
    None,
    True,
    7,
    "update",
    [],
    [{"update_id": 1}],
    {},
    {"update_id": None},
    {"update_id": "1"},
    {"update_id": 1.0},
    {"update_id": True},
    {"update_id": 2**64},
    {"update_id": 1},
    {"update_id": 1, "message": None},
    {"update_id": 1, "message": []},
    {"update_id": 1, "message": "hello"},
    {"update_id": 1, "callback_query": {}},
    {"update_id": 1, "a_kind_of_next_year": {"text": "/gravity"}},
    {"update_id": 1, "my_chat_member": {"chat": 5}},
    {"update_id": 1, "message": {"message": {"message": {}}}},
]


@pytest.mark.parametrize("update", ODD, ids=repr)
def test_what_is_no_update_is_acknowledged(update: Any, caplog: pytest.LogCaptureFixture) -> None:
    with flow() as bot:
        assert calls_for(bot, update) == []
        assert bot.matches() == []
    assert all(record.exc_info is None for record in caplog.records)


@pytest.mark.parametrize(
    "keyboard", ["x", 7, [], {}, *({"inline_keyboard": rows} for rows in (None, 7, [None], [7], [[None]], [["x"]]))]
)
def test_a_press_under_a_keyboard_that_is_none_is_no_update(bot: Flow, keyboard: Any) -> None:
    before = stored(bot)
    under = {**message(bot)["message"], "reply_markup": keyboard}
    assert calls_for(bot, press(bot, message=under)) == []
    assert stored(bot) == before


@pytest.mark.parametrize("rows", [[], [[]], [[{}]], [[{"callback_data": 7}, {"callback_data": ["-:new:gravity"]}]]])
def test_a_button_that_is_not_there_is_pressed_like_one_that_is_forged(rows: Any) -> None:
    """In a group nothing is edited for it."""
    with flow() as bot:
        chat = {"id": bot.group, "type": "group", "title": "The Garden"}
        under = {**message(bot)["message"], "chat": chat, "reply_markup": {"inline_keyboard": rows}}
        calls = calls_for(bot, press(bot, message=under, data="-:rules:gravity.birds"))
        assert [call.method for call in calls] == ["answerCallbackQuery"]


@pytest.mark.parametrize(
    "text", ["/start panel-\ud800", "/start join-\x00", "/rules \ud800", "/start panel-" + "x" * 4_000]
)
def test_commands_may_say_anything(bot: Flow, text: str, caplog: pytest.LogCaptureFixture) -> None:
    before = stored(bot)
    assert len(calls_for(bot, message(bot, text=text))) == 1
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert stored(bot) == before


def test_deep_nesting_is_no_trouble() -> None:
    with flow() as bot:
        deep: Any = {}
        for _ in range(400):
            deep = {"reply_to_message": deep}
        assert calls_for(bot, {"update_id": 1, "message": deep}) == []
        assert (
            calls_for(bot, {"update_id": 1, "message": {**message(bot)["message"], "future": [[[[]]]] * 9_000}}) != []
        )


def test_names_of_any_characters_are_shown_and_stored(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "matches.sqlite")) as store, flow(store) as bot:
        for number, name in enumerate(["\ud83d", "<b>&amp;", "\u202eevil\u2066", "a" * 300, "\x00\n\t", " "]):
            sender = {"id": bot.ada, "is_bot": False, "first_name": name}
            bot.post({**message(bot, **{"from": sender}), "update_id": 900_000_100 + number})
            assert bot.match().host_name.encode()
            bot.press(bot.ada, "Close the lobby", bot.ada)
            bot.press(bot.ada, "Yes, close it", bot.ada)
