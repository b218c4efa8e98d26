"""The simulated Telegram: what the bot's calls meet, and which updates people cause."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from infra.local.botapi import faults
from infra.local.botapi.checks import PNG
from infra.local.botapi.errors import BLOCKED, flood
from infra.local.botapi.methods import Upload
from infra.local.botapi.people import NotPossible
from infra.local.botapi.state import BOT_ID, BOT_USERNAME
from tests.infra.local.steps import Scene, scene
from tests.shared import SHARED, needs_shared

BUTTONS = {"inline_keyboard": [[{"text": "Join", "callback_data": "join"}]]}


def answers() -> dict[str, Any]:
    """The real server's refusals by name."""
    return {entry["id"]: entry.get("body") for entry in json.loads((SHARED / "botapi" / "errors.json").read_text())}


def refusals(at: Scene) -> dict[str, dict[str, Any]]:
    """The stand-in's refusals by the names of the real server's."""
    world, ada, group, found = at.world, at.ada, at.group, {}
    found["cant_initiate"] = at.refusal("sendMessage", chat_id=ada, text="x")
    world.people.start(ada)
    world.people.block(ada)
    found["blocked"] = at.refusal("sendMessage", chat_id=ada, text="x")
    found["chat_not_found"] = at.refusal("sendMessage", chat_id=-1, text="x")
    sent = at.send(group)["message_id"]
    found["not_modified"] = at.refusal("editMessageText", chat_id=group, message_id=sent, text="hello")
    found["edit_not_found"] = at.refusal("editMessageText", chat_id=group, message_id=999, text="x")
    found["cant_edit"] = at.refusal("editMessageText", chat_id=group, message_id=1, text="x")
    found["thread_not_found"] = at.refusal("sendMessage", chat_id=group, text="x", message_thread_id=1)
    found["query_too_old"] = at.refusal("answerCallbackQuery", callback_query_id="1")
    found["empty_text"] = at.refusal("sendMessage", chat_id=group, text=" ")
    found["too_long"] = at.refusal("sendMessage", chat_id=group, text="x" * 4097)
    for name, button in {
        "button_empty": {"text": "x"},
        "button_text_empty": {"text": "", "callback_data": "x"},
        "button_data": {"text": "x", "callback_data": "x" * 65},
    }.items():
        markup = {"inline_keyboard": [[button]]}
        found[name] = at.refusal("sendMessage", chat_id=group, text="x", reply_markup=markup)
    world.groups.set_rights(group, write=False)
    found["no_rights_text"] = at.refusal("sendMessage", chat_id=group, text="x")
    forum = world.groups.add_supergroup("Forum", ada, forum=True)
    world.groups.add_bot(forum, ada)
    topic = world.groups.add_topic(forum, ada, "Games")
    world.groups.close_topic(forum, topic)
    found["topic_closed"] = at.refusal("sendMessage", chat_id=forum, text="x", message_thread_id=topic)
    world.groups.remove_bot(forum, ada)
    found["kicked_supergroup"] = at.refusal("sendMessage", chat_id=forum, text="x")
    world.call("setWebhook", {"url": "http://127.0.0.1/"})
    found["conflict"] = at.refusal("getUpdates")
    world.groups.remove_bot(group, ada)
    found["kicked_group"] = at.refusal("sendMessage", chat_id=group, text="x")
    return found


@needs_shared
def test_refusals_are_worded_as_the_real_ones() -> None:
    real = answers()
    for name, body in refusals(scene()).items():
        assert body == real[name], name


def test_only_the_bots_own_mistakes_are_violations() -> None:
    at = scene()
    met = refusals(at)
    mistakes = ("empty_text", "too_long", "button_empty", "button_text_empty", "button_data")
    assert [violation.why for violation in at.world.violations] == [met[name]["description"] for name in mistakes]


def test_a_message_is_sent_edited_pressed_and_answered() -> None:
    at = scene()
    sent = at.send(at.group, "<b>Lobby</b>", parse_mode="HTML", reply_markup=BUTTONS)
    at.clock.go(5)
    query = at.world.people.press(at.ada, at.group, sent["message_id"], "join")
    (update,) = at.world.pending()
    assert update["callback_query"]["message"] == sent
    assert update["callback_query"]["from"]["id"] == at.ada
    edited = at.call("editMessageText", chat_id=at.group, message_id=sent["message_id"], text="Full")
    assert edited["edit_date"] == sent["date"] + 5
    assert "reply_markup" not in edited
    assert "entities" not in edited
    assert at.call("answerCallbackQuery", callback_query_id=query, text="Seated")
    assert at.refusal("answerCallbackQuery", callback_query_id=query)["error_code"] == 400
    assert at.world.violations == []


