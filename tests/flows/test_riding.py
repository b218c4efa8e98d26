"""The edit of a pressed message rides on the webhook's answer: what that saves, when it may not, what may be lost."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from werkzeug.test import TestResponse

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.dispatch import handle, handle_by_calls
from handler.table import LEASE_SECONDS, change
from handler.webhook import SECRET_HEADER, make_app
from infra.local.botapi import errors
from infra.local.botapi.errors import Refusal, flood
from infra.local.botapi.faults import refused
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.local.botapi.world import Call
from infra.telegram import BotTelegram
from tests.flows.frail import Frail
from tests.flows.house import SECRET, Flow
from tests.flows.players import find
from tests.flows.segments import heard, lobby

OWL, HAWK = ("s" + write(Reveal(bird)) for bird in (Bird.OWL, Bird.HAWK))


def pressed(bot: Flow, user: int, tail: str) -> Any:
    """A press on somebody's panel as an update that nobody has delivered yet."""
    found = find(bot, user, bot.match(), tail)
    assert found is not None
    return brought(bot, user, user, *found)


def brought(bot: Flow, user: int, chat: int, message: int, data: str) -> Any:
    bot.world.people.press(user, chat, message, data)
    [update] = bot.world.pending()
    bot.world.acknowledge(update["update_id"])
    return update


def made(bot: Flow, update: Any) -> list[Call]:
    """The calls that come of an update."""
    before = len(bot.world.calls)
    assert bot.post(update) == 200
    return bot.world.calls[before:]


def unheard(bot: Flow, update: Any) -> TestResponse:
    """The bot answers an update, and Telegram never gets the answer."""
    headers = {SECRET_HEADER: SECRET, "Content-Type": "application/json"}
    answer = bot.client.post("/telegram", data=json.dumps(update), headers=headers)
    assert answer.status_code == 200
    return answer


def short(calls: list[Call]) -> list[tuple[str, bool]]:
    return [(call.method, call.replied) for call in calls]


def test_a_press_in_a_fresh_process_makes_one_call_before_its_toast_and_none_after() -> None:
    bot = Frail(short=False)
    lobby(bot)
    for user, tail in ((bot.ada, OWL), (bot.ada, "l"), (bot.bruno, HAWK)):
        fresh = BotTelegram(TOKEN, "http://telegram.test", WorldTransport(bot.world))
        bot.line = fresh
        bot.boot()
        calls = made(bot, pressed(bot, user, tail))
        assert short(calls) == [("answerCallbackQuery", False), ("editMessageText", True)]
        fresh.close()
    bot.close()


def test_telegram_is_asked_for_the_same_as_by_a_call(bot: Flow) -> None:
    bot.begin()
    update = pressed(bot, bot.ada, OWL)
    *_, ridden = made(bot, update)
    before = len(bot.world.calls)
    handle_by_calls(bot.ports, update)
    *_, called = bot.world.calls[before:]
    assert (ridden.replied, called.replied) == (True, False)
    assert (ridden.method, ridden.params) == (called.method, called.params)
    assert {"text", "parse_mode", "link_preview_options", "reply_markup"} < ridden.params.keys()
    assert "message is not modified" in called.answer.text


def test_what_was_pressed_is_edited_before_what_came_of_it_is_told(bot: Flow) -> None:
    bot.begin()
    bot.wait(70)
    bot.say(bot.ada, "/resign")
    calls = made(bot, brought(bot, bot.ada, bot.ada, *bot.button("Yes, I resign", bot.ada)))
    assert not any(call.replied for call in calls)
    assert [call.method for call in calls[:2]] == ["answerCallbackQuery", "editMessageText"]
    assert any(call.params.get("chat_id") == bot.group for call in calls[2:])


