"""What the host's calls have in common: who may call, what a lobby reminds of, and whom a match waits for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.gravity.moves import Reveal
from handler.match import LOBBY_SECONDS
from handler.updates import ANONYMOUS_ADMIN
from tests.flows.house import START, Flow
from tests.flows.players import play, stranger
from tests.flows.seven import GINA, company, judged

CALLS = ("/pause", "/resume", "/extend", "/extend 5", "/replace")


def said(bot: Flow) -> str:
    return "\n".join(bot.texts(bot.group)).replace("\u2068", "").replace("\u2069", "")


def typed(bot: Flow, text: str, update: int, **sender: Any) -> None:
    """A message that nobody of the group's people has sent."""
    group = {"id": bot.group, "type": "group", "title": "The Garden"}
    message = {"message_id": update, "date": int(START), "chat": group, "text": text, **sender}
    assert bot.post({"update_id": update, "message": message}) == 200


def as_the_group(bot: Flow, text: str, update: int) -> None:
    """An administrator writes as the group."""
    anonymous = {"id": ANONYMOUS_ADMIN, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    chat = {"id": bot.group, "type": "group", "title": "The Garden"}
    typed(bot, text, update, **{"from": anonymous, "sender_chat": chat})


@pytest.mark.parametrize("call", CALLS)
def test_nothing_is_called_where_nothing_is_played(bot: Flow, call: str) -> None:
    bot.say(bot.ada, call)
    assert "Nothing is being played here" in bot.texts(bot.group)[-1]
    bot.lobby()
    bot.wait(60)
    lobby = bot.match()
    bot.say(bot.ada, call)
    assert bot.texts(bot.group)[-1] == "The match has not begun yet."
    assert bot.match() == lobby


@pytest.mark.parametrize("call", CALLS)
def test_a_channel_and_a_stranger_are_told_who_can(bot: Flow, call: str) -> None:
    match = bot.begin()
    bot.wait(20)
    bot.say(stranger(bot), call)
    assert "Only Ada (the host) or a group administrator can do that." in said(bot)
    channel = {"id": -1_001_234_567_890, "type": "channel", "title": "News"}
    fake = {"id": 136_817_688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
    typed(bot, call, 700_000_000, **{"from": fake, "sender_chat": channel})
    assert "Channels cannot" in bot.texts(bot.group)[-1]
    assert bot.match() == match


def test_an_administrator_who_writes_as_the_group_may_and_stays_unnamed(bot: Flow) -> None:
    match = bot.begin()
    bot.wait(20)
    as_the_group(bot, "/pause", 700_000_000)
    bot.wait(60)
    assert bot.match().paused is not None
    assert "An administrator has paused the match." in said(bot)
    as_the_group(bot, "/extend 2", 700_000_001)
    as_the_group(bot, "/extend 2", 700_000_001)
    as_the_group(bot, "/resume", 700_000_002)
    bot.wait(20)
    resumed = bot.match()
    assert (resumed.paused, resumed.extended) == (None, 2)
    assert resumed.number == match.number
    assert "An administrator has added 2 min." in said(bot)
    as_the_group(bot, "/replace", 700_000_003)
    assert "Whose seat" in bot.texts(bot.group)[-1]


def test_an_administrator_who_plays_pauses_and_extends_but_needs_consent_to_replace(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(bot.ada, "Relaxed")
    bot.wait(60)
    bot.press(bot.ada, "Start")
    bot.wait(60)
    bot.world.groups.set_status(bot.bruno, bot.group, "administrator")
    bot.say(bot.bruno, "/pause")
    bot.say(bot.bruno, "/extend 5")
    bot.say(bot.bruno, "/resume")
    assert (bot.match().paused, bot.match().extended) == (None, 5)
    bot.wait(60)
    bot.say(bot.bruno, "/replace")
    bot.press(bot.bruno, "\u2068Ada")
    assert bot.press(bot.bruno, "A house player").startswith("Asked.")
    assert bot.match().users == (bot.ada, bot.bruno)


def test_in_practice_its_one_person_may(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    bot.say(bot.ada, "/pause", bot.ada)
    bot.wait(3600)
    assert "⏸ Paused" in "\n".join(bot.texts(bot.ada))
    assert bot.match().number == 0
    assert bot.press(bot.ada, "▶ Resume", bot.ada) == "Done."
    bot.say(bot.ada, "/extend 5", bot.ada)
    assert bot.match().extended == 5


def test_a_lobby_reminds_once_with_a_quarter_of_its_day_left(bot: Flow) -> None:
    bot.say(bot.ada, "/dog")
    bot.press(bot.ada, "Join")
    bot.press(bot.ada, "Add a house player")
    bot.wait(LOBBY_SECONDS * 3 / 4 - 1)
    assert "still waits for" not in said(bot)
    bot.wait(LOBBY_SECONDS / 4 - 120)
    assert said(bot).count("⏳ This lobby still waits for 5 more, and closes ") == 1
    assert "Seated: Ada, Strix (house player)" in said(bot)
    assert bot.match().stage == "lobby"
    bot.wait(200)
    assert "its lobby is closed" in said(bot)


def test_a_lobby_that_is_full_or_empty_says_so(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    bot.wait(LOBBY_SECONDS * 3 / 4 + 60)
    assert "Nobody has taken a seat in this lobby yet." in said(bot)
    bot.wait(LOBBY_SECONDS)
    bot.lobby()
    bot.wait(LOBBY_SECONDS * 3 / 4 + 60)
    assert "All seats are taken, but nobody has started this match." in said(bot)
    bot.press(bot.ada, "Start")
    assert not bot.match().reminded, "the first phase has a reminder of its own"


def test_a_lobby_in_private_reminds_of_nothing(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity", bot.ada)
    heard = len(bot.texts(bot.ada))
    bot.wait(LOBBY_SECONDS - 60)
    assert len(bot.texts(bot.ada)) == heard


def test_status_names_whose_turn_it_is_and_nobody_while_choices_are_sealed(bot: Flow) -> None:
    match = bot.begin()
    bot.wait(20)
    secret = "Who has chosen already stays secret until the phase is over."
    bot.say(bot.ada, "/status")
    before = bot.texts(bot.group)[-1]
    assert before.endswith(secret)
    bot.press(bot.ada, "No bird", bot.ada)
    bot.press(bot.ada, "🔒", bot.ada)
    bot.say(bot.ada, "/status")
    assert bot.texts(bot.group)[-1] == before, "whoever has locked in cannot be seen in it"
    play(bot, match.id, lambda match, player: Reveal(None), until="draft")
    bot.wait(30)
    bot.say(bot.ada, "/status")
    assert "The match is waiting for \u2068Bruno\u2069." in bot.texts(bot.group)[-1]


def test_status_names_the_candidate_who_chooses(bot: Flow) -> None:
    people = company(bot)
    judged(bot, people)
    bot.wait(30)
    bot.say(people[GINA], "/status")
    assert "The match is waiting for \u2068Gina\u2069." in bot.texts(bot.group)[-1]


def test_all_calls_are_reached_by_buttons_from_the_board(bot: Flow) -> None:
    bot.begin()
    bot.wait(20)
    bot.press(bot.ada, "Host's calls")
    assert bot.labels(bot.group)[:4] == ["⏸ Pause", "More time", "Somebody else in a seat", "End the match"]
    menu, pause = bot.button("⏸ Pause", bot.group)
    assert bot.press_data(bot.ada, bot.group, menu, pause) == "Done."
    assert bot.press_data(bot.ada, bot.group, menu, pause) == "The match is paused already."
    bot.wait(60)
    for label, question in (
        ("More time", "How much longer"),
        ("Somebody else", "Whose seat"),
        ("End the match", "End"),
    ):
        bot.wait(20)
        assert bot.press(bot.ada, label) == ""
        assert question in bot.texts(bot.group)[-1]
    bot.wait(60)
    bot.press(bot.ada, "▶ Resume")
    assert bot.match().paused is None
    assert "Things have changed" in bot.press_data(bot.ada, bot.group, menu, pause)
    assert "Only Ada (the host)" in bot.press(bot.bruno, "Host's calls")


def test_the_button_that_stayed_under_a_board_calls_nothing_once_the_match_is_over(bot: Flow) -> None:
    id = bot.begin().id
    bot.wait(20)
    board, data = bot.button("Host's calls", bot.group)
    bot.say(bot.ada, "/resign", bot.ada)
    bot.press(bot.ada, "Yes", bot.ada)
    bot.wait(60)
    over, texts = bot.load(id), bot.texts(bot.group)
    assert "Only Ada (the host)" in bot.press_data(bot.bruno, bot.group, board, data)
    assert bot.texts(bot.group) == texts
    bot.press_data(bot.ada, bot.group, board, data)
    assert bot.texts(bot.group) == [*texts, "This match is over."]
    assert bot.load(id) == over