def test_a_press_must_be_answered_within_seconds() -> None:
    at = scene()
    sent = at.send(at.group, reply_markup=BUTTONS)
    in_time, late = (at.world.people.press(at.ada, at.group, sent["message_id"], "x") for _ in range(2))
    at.clock.go(15)
    assert at.call("answerCallbackQuery", callback_query_id=in_time)
    at.clock.go(1)
    assert "query is too old" in at.refusal("answerCallbackQuery", callback_query_id=late)["description"]


def test_a_press_that_nobody_answers_is_forgotten(tmp_path: Any) -> None:
    at = scene(tmp_path / "world.sqlite")
    sent = at.send(at.group)
    for _ in range(3):
        at.world.people.press(at.ada, at.group, sent["message_id"], "x")
    at.clock.go(15)
    assert len(at.world.desk.state.queries) == 3
    at.clock.go(1)
    last = at.world.people.press(at.ada, at.group, sent["message_id"], "x")
    assert [*at.world.desk.state.queries] == [last]
    at.world.close()
    again = type(at.world)(at.clock, tmp_path / "world.sqlite")
    assert [*again.desk.state.queries] == [last]
    again.close()


def test_a_world_remembers_as_many_calls_as_it_was_told_to() -> None:
    at = scene()
    short = type(at.world)(at.clock, memory=2)
    for world in (at.world, short):
        for _ in range(3):
            world.call("getMe", {})
            world.call("getYou", {})
    assert [call.method for call in short.calls] == ["getMe", "getYou"]
    assert [len(short.violations), len(at.world.violations), len(at.world.calls)] == [2, 3, 6]
    short.close()


def test_a_press_of_a_forger_goes_through_and_one_on_nothing_does_not() -> None:
    at = scene()
    sent = at.send(at.group)
    at.world.people.press(at.ada, at.group, sent["message_id"], "never offered")
    with pytest.raises(NotPossible):
        at.world.people.press(at.ada, at.group, 999, "x")
    stranger = at.world.people.add("Stranger")
    with pytest.raises(NotPossible):
        at.world.people.press(stranger, at.group, sent["message_id"], "x")
    assert len(at.world.pending()) == 1


def test_in_groups_the_bot_hears_commands_only() -> None:
    at = scene()
    for text in ("hello", "say /rules", "/rules", f"/rules@{BOT_USERNAME}", "/rules@other_bot"):
        at.world.people.say(at.ada, at.group, text)
    heard = [update["message"]["text"] for update in at.world.pending()]
    assert heard == ["/rules", f"/rules@{BOT_USERNAME}"]
    assert at.world.pending()[0]["message"]["entities"] == [{"type": "bot_command", "offset": 0, "length": 6}]


def test_start_opens_the_private_chat_with_its_payload() -> None:
    at = scene()
    at.world.people.start(at.ada, "seat_x")
    (update,) = at.world.pending()
    assert update["message"]["text"] == "/start seat_x"
    assert update["message"]["chat"] == {"id": at.ada, "type": "private", "first_name": "Ada"}
    assert at.send(at.ada)["chat"]["id"] == at.ada


def test_blocking_and_coming_back_are_told() -> None:
    at = scene()
    at.world.people.start(at.ada)
    at.forget()
    at.world.people.block(at.ada)
    at.world.people.start(at.ada)
    kinds = [next(key for key in update if key != "update_id") for update in at.world.pending()]
    statuses = [
        update["my_chat_member"]["new_chat_member"]["status"]
        for update in at.world.pending()
        if "my_chat_member" in update
    ]
    assert kinds == ["my_chat_member", "my_chat_member", "message"]
    assert statuses == ["kicked", "member"]


def test_a_group_becomes_a_supergroup() -> None:
    at = scene()
    new = at.world.groups.migrate(at.group, at.ada)
    to, since = at.world.pending()
    assert to["message"]["migrate_to_chat_id"] == new
    assert since["message"]["migrate_from_chat_id"] == at.group
    body = at.refusal("sendMessage", chat_id=at.group, text="x")
    assert body["parameters"] == {"migrate_to_chat_id": new}
    assert at.send(new)["chat"]["type"] == "supergroup"


