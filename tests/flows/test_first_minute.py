"""The first minute: the bot comes into a group, and somebody opens its private chat, by whatever link."""

from __future__ import annotations

from typing import Any

import pytest

from handler.profiles import GROUPS_MOST, profile
from handler.words import plain, say, speaking
from infra.local.botapi.members import member_json
from infra.local.botapi.state import BOT_ID, BOT_JSON
from tests.flows.house import START, Flow
from tests.handler.positions import shown

GREETING = "Good evening"
FORBIDDEN = "I may not write there yet"


def another(bot: Flow, title: str, *, supergroup: bool = True) -> int:
    """Another group of Ada's, with the bot in it."""
    add = bot.world.groups.add_supergroup if supergroup else bot.world.groups.add
    group = add(title, bot.ada)
    bot.world.groups.add_bot(group, bot.ada)
    bot.deliver()
    return group


def greeted(bot: Flow, user: int, payload: str = "") -> str:
    """Somebody presses START, with what the link carried; what they are told last."""
    bot.world.people.start(user, payload)
    bot.deliver()
    return bot.texts(user)[-1]


def standing(bot: Flow, old: dict[str, Any], new: dict[str, Any], by: int | None = None) -> dict[str, Any]:
    """Telegram's news of the bot's standing in the group."""
    sender = {"id": by or bot.ada, "is_bot": False, "first_name": "Ada", "language_code": "en"}
    chat = {"id": bot.group, "type": "group", "title": "The Garden"}
    change = {"chat": chat, "from": sender, "date": int(START), "old_chat_member": old, "new_chat_member": new}
    return {"update_id": 800_000_000 + len(bot.world.calls), "my_chat_member": change}


def restricted(*, writes: bool, there: bool = True) -> dict[str, Any]:
    return member_json(BOT_JSON, "restricted") | {"can_send_messages": writes, "is_member": there}


# --- in a group ------------------------------------------------------------------------------------


def test_a_group_is_greeted_in_three_lines_with_buttons_in_the_language_of_whoever_added_the_bot(bot: Flow) -> None:
    text = bot.texts(bot.group)[-1]
    assert text.startswith(GREETING)
    assert len(text.splitlines()) == 3
    assert plain("lobby.name.gravity") in bot.labels(bot.group)
    noe = bot.world.people.add("Noé", language="es")
    group = bot.world.groups.add("El patio", noe)
    bot.world.groups.add_bot(group, noe)
    bot.deliver()
    with speaking("es"):
        assert bot.texts(group)[-1] == shown(say("table.greeting.group"))


def test_a_bot_that_comes_back_speaks_the_language_that_was_chosen_for_the_group(bot: Flow) -> None:
    bot.say(bot.ada, "/language")
    bot.press(bot.ada, "Español")
    bot.world.groups.remove_bot(bot.group, bot.ada)
    bot.wait(120)
    bot.world.groups.add_bot(bot.group, bot.ada)
    bot.deliver()
    with speaking("es"):
        assert bot.texts(bot.group)[-1] == shown(say("table.greeting.group"))


def test_where_it_may_not_write_whoever_added_it_is_told_what_to_allow(bot: Flow) -> None:
    group = bot.world.groups.add("The Aviary", bot.ada)
    bot.world.groups.set_rights(group, write=False)
    bot.world.groups.add_bot(group, bot.ada)
    bot.deliver()
    assert FORBIDDEN in bot.texts(bot.ada)[-1]
    assert "The Aviary" in bot.texts(bot.ada)[-1]
    assert not any(text.startswith(GREETING) for text in bot.texts(group))


def test_a_restricted_bot_does_not_try_and_greets_when_it_may(bot: Flow) -> None:
    before = len(bot.texts(bot.group))
    out = member_json(BOT_JSON, "left")
    silent = restricted(writes=False)
    assert bot.post(standing(bot, out, silent)) == 200
    assert FORBIDDEN in bot.texts(bot.ada)[-1]
    assert len(bot.texts(bot.group)) == before
    assert bot.post(standing(bot, silent, restricted(writes=True))) == 200
    assert bot.texts(bot.group)[-1].startswith(GREETING)
    calls = len(bot.world.calls)
    for change in (
        (restricted(writes=True), member_json(BOT_JSON, "member")),
        (member_json(BOT_JSON, "member"), silent),
        (out, restricted(writes=True, there=False)),
    ):
        assert bot.post(standing(bot, *change)) == 200
    assert len(bot.world.calls) == calls, "what else changes needs no word"


@pytest.mark.parametrize("by", [1_087_968_824, 5_555])
def test_whoever_cannot_be_told_is_not(bot: Flow, by: int) -> None:
    """An anonymous administrator, and somebody who never started the bot."""
    before = {chat: len(bot.texts(chat)) for chat in (bot.group, bot.ada, bot.bruno)}
    change = standing(bot, member_json(BOT_JSON, "left"), restricted(writes=False), by)
    assert bot.post(change) == 200
    assert {chat: len(bot.texts(chat)) for chat in before} == before


# --- in private ------------------------------------------------------------------------------------