def test_a_panel_is_edited_before_what_was_still_untold_is_told(bot: Flow) -> None:
    """Its press takes over from a teller that died, who may have to draw the same panel."""
    match = bot.begin()
    died = change(bot.ports, match.id, lambda match: (replace(match, title="The Orchard"), None))
    assert died is not None
    assert died.tells
    bot.clock.time += LEASE_SECONDS
    calls = made(bot, pressed(bot, bot.ada, OWL))
    assert [(call.method, call.replied) for call in calls[:2]] == [
        ("answerCallbackQuery", False),
        ("editMessageText", False),
    ]
    assert len(calls) > 2


def test_a_press_that_is_not_surely_on_a_message_leaves_nothing_to_the_answer(bot: Flow) -> None:
    bot.begin()
    for kept in (("chat", "message_id"), ("chat", "message_id", "date", "from", "text")):
        press = pressed(bot, bot.ada, OWL)
        message = press["callback_query"]["message"]
        unsure = {"date": 0, **{name: message[name] for name in kept}}
        calls = made(bot, {**press, "callback_query": {**press["callback_query"], "message": unsure}})
        assert short(calls) == [("answerCallbackQuery", False), ("editMessageText", False)]


def test_whoever_forges_a_press_with_the_secret_is_given_nothing_to_read(bot: Flow) -> None:
    """Telegram does not know a press that was not made, and so its panel is drawn in its player's chat alone."""
    bot.begin()
    press = pressed(bot, bot.ada, OWL)
    forged = {**press, "callback_query": {**press["callback_query"], "id": "4242424242"}}
    before = len(bot.world.calls)
    answer = unheard(bot, forged)
    assert (answer.status_code, answer.mimetype, answer.text) == (200, "text/plain", "ok")
    assert short(bot.world.calls[before:]) == [("answerCallbackQuery", False), ("editMessageText", False)]
    assert unheard(bot, press).mimetype == "application/json"
    assert unheard(bot, press).text == "ok", "nor does it know one that has been answered"


