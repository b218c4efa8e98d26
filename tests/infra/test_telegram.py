"""The Telegram client against a scripted Bot API: what it sends, what errors mean, and what it repeats."""

from __future__ import annotations

import json
import logging
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from importlib.abc import MetaPathFinder
from threading import Thread
from time import monotonic
from types import ModuleType
from typing import Any

import pytest
from markupsafe import Markup
from telegram.request import HTTPXRequest

from handler.message import Button, Message
from handler.ports import (
    Expelled,
    Forbidden,
    Me,
    MessageLost,
    Migrated,
    NotSent,
    Place,
    Refused,
    TelegramError,
    TooFast,
    Uncertain,
    Unreachable,
)
from infra import telegram
from infra.local.botapi.members import member_json
from infra.telegram import BotTelegram
from infra.telegram_errors import BadToken, Contested
from tests.infra.scripted_api import TOKEN, USER, Answer, Call, ScriptedApi
from tests.ports import kept
from tests.shared import SHARED, needs_shared

# python-telegram-bot announces that retry_after will become a timedelta; both are understood.
pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after.*:DeprecationWarning")

GROUP, PERSON = Place(-1001234567890123), Place(5000000000)
TEXT = Message(Markup("<b>Night 1</b>\nRaven &amp; Dog"))
BOARD = Message(
    TEXT.text,
    ((Button("Visit", data="v:1"), Button("Rules", data="r")), (Button("Open", url="https://t.me/b?start=x"),)),
)

PICTURE = b"\x89PNG of a ring"

SERVER_ERROR = Answer.error(500, "Internal Server Error")
HANG, CUT, HALF = Answer(trouble="hang"), Answer(trouble="cut"), Answer(body=b'{"ok":', trouble="half")

RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)

Use = Callable[[BotTelegram, Place], Any]

USES: dict[str, Use] = {
    "sendMessage": lambda bot, place: bot.send(place, BOARD),
    "sendDocument": lambda bot, place: bot.document(place, "m.json", b"{}", TEXT),
    "sendPhoto": lambda bot, place: bot.photo(place, PICTURE, TEXT),
    "editMessageMedia": lambda bot, place: bot.edit_photo(place.chat, 9, PICTURE, TEXT),
    "editMessageText": lambda bot, place: bot.edit(place.chat, 9, BOARD),
    "pinChatMessage": lambda bot, place: bot.pin(place.chat, 9),
    "getChatMember": lambda bot, place: bot.member(place.chat, 5),
    "answerCallbackQuery": lambda bot, _: bot.answer("q"),
    "getMe": lambda bot, _: bot.me(),
    "getUpdates": lambda bot, _: bot.updates(0, 0, ["message"]),
}
ONCE_ONLY = ("sendMessage", "sendDocument", "sendPhoto", "getUpdates")
REPEATABLE = ("editMessageText", "editMessageMedia", "pinChatMessage", "getChatMember", "answerCallbackQuery", "getMe")


@pytest.fixture
def api() -> Iterator[ScriptedApi]:
    api = ScriptedApi()
    yield api
    api.close()


@pytest.fixture
def bot(api: ScriptedApi) -> Iterator[BotTelegram]:
    bot = BotTelegram(TOKEN, api.address)
    yield bot
    bot.close()


@pytest.fixture
def hasty(api: ScriptedApi, monkeypatch: pytest.MonkeyPatch) -> Iterator[BotTelegram]:
    """A bot that does not wait as long for an answer that never comes."""
    monkeypatch.setattr(telegram, "READ", 2.0)
    bot = BotTelegram(TOKEN, api.address)
    yield bot
    bot.close()


def params(call: Call) -> dict[str, Any]:
    """The parameters, those that are JSON decoded."""
    return {name: json.loads(text) if text[:1] in "[{tf" else text for name, text in call.params.items()}


# --- what is sent ---------------------------------------------------------------------------------


