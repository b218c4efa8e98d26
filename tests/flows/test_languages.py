"""Who is spoken to in which language: each person in theirs, a group in one, and who may choose it."""

from __future__ import annotations

from typing import Any

import pytest

from handler.profiles import profile
from handler.words import plain, say, speaking
from infra.local.botapi.people import People
from tests.flows.house import Flow
from tests.handler.positions import shown


def spanish(key: str, **values: str | int) -> str:
    """A text as Spanish has it, without tags."""
    with speaking("es"):
        return shown(say(key, **values))


def label(key: str) -> str:
    """A button as Spanish has it."""
    with speaking("es"):
        return plain(key)


def neighbour(bot: Flow, name: str = "Noé", language: str = "es-419") -> int:
    """Somebody in the group, and in the bot's private chat, whose app is in another language."""
    user = bot.world.people.add(name, language=language)
    bot.world.groups.join(user, bot.group)
    bot.world.people.start(user)
    bot.deliver()
    return user


def done(spoken: str, chosen: str) -> str:
    """What whoever chose a language is told, in the one that is spoken to them."""
    with speaking(spoken):
        return plain("settings.language.done", language=chosen)


def speak(bot: Flow, user: int, language: str, chat: int | None = None) -> str:
    """Somebody asks for the languages and presses one; the toast."""
    bot.say(user, "/language", chat)
    return bot.press(user, language, chat)


def both(bot: Flow, other: int, opener: int) -> None:
    """A match of Ada against somebody else has begun."""
    bot.say(opener, "/gravity")
    card = bot.match()
    board = bot.world.history(bot.group)[-1]["message_id"]
    for user in (bot.ada, other):
        bot.press_data(user, bot.group, board, f"{card.id}:join:")
    bot.press_data(opener, bot.group, board, f"{card.id}:start:")
    bot.wait(45)


def test_the_language_of_the_app_is_spoken_at_first(bot: Flow) -> None:
    noe = neighbour(bot)
    assert bot.texts(noe)[-1] == spanish("table.greeting.private", name="\u2068Noé\u2069")
    bot.say(bot.ada, "/start", bot.ada)
    assert bot.texts(bot.ada)[-1].startswith("Good evening")


def test_each_player_is_told_in_their_own_and_the_group_in_that_of_whoever_opened(bot: Flow) -> None:
    noe = neighbour(bot)
    both(bot, noe, opener=bot.ada)
    assert any("The match begins." in text for text in bot.texts(bot.group))
    assert label("table.button.panel") not in bot.labels(bot.group)
    match = bot.match()
    with speaking("es"):
        panels = bot.texts(noe)
        assert any(text.startswith(shown(say("lobby.private.asking", **asked(match, "Noé")))) for text in panels)
    assert "Name one bird" in bot.texts(bot.ada)[-1]
    assert "Name one bird" not in bot.texts(noe)[-1]


def asked(match: Any, name: str) -> dict[str, str]:
    return {
        "name": f"\u2068{name}\u2069",
        "game": plain(f"lobby.name.{match.game}"),
        "title": f"\u2068{match.title}\u2069",
    }


def test_whoever_presses_is_answered_in_their_own_language(bot: Flow) -> None:
    noe = neighbour(bot)
    bot.say(bot.ada, "/gravity")
    assert bot.press(noe, "Join") == label("lobby.toast.seated")
    assert bot.press(bot.ada, "Join") == "You have a seat."
    assert bot.press(noe, "Start") == label("lobby.toast.host")
    assert "free seat" not in bot.texts(bot.group)[-1]
    bot.press(bot.ada, "Start")
    match = bot.match()
    board = bot.world.history(bot.group)[-1]["message_id"]
    assert bot.press_data(noe, bot.group, board, f"{match.id}:9:l") == label("table.toast.phase_over")
    stranger = neighbour(bot, "Eva")
    assert bot.press_data(stranger, bot.group, board, f"{match.id}:0:l") == label("table.toast.stranger")


def test_a_group_speaks_the_language_of_whoever_opens_the_lobby(bot: Flow) -> None:
    noe = neighbour(bot)
    bot.say(noe, "/gravity")
    assert label("lobby.button.join") in bot.labels(bot.group)
    bot.say(bot.ada, "/status")
    assert "The lobby closes by itself" not in bot.texts(bot.group)[-1], "what is played here has its language"
    assert bot.press(bot.ada, label("lobby.button.join")) == "You have a seat.", "and whoever presses has theirs"


