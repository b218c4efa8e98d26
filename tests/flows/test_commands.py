"""Commands in groups and in private: who is answered, where, and what they do."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.botapi.state import BOT_USERNAME
from tests.flows.house import START, Flow
from tests.flows.players import make, quiet
from tests.flows.seven import begin


def bystander(bot: Flow, name: str = "Nora", *, started: bool = False) -> int:
    """Somebody in the group who does not play."""
    user = bot.world.people.add(name)
    bot.world.groups.join(user, bot.group)
    if started:
        bot.world.people.start(user)
    bot.deliver()
    return user


def calls(bot: Flow) -> int:
    return len(bot.world.calls)


def typed(bot: Flow, text: str, **fields: Any) -> int:
    """A message of Ada's in the group, made by hand; the number of calls it led to."""
    before = calls(bot)
    message = {
        "message_id": 9_000,
        "date": int(START),
        "chat": {"id": bot.group, "type": "group", "title": "The Garden"},
        "from": {"id": bot.ada, "is_bot": False, "first_name": "Ada"},
        "text": text,
        **fields,
    }
    assert bot.post({"update_id": 700_000_000 + before, "message": message}) == 200
    return calls(bot) - before


# --- what is no command for this bot -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "gravity",
        "",
        "/",
        "/gravity@another_bot",
        "/unknown",
        "/chess",
        f"/unknown@{BOT_USERNAME}",
        "I say /gravity",
        "/gravity!",
        "/grävity",
        "\n/gravity",
        " /gravity",
    ],
)
def test_chatter_and_other_bots_commands_are_not_answered_in_a_group(bot: Flow, text: str) -> None:
    assert typed(bot, text) == 0
    assert bot.matches() == []


@pytest.mark.parametrize(
    "fields",
    [
        {"forward_origin": {"type": "user", "date": 5, "sender_user": {"id": 5, "is_bot": False, "first_name": "X"}}},
        {"via_bot": {"id": 6, "is_bot": True, "first_name": "Y", "username": "y_bot"}},
        {"from": {"id": 6, "is_bot": True, "first_name": "Y", "username": "y_bot"}},
        {"is_automatic_forward": True},
    ],
    ids=["forwarded", "via a bot", "from a bot", "from the linked channel"],
)
def test_commands_that_nobody_typed_here_are_not_answered(bot: Flow, fields: dict[str, Any]) -> None:
    assert typed(bot, "/gravity", **fields) == 0
    assert bot.matches() == []


def test_an_edited_message_is_not_answered(bot: Flow) -> None:
    message = bot.world.people.say(bot.ada, bot.group, "hello")
    bot.deliver()
    before = calls(bot)
    bot.world.people.edit(bot.ada, bot.group, message["message_id"], "/gravity")
    bot.deliver()
    assert calls(bot) == before
    assert bot.matches() == []


@pytest.mark.parametrize("text", [f"/gravity@{BOT_USERNAME}", f"/GRAVITY@{BOT_USERNAME.upper()}", "/gravity now"])
def test_a_command_may_name_the_bot_and_say_more(bot: Flow, text: str) -> None:
    assert typed(bot, text) > 0
    assert len(bot.matches()) == 1


def test_an_unknown_command_is_answered_in_private(bot: Flow) -> None:
    bot.say(bot.ada, "/unknown", bot.ada)
    assert "/help" in bot.texts(bot.ada)[-1]


def test_chatter_in_private_is_answered_once_an_hour(bot: Flow) -> None:
    bot.say(bot.ada, "hello", bot.ada)
    assert "/help" in bot.texts(bot.ada)[-1]
    before = calls(bot)
    kept = bot.people.profile(bot.ada)
    for text in ("are you there?", "hello?"):
        bot.say(bot.ada, text, bot.ada)
    assert (calls(bot), bot.people.profile(bot.ada)) == (before, kept)
    bot.wait(3600)
    bot.say(bot.ada, "hello", bot.ada)
    assert calls(bot) == before + 1