def test_removal_is_told_twice_and_topics_are_kept_apart() -> None:
    at = scene()
    forum = at.world.groups.add_supergroup("Forum", at.ada, forum=True)
    at.world.groups.add_bot(forum, at.ada)
    topic = at.world.groups.add_topic(forum, at.ada, "Games")
    sent = at.send(forum, message_thread_id=topic)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic, True)
    at.forget()
    at.world.groups.remove_bot(forum, at.ada)
    told, seen = at.world.pending()
    assert {*told, *seen} == {"update_id", "my_chat_member", "message"}


def test_pins_members_and_administrators() -> None:
    at = scene()
    bruno = at.world.people.add("Bruno")
    at.world.groups.join(bruno, at.group)
    sent = at.send(at.group)["message_id"]
    assert at.call("pinChatMessage", chat_id=at.group, message_id=sent)
    assert at.world.history(at.group)[-1]["pinned_message"]["message_id"] == sent
    at.world.groups.set_rights(at.group, pin=False)
    assert "not enough rights" in at.refusal("pinChatMessage", chat_id=at.group, message_id=sent)["description"]
    assert at.call("getChatMember", chat_id=at.group, user_id=bruno)["status"] == "member"
    at.world.groups.set_status(bruno, at.group, "administrator")
    assert at.call("getChatMember", chat_id=at.group, user_id=bruno)["status"] == "administrator"
    assert at.call("getChatMember", chat_id=at.group, user_id=at.ada)["status"] == "creator"
    at.world.groups.leave(bruno, at.group)
    assert at.call("getChatMember", chat_id=at.group, user_id=bruno)["status"] == "left"
    assert at.call("getChatMember", chat_id=at.group, user_id=BOT_ID)["status"] == "member"


def test_a_document_can_be_fetched() -> None:
    at = scene()
    sent = at.call("sendDocument", chat_id=at.group, document=Upload("a.json", b"{}", "application/json"), caption="A")
    assert sent["caption"] == "A"
    assert at.world.file(sent["document"]["file_id"]) == b"{}"
    assert at.world.file("F9") is None


def a_picture(side: int = 3, name: str = "picture.png") -> Upload:
    return Upload(name, PNG + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", side, 2, 8, 2, 0, 0, 0, 0), "image/png")


def test_pictures_are_kept_and_edited() -> None:
    at = scene()
    sent = at.call("sendPhoto", chat_id=at.group, photo=a_picture(), caption="<b>A</b> ring", parse_mode="HTML")
    [size] = sent["photo"]
    assert (size["width"], size["height"], sent["caption"]) == (3, 2, "A ring")
    assert at.world.file(size["file_id"]) == a_picture().content
    message = {"chat_id": at.group, "message_id": sent["message_id"]}
    media = {"type": "photo", "media": a_picture(), "caption": "<b>A</b> ring", "parse_mode": "HTML"}
    assert "not modified" in at.refusal("editMessageMedia", **message, media=media)["description"]
    edited = at.call("editMessageMedia", **message, media={"type": "photo", "media": a_picture(4)})
    assert edited["photo"][0]["width"] == 4
    assert "caption" not in edited
    assert at.world.message(at.group, sent["message_id"]) == edited
    assert at.world.file(edited["photo"][0]["file_id"]) == a_picture(4).content


def test_a_group_may_forbid_pictures_alone() -> None:
    at = scene()
    sent = at.call("sendPhoto", chat_id=at.group, photo=a_picture())
    at.world.groups.set_rights(at.group, photos=False)
    assert "rights to send photos" in at.refusal("sendPhoto", chat_id=at.group, photo=a_picture())["description"]
    message, media = {"chat_id": at.group, "message_id": sent["message_id"]}, {"type": "photo", "media": a_picture(4)}
    assert "PHOTOS_FORBIDDEN" in at.refusal("editMessageMedia", **message, media=media)["description"]
    at.send(at.group)
    at.world.groups.set_rights(at.group, write=False)
    assert "rights to send photos" in at.refusal("sendPhoto", chat_id=at.group, photo=a_picture())["description"]
    assert at.world.violations == []


def test_only_a_message_with_a_picture_gets_another() -> None:
    at = scene()
    media = {"type": "photo", "media": a_picture()}
    written = at.send(at.group)["message_id"]
    refused = at.refusal("editMessageMedia", chat_id=at.group, message_id=written, media=media)
    assert "no media" in refused["description"]
    assert "not found" in at.refusal("editMessageMedia", chat_id=at.group, message_id=99, media=media)["description"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"GIF89a", "IMAGE_PROCESS_FAILED"),
        (a_picture(41).content, "PHOTO_INVALID_DIMENSIONS"),
        (a_picture(0).content, "PHOTO_INVALID_DIMENSIONS"),
        (b"", "non-empty"),
        (a_picture().content + bytes(10 * 1024 * 1024), "too big"),
    ],
)
def test_what_is_no_picture_for_telegram(content: bytes, why: str) -> None:
    at = scene()
    refused = at.refusal("sendPhoto", chat_id=at.group, photo=Upload("p.png", content, "image/png"))
    assert why in refused["description"]
    assert len(at.world.violations) == 1


