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
from tests.flows.known_errors import ELSEWHERE, LOST, METHODS, PERSONAL, SAMPLES
from tests.flows.players import find
from tests.flows.segments import Aftermath, aftermath, check, heard, lobby, silent, until
from tests.shared import needs_shared


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


def test_a_group_that_must_rest_is_left_alone_until_then(frail: Frail) -> None:
    lobby(frail)
    frail.world.faults.expect("sendMessage", refused(flood(34)), chat=frail.group)
    close_reveals(frail)
    refused_at = len(frail.world.calls)
    assert said(frail, frail.ada, "Round 1. Between you and me") == 1
    frail.say(frail.ada, "/resign", frail.ada)
    frail.wait(33)
    assert calls(frail, frail.group, refused_at) == []
    frail.wait(2)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1
    assert said(frail, frail.group, "The draft.") == 1


def test_a_person_who_must_rest_holds_up_nobody_and_misses_nothing(frail: Frail) -> None:
    lobby(frail)
    frail.world.faults.expect("sendMessage", refused(flood(300)), chat=frail.ada)
    close_reveals(frail)
    start = frail.clock.time
    since = len(frail.world.calls)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1
    assert said(frail, frail.bruno, "You named no bird") == 1
    frail.push(frail.bruno, frail.group, "s" + write(Pick(Bird.RAVEN)))
    assert said(frail, frail.group, "drafts") + said(frail, frail.group, "picks") > 0
    frail.wait(299)
    assert [at for at, _ in calls(frail, frail.ada, since) if at < start + 300] == []
    frail.wait(1)
    assert said(frail, frail.ada, "Round 1. Between you and me") == 1


def test_a_toast_that_is_too_fast_changes_nothing(frail: Frail) -> None:
    lobby(frail)
    frail.world.faults.expect("answerCallbackQuery", refused(flood(34)))
    frail.push(frail.ada, frail.ada, "s" + write(Reveal(Bird.OWL)))
    assert frail.match().box[0].text == write(Reveal(Bird.OWL))


# --- 403: a person --------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", LOST, ids=str)
def test_the_group_is_told_once_of_a_person_who_cannot_be_reached(frail: Frail, refusal: Refusal) -> None:
    lobby(frail)
    frail.world.faults.expect("sendMessage", refused(refusal), chat=frail.bruno)
    close_reveals(frail)
    frail.wait(30)
    assert said(frail, frail.group, "I cannot write to \u2068Bruno\u2069") == 1
    assert said(frail, frail.bruno, "You named no bird") == 0
    until(frail, "guesses")
    frail.wait(200)
    assert said(frail, frail.group, "I cannot write to") == 1
    assert said(frail, frail.ada, "What your birds heard") > 0
    assert said(frail, frail.bruno, "What your birds heard") == 0


def test_presses_in_the_group_do_not_make_a_blocked_person_reachable(frail: Frail) -> None:
    lobby(frail)
    close_reveals(frail)
    frail.world.people.block(frail.bruno)
    frail.push(frail.bruno, frail.group, "s" + write(Pick(Bird.RAVEN)))
    frail.push(frail.ada, frail.group, "s" + write(Pick(Bird.ROBIN)))
    until(frail, "guesses")
    assert said(frail, frail.group, "I cannot write to") == 1
    frail.wait(60)
    until(frail, "draft")
    frail.push(frail.ada, frail.group, "s" + write(Pick(Bird.OWL)))
    frail.push(frail.bruno, frail.group, "s" + write(Pick(Bird.RAVEN)))
    frail.wait(20)
    assert said(frail, frail.group, "I cannot write to") == 1


@pytest.mark.parametrize("words", ["/start", "hello"])
def test_whoever_comes_back_hears_all_they_missed_in_order_and_gets_their_panel(frail: Frail, words: str) -> None:
    lobby(frail)
    close_reveals(frail)
    frail.world.people.block(frail.bruno)
    until(frail, "actions")
    until(frail, "guesses")
    until(frail, "actions")
    missed = len(heard(frail, frail.bruno))
    assert frail.match().number > 20
    frail.world.people.unblock(frail.bruno)
    if words == "/start":
        frail.world.people.start(frail.bruno)
    else:
        frail.world.people.say(frail.bruno, frail.bruno, words)
    frail.deliver()
    first = heard(frail, frail.bruno)[missed:]
    assert "Night 1." in first[0]
    assert frail.match().seats[1] is not None
    frail.push(frail.bruno, frail.bruno, "fa")
    assert [text for text in heard(frail, frail.bruno) if text.startswith("⏳")] == []
    until(frail, "guesses")
    nights = [text for text in heard(frail, frail.bruno) if "What your birds heard" in text]
    assert ["Night 1." in nights[0], "Night 2." in nights[1], len(nights)] == [True, True, 2]


