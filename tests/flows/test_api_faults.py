"""The Bot API refuses, is slow or is gone: nothing is lost, nobody else waits, and the match goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from engine.game import Player
from engine.gravity.birds import Bird
from engine.gravity.moves import Pass, Pick, Reveal
from engine.gravity.notation import write
from handler import player_telling
from handler.codec import read_telling, write_telling
from handler.match import Match
from handler.message import Message
from handler.ports import Lease
from handler.screening import panel
from infra.local.botapi import errors
from infra.local.botapi.errors import Refusal, flood
from infra.local.botapi.faults import Fault, broken, line, refused
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.telegram import BotTelegram
from tests.flows.frail import Frail
from tests.flows.players import find
from tests.flows.segments import Aftermath, aftermath, check, heard, lobby, silent, until
from tests.shared import SHARED, needs_shared


@pytest.fixture
def bot() -> Iterator[Frail]:
    """A bot with the real client."""
    made = Frail(short=False)
    yield made
    assert made.world.violations == []
    made.close()


def close_reveals(bot: Frail) -> None:
    """Ada names the Owl, Bruno nobody."""
    for user, bird in ((bot.ada, Bird.OWL), (bot.bruno, None)):
        bot.push(user, user, "s" + write(Reveal(bird)))
        bot.push(user, user, "l")


def calls(bot: Frail, chat: int, since: int = 0) -> list[tuple[float, str]]:
    """Time and method of each call about a chat, from the ``since``-th call on."""
    return [(call.at, call.method) for call in bot.world.calls[since:] if call.params.get("chat_id") == chat]


def said(bot: Frail, chat: int, words: str) -> int:
    """How many messages that stand in a chat hold these words."""
    return sum(words in text for text in bot.texts(chat))


# --- 429 ------------------------------------------------------------------------------------------


def test_a_group_that_must_rest_is_left_alone_until_then(bot: Frail) -> None:
    lobby(bot)
    bot.world.faults.expect("sendMessage", refused(flood(34)), chat=bot.group)
    close_reveals(bot)
    refused_at = len(bot.world.calls)
    assert said(bot, bot.ada, "Round 1. Between you and me") == 1
    bot.say(bot.ada, "/resign", bot.ada)
    bot.wait(33)
    assert calls(bot, bot.group, refused_at) == []
    bot.wait(2)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1
    assert said(bot, bot.group, "The draft.") == 1


def test_a_person_who_must_rest_holds_up_nobody_and_misses_nothing(bot: Frail) -> None:
    lobby(bot)
    bot.world.faults.expect("sendMessage", refused(flood(300)), chat=bot.ada)
    close_reveals(bot)
    start = bot.clock.time
    since = len(bot.world.calls)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1
    assert said(bot, bot.bruno, "You named no bird") == 1
    bot.push(bot.bruno, bot.group, "s" + write(Pick(Bird.RAVEN)))
    assert said(bot, bot.group, "drafts") + said(bot, bot.group, "picks") > 0
    bot.wait(299)
    assert [at for at, _ in calls(bot, bot.ada, since) if at < start + 300] == []
    bot.wait(1)
    assert said(bot, bot.ada, "Round 1. Between you and me") == 1


def test_a_toast_that_is_too_fast_changes_nothing(bot: Frail) -> None:
    lobby(bot)
    bot.world.faults.expect("answerCallbackQuery", refused(flood(34)))
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))
    assert bot.match().box[0].text == write(Reveal(Bird.OWL))


# --- 403: a person --------------------------------------------------------------------------------

LOST = [errors.BLOCKED, errors.CANT_INITIATE, errors.DEACTIVATED, errors.CHAT_NOT_FOUND]


@pytest.mark.parametrize("refusal", LOST, ids=str)
def test_the_group_is_told_once_of_a_person_who_cannot_be_reached(bot: Frail, refusal: Refusal) -> None:
    lobby(bot)
    bot.world.faults.expect("sendMessage", refused(refusal), chat=bot.bruno)
    close_reveals(bot)
    bot.wait(30)
    assert said(bot, bot.group, "I cannot write to \u2068Bruno\u2069") == 1
    assert said(bot, bot.bruno, "You named no bird") == 0
    until(bot, "guesses")
    bot.wait(200)
    assert said(bot, bot.group, "I cannot write to") == 1
    assert said(bot, bot.ada, "What your birds heard") > 0
    assert said(bot, bot.bruno, "What your birds heard") == 0


def test_presses_in_the_group_do_not_make_a_blocked_person_reachable(bot: Frail) -> None:
    lobby(bot)
    close_reveals(bot)
    bot.world.people.block(bot.bruno)
    bot.push(bot.bruno, bot.group, "s" + write(Pick(Bird.RAVEN)))
    bot.push(bot.ada, bot.group, "s" + write(Pick(Bird.ROBIN)))
    until(bot, "guesses")
    assert said(bot, bot.group, "I cannot write to") == 1
    bot.wait(60)
    until(bot, "draft")
    bot.push(bot.ada, bot.group, "s" + write(Pick(Bird.OWL)))
    bot.push(bot.bruno, bot.group, "s" + write(Pick(Bird.RAVEN)))
    bot.wait(20)
    assert said(bot, bot.group, "I cannot write to") == 1


@pytest.mark.parametrize("words", ["/start", "hello"])
def test_whoever_comes_back_hears_all_they_missed_in_order_and_gets_their_panel(bot: Frail, words: str) -> None:
    lobby(bot)
    close_reveals(bot)
    bot.world.people.block(bot.bruno)
    until(bot, "actions")
    until(bot, "guesses")
    until(bot, "actions")
    missed = len(heard(bot, bot.bruno))
    assert bot.match().number > 20
    bot.world.people.unblock(bot.bruno)
    if words == "/start":
        bot.world.people.start(bot.bruno)
    else:
        bot.world.people.say(bot.bruno, bot.bruno, words)
    bot.deliver()
    first = heard(bot, bot.bruno)[missed:]
    assert "Night 1." in first[0]
    assert bot.match().seats[1] is not None
    bot.push(bot.bruno, bot.bruno, "fa")
    assert [text for text in heard(bot, bot.bruno) if text.startswith("⏳")] == []
    until(bot, "guesses")
    nights = [text for text in heard(bot, bot.bruno) if "What your birds heard" in text]
    assert ["Night 1." in nights[0], "Night 2." in nights[1], len(nights)] == [True, True, 2]


def test_practice_waits_for_whoever_blocked_the_bot(bot: Frail) -> None:
    bot.say(bot.ada, "/gravity", bot.ada)
    bot.push_label(bot.ada, "Add a house player", bot.ada)
    bot.push_label(bot.ada, "Start", bot.ada)
    bot.world.people.block(bot.ada)
    bot.wait(700)
    assert bot.match().stage == "playing"
    calls_made = len(bot.world.calls)
    bot.wait(300)
    assert len(bot.world.calls) == calls_made
    bot.world.people.start(bot.ada)
    bot.deliver()
    nights = [text for text in heard(bot, bot.ada) if "Night 1" in text]
    assert nights
    assert said(bot, bot.ada, "I cannot write to") == 0


def test_a_person_lost_in_the_lobby_loses_only_their_seat(bot: Frail) -> None:
    bot.say(bot.ada, "/gravity")
    bot.push_label(bot.ada, "Join")
    bot.world.people.block(bot.bruno)
    bot.push_label(bot.bruno, "Join")
    assert bot.match().users == (bot.ada,)
    bot.world.people.start(bot.bruno)
    bot.deliver()
    assert bot.match().users == (bot.ada, bot.bruno)


# --- the group's screens --------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", [errors.EDIT_NOT_FOUND, errors.CANT_EDIT], ids=str)
def test_a_lost_board_is_sent_anew(bot: Frail, refusal: Refusal) -> None:
    lobby(bot)
    close_reveals(bot)
    bot.wait(30)
    boards = said(bot, bot.group, "The draft.")
    bot.world.faults.expect("editMessageText", refused(refusal), chat=bot.group)
    bot.push(bot.bruno, bot.group, "s" + write(Pick(Bird.RAVEN)))
    bot.wait(30)
    assert said(bot, bot.group, "The draft.") == boards + 1
    bot.push(bot.ada, bot.group, "s" + write(Pick(Bird.ROBIN)))
    bot.wait(30)
    assert said(bot, bot.group, "The draft.") == boards + 1


def test_a_lost_panel_is_sent_anew_when_it_is_pressed(bot: Frail) -> None:
    lobby(bot)
    panels = said(bot, bot.ada, "Your points")
    bot.world.faults.expect("editMessageText", refused(errors.EDIT_NOT_FOUND), chat=bot.ada)
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))
    assert said(bot, bot.ada, "Your points") == panels + 1


def test_the_bot_does_not_ask_again_to_pin_where_it_may_not(bot: Frail) -> None:
    bot.world.groups.set_rights(bot.group, pin=False)
    silent(bot)
    assert [method for _, method in calls(bot, bot.group)].count("pinChatMessage") == 1


def test_a_lost_topic_is_answered_in_the_group(bot: Frail) -> None:
    forum = bot.world.groups.add_supergroup("The Aviary", bot.ada, forum=True)
    bot.world.groups.join(bot.bruno, forum)
    bot.world.groups.add_bot(forum, bot.ada)
    topic = bot.world.groups.add_topic(forum, bot.ada, "Perch")
    bot.world.people.say(bot.ada, forum, "/gravity", topic)
    bot.deliver()
    for user, label in ((bot.ada, "Join"), (bot.bruno, "Join"), (bot.ada, "Start")):
        bot.push_label(user, label, forum)
    bot.world.groups.delete_topic(forum, topic)
    close_reveals(bot)
    bot.wait(30)
    night = next(message for message in bot.world.history(forum) if "Night 1 of Round 1" in message.get("text", ""))
    assert "message_thread_id" not in night


@pytest.mark.parametrize("refusal", [errors.NO_TEXT_RIGHT, errors.TOPIC_CLOSED], ids=str)
def test_a_group_where_the_bot_may_not_write_plays_on_in_private(bot: Frail, refusal: Refusal) -> None:
    lobby(bot)
    bot.world.faults.expect("sendMessage", refused(refusal), times=1000, chat=bot.group)
    close_reveals(bot)
    until(bot, "guesses")
    assert said(bot, bot.ada, "What your birds heard") > 0
    tried = len(calls(bot, bot.group))
    bot.wait(40)
    assert len(calls(bot, bot.group)) == tried, "what is refused for good is not tried again and again"
    bot.world.faults.clear()
    until(bot, "draft")
    assert said(bot, bot.group, "Night 2 of Round 1") == 1


def test_a_refused_board_does_not_keep_the_file_back(bot: Frail) -> None:
    lobby(bot)
    close_reveals(bot)
    bot.world.faults.expect("editMessageText", refused(errors.bad_request("something new")), times=50, chat=bot.group)
    bot.say(bot.ada, "/resign", bot.ada)
    bot.push_label(bot.ada, "Yes", bot.ada)
    bot.wait(60)
    assert aftermath(bot).files == 1


# --- trouble on the line --------------------------------------------------------------------------


def test_telegram_is_down_for_minutes_and_everything_is_told_after() -> None:
    quiet = Frail(short=False)
    silent(quiet)
    wanted = aftermath(quiet)
    quiet.close()
    bot = Frail(short=False)
    lobby(bot)
    bot.world.faults.expect("*", line("refuse"), times=10_000)
    until(bot, "draft")
    bot.wait(400)
    assert bot.match().number == 2, "a deadline does not wait for Telegram"
    bot.world.faults.clear()
    bot.wait(60)
    for phase in ("actions", "guesses", "draft"):
        until(bot, phase)
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        bot.push_label(user, "Yes")
    bot.wait(200)
    check(bot, wanted, faults=0)
    bot.close()


@pytest.mark.parametrize(
    ("fault", "repeats"),
    [
        (line("refuse"), 0),
        (line("cut"), 0),
        (line("cut", takes_effect=True), 1),
        (line("hang"), 0),
        (line("hang", takes_effect=True), 1),
        (broken(502, "<html>Bad Gateway</html>"), 0),
        (broken(200, ""), 0),
        (refused(Refusal(500, "Internal Server Error")), 0),
        (refused(errors.UNAUTHORIZED), 0),
    ],
    ids=lambda value: str(value)[:60],
)
@pytest.mark.parametrize("method", ["sendMessage", "editMessageText", "pinChatMessage", "sendDocument"])
def test_no_trouble_on_the_line_loses_anything(method: str, fault: Fault, repeats: int) -> None:
    bot = Frail(short=False)
    lobby(bot)
    bot.wait(45)
    bot.world.faults.expect(method, fault, times=2, chat=bot.group)
    if method == "sendMessage":
        bot.world.faults.expect(method, fault, times=2, chat=bot.ada)
    resigned(bot)
    bot.wait(120)
    check(bot, clean_resigned(), faults=2 * repeats)
    bot.close()


def resigned(bot: Frail) -> None:
    """The short way from a begun match to its end."""
    close_reveals(bot)
    bot.push(bot.bruno, bot.group, "s" + write(Pick(Bird.RAVEN)))
    bot.wait(70)
    bot.say(bot.bruno, "/resign", bot.bruno)
    bot.push_label(bot.bruno, "Yes", bot.bruno)
    bot.wait(120)


@lru_cache
def clean_resigned() -> Aftermath:
    """What comes of the short way without a fault."""
    bot = Frail()
    lobby(bot)
    resigned(bot)
    bot.wait(120)
    found = aftermath(bot)
    bot.close()
    return found


def test_a_week_without_telegram_does_not_overflow_the_wait(bot: Frail) -> None:
    lobby(bot)
    id = bot.match().id
    item = bot.store.load(id)
    assert item is not None
    # As if it had failed ten thousand times: what is not to be told now is told at the next news.
    taken = bot.store.take(item, Lease("test", bot.clock.time + 1), bot.clock.time)
    weary = write_telling(replace(read_telling(taken.telling), failures=10_000))
    bot.store.settle(replace(taken, telling=weary), done=True)
    bot.world.faults.expect("*", line("refuse"), times=1_000)
    bot.wait(60)
    bot.world.faults.clear()
    bot.wait(60)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1


def test_a_fault_of_our_own_at_one_screen_repeats_nothing_and_holds_up_nobody(
    bot: Frail, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby(bot)

    def broken_for_ada(match: Match, player: Player, menu: str = "") -> Message | None:
        if player == 0:
            raise RuntimeError("a fault in a view")
        return panel(match, player, menu)

    monkeypatch.setattr(player_telling, "panel", broken_for_ada)
    close_reveals(bot)
    until(bot, "actions")
    bot.wait(30)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1
    assert said(bot, bot.ada, "Round 1. Between you and me") == 1
    assert said(bot, bot.bruno, "You named no bird") == 1
    assert find(bot, bot.bruno, bot.match(), "fa")
    monkeypatch.undo()
    until(bot, "guesses")
    bot.push(bot.ada, bot.ada, "f" + write(Pass()))


def test_a_reminder_that_could_not_be_told_in_time_is_left_out(bot: Frail) -> None:
    lobby(bot)
    until(bot, "actions")
    bot.wait(5)
    bot.world.faults.expect("sendMessage", line("refuse"), times=1_000, chat=bot.ada)
    until(bot, "guesses")
    bot.world.faults.clear()
    bot.wait(50)
    assert said(bot, bot.bruno, "Your choice in") == 1
    assert said(bot, bot.ada, "Your choice in") == 0
    assert said(bot, bot.ada, "Night 1. What your birds heard") == 1


# --- every error there is a record of -------------------------------------------------------------

SAMPLES = json.loads((SHARED / "botapi" / "errors.json").read_text()) if SHARED.is_dir() else []
METHODS = ("sendMessage", "editMessageText", "answerCallbackQuery", "pinChatMessage")
ELSEWHERE = {"kicked_group", "kicked_supergroup", "not_member", "group_deleted", "chat_not_found", "upgraded"}
"""After these the match is not where it was; test_places.py has them."""
PERSONAL = {"blocked", "cant_initiate", "deactivated"}
"""These are never answered in a group."""


def known() -> Iterator[Any]:
    """Each method with each error that it is known to be answered with."""
    for sample in SAMPLES:
        here = METHODS if sample["methods"] == ["*"] else set(METHODS) & set(sample["methods"])
        if "transport" not in sample and sample["id"] not in ELSEWHERE | PERSONAL:
            yield from (pytest.param(method, sample, id=f"{method}-{sample['id']}") for method in sorted(here))


@needs_shared
@pytest.mark.parametrize(("method", "sample"), list(known()))
def test_after_any_known_error_the_match_goes_on(method: str, sample: dict[str, Any]) -> None:
    bot = Frail(short=False)
    lobby(bot)
    bot.wait(45)
    text = sample.get("body_text", json.dumps(sample.get("body")))
    chat = None if method == "answerCallbackQuery" else bot.group
    bot.world.faults.expect(method, broken(sample["http_status"], text), chat=chat)
    resigned(bot)
    bot.wait(300)
    found, wanted = aftermath(bot), clean_resigned()
    assert (found.stage, found.steps, found.files) == (wanted.stage, wanted.steps, wanted.files)
    assert bot.world.faults.left == 0
    bot.close()


# --- getMe ----------------------------------------------------------------------------------------


def test_a_process_that_does_not_know_its_name_yet_loses_no_update_and_tells_what_it_can(bot: Frail) -> None:
    lobby(bot)
    fresh = BotTelegram(TOKEN, "http://telegram.test", WorldTransport(bot.world))
    bot.line = fresh
    bot.boot()
    bot.world.faults.expect("getMe", broken(502), times=4)
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))
    assert bot.again == 2
    assert bot.match().box[0].text == write(Reveal(Bird.OWL))
    fresh.close()
    fresh = BotTelegram(TOKEN, "http://telegram.test", WorldTransport(bot.world))
    bot.line = fresh
    bot.boot()
    bot.world.faults.expect("getMe", broken(502), times=2)
    bot.wait(60)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1
    assert said(bot, bot.ada, "Round 1. Between you and me") == 1
    bot.wait(10)
    assert said(bot, bot.group, "The draft.") == 1
    fresh.close()