def test_send(api: ScriptedApi, bot: BotTelegram) -> None:
    assert bot.send(GROUP, BOARD) == 77
    assert [call.method for call in api.calls] == ["sendMessage"]
    assert params(api.calls[0]) == {
        "chat_id": "-1001234567890123",
        "text": "<b>Night 1</b>\nRaven &amp; Dog",
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
        "disable_notification": False,
        "reply_markup": {
            "inline_keyboard": [
                [{"text": "Visit", "callback_data": "v:1"}, {"text": "Rules", "callback_data": "r"}],
                [{"text": "Open", "url": "https://t.me/b?start=x"}],
            ]
        },
    }


def test_send_quietly_to_a_topic_without_buttons(api: ScriptedApi, bot: BotTelegram) -> None:
    bot.send(Place(GROUP.chat, 7), TEXT, quiet=True)
    sent = params(api.calls[0])
    assert (sent["message_thread_id"], sent["disable_notification"]) == ("7", True)
    assert "reply_markup" not in sent


def test_edit(api: ScriptedApi, bot: BotTelegram) -> None:
    bot.edit(GROUP.chat, 9, BOARD)
    sent = params(api.calls[0])
    assert (sent["chat_id"], sent["message_id"], sent["parse_mode"]) == (str(GROUP.chat), "9", "HTML")
    assert len(sent["reply_markup"]["inline_keyboard"]) == 2
    assert sent["link_preview_options"] == {"is_disabled": True}


def test_answer(api: ScriptedApi, bot: BotTelegram) -> None:
    assert bot.answer("q1")
    assert bot.answer("q2", "Not now", alert=True)
    assert bot.answer("q3", url="https://t.me/b?start=x")
    assert [params(call) for call in api.calls] == [
        {"callback_query_id": "q1", "show_alert": False},
        {"callback_query_id": "q2", "text": "Not now", "show_alert": True},
        {"callback_query_id": "q3", "show_alert": False, "url": "https://t.me/b?start=x"},
    ]


@pytest.mark.parametrize(
    "answer",
    [
        Answer.error(400, "Bad Request: query is too old and response timeout expired or query ID is invalid"),
        Answer.error(400, "Bad Request: QUERY_ID_INVALID"),
        Answer.result(False),
    ],
)
def test_a_press_that_telegram_does_not_know(api: ScriptedApi, bot: BotTelegram, answer: Answer) -> None:
    api.script["answerCallbackQuery"] = [answer]
    assert not bot.answer("forged")


def test_pin_makes_no_noise(api: ScriptedApi, bot: BotTelegram) -> None:
    bot.pin(GROUP.chat, 9)
    assert params(api.calls[0]) == {"chat_id": str(GROUP.chat), "message_id": "9", "disable_notification": True}


def test_document(api: ScriptedApi, bot: BotTelegram) -> None:
    assert bot.document(Place(GROUP.chat, 7), "match.json", b'{"format":1}', BOARD) == 77
    call = api.calls[0]
    assert call.method == "sendDocument"
    assert list(call.files.values()) == [("match.json", b'{"format":1}')]
    sent = params(call)
    assert (sent["caption"], sent["parse_mode"], sent["message_thread_id"]) == (str(BOARD.text), "HTML", "7")
    assert len(sent["reply_markup"]["inline_keyboard"]) == 2


def test_photo(api: ScriptedApi, bot: BotTelegram) -> None:
    assert bot.photo(Place(GROUP.chat, 7), PICTURE, BOARD, quiet=True) == 77
    call = api.calls[0]
    assert call.method == "sendPhoto"
    assert list(call.files.values()) == [("picture.png", PICTURE)]
    sent = params(call)
    assert (sent["caption"], sent["parse_mode"], sent["message_thread_id"]) == (str(BOARD.text), "HTML", "7")
    assert sent["disable_notification"] is True
    assert len(sent["reply_markup"]["inline_keyboard"]) == 2