def test_practice_waits_for_whoever_blocked_the_bot(frail: Frail) -> None:
    frail.say(frail.ada, "/gravity", frail.ada)
    frail.push_label(frail.ada, "Start", frail.ada)
    frail.world.people.block(frail.ada)
    frail.wait(700)
    assert frail.match().stage == "playing"
    calls_made = len(frail.world.calls)
    frail.wait(300)
    assert len(frail.world.calls) == calls_made
    frail.world.people.start(frail.ada)
    frail.deliver()
    nights = [text for text in heard(frail, frail.ada) if "Night 1" in text]
    assert nights
    assert said(frail, frail.ada, "I cannot write to") == 0


def test_a_person_lost_in_the_lobby_loses_only_their_seat(frail: Frail) -> None:
    frail.say(frail.ada, "/gravity")
    frail.push_label(frail.ada, "Join")
    frail.world.people.block(frail.bruno)
    frail.push_label(frail.bruno, "Join")
    assert frail.match().users == (frail.ada,)
    frail.world.people.start(frail.bruno)
    frail.deliver()
    assert frail.match().users == (frail.ada, frail.bruno)


# --- the group's screens --------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", [errors.EDIT_NOT_FOUND, errors.CANT_EDIT], ids=str)
def test_a_lost_board_is_sent_anew(frail: Frail, refusal: Refusal) -> None:
    lobby(frail)
    close_reveals(frail)
    frail.wait(30)
    boards = said(frail, frail.group, "The draft.")
    frail.world.faults.expect("editMessageText", refused(refusal), chat=frail.group)
    frail.push(frail.bruno, frail.group, "s" + write(Pick(Bird.RAVEN)))
    frail.wait(30)
    assert said(frail, frail.group, "The draft.") == boards + 1
    frail.push(frail.ada, frail.group, "s" + write(Pick(Bird.ROBIN)))
    frail.wait(30)
    assert said(frail, frail.group, "The draft.") == boards + 1


def test_a_panel_that_is_not_surely_there_is_sent_anew_when_it_is_pressed(frail: Frail) -> None:
    lobby(frail)
    panels = said(frail, frail.ada, "Your points")
    frail.world.faults.expect("editMessageText", refused(errors.EDIT_NOT_FOUND), chat=frail.ada)
    panel = find(frail, frail.ada, frail.match(), "s" + write(Reveal(Bird.OWL)))
    assert panel is not None
    frail.world.people.press(frail.ada, frail.ada, *panel)
    [press] = frail.world.pending()
    frail.world.acknowledge(press["update_id"])
    unsure = {"chat": press["callback_query"]["message"]["chat"], "message_id": panel[0], "date": 0}
    assert frail.post({**press, "callback_query": {**press["callback_query"], "message": unsure}}) == 200
    assert said(frail, frail.ada, "Your points") == panels + 1


def test_the_bot_does_not_ask_again_to_pin_where_it_may_not(frail: Frail) -> None:
    frail.world.groups.set_rights(frail.group, pin=False)
    silent(frail)
    assert [method for _, method in calls(frail, frail.group)].count("pinChatMessage") == 1


def test_a_lost_topic_is_answered_in_the_group(frail: Frail) -> None:
    forum = frail.world.groups.add_supergroup("The Aviary", frail.ada, forum=True)
    frail.world.groups.join(frail.bruno, forum)
    frail.world.groups.add_bot(forum, frail.ada)
    topic = frail.world.groups.add_topic(forum, frail.ada, "Perch")
    frail.world.people.say(frail.ada, forum, "/gravity", topic)
    frail.deliver()
    for user, label in ((frail.ada, "Join"), (frail.bruno, "Join"), (frail.ada, "Start")):
        frail.push_label(user, label, forum)
    frail.world.groups.delete_topic(forum, topic)
    close_reveals(frail)
    frail.wait(30)
    night = next(message for message in frail.world.history(forum) if "Night 1 of Round 1" in message.get("text", ""))
    assert "message_thread_id" not in night