@pytest.mark.parametrize("command", ["/gravity", "/new", "/matches", "/resign", "/cancel"])
def test_an_anonymous_administrator_and_a_channel_are_told_why(bot: Flow, command: str) -> None:
    if command == "/cancel":
        bot.lobby()
        bot.wait(60)
    stored = [bot.store.load(id) for id in bot.matches()]
    channel = {"id": -1_001_234_567_890, "type": "channel", "title": "News"}
    fake = {"id": 136_817_688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
    assert typed(bot, command, **{"from": fake, "sender_chat": channel}) == 1
    assert "Channels cannot" in bot.texts(bot.group)[-1]
    assert [bot.store.load(id) for id in bot.matches()] == stored
    group = {"id": bot.group, "type": "group", "title": "The Garden"}
    anonymous = {"id": 1_087_968_824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    assert typed(bot, command, **{"from": anonymous, "sender_chat": group}) == 1
    # Ending a match takes a press, which names the person; so an anonymous administrator may ask for it.
    told = "Close this lobby?" if command == "/cancel" else "writing as the group"
    assert told in bot.texts(bot.group)[-1]


# --- help, rules, status ---------------------------------------------------------------------------


def test_help_and_rules_answer_in_place(bot: Flow) -> None:
    for chat in (bot.group, bot.ada):
        bot.say(bot.ada, "/help", chat)
        assert "What I understand" in bot.texts(chat)[-1]
        bot.say(bot.ada, "/rules", chat)
        page = bot.world.history(chat)[-1]["message_id"]
        shown = {bot.texts(chat)[-1]}
        topics = [data for _, data in _rules_buttons(bot, chat) if ":gravity." in data]
        assert len(topics) == 7
        for data in topics:
            bot.wait(5)
            bot.press_data(bot.bruno if chat == bot.group else bot.ada, chat, page, _same(bot, chat, data))
            shown.add(bot.texts(chat)[-1])
        assert bot.world.history(chat)[-1]["message_id"] == page, "one message, edited"
        assert len(shown) == 8
        assert all(f"{number}." in "".join(shown) for number in range(1, 23))


def test_the_rules_are_those_of_the_game_played_here(bot: Flow) -> None:
    def asked(text: str) -> str:
        bot.wait(60)
        bot.say(bot.ada, text)
        return bot.texts(bot.group)[-1]

    assert asked("/rules").startswith("How to play Gravity Pandemic")
    bot.press(bot.ada, "The rules of Dog's Judgement")
    assert bot.texts(bot.group)[-1].startswith("How to play Dog's Judgement")
    bot.say(bot.ada, "/dog")
    assert asked("/rules").startswith("How to play Dog's Judgement")
    assert asked("/rules nonsense").startswith("How to play Dog's Judgement")
    assert asked("/rules gravity night").startswith("How a night is resolved")


def test_in_private_the_rules_are_those_of_the_match_one_sits_in(bot: Flow) -> None:
    def asked() -> str:
        bot.say(bot.bruno, "/rules", bot.bruno)
        return bot.texts(bot.bruno)[-1]

    assert asked().startswith("How to play Gravity Pandemic")
    begin(bot, (bot.ada, bot.bruno))
    assert asked().startswith("How to play Dog's Judgement")
    bot.press(bot.bruno, "The rules of Gravity Pandemic", bot.bruno)
    bot.say(bot.bruno, "/start", bot.bruno)
    bot.press(bot.bruno, "Practise now", bot.bruno)
    assert asked().startswith("How to play Gravity Pandemic"), "whoever practises asks about that"


def _rules_buttons(bot: Flow, chat: int) -> list[tuple[int, str]]:
    message = bot.world.history(chat)[-1]
    rows = message["reply_markup"]["inline_keyboard"]
    return [(message["message_id"], button["callback_data"]) for row in rows for button in row]


def _same(bot: Flow, chat: int, data: str) -> str:
    assert data in [offered for _, offered in _rules_buttons(bot, chat)]
    return data


def test_a_forged_rules_button_redraws_nothing_in_the_group(bot: Flow) -> None:
    bot.begin()
    bot.wait(60)
    board = bot.world.history(bot.group)[-1]["message_id"]
    nora = bystander(bot)
    before = bot.texts(bot.group)
    for data in ("-:rules:gravity.birds", f"{bot.match().id}:cancel:no"):
        bot.press_data(nora, bot.group, board, data)
        bot.press_data(bot.ada, bot.group, board, data)
    assert bot.texts(bot.group) == before


def test_the_rules_button_of_a_lobby_answers_in_private(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    said = len(bot.texts(bot.group))
    assert bot.press(bot.bruno, "Rules") == "I have answered you in private."
    assert len(bot.texts(bot.group)) == said
    stranger = bystander(bot)
    bot.press(stranger, "Rules")
    assert len(bot.texts(bot.group)) > said, "whom the bot cannot write to is answered in the group"


def test_status_says_what_is_going_on(bot: Flow) -> None:
    bot.say(bot.bruno, "/status")
    assert "Nothing is being played here" in bot.texts(bot.group)[-1]
    bot.lobby()
    bot.wait(60)
    bot.say(bot.bruno, "/status")
    assert "The lobby closes by itself" in bot.texts(bot.group)[-1]
    bot.press(bot.ada, "Start")
    bot.wait(45)
    bot.say(bot.bruno, "/status")
    assert "Private reveals" in bot.texts(bot.group)[-1]
    assert "callback_data" not in str(bot.world.history(bot.group)[-1]["reply_markup"])
    bot.say(bot.bruno, "/status", bot.bruno)
    assert "Your matches" in bot.texts(bot.bruno)[-1]


def test_matches_are_listed_in_private_with_the_way_to_the_panel(bot: Flow) -> None:
    bot.say(bot.ada, "/matches")
    assert "You are in no match" in bot.texts(bot.ada)[-1]
    bot.begin()
    said = len(bot.texts(bot.group))
    bot.say(bot.ada, "/matches")
    assert "Your matches" in bot.texts(bot.ada)[-1]
    bot.press(bot.ada, "Gravity Pandemic: ", bot.ada)
    assert "Name one bird" in bot.texts(bot.ada)[-1]
    assert len([text for text in bot.texts(bot.group)[said:] if not text.startswith("/")]) == 0
    nora = bystander(bot)
    bot.wait(20)
    bot.say(nora, "/matches")
    assert "I cannot write to you yet" in bot.texts(bot.group)[-1]


def test_a_panel_is_shown_to_its_player_alone(bot: Flow) -> None:
    id = bot.begin().id
    nora = bystander(bot, started=True)
    for payload in (f"panel-{id}", "panel-aaaaaaaa"):
        bot.world.people.start(nora, payload)
        bot.deliver()
        told, _, instead = bot.texts(nora)[-1].partition("\n\n")
        assert told == "You have no seat in that match."
        assert instead.startswith("Good evening"), "and what can be done instead"
    bot.world.people.start(bot.ada, f"panel-{id}")
    bot.deliver()
    assert "Name one bird" in bot.texts(bot.ada)[-1]


# --- resigning and ending ----------------------------------------------------------------------------


@pytest.mark.parametrize("private", [False, True])
def test_resigning_is_asked_once_and_in_private(bot: Flow, private: bool) -> None:
    id = bot.begin().id
    said = len(bot.texts(bot.group))
    bot.say(bot.ada, "/resign", bot.ada if private else bot.group)
    assert "Give up in" in bot.texts(bot.ada)[-1]
    assert not any("Give up" in text for text in bot.texts(bot.group)[said:])
    question, yes = bot.button("Yes, I resign", bot.ada)
    assert bot.press(bot.ada, "No, play on", bot.ada) == "You play on."
    assert bot.load(id).stage == "playing"
    assert bot.press_data(bot.bruno, bot.bruno, bot.world.history(bot.bruno)[-1]["message_id"], f"{id}:resign:no")
    assert bot.press_data(bot.ada, bot.ada, question, yes) == "You have resigned."
    assert bot.load(id).state.board.winner == 1
    assert bot.press_data(bot.ada, bot.ada, question, yes) == "This match is over."


def test_resigning_in_a_group_is_about_the_match_there(bot: Flow) -> None:
    here = bot.begin()
    there = bot.world.groups.add("The Aviary", bot.ada)
    bot.world.groups.join(bot.bruno, there)
    bot.world.groups.add_bot(there, bot.ada)
    bot.deliver()
    bot.say(bot.ada, "/gravity", there)
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Join", there)
    bot.press(bot.ada, "Start", there)
    before = bot.labels(bot.ada).count("Yes, I resign")
    bot.say(bot.ada, "/resign")
    assert bot.labels(bot.ada).count("Yes, I resign") == before + 1
    bot.press(bot.ada, "Yes, I resign", bot.ada)
    bot.wait(90)
    assert bot.load(here.id).stage == "over"
    assert len(bot.store.in_chat(there)) == 1


def test_a_seat_in_a_lobby_is_listed_and_cannot_be_resigned(bot: Flow) -> None:
    seat = "You have a seat in a lobby: Gravity Pandemic in \u2068The Garden\u2069. It has not started yet."
    bot.lobby()
    bot.say(bot.bruno, "/matches", bot.bruno)
    assert bot.texts(bot.bruno)[-1] == seat
    assert bot.labels(bot.bruno)[0] != "Gravity Pandemic: The Garden"
    for chat in (bot.bruno, bot.group):
        bot.say(bot.bruno, "/resign", chat)
        assert bot.texts(bot.bruno)[-1] == f"{seat}\nTo give it up, press Leave under the lobby there."
    assert bot.match().player(bot.bruno) == 1
    bot.say(bot.bruno, "/start", bot.bruno)
    bot.press(bot.bruno, "Practise now", bot.bruno)
    bot.press(bot.bruno, "Start", bot.bruno)
    bot.say(bot.bruno, "/matches", bot.bruno)
    assert bot.texts(bot.bruno)[-1] == f"{seat}\n\nYour matches. Press one for your current panel."


def test_resigning_without_a_match(bot: Flow) -> None:
    bot.say(bot.ada, "/resign")
    assert bot.texts(bot.ada)[-1] == "You are not in a match here."


def test_the_host_who_does_not_play_ends_the_match(bot: Flow) -> None:
    nora = bystander(bot, started=True)
    bot.say(nora, "/gravity")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Join")
    bot.press(nora, "Start")
    id = bot.match().id
    bot.wait(45)
    bot.say(bot.bruno, "/cancel")
    assert bot.texts(bot.group)[-1] == "Only \u2068Nora\u2069 (the host) or a group administrator can do that."
    bot.wait(5)
    bot.say(nora, "/cancel")
    question, yes = bot.button("Yes, end it", bot.group)
    assert bot.load(id).stage == "playing"
    bot.press_data(nora, bot.group, question, yes)
    bot.wait(60)
    assert bot.load(id).stage == "cancelled"
    assert any("Nora\u2069 has cancelled the match" in text for text in bot.texts(bot.group))
    assert "reply_markup" not in bot.world.message(bot.group, question)
    assert bot.matches() == []


def test_a_host_who_plays_needs_everybody(bot: Flow) -> None:
    id = bot.begin().id
    bot.wait(45)
    bot.say(bot.ada, "/cancel")
    assert "everybody who plays must agree" in bot.texts(bot.group)[-1]
    question, yes = bot.button("Yes, end it", bot.group)
    for _ in range(2):
        assert bot.press_data(bot.ada, bot.group, question, yes) == "Noted. Everybody else who plays must agree too."
    assert bot.load(id).stage == "playing"
    assert "reply_markup" in bot.world.message(bot.group, question)
    nora = bystander(bot)
    assert "Only" in bot.press_data(nora, bot.group, question, yes)
    bot.press_data(bot.bruno, bot.group, question, yes)
    bot.wait(60)
    assert bot.load(id).stage == "cancelled"
    assert any("Everybody agreed" in text for text in bot.texts(bot.group))


def test_an_administrator_who_plays_needs_everybody_too(bot: Flow) -> None:
    """Ada made the group; Nora, who hosts, only looks on."""
    nora = bystander(bot, started=True)
    bot.say(nora, "/gravity")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Join")
    bot.press(nora, "Start")
    bot.wait(45)
    bot.say(bot.ada, "/cancel")
    assert bot.texts(bot.group)[-1].endswith(
        "everybody who plays must agree.\nStill asked: \u2068Ada\u2069, \u2068Bruno\u2069"
    )
    assert bot.press(bot.ada, "Yes, end it").startswith("Noted.")
    assert bot.texts(bot.group)[-1].endswith("\nAgreed: \u2068Ada\u2069\nStill asked: \u2068Bruno\u2069")
    assert bot.match().stage == "playing"


def test_a_no_takes_the_question_back(bot: Flow) -> None:
    id = bot.begin().id
    bot.wait(45)
    bot.say(bot.ada, "/cancel")
    question, yes = bot.button("Yes, end it", bot.group)
    bot.press_data(bot.ada, bot.group, question, yes)
    assert bot.press(bot.bruno, "No, play on") == "The match goes on."
    bot.press_data(bot.bruno, bot.group, question, yes)
    assert bot.load(id).stage == "playing"
    assert bot.load(id).consent is None


def test_consent_is_asked_anew_after_every_question(bot: Flow) -> None:
    """Who said yes to an earlier question has said nothing to a later one."""
    id = bot.begin().id
    for answer in ("Yes, end it", "No, play on"):
        bot.wait(25)
        bot.say(bot.ada, "/cancel")
        bot.press(bot.ada, answer)
    bot.wait(25)
    bot.say(bot.ada, "/cancel")
    assert bot.press(bot.bruno, "Yes, end it").startswith("Noted.")
    assert bot.load(id).stage == "playing"


def test_an_administrator_who_does_not_play_may_end_a_match(bot: Flow) -> None:
    id = bot.begin().id
    nora = bystander(bot)
    bot.world.groups.set_status(nora, bot.group, "administrator")
    bot.wait(45)
    bot.say(nora, "/cancel")
    bot.press(nora, "Yes, end it")
    assert bot.load(id).stage == "cancelled"


def test_a_stranger_is_told_who_can_end_a_match(bot: Flow) -> None:
    bot.begin()
    bot.wait(45)
    nora = bystander(bot)
    bot.say(nora, "/cancel")
    assert bot.texts(bot.group)[-1] == "Only \u2068Ada\u2069 (the host) or a group administrator can do that."


def test_nothing_to_end(bot: Flow) -> None:
    bot.say(bot.ada, "/cancel")
    assert "Nothing is being played here" in bot.texts(bot.group)[-1]


def test_practice_is_ended_in_private(bot: Flow) -> None:
    bot.press(bot.ada, "Practise now", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    match = bot.match()
    make(bot, match, bot.ada, quiet(match, 0))
    bot.say(bot.ada, "/cancel", bot.ada)
    bot.press(bot.ada, "Yes, end it", bot.ada)
    assert bot.load(match.id).stage == "cancelled"
    assert "has cancelled the match" in "".join(bot.texts(bot.ada))
    bot.press(bot.ada, "Practise now", bot.ada)
    assert bot.match().id != match.id