@pytest.mark.parametrize("media", [{"type": "video"}, {"type": "photo", "media": "attach://lost"}, {"type": "photo"}])
def test_media_that_nobody_can_make_out(media: dict[str, Any]) -> None:
    at = scene()
    sent = at.call("sendPhoto", chat_id=at.group, photo=a_picture())["message_id"]
    at.refusal("editMessageMedia", chat_id=at.group, message_id=sent, media=media)
    assert len(at.world.violations) == 1


def test_getupdates_forgets_what_was_received() -> None:
    at = scene()
    for text in ("/a", "/b", "/c"):
        at.world.people.say(at.ada, at.group, text)
    first, *_ = at.call("getUpdates", limit=1)
    rest = at.call("getUpdates", offset=first["update_id"] + 1)
    assert [update["message"]["text"] for update in rest] == ["/b", "/c"]
    assert at.call("getUpdates", offset=-1) == rest[1:]
    assert at.call("getUpdates") == rest[1:]


def test_faults_come_first_and_may_take_effect() -> None:
    at = scene()
    at.world.faults.expect("sendMessage", faults.refused(flood(34)))
    at.world.faults.expect("*", faults.line("cut", takes_effect=True))
    at.world.faults.expect("getMe", faults.refused(BLOCKED))
    before = len(at.world.history(at.group))
    assert at.refusal("sendMessage", chat_id=at.group, text="x")["parameters"] == {"retry_after": 34}
    assert len(at.world.history(at.group)) == before
    assert at.world.call("sendMessage", {"chat_id": at.group, "text": "x"}).trouble == "cut"
    assert len(at.world.history(at.group)) == before + 1
    assert at.send(at.group)["text"] == "hello"
    assert at.world.faults.left == 1


def test_traffic_is_counted_by_the_minute() -> None:
    at = scene()
    for _ in range(3):
        at.send(at.group)
        at.clock.go(29)
    at.send(at.group)
    assert at.world.busiest_minute(at.group) == 3


def test_everything_survives_a_restart(tmp_path: Any) -> None:
    at = scene(tmp_path / "world.sqlite")
    at.world.people.start(at.ada)
    sent = at.send(at.ada, reply_markup=BUTTONS)
    query = at.world.people.press(at.ada, at.ada, sent["message_id"], "x")
    history, pending = at.world.history(at.ada), at.world.pending()
    # Without closing: what was changed is on the disk.
    again = Scene(at.clock, type(at.world)(at.clock, tmp_path / "world.sqlite"), at.ada, at.group)
    assert again.world.history(at.ada) == history
    assert again.world.pending() == pending
    assert again.call("answerCallbackQuery", callback_query_id=query)
    assert again.send(at.ada)["message_id"] == sent["message_id"] + 1
    new = again.world.people.say(at.ada, at.ada, "/x")
    assert again.world.pending()[-1] == {"update_id": pending[-1]["update_id"] + 1, "message": new}
    at.world.close()
    again.world.close()


def test_a_refused_call_leaves_nothing_behind(tmp_path: Any) -> None:
    at = scene(tmp_path / "world.sqlite")
    before = at.world.history(at.group)
    at.refusal("sendMessage", chat_id=at.group, text="x", reply_markup={"inline_keyboard": [[{"text": "x"}]]})
    at.refusal("sendDocument", chat_id=at.ada, document=Upload("a", b"a", "b"))
    at.world.close()
    again = type(at.world)(at.clock, tmp_path / "world.sqlite")
    assert again.history(at.group) == before
    again.close()