def test_edit_photo(api: ScriptedApi, bot: BotTelegram) -> None:
    bot.edit_photo(GROUP.chat, 9, PICTURE, TEXT)
    call = api.calls[0]
    [(name, file)] = call.files.items()
    assert (call.method, file) == ("editMessageMedia", ("picture.png", PICTURE))
    media = {"type": "photo", "media": f"attach://{name}", "caption": str(TEXT.text), "parse_mode": "HTML"}
    assert params(call) == {"chat_id": str(GROUP.chat), "message_id": "9", "media": media}


def test_me_is_asked_once(api: ScriptedApi, bot: BotTelegram) -> None:
    assert bot.me() == bot.me() == Me(123456, "raven_dog_bot")
    assert api.counts("getMe") == 1


def test_member(api: ScriptedApi, bot: BotTelegram) -> None:
    assert bot.member(GROUP.chat, 5) == "left"
    administrator = dict.fromkeys(RIGHTS, False) | {"status": "administrator", "user": USER}
    api.script["getChatMember"] = [Answer.result(administrator)]
    assert bot.member(GROUP.chat, 5) == "administrator"
    assert params(api.calls[0]) == {"chat_id": str(GROUP.chat), "user_id": "5"}


@pytest.mark.parametrize(("there", "status"), [(True, "restricted"), (False, "left")])
def test_whoever_is_restricted_may_be_gone_too(api: ScriptedApi, bot: BotTelegram, there: bool, status: str) -> None:
    restricted = member_json(USER, "restricted") | {"is_member": there}
    api.script["getChatMember"] = [Answer.result(restricted)]
    assert bot.member(GROUP.chat, 5) == status


@pytest.mark.parametrize("description", ["user not found", "member not found", "PARTICIPANT_ID_INVALID"])
def test_a_stranger_is_no_member(api: ScriptedApi, bot: BotTelegram, description: str) -> None:
    api.script["getChatMember"] = [Answer.error(400, f"Bad Request: {description}")]
    assert bot.member(GROUP.chat, 5) == "left"


def test_setting_up_for_polling(api: ScriptedApi, bot: BotTelegram) -> None:
    bot.delete_webhook()
    assert [call.method for call in api.calls] == ["deleteWebhook"]
    assert params(api.calls[0]) == {}


def test_updates_are_raw(api: ScriptedApi, bot: BotTelegram) -> None:
    odd = [{"update_id": 4, "message": {"no": "message of this world"}}, {"update_id": 5, "unheard_of": {}}]
    api.script["getUpdates"] = [Answer.result(odd)]
    assert bot.updates(4, 50, ["message", "callback_query"]) == odd
    assert params(api.calls[0]) == {"offset": "4", "timeout": "50", "allowed_updates": ["message", "callback_query"]}


@pytest.mark.parametrize("body", [b"", b"[]", b'{"ok":true}', b'{"ok":true,"result":{}}'])
def test_unreadable_updates(api: ScriptedApi, bot: BotTelegram, body: bytes) -> None:
    api.script["getUpdates"] = [Answer(body=body)]
    with pytest.raises(Uncertain):
        bot.updates(0, 0, ["message"])


def test_many_threads_share_the_bot(api: ScriptedApi, bot: BotTelegram) -> None:
    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(lambda _: bot.send(GROUP, TEXT), range(100))) == [77] * 100
    assert api.counts("sendMessage") == 100


# --- what is repeated -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ONCE_ONLY)
@pytest.mark.parametrize(
    ("answer", "error"),
    [(SERVER_ERROR, NotSent), (CUT, Uncertain), (HALF, Uncertain), (Answer(), Uncertain)],
)
def test_what_may_not_come_twice_is_not_repeated(
    api: ScriptedApi, bot: BotTelegram, method: str, answer: Answer, error: type[TelegramError]
) -> None:
    api.script[method] = [answer]
    with pytest.raises(error) as raised:
        USES[method](bot, GROUP)
    assert type(raised.value) is error
    assert api.counts(method) == 1