def test_start_lists_the_open_lobbies_of_groups_where_somebody_was_seen(bot: Flow) -> None:
    aviary, kennel = another(bot, "The Aviary"), another(bot, "The Kennel", supergroup=False)
    for group in (aviary, kennel):
        bot.world.groups.join(bot.bruno, group)
        bot.deliver()
        bot.say(bot.ada, "/gravity", group)
        assert "Open lobbies" not in greeted(bot, bot.bruno), "where the bot has not seen somebody they may not be"
    card = max(message["message_id"] for message in bot.world.history(aviary))
    bot.say(bot.bruno, "/help", aviary)
    bot.press(bot.bruno, "Leave", kennel)
    text = greeted(bot, bot.bruno)
    assert text.startswith(GREETING)
    listed = text.partition("Open lobbies where you have been:\n")[2].splitlines()
    assert listed == [
        "• Gravity Pandemic in \u2068The Kennel\u2069",
        "• Gravity Pandemic in \u2068The Aviary\u2069",
    ]
    [link] = [entity["url"] for entity in bot.world.history(bot.bruno)[-1]["entities"] if entity["type"] == "text_link"]
    assert link == f"https://t.me/c/{str(aviary).removeprefix('-100')}/{card}"


def test_lobbies_that_cannot_be_joined_are_not_listed(bot: Flow) -> None:
    bot.world.groups.set_status(BOT_ID, bot.group, "administrator")
    bot.say(bot.bruno, "/help")
    bot.say(bot.ada, "/gravity")
    assert "Open lobbies" in greeted(bot, bot.bruno)
    bot.press(bot.bruno, "Join")
    assert "Open lobbies" not in greeted(bot, bot.bruno), "there is a seat already"
    bot.press(bot.bruno, "Leave")
    bot.world.groups.set_status(bot.bruno, bot.group, "left")
    assert "Open lobbies" not in greeted(bot, bot.bruno), "they have left the group"
    bot.world.groups.set_status(BOT_ID, bot.group, "member")
    assert "Open lobbies" not in greeted(bot, bot.bruno), "an administrator or not, the bot has been told so"
    bot.world.groups.set_status(bot.bruno, bot.group, "member")
    bot.press(bot.ada, "Join")
    bot.press(bot.ada, "Add a house player")
    assert "Open lobbies" not in greeted(bot, bot.bruno), "all seats are taken"


def test_a_group_that_somebody_leaves_is_forgotten(bot: Flow) -> None:
    """Also where the bot is no administrator, and Telegram would not tell it later."""
    bot.say(bot.bruno, "/help")
    bot.say(bot.ada, "/gravity")
    bot.world.groups.leave(bot.bruno, bot.group)
    bot.deliver()
    assert profile(bot.ports, bot.bruno).groups == ()
    assert "Open lobbies" not in greeted(bot, bot.bruno)


def test_at_most_five_lobbies_are_listed_and_ten_groups_kept(bot: Flow) -> None:
    for number in range(GROUPS_MOST + 1):
        group = another(bot, f"Group {number}")
        bot.world.groups.join(bot.bruno, group)
        bot.deliver()
        bot.say(bot.ada, "/gravity", group)
        bot.say(bot.bruno, "/help", group)
    seen = [each.title for each in profile(bot.ports, bot.bruno).groups]
    assert seen == [f"Group {number}" for number in range(GROUPS_MOST, 0, -1)]
    assert greeted(bot, bot.bruno).count("• Gravity Pandemic in") == 5


def test_what_is_known_already_is_not_written_again(bot: Flow) -> None:
    bot.say(bot.bruno, "/help")
    kept = bot.people.profile(bot.bruno)
    assert kept is not None
    written = []
    keep = bot.people.keep_profile

    def counting(id: int, body: str, was: str | None) -> bool:
        written.append(id)
        return keep(id, body, was)

    bot.people.keep_profile = counting  # type: ignore[method-assign]
    for _ in range(2):
        bot.say(bot.bruno, "/help")
    assert written == []


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        ("", GREETING),
        ("hello", GREETING),
        ("join-aaaaaaaa", "That lobby is no longer open."),
        ("panel-aaaaaaaa", "You have no seat in that match."),
        ("join-", "That link leads nowhere any more."),
        ("panel-", "That link leads nowhere any more."),
        ("join", "That link leads nowhere any more."),
        ("free_coins", "That link leads nowhere any more."),
        ("JOIN-AAAAAAAA", "That link leads nowhere any more."),
        ("join-<b>&amp;", "That lobby is no longer open."),
    ],
)
def test_a_link_that_leads_nowhere_is_said_to_and_the_greeting_follows(bot: Flow, payload: str, told: str) -> None:
    text = greeted(bot, bot.ada, payload)
    assert text.startswith(told)
    assert text.endswith("appear in this chat.")
    assert "My matches" in bot.labels(bot.ada)


def test_whoever_joins_before_they_have_started_the_bot_is_seated_by_the_same_press(bot: Flow) -> None:
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.say(bot.ada, "/gravity")
    link = bot.press(nora, "Join")
    id = bot.match().id
    assert link == f"https://t.me/raven_and_dog_bot?start=join-{id}"
    assert greeted(bot, nora, f"join-{id}").startswith("You have a seat in the match of Gravity Pandemic")
    assert bot.match().player(nora) == 0
    bot.say(nora, "/matches")
    assert "You have a seat in a lobby" in bot.texts(nora)[-1]


def test_whoever_cannot_be_answered_in_private_is_told_to_press_start(bot: Flow) -> None:
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.say(nora, "/matches")
    assert "press START" in bot.texts(bot.group)[-1]
    assert greeted(bot, nora, "hello").startswith(GREETING)