@pytest.mark.parametrize("refusal", [errors.NO_TEXT_RIGHT, errors.TOPIC_CLOSED], ids=str)
def test_a_group_where_the_bot_may_not_write_plays_on_in_private(frail: Frail, refusal: Refusal) -> None:
    lobby(frail)
    frail.world.faults.expect("sendMessage", refused(refusal), times=1000, chat=frail.group)
    close_reveals(frail)
    until(frail, "guesses")
    assert said(frail, frail.ada, "What your birds heard") > 0
    tried = len(calls(frail, frail.group))
    frail.wait(40)
    assert len(calls(frail, frail.group)) == tried, "what is refused for good is not tried again and again"
    frail.world.faults.clear()
    until(frail, "draft")
    assert said(frail, frail.group, "Night 2 of Round 1") == 1


def test_a_refused_board_does_not_keep_the_file_back(frail: Frail) -> None:
    lobby(frail)
    close_reveals(frail)
    frail.world.faults.expect(
        "editMessageText", refused(errors.bad_request("something new")), times=50, chat=frail.group
    )
    frail.say(frail.ada, "/resign", frail.ada)
    frail.push_label(frail.ada, "Yes", frail.ada)
    frail.wait(60)
    assert aftermath(frail).files == 1


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


def test_a_week_without_telegram_does_not_overflow_the_wait(frail: Frail) -> None:
    lobby(frail)
    id = frail.match().id
    item = frail.store.load(id)
    assert item is not None
    # As if it had failed ten thousand times: what is not to be told now is told at the next news.
    taken = frail.store.take(item, Lease("test", frail.clock.time + 1), frail.clock.time)
    weary = write_telling(replace(read_telling(taken.telling), failures=10_000))
    frail.store.settle(replace(taken, telling=weary), done=True)
    frail.world.faults.expect("*", line("refuse"), times=1_000)
    frail.wait(60)
    frail.world.faults.clear()
    frail.wait(60)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1


def test_a_fault_of_our_own_at_one_screen_repeats_nothing_and_holds_up_nobody(
    frail: Frail, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby(frail)

    def broken_for_ada(match: Match, player: Player, menu: str = "") -> Message | None:
        if player == 0:
            raise RuntimeError("a fault in a view")
        return panel(match, player, menu)

    monkeypatch.setattr(player_telling, "panel", broken_for_ada)
    close_reveals(frail)
    until(frail, "actions")
    frail.wait(30)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1
    assert said(frail, frail.ada, "Round 1. Between you and me") == 1
    assert said(frail, frail.bruno, "You named no bird") == 1
    assert find(frail, frail.bruno, frail.match(), "fa")
    monkeypatch.undo()
    until(frail, "guesses")
    frail.push(frail.ada, frail.ada, "f" + write(Pass()))


def test_a_reminder_that_could_not_be_told_in_time_is_left_out(frail: Frail) -> None:
    lobby(frail)
    until(frail, "actions")
    frail.wait(5)
    frail.world.faults.expect("sendMessage", line("refuse"), times=1_000, chat=frail.ada)
    until(frail, "guesses")
    frail.world.faults.clear()
    frail.wait(50)
    assert said(frail, frail.bruno, "Your choice in") == 1
    assert said(frail, frail.ada, "Your choice in") == 0
    assert said(frail, frail.ada, "Night 1. What your birds heard") == 1


# --- every error there is a record of -------------------------------------------------------------


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


def test_a_process_that_does_not_know_its_name_yet_loses_no_update_and_tells_what_it_can(frail: Frail) -> None:
    lobby(frail)
    fresh = BotTelegram(TOKEN, "http://telegram.test", WorldTransport(frail.world))
    frail.line = fresh
    frail.boot()
    frail.world.faults.expect("getMe", broken(502), times=4)
    frail.push(frail.ada, frail.ada, "s" + write(Reveal(Bird.OWL)))
    assert frail.again == 0, "a press does not ask for it"
    assert frail.match().box[0].text == write(Reveal(Bird.OWL))
    frail.say(frail.bruno, "/matches@Raven_and_Dog_bot", frail.bruno)
    assert frail.again == 2
    assert said(frail, frail.bruno, "The Garden") > 0
    fresh.close()
    fresh = BotTelegram(TOKEN, "http://telegram.test", WorldTransport(frail.world))
    frail.line = fresh
    frail.boot()
    frail.world.faults.expect("getMe", broken(502), times=2)
    frail.wait(60)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1
    assert said(frail, frail.ada, "Round 1. Between you and me") == 1
    frail.wait(10)
    assert said(frail, frail.group, "The draft.") == 1
    fresh.close()