@pytest.mark.parametrize(
    "refusal", [flood(30), errors.EDIT_NOT_FOUND, errors.CANT_EDIT, errors.BLOCKED], ids=lambda each: str(each)[:30]
)
def test_an_edit_that_fails_unheard_leaves_a_panel_one_press_old(
    bot: Flow, refusal: Refusal, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    bot.begin()
    panel = find(bot, bot.ada, bot.match(), OWL)
    assert panel is not None
    before = bot.world.message(bot.ada, panel[0])
    bot.world.faults.expect("editMessageText", refused(refusal), chat=bot.ada)
    assert short(made(bot, pressed(bot, bot.ada, OWL))) == [("answerCallbackQuery", False), ("editMessageText", True)]
    assert bot.match().box[0].text == write(Reveal(Bird.OWL))
    assert bot.world.message(bot.ada, panel[0]) == before
    made(bot, pressed(bot, bot.ada, HAWK))
    assert "Hawk" in bot.world.message(bot.ada, panel[0])["text"]
    assert caplog.records == []


class HardOfHearing(Frail):
    """Telegram makes only every second of the edits that ride."""

    answered = 0

    def post(self, update: Any) -> int:
        self.answered += 1
        if self.answered % 2 == 0:
            return super().post(update)
        unheard(self, update)
        return 200


def test_whoever_presses_again_what_showed_nothing_plays_the_same_match() -> None:
    played = []
    for kind in (Frail, HardOfHearing):
        bot = kind()
        lobby(bot)
        if isinstance(bot, HardOfHearing):
            bot.answered = 0
        for user, tail in ((bot.ada, OWL), (bot.bruno, HAWK), (bot.ada, "l"), (bot.bruno, "l")):
            for _ in range(1 if tail == "l" else 2):
                bot.push(user, user, tail)
        bot.wait(60)
        record = bot.match().record
        assert record is not None
        played.append((record.steps, heard(bot, bot.group), heard(bot, bot.ada), heard(bot, bot.bruno)))
        bot.close()
    assert played[0] == played[1]
    assert len(played[0][0]) == 1


def test_an_answer_that_is_lost_takes_its_edit_along_and_both_come_again(bot: Flow) -> None:
    bot.begin()
    update = pressed(bot, bot.ada, OWL)
    message = update["callback_query"]["message"]["message_id"]
    shown = bot.world.message(bot.ada, message)
    unheard(bot, update)
    assert bot.world.message(bot.ada, message) == shown
    [*_, edit] = made(bot, update)
    assert (edit.method, edit.replied, edit.answer.status) == ("editMessageText", False, 200)
    [*_, again] = made(bot, update)
    assert "message is not modified" in again.answer.text
    assert bot.match().box[0].text == write(Reveal(Bird.OWL))


def test_an_edit_in_the_group_takes_its_place_in_the_groups_rate(bot: Flow) -> None:
    bot.begin()
    bot.wait(70)
    bot.say(bot.ada, "/rules gravity")
    before = len(bot.ports.rates.times(bot.group, bot.clock.now()))
    [*_, edit] = made(bot, brought(bot, bot.bruno, bot.group, *bot.button("Draft", bot.group)))
    assert (edit.method, edit.params["chat_id"], edit.replied) == ("editMessageText", bot.group, True)
    assert len(bot.ports.rates.times(bot.group, bot.clock.now())) == before + 1


@pytest.mark.parametrize("secret", ["", "guessed"])
def test_whoever_has_not_the_secret_is_answered_in_words_and_changes_nothing(bot: Flow, secret: str) -> None:
    bot.begin()
    client = make_app(partial(handle, bot.ports), SECRET).test_client()
    answer = client.post("/telegram", json=pressed(bot, bot.ada, OWL), headers={SECRET_HEADER: secret})
    assert (answer.status_code, answer.mimetype, answer.text) == (401, "text/plain", "unauthorized")
    assert bot.match().box == {}


def test_once_telegram_could_not_read_the_html_every_edit_is_a_call_that_tries_again_plain(bot: Flow) -> None:
    bot.begin()
    illegible = refused(errors.bad_request("can't parse entities: unsupported start tag"))
    bot.world.faults.expect("sendMessage", illegible, chat=bot.ada)
    bot.say(bot.ada, "/matches", bot.ada)
    calls = made(bot, pressed(bot, bot.ada, OWL))
    assert short(calls) == [("answerCallbackQuery", False), ("editMessageText", False)]
    bot.world.faults.expect("editMessageText", illegible, chat=bot.ada)
    *_, plain = made(bot, pressed(bot, bot.ada, HAWK))
    assert "parse_mode" not in plain.params
    assert plain.answer.status == 200


def test_an_edit_that_arrives_after_its_phase_is_mended_by_the_next_press_of_it(bot: Flow) -> None:
    """Nobody can call it back. It shows a choice that is over, which a press of it says."""
    match = bot.begin()
    found = find(bot, bot.ada, match, OWL)
    assert found is not None
    late = unheard(bot, pressed(bot, bot.ada, OWL))
    bot.wait(300)
    assert bot.match().number > match.number
    bot.world.replied(late.content_type, late.data)
    assert "Owl" in str(bot.labels(bot.ada))
    before = bot.store.load(match.id)
    _, edit = made(bot, brought(bot, bot.ada, bot.ada, *found))
    assert (edit.method, edit.replied) == ("editMessageText", True)
    assert find(bot, bot.ada, match, OWL) is None
    assert bot.store.load(match.id) == before


def test_by_long_polling_every_edit_is_a_call_and_a_lost_panel_is_sent_anew(bot: Flow) -> None:
    bot.begin()
    panels = len(bot.texts(bot.ada))
    before = len(bot.world.calls)
    handle_by_calls(bot.ports, pressed(bot, bot.ada, OWL))
    assert short(bot.world.calls[before:]) == [("answerCallbackQuery", False), ("editMessageText", False)]
    bot.world.faults.expect("editMessageText", refused(errors.EDIT_NOT_FOUND), chat=bot.ada)
    handle_by_calls(bot.ports, pressed(bot, bot.ada, HAWK))
    assert len(bot.texts(bot.ada)) == panels + 1
