"""The host's call for an idle drafter (rule 6): who may make it, when, and what the record says of it."""

from __future__ import annotations

import json

from engine.documents import replay
from engine.gravity.birds import Bird
from engine.gravity.moves import Pick
from handler.match import Match
from tests.flows.house import START, Flow
from tests.flows.players import make


def drafting(bot: Flow, host: int) -> Match:
    """A match of Ada against Bruno, hosted by ``host``, in its first draft: it is Bruno's turn."""
    bot.say(host, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(host, "Start")
    bot.wait(60)
    match = bot.match()
    assert match.phase is not None
    assert (match.phase.name, match.phase.active) == ("draft", (1,))
    return match


def somebody(bot: Flow, status: str = "member") -> int:
    user = bot.world.people.add("Nora")
    bot.world.groups.join(user, bot.group)
    bot.world.groups.set_status(user, bot.group, status)
    bot.world.people.start(user)
    bot.deliver()
    return user


def said(bot: Flow) -> str:
    return bot.texts(bot.group)[-1]


def test_a_host_who_does_not_play_picks_the_bird_once_the_group_was_reminded(bot: Flow) -> None:
    nora = somebody(bot)
    match = drafting(bot, nora)
    bot.wait(59)
    bot.say(nora, "/pick")
    assert "before anybody may pick" in said(bot)
    assert bot.match().number == match.number
    bot.wait(1)
    bot.say(nora, "/pick")
    assert bot.press(nora, "Owl") == "Picked for Bruno."
    after = bot.match()
    assert (after.number, after.view(None).board.picks) == (match.number + 1, ((1, Bird.OWL, "host"),))
    assert after.view(None).board.idle == ()
    assert any("was silent, so the host picked: Owl." in text for text in bot.texts(bot.group))
    assert "Let the bot pick" not in bot.labels(bot.group), "the question is gone"


def test_the_record_says_who_picked_and_replays(bot: Flow) -> None:
    nora = somebody(bot)
    drafting(bot, nora)
    bot.wait(60)
    bot.say(nora, "/pick")
    bot.press(nora, "Owl")
    bot.say(nora, "/cancel")
    bot.press(nora, "Yes, end it")
    bot.wait(60)
    [file] = [message["document"] for message in bot.world.history(bot.group) if "document" in message]
    record = json.loads(bot.world.file(file["file_id"]) or b"")
    assert record["rounds"][0]["nights"][0]["drafts"] == [["p2", "owl", "host"]]
    assert replay(record)["ok"] is True


def test_a_host_who_plays_can_only_tell_the_bot_to(bot: Flow) -> None:
    match = drafting(bot, bot.ada)
    bot.wait(60)
    bot.say(bot.ada, "/pick")
    question = bot.world.history(bot.group)[-1]
    labels = [button["text"] for row in question["reply_markup"]["inline_keyboard"] for button in row]
    assert labels == ["Let the bot pick"]
    forged = f"{match.id}:pick:{match.number}.o!"
    assert "only let the bot pick" in bot.press_data(bot.ada, bot.group, question["message_id"], forged)
    assert bot.match().number == match.number
    assert bot.press(bot.ada, "Let the bot pick") == "Picked for Bruno."
    assert bot.match().view(None).board.picks == ((1, Bird.HAWK, "bot"),)


def test_others_are_told_who_can_and_an_administrator_may(bot: Flow) -> None:
    nora = somebody(bot)
    match = drafting(bot, bot.ada)
    bot.wait(60)
    bot.say(nora, "/pick")
    assert "(the host) or a group administrator" in said(bot)
    bot.say(bot.ada, "/pick")
    message, data = bot.button("Let the bot pick", bot.group)
    assert "Only Ada (the host)" in bot.press_data(nora, bot.group, message, data)
    assert bot.match().number == match.number
    bot.world.groups.set_status(nora, bot.group, "administrator")
    assert bot.press_data(nora, bot.group, message, data) == "Picked for Bruno."


def test_a_late_or_forged_pick_changes_nothing(bot: Flow) -> None:
    nora = somebody(bot)
    match = drafting(bot, nora)
    bot.wait(60)
    bot.say(nora, "/pick")
    message, data = bot.button("Owl", bot.group)
    for forged in ("o", "a!", "!", "resign", "g5h", "x" * 30):
        assert "does not work" in bot.press_data(nora, bot.group, message, f"{match.id}:pick:{match.number}.{forged}")
    for forged in ("", ".o!", "999.o!", "-1.o!"):
        assert bot.press_data(nora, bot.group, message, f"{match.id}:pick:{forged}") == "That turn is over."
    assert bot.match().number == match.number
    assert make(bot, match, bot.bruno, Pick(Bird.ROBIN))
    assert bot.press_data(nora, bot.group, message, data) == "That turn is over."
    assert [bird for _, bird, _ in bot.match().view(None).board.picks] == [Bird.ROBIN]


def test_a_player_cannot_pass_a_pick_off_as_the_hosts(bot: Flow) -> None:
    match = drafting(bot, bot.ada)
    message, _ = bot.button("Owl", bot.group)
    for verb in ("s", "f"):
        toast = bot.press_data(bot.bruno, bot.group, message, f"{match.id}:{match.number}:{verb}o!")
        assert "does not work" in toast
    assert bot.match().number == match.number


def test_a_channel_is_nobody_who_could_pick(bot: Flow) -> None:
    """Anybody in a group may speak as a channel of their own."""
    drafting(bot, bot.ada)
    bot.wait(60)
    channel = {"id": -1_001_234_567_890, "type": "channel", "title": "News"}
    fake = {"id": 136_817_688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
    group = {"id": bot.group, "type": "group", "title": "The Garden"}
    typed = {"message_id": 9_000, "date": int(START), "chat": group, "text": "/pick", "from": fake}
    assert bot.post({"update_id": 700_000_000, "message": {**typed, "sender_chat": channel}}) == 200
    assert "Channels cannot" in said(bot)


def test_nobodys_turn_is_nothing_to_pick(bot: Flow) -> None:
    bot.say(bot.ada, "/pick")
    assert "Nothing is being played here" in said(bot)
    bot.begin()
    bot.say(bot.ada, "/pick")
    assert said(bot) == "It is nobody's turn right now."