@pytest.mark.parametrize("method", REPEATABLE)
@pytest.mark.parametrize("answer", [SERVER_ERROR, CUT, HALF, Answer(), Answer(502, b"<html>Bad Gateway</html>")])
def test_what_may_come_twice_is_repeated_once(api: ScriptedApi, bot: BotTelegram, method: str, answer: Answer) -> None:
    api.script[method] = [answer]
    USES[method](bot, GROUP)
    assert api.counts(method) == 2


@pytest.mark.parametrize("method", REPEATABLE)
def test_nothing_is_repeated_twice(api: ScriptedApi, bot: BotTelegram, method: str) -> None:
    api.script[method] = [SERVER_ERROR, CUT]
    with pytest.raises(Uncertain):
        USES[method](bot, GROUP)
    assert api.counts(method) == 2


@pytest.mark.parametrize("method", ["sendMessage", "sendDocument", "sendPhoto", *REPEATABLE])
def test_refused_connection_is_tried_twice(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    attempts = []
    request = HTTPXRequest.do_request

    async def count(self: HTTPXRequest, url: str, *args: Any, **options: Any) -> tuple[int, bytes]:
        attempts.append(url)
        return await request(self, url, *args, **options)

    monkeypatch.setattr(HTTPXRequest, "do_request", count)
    with kept(1) as [port]:
        bot = BotTelegram(TOKEN, f"http://127.0.0.1:{port}")
        with pytest.raises(NotSent):
            USES[method](bot, GROUP)
    assert len(attempts) == 2
    bot.close()


def test_a_message_without_an_answer_is_not_repeated(api: ScriptedApi, hasty: BotTelegram) -> None:
    api.script["sendMessage"] = [HANG]
    with pytest.raises(Uncertain):
        hasty.send(GROUP, TEXT)
    assert api.counts("sendMessage") == 1


def test_an_edit_without_an_answer_is_repeated(api: ScriptedApi, hasty: BotTelegram) -> None:
    api.script["editMessageText"] = [HANG]
    hasty.edit(GROUP.chat, 9, TEXT)
    assert api.counts("editMessageText") == 2


def test_a_call_ends_in_time_however_the_server_dawdles(
    api: ScriptedApi, bot: BotTelegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telegram, "LONGEST_CALL", 0.5)
    api.script["sendMessage"] = [HANG]
    with pytest.raises(Uncertain, match="in time"):
        bot.send(GROUP, TEXT)


def test_a_connection_cut_before_anything_was_read_is_uncertain() -> None:
    # The client cannot know how far the other side read.
    accepted = []

    def accept(server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                accepted.append(connection)
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=accept, args=(server,))
        thread.start()
        bot = BotTelegram(TOKEN, f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(Uncertain):
            bot.send(GROUP, TEXT)
        bot.close()
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert len(accepted) == 1


def test_no_proxy_to_the_same_machine(api: ScriptedApi, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    bot = BotTelegram(TOKEN, api.address)
    assert bot.me().username == "raven_dog_bot"
    bot.close()


def test_close_ends_a_long_poll(api: ScriptedApi) -> None:
    bot = BotTelegram(TOKEN, api.address)
    api.script["getUpdates"] = [HANG]
    with ThreadPoolExecutor(1) as pool:
        polling = pool.submit(bot.updates, 0, 600, ["message"])
        bot.me()
        while not api.counts("getUpdates"):
            bot.send(GROUP, TEXT)
        bot.close()
        with pytest.raises(CancelledError):
            polling.result()


# --- what errors mean -----------------------------------------------------------------------------

ALL = tuple(USES)
# For each answer: what follows in a private chat and in a group (None: success), and how many calls are made.
MEANINGS: dict[str, tuple[type[TelegramError] | None, type[TelegramError] | None, int]] = {
    "blocked": (Unreachable, Expelled, 1),
    "cant_initiate": (Unreachable, Expelled, 1),
    "deactivated": (Unreachable, Expelled, 1),
    "kicked_group": (Unreachable, Expelled, 1),
    "kicked_supergroup": (Unreachable, Expelled, 1),
    "not_member": (Unreachable, Expelled, 1),
    "group_deleted": (Unreachable, Expelled, 1),
    "upgraded": (Migrated, Migrated, 1),
    "chat_not_found": (Unreachable, Expelled, 1),
    "not_modified": (None, None, 1),
    "edit_not_found": (MessageLost, MessageLost, 1),
    "cant_edit": (MessageLost, MessageLost, 1),
    "query_too_old": (None, None, 1),
    "thread_not_found": (Refused, Refused, 1),
    "topic_closed": (Forbidden, Forbidden, 1),
    "no_rights_text": (Forbidden, Forbidden, 1),
    "write_forbidden": (Forbidden, Forbidden, 1),
    "parse_md": (Refused, Refused, 2),
    "parse_html": (Refused, Refused, 2),
    "empty_text": (Refused, Refused, 1),
    "button_empty": (Refused, Refused, 1),
    "button_text_empty": (Refused, Refused, 1),
    "button_data": (Refused, Refused, 1),
    "markup_too_long": (Refused, Refused, 1),
    "too_long": (Refused, Refused, 1),
    "flood": (TooFast, TooFast, 1),
    "flood_long": (TooFast, TooFast, 1),
    "unauthorized": (BadToken, BadToken, 1),
    "conflict": (Contested, Contested, 1),
}
ELSEWHERE = {
    "of methods that the bot does not use": {"delete_not_found", "cant_delete"},
    "tested above, where repeats are counted": {
        "server_500",
        "bad_gateway_html",
        "empty_200",
        "timeout_after_delivery",
        "connect_refused",
        "connection_reset_midway",
    },
}


def published() -> list[dict[str, Any]]:
    path = SHARED / "botapi" / "errors.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


@needs_shared
def test_every_published_error_is_looked_at() -> None:
    assert {error["id"] for error in published()} == set(MEANINGS) | set().union(*ELSEWHERE.values())


@needs_shared
@pytest.mark.parametrize("place", [PERSON, GROUP], ids=["private", "group"])
@pytest.mark.parametrize("error", [each for each in published() if each["id"] in MEANINGS], ids=lambda each: each["id"])
def test_published_errors(api: ScriptedApi, bot: BotTelegram, error: dict[str, Any], place: Place) -> None:
    private, group, calls = MEANINGS[error["id"]]
    expected = private if place is PERSON else group
    methods = ALL if error["methods"] == ["*"] else [method for method in error["methods"] if method in USES]
    assert methods
    for method in methods:
        api.script[method] = [Answer(error["http_status"], json.dumps(error["body"]).encode())] * 2
        before = api.counts(method)
        if expected is None:
            USES[method](bot, place)
        else:
            with pytest.raises(expected) as raised:
                USES[method](bot, place)
            if isinstance(raised.value, Migrated):
                assert raised.value.chat == error["body"]["parameters"]["migrate_to_chat_id"]
            if isinstance(raised.value, TooFast):
                assert raised.value.seconds == error["body"]["parameters"]["retry_after"]
        assert api.counts(method) - before == calls, method


@pytest.mark.parametrize(
    ("status", "description", "error"),
    [
        (403, "Forbidden: bot was blocked by the user", Unreachable),
        (400, "Bad Request: chat not found", Unreachable),
        (400, "Bad Request: PEER_ID_INVALID", Unreachable),
        (400, "Bad Request: something new", Refused),
        (404, "Not Found", BadToken),
        (429, "Too Many Requests: retry after 9", TooFast),
        (429, "Too Many Requests", TooFast),
        (503, "Service Unavailable", NotSent),
    ],
)
def test_errors_in_private(
    api: ScriptedApi, bot: BotTelegram, status: int, description: str, error: type[TelegramError]
) -> None:
    api.script["sendMessage"] = [Answer.error(status, description)]
    with pytest.raises(error) as raised:
        bot.send(PERSON, TEXT)
    assert isinstance(raised.value, error)
    assert api.counts("sendMessage") == 1


@pytest.mark.parametrize(
    ("method", "status", "description", "error"),
    [
        ("pinChatMessage", 400, "Bad Request: not enough rights to manage pinned messages in the chat", Forbidden),
        ("pinChatMessage", 400, "Bad Request: message to pin not found", MessageLost),
        ("editMessageText", 400, "Bad Request: MESSAGE_ID_INVALID", MessageLost),
        ("sendMessage", 403, "Forbidden: CHAT_WRITE_FORBIDDEN", Forbidden),
        ("sendDocument", 400, "Bad Request: not enough rights to send documents to the chat", Forbidden),
        ("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat", Forbidden),
        ("sendPhoto", 400, "Bad Request: PHOTO_INVALID_DIMENSIONS", Refused),
        ("editMessageMedia", 403, "Forbidden: CHAT_SEND_PHOTOS_FORBIDDEN", Forbidden),
        ("editMessageMedia", 400, "Bad Request: message to edit not found", MessageLost),
        ("editMessageMedia", 400, "Bad Request: there is no media in the message to edit", MessageLost),
        ("sendMessage", 400, "Bad Request: group is deactivated", Expelled),
        ("getChatMember", 400, "Bad Request: chat not found", Expelled),
        ("answerCallbackQuery", 403, "Forbidden: whatever", Refused),
    ],
)
def test_errors_in_a_group(
    api: ScriptedApi, bot: BotTelegram, method: str, status: int, description: str, error: type[TelegramError]
) -> None:
    api.script[method] = [Answer.error(status, description)]
    with pytest.raises(error):
        USES[method](bot, GROUP)
    assert api.counts(method) == 1


@pytest.mark.parametrize("method", ["sendMessage", "sendDocument", "sendPhoto"])
def test_a_lost_topic_is_answered_in_the_chat(api: ScriptedApi, bot: BotTelegram, method: str) -> None:
    api.script[method] = [Answer.error(400, "Bad Request: message thread not found")]
    USES[method](bot, Place(GROUP.chat, 7))
    assert [call.params.get("message_thread_id") for call in api.calls] == ["7", None]


@pytest.mark.parametrize(
    ("method", "field"),
    [("sendMessage", "text"), ("editMessageText", "text"), ("sendDocument", "caption"), ("sendPhoto", "caption")],
)
def test_html_that_cannot_be_read_goes_out_plain(
    api: ScriptedApi, bot: BotTelegram, method: str, field: str, caplog: pytest.LogCaptureFixture
) -> None:
    api.script[method] = [Answer.error(400, "Bad Request: can't parse entities: Unsupported start tag")]
    USES[method](bot, GROUP)
    assert [call.params[field] for call in api.calls] == [str(TEXT.text), "Night 1\nRaven & Dog"]
    assert [call.params.get("parse_mode") for call in api.calls] == ["HTML", None]
    assert "plain text" in caplog.text


def test_a_picture_already_shown_is_no_error(api: ScriptedApi, bot: BotTelegram) -> None:
    api.script["editMessageMedia"] = [Answer.error(400, "Bad Request: message is not modified: the same")]
    bot.edit_photo(GROUP.chat, 9, PICTURE, TEXT)
    assert api.counts("editMessageMedia") == 1


def test_a_caption_that_cannot_be_read_goes_out_plain(api: ScriptedApi, bot: BotTelegram) -> None:
    api.script["editMessageMedia"] = [Answer.error(400, "Bad Request: can't parse entities: Unsupported start tag")]
    bot.edit_photo(GROUP.chat, 9, PICTURE, TEXT)
    assert [params(call)["media"]["caption"] for call in api.calls] == [str(TEXT.text), "Night 1\nRaven & Dog"]


def test_a_lost_topic_and_bad_html_together(api: ScriptedApi, bot: BotTelegram) -> None:
    illegible = Answer.error(400, "Bad Request: can't parse entities: whatever")
    api.script["sendMessage"] = [Answer.error(400, "Bad Request: message thread not found"), illegible]
    assert bot.send(Place(GROUP.chat, 7), TEXT) == 77
    assert [(call.params.get("message_thread_id"), call.params.get("parse_mode")) for call in api.calls] == [
        ("7", "HTML"),
        (None, "HTML"),
        (None, None),
    ]


@pytest.mark.parametrize("method", [*REPEATABLE, "sendMessage", "sendDocument", "sendPhoto"])
def test_a_call_that_could_outlast_the_time_there_is_does_not_begin(
    api: ScriptedApi, bot: BotTelegram, method: str
) -> None:
    """Nothing has reached Telegram, so it can be repeated; the call itself is as long as any."""
    bot.until(monotonic() + telegram.LONGEST_CALL - 0.01)
    with pytest.raises(NotSent):
        USES[method](bot, GROUP)
    assert api.calls == []
    bot.until(monotonic() + telegram.LONGEST_CALL + 60)
    USES[method](bot, GROUP)
    assert api.counts(method) == 1


def test_an_unknown_token_is_one_line(api: ScriptedApi, bot: BotTelegram, caplog: pytest.LogCaptureFixture) -> None:
    api.script["sendMessage"] = [Answer.error(401, "Unauthorized")]
    with pytest.raises(NotSent):
        bot.send(GROUP, TEXT)
    assert [record.getMessage() for record in caplog.records] == ["Telegram does not know the bot's token"]


def test_an_unknown_token_is_not_tried_again(api: ScriptedApi, bot: BotTelegram) -> None:
    api.script["editMessageText"] = [Answer.error(401, "Unauthorized")]
    with pytest.raises(BadToken):
        bot.edit(GROUP.chat, 9, TEXT)
    assert api.counts("editMessageText") == 1


def test_neither_token_nor_text_is_logged(api: ScriptedApi, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = Message(Markup("seat 3 is the Raven"))
    echo = b'{"ok":true,"result":{"text":"seat 3 is the Raven"'
    bot = BotTelegram(TOKEN, api.address)
    api.script["sendMessage"] = [
        SERVER_ERROR,
        Answer(body=echo),
        Answer(502, echo),
        Answer(body=echo, trouble="half"),
        CUT,
        Answer.error(401, "Unauthorized"),
        Answer.error(400, "Bad Request: can't parse entities: x"),
    ]
    raised: list[BaseException | None] = []
    for _ in range(6):
        with pytest.raises(TelegramError) as refused:
            bot.send(GROUP, secret)
        raised += [refused.value, refused.value.__cause__, refused.value.__context__]
    bot.send(GROUP, secret)
    bot.updates(0, 0, ["message"])
    bot.close()
    seen = caplog.text + "".join(map(repr, raised))
    assert "the-secret-of-the-bot" not in seen
    assert "Raven" not in seen
    assert "plain text" in seen


# --- what a call costs ----------------------------------------------------------------------------


def test_no_call_looks_for_modules(bot: BotTelegram, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python remembers no import that failed, so each would search all of sys.path again."""
    bot.edit(GROUP.chat, 9, BOARD)  # what is imported late is imported now
    sought: list[str] = []

    class Listener(MetaPathFinder):
        def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
            sought.append(name)

    monkeypatch.setattr(sys, "meta_path", [Listener(), *sys.meta_path])
    bot.edit(GROUP.chat, 9, BOARD)
    assert sought == []