def test_a_person_chooses_for_themselves_and_every_open_match_knows(bot: Flow) -> None:
    bot.begin()
    before = bot.texts(bot.group)
    assert speak(bot, bot.ada, "Español", bot.ada) == done("es", "Español")
    assert bot.texts(bot.ada)[-1] == spanish("settings.language.mine")
    assert "✓ Español" in bot.labels(bot.ada)
    seats = [who.language for who in bot.match().seats if who is not None]
    assert seats == ["es", "en"]
    assert bot.match().language == "en"
    assert bot.texts(bot.group) == before, "the group hears nothing of it"
    bot.press(bot.ada, "✓ Español", bot.ada)
    bot.say(bot.ada, "/start", bot.ada)
    assert bot.texts(bot.ada)[-1] == spanish("table.greeting.private", name="\u2068Ada\u2069")
    bot.say(bot.ada, "/matches")
    assert bot.texts(bot.ada)[-1] == spanish("table.reply.your_matches"), "answers in private are theirs, too"


def test_practice_follows_its_person(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity", bot.ada)
    assert speak(bot, bot.ada, "Español", bot.ada) == done("es", "Español")
    match = bot.match()
    assert (match.language, match.title) == ("es", label("table.practice"))
    assert speak(bot, bot.ada, "English", bot.ada) == done("en", "English")
    assert bot.match().title == plain("table.practice")


def test_the_host_or_an_administrator_chooses_for_the_group(bot: Flow) -> None:
    """Ada made the group. Bruno hosts; Noé only looks on."""
    noe = neighbour(bot)
    bot.say(noe, "/language")
    assert bot.texts(bot.group)[-1] == spanish("settings.language.admins_only")
    bot.say(bot.bruno, "/gravity")
    bot.say(noe, "/language")
    assert bot.texts(bot.group)[-1] == shown(say("settings.language.host_only", name="\u2068Bruno\u2069"))
    bot.wait(60)
    bot.say(bot.bruno, "/language")
    menu, data = bot.button("Español", bot.group)
    assert bot.press_data(noe, bot.group, menu, data) == label("settings.language.not_yours")
    assert bot.match().language == "en"
    assert bot.press_data(bot.bruno, bot.group, menu, data) == done("en", "Español")
    bot.wait(60)
    assert bot.match().language == "es"
    assert label("lobby.button.join") in bot.labels(bot.group), "the card says so at once"
    assert profile(bot.ports, bot.group).language == "es"
    bot.press_data(bot.ada, bot.group, menu, data.replace("es", "en"))
    assert bot.match().language == "en"


def test_what_was_chosen_for_a_group_is_spoken_whoever_opens(bot: Flow) -> None:
    assert speak(bot, bot.ada, "Español") == done("en", "Español")
    bot.say(bot.bruno, "/gravity")
    assert bot.match().language == "es"
    assert label("lobby.button.join") in bot.labels(bot.group)
    assert bot.press(bot.bruno, label("lobby.button.join")) == "You have a seat."


def test_rights_are_asked_when_the_button_is_pressed(bot: Flow) -> None:
    bot.say(bot.ada, "/language")
    menu, data = bot.button("Español", bot.group)
    bot.world.groups.set_status(bot.ada, bot.group, "member")
    assert bot.press_data(bot.ada, bot.group, menu, data) == plain("settings.language.not_yours")
    assert profile(bot.ports, bot.group).language is None


@pytest.mark.parametrize("data", ["-:language:", "-:language:xx", "-:language:es.en"])
def test_a_language_that_is_not_spoken_changes_nothing(bot: Flow, data: str) -> None:
    bot.say(bot.ada, "/language", bot.ada)
    menu, _ = bot.button("Español", bot.ada)
    assert bot.press_data(bot.ada, bot.ada, menu, data) == "That button does not work any more."
    assert profile(bot.ports, bot.ada).language is None


def test_an_anonymous_administrator_is_offered_the_languages_and_a_channel_is_not(bot: Flow) -> None:
    group = {"id": bot.group, "type": "group", "title": "The Garden"}
    channel = {"id": -1_001_234_567_890, "type": "channel", "title": "News"}
    for id, sender_chat, told in ((1_087_968_824, group, "Which language"), (136_817_688, channel, "Channels cannot")):
        sender = {"id": id, "is_bot": True, "first_name": "Bot", "username": "Bot"}
        message = {"message_id": 9_000, "date": 1, "chat": group, "from": sender, "sender_chat": sender_chat}
        assert bot.post({"update_id": id, "message": {**message, "text": "/language"}}) == 200
        assert told in bot.texts(bot.group)[-1]
    assert bot.people.profile(1_087_968_824) is None


def test_a_press_in_a_phase_asks_for_no_profile(bot: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    bot.begin()

    def never(id: int) -> str | None:
        raise AssertionError(f"nobody needs the profile of {id}")

    monkeypatch.setattr(bot.people, "profile", never)
    assert bot.press(bot.ada, "No bird", bot.ada)


def test_an_app_without_a_language_is_spoken_to_in_english(bot: Flow) -> None:
    people: People = bot.world.people
    ivy = people.add("Ivy", language="")
    people.start(ivy)
    bot.deliver()
    assert bot.texts(ivy)[-1].startswith("Good evening")
