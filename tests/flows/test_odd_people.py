"""People as they are: names that no sentence expects, accounts that are gone, several matches at once, updates from
before the bot was there. (Anonymous administrators, channels and edited messages: :mod:`tests.flows.test_commands`.)
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from handler.profiles import profile
from infra.local.botapi.state import BOT_USERNAME
from tests.flows.house import START, Flow
from tests.flows.test_first_minute import another, greeted

NAMES = (
    "مرحبا بالعالم",
    "שלום",
    "\u202eevil\u2066",
    "\u200b\u200d\u2060",
    "🦉🐕‍🦺",
    "\u3164",
    "Ж" * 64,
    "W" * 129,
    "",
    "a\nb\u2028c",
    "<b>{name}</b>&amp;%s",
    "Ada",
)
DIRECTIONS = re.compile("[\u202a-\u202e\u2066\u2067\u200e\u200f]")
"""What would turn the text around; the isolates of the house are none of these."""


def renamed(bot: Flow, user: int, name: str) -> None:
    """Somebody calls themselves something else from now on."""
    with bot.world.desk.change() as state:
        state.users[user].first_name = name
        state.save_user(state.users[user])


def said(bot: Flow, chat: int) -> list[dict[str, Any]]:
    """What the bot wrote in a chat."""
    return [message for message in bot.world.history(chat) if message["from"]["is_bot"]]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_match_with_somebody_of_an_odd_name(bot: Flow, name: str) -> None:
    """Bruno hosts, plays, is waited for and picked for, asks for everything, and gives up."""
    renamed(bot, bot.bruno, name)
    bot.say(bot.bruno, "/gravity")
    toasts = [bot.press(user, "Join") for user in (bot.ada, bot.bruno)]
    bot.press(bot.ada, "✕", bot.group)
    toasts += [bot.press(user, "Join") for user in (bot.ada, bot.bruno)]
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.wait(60)
    bot.press(bot.bruno, "Start")
    for command in ("/cancel", "/pick", "/status", "/language"):
        bot.wait(30)
        bot.say(nora, command)
    for command in ("/start", "/matches", "/resign"):
        bot.say(bot.bruno, command, bot.bruno)
    toasts.append(bot.press(bot.bruno, "Yes, I resign", bot.bruno))
    bot.wait(300)
    assert bot.texts(bot.group).count("/pick") == 1
    for chat in (bot.group, bot.ada, bot.bruno):
        for message in said(bot, chat):
            text = message.get("text", message.get("caption", ""))
            assert not DIRECTIONS.search(text), text
            assert text.count("\u2068") == text.count("\u2069")
            assert len(text) <= 4096
            rows = message.get("reply_markup", {}).get("inline_keyboard", [])
            assert all(1 <= len(button["text"]) <= 64 for row in rows for button in row)
            assert not any(DIRECTIONS.search(button["text"]) for row in rows for button in row)
    assert all(len(toast) <= 200 and not DIRECTIONS.search(toast) for toast in toasts)
    assert list(bot.store.of_person(bot.bruno)) == []


def test_toasts_that_name_somebody_name_them_as_screens_do(bot: Flow) -> None:
    renamed(bot, bot.bruno, "\u202e" + "W" * 129)
    bot.say(bot.bruno, "/gravity")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Join")
    bot.press(bot.bruno, "Start")
    bot.wait(30)
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    board = max(message["message_id"] for message in said(bot, bot.group))
    toast = bot.press_data(nora, bot.group, board, f"{bot.match().id}:pick:0.")
    assert toast == f"Only {'W' * 31}… (the host) or a group administrator can do that."


def test_two_of_the_same_name_are_told_apart(bot: Flow) -> None:
    renamed(bot, bot.bruno, "Ada")
    bot.begin()
    bot.wait(45)
    boards = [message["text"] for message in said(bot, bot.group) if "text" in message]
    assert any("\u2068Ada\u2069 (EC)" in text and "\u2068Ada\u2069 (DMO)" in text for text in boards)


def test_a_person_in_three_matches_knows_which_one_each_panel_belongs_to(bot: Flow) -> None:
    aviary = another(bot, "The Aviary")
    bot.world.groups.join(bot.bruno, aviary)
    bot.deliver()
    for chat in (bot.group, aviary):
        bot.say(bot.ada, "/gravity", chat)
        for user in (bot.ada, bot.bruno):
            bot.press(user, "Join", chat)
        bot.press(bot.ada, "Start", chat)
    bot.say(bot.ada, "/gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    ids = {bot.load(id).title: id for id in bot.store.of_person(bot.ada)}
    assert ids.keys() == {"The Garden", "The Aviary", "Practice"}
    panels = [message["text"] for message in said(bot, bot.ada) if "Name one bird" in message.get("text", "")]
    assert [title in panel for title, panel in zip(ids, panels, strict=True)] == [True, True, True]
    bot.say(bot.ada, "/matches")
    offered = [f"Gravity Pandemic: \u2068{title}\u2069" for title in ("The Garden", "The Aviary", "Practice")]
    assert bot.labels(bot.ada)[:3] == offered
    bot.press(bot.ada, "Gravity Pandemic: \u2068The Garden", bot.ada)
    assert "The Garden" in bot.texts(bot.ada)[-1]
    bot.press(bot.ada, "No bird", bot.ada)
    assert bot.load(ids["The Garden"]).box.keys() == {0}
    assert bot.load(ids["The Aviary"]).box == {}


def test_an_account_that_is_deleted_is_told_of_once_and_holds_up_nobody(bot: Flow) -> None:
    id = bot.begin().id
    with bot.world.desk.change() as state:
        state.users[bot.bruno].deactivated = True
        state.users[bot.bruno].first_name = ""
        state.save_user(state.users[bot.bruno])
    bot.wait(1_800)
    told = [text for text in bot.texts(bot.group) if "cannot write to" in text]
    assert len(told) == 1
    assert bot.load(id).number > 2


def test_a_language_and_the_groups_somebody_was_seen_in_outlive_a_move(bot: Flow) -> None:
    bot.say(bot.ada, "/language")
    bot.press(bot.ada, "Español")
    bot.say(bot.bruno, "/help")
    new = bot.world.groups.migrate(bot.group, bot.ada)
    bot.deliver()
    assert profile(bot.ports, new).language == "es"
    bot.say(bot.ada, "/gravity", new)
    [id] = bot.store.in_chat(new)
    assert bot.load(id).language == "es"
    assert "Open lobbies" not in greeted(bot, bot.bruno), "not seen there yet"
    bot.say(bot.bruno, "/help", new)
    assert "Open lobbies" in greeted(bot, bot.bruno)
    assert [seen.chat for seen in profile(bot.ports, bot.bruno).groups] == [new, bot.group]


def test_a_backlog_from_before_a_start_is_taken_in_order(bot: Flow) -> None:
    """Telegram keeps updates for a day: what was asked for yesterday is done as if it were asked for now."""
    bot.world.people.say(bot.ada, bot.group, "/gravity")
    bot.world.people.say(bot.bruno, bot.group, "/dog")
    bot.world.people.say(bot.ada, bot.group, "chatter")
    bot.world.people.say(bot.bruno, bot.bruno, "/start")
    bot.clock.time += 20 * 3600
    bot.deliver()
    match = bot.match()
    assert (match.game, match.host, match.stage) == ("gravity", bot.ada, "lobby")
    assert match.deadline == bot.clock.time + 24 * 3600
    assert any("A lobby is already open here" in text for text in bot.texts(bot.group))
    assert "Open lobbies where you have been:" in bot.texts(bot.bruno)[-1]


def test_presses_from_before_a_start_find_what_has_become_of_their_lobby(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    old = bot.match().id
    card, join = bot.button("Join", bot.group)
    bot.clock.time += 24 * 3600 - 5
    bot.world.people.press(bot.bruno, bot.group, card, join)
    bot.world.people.press(bot.ada, bot.group, card, f"{old}:start:")
    bot.clock.time += 10
    bot.deliver()
    assert bot.load(old).stage == "cancelled"
    assert bot.load(old).player(bot.bruno) is None


def test_somebody_without_a_username_in_a_group_with_one_is_like_anybody_else(bot: Flow) -> None:
    """Nothing is ever looked up or linked by username."""
    cleo = bot.world.people.add("Cleo", username="cleo")
    bot.world.groups.join(cleo, bot.group)
    bot.world.people.start(cleo)
    bot.deliver()
    bot.say(bot.ada, "/gravity")
    for user in (cleo, bot.bruno):
        assert bot.press(user, "Join") == "You have a seat."
    assert not any("@cleo" in text for chat in (bot.group, cleo) for text in bot.texts(chat))


def test_a_command_in_the_name_of_another_chat_or_of_nobody_changes_nothing(bot: Flow) -> None:
    """The linked channel's own posts, forwarded by Telegram, and a message without a sender."""
    group = {"id": bot.group, "type": "group", "title": "The Garden"}
    service = {"id": 777_000, "is_bot": False, "first_name": "Telegram"}
    channel = {"id": -1_001_234_567_890, "type": "channel", "title": "News"}
    origin = {"type": "channel", "date": 1, "chat": channel, "message_id": 5}
    text = {"message_id": 9_000, "date": int(START), "chat": group, "text": f"/gravity@{BOT_USERNAME}"}
    before = len(bot.world.calls)
    forwarded = {"from": service, "sender_chat": channel, "is_automatic_forward": True, "forward_origin": origin}
    kinds: list[dict[str, Any]] = [forwarded, {}, {"sender_chat": channel}]
    for number, fields in enumerate(kinds):
        assert bot.post({"update_id": 810_000_000 + number, "message": {**text, **fields}}) == 200
    assert len(bot.world.calls) == before
    assert bot.matches() == []


def test_a_new_name_after_the_end_changes_nothing_that_was_told(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(bot.ada, "Start")
    id = bot.match().id
    bot.wait(60)
    bot.say(bot.bruno, "/resign")
    bot.press(bot.bruno, "Yes, I resign", bot.bruno)
    bot.wait(60)
    told = bot.texts(bot.group)
    with bot.world.desk.change() as state:
        bruno = state.users[bot.bruno]
        bruno.first_name = "Brunhilde"
        state.save_user(bruno)
    bot.world.people.start(bot.bruno, f"panel-{id}")
    bot.deliver()
    bot.wait(60)
    assert bot.texts(bot.group) == told
    assert "Brunhilde" not in str(told)
