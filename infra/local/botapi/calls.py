"""What each Bot API method does in the simulated Telegram. Parameters come checked for names and types."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from infra.local.botapi import checks, errors, setup
from infra.local.botapi.desk import Desk
from infra.local.botapi.errors import Malformed
from infra.local.botapi.members import member_json
from infra.local.botapi.methods import Upload
from infra.local.botapi.shelf import Json
from infra.local.botapi.state import ANSWER_WITHIN, BOT_ID, BOT_JSON, BOT_USERNAME, Chat

Params = dict[str, Any]


def get_me(desk: Desk, params: Params) -> Json:
    """The bot as a User, with what its owner chose in the chat with BotFather (kept as the setting "botfather")."""
    chosen = {"can_join_groups": True, "can_read_all_group_messages": False, "supports_inline_queries": False}
    return {**BOT_JSON, **chosen, **desk.state.settings.get("botfather", {})}


def send_message(desk: Desk, params: Params) -> Json:
    """A text in a chat the bot may write to."""
    words, entities = checks.text(params["text"], params.get("parse_mode"))
    content: Json = {"text": words, **({"entities": entities} if entities else {})}
    return _sent(desk, params, content)


def send_document(desk: Desk, params: Params) -> Json:
    """A file, with a caption."""
    return _sent(desk, params, {"document": _stored(desk, params["document"]), **_caption(params)})


def send_photo(desk: Desk, params: Params) -> Json:
    """A picture, with a caption."""
    chat = desk.state.chat_for_bot(params["chat_id"])
    if not (chat.bot_may_write and chat.bot_may_send_photos):
        raise errors.NO_PHOTO_RIGHT
    return _sent(desk, params, {"photo": _photo(desk, params["photo"]), **_caption(params)})


def edit_message_text(desk: Desk, params: Params) -> Json:
    """Another text, and other buttons or none, on the bot's own message."""
    message = _own(desk, params)
    words, entities = checks.text(params["text"], params.get("parse_mode"))
    if "text" not in message:
        raise errors.bad_request("there is no text in the message to edit")
    new = {key: value for key, value in message.items() if key not in ("entities", "reply_markup")}
    new |= {"text": words, **({"entities": entities} if entities else {}), **_markup(params)}
    if new == message:
        raise errors.NOT_MODIFIED
    new["edit_date"] = desk.date()
    desk.edited(new)
    return new


def edit_message_media(desk: Desk, params: Params) -> Json:
    """Another picture with its caption, and other buttons or none, on the bot's own message with one."""
    media = params["media"]
    if media.get("type") != "photo" or set(media) - {"type", "media", "caption", "parse_mode"}:
        raise Malformed("the stand-in takes a photo with a caption only")
    caption = _caption(media)
    message = _own(desk, params)
    if "photo" not in message:
        raise errors.NO_MEDIA
    if not desk.state.chats[message["chat"]["id"]].bot_may_send_photos:
        raise errors.PHOTOS_FORBIDDEN
    new = {key: value for key, value in message.items() if key not in ("caption", "caption_entities", "reply_markup")}
    new |= {"photo": _photo(desk, media.get("media")), **caption, **_markup(params)}
    if _seen(new) == _seen(message):
        raise errors.NOT_MODIFIED
    new["edit_date"] = desk.date()
    desk.edited(new)
    return new


def answer_callback_query(desk: Desk, params: Params) -> bool:
    """A toast, an alert or a start link for whoever pressed; once, and soon."""
    words, url = params.get("text", ""), params.get("url")
    checks.answer(words, url, BOT_USERNAME)
    query = desk.state.queries.get(params["callback_query_id"])
    if query is None:
        raise errors.QUERY_TOO_OLD
    desk.state.drop_query(query["id"])
    if desk.network.now() - query["at"] > ANSWER_WITHIN:
        raise errors.QUERY_TOO_OLD
    shown = {"text": words, "alert": params.get("show_alert", False), "url": url}
    desk.events.add("answer", {"query": query["id"], "user": query["user"], "chat": query["chat"], **shown})
    return True


def pin_chat_message(desk: Desk, params: Params) -> bool:
    """Pin a message; groups see who did it."""
    chat = _pinnable(desk, params)
    message = desk.state.messages.get((chat.id, params["message_id"]))
    if message is None:
        raise errors.PIN_NOT_FOUND
    if message["message_id"] in chat.pinned:
        return True
    chat.pinned.append(message["message_id"])
    desk.state.save_chat(chat)
    desk.events.add("pins", {"chat": chat.id, "pinned": chat.pinned})
    desk.post(chat, {"pinned_message": {key: message[key] for key in ("message_id", "chat", "date")}}, BOT_JSON)
    return True


def get_chat_member(desk: Desk, params: Params) -> Json:
    """A person's status in a chat."""
    chat = desk.state.chat_for_bot(params["chat_id"])
    user = _user_json(desk, params["user_id"])
    return member_json(user, chat.members.get(params["user_id"], "left"))


def get_updates(desk: Desk, params: Params) -> list[Json]:
    """What waits for the bot, from ``offset`` on; earlier updates count as received. Does not wait."""
    if desk.state.settings.get("webhook", {"url": ""})["url"]:
        raise errors.WEBHOOK_ACTIVE
    waiting = desk.outbox.pending(desk.network.now())
    offset = params.get("offset", 0)
    if offset < 0:
        offset = waiting[max(len(waiting) + offset, 0)]["update_id"] if waiting else 0
    for update in waiting:
        if update["update_id"] < offset:
            desk.outbox.acknowledge(update["update_id"])
    return [update for update in waiting if update["update_id"] >= offset][: params.get("limit", 100)]


CALLS: Mapping[str, Callable[[Desk, Params], Any]] = {
    "getMe": get_me,
    "getUpdates": get_updates,
    "setWebhook": setup.set_webhook,
    "getWebhookInfo": setup.get_webhook_info,
    "deleteWebhook": setup.delete_webhook,
    "setMyCommands": setup.set_my_commands,
    "getMyCommands": setup.get_my_commands,
    "setMyDescription": setup.set_my_description,
    "getMyDescription": setup.get_my_description,
    "setMyShortDescription": setup.set_my_short_description,
    "getMyShortDescription": setup.get_my_short_description,
    "setMyDefaultAdministratorRights": setup.set_my_default_administrator_rights,
    "getMyDefaultAdministratorRights": setup.get_my_default_administrator_rights,
    "sendMessage": send_message,
    "sendPhoto": send_photo,
    "sendDocument": send_document,
    "editMessageText": edit_message_text,
    "editMessageMedia": edit_message_media,
    "answerCallbackQuery": answer_callback_query,
    "pinChatMessage": pin_chat_message,
    "getChatMember": get_chat_member,
}


def _sent(desk: Desk, params: Params, content: Json) -> Json:
    content |= _markup(params)
    chat = desk.state.chat_for_bot(params["chat_id"])
    if not chat.bot_may_write:
        raise errors.NO_TEXT_RIGHT
    topic = params.get("message_thread_id")
    if topic is not None:
        if topic not in chat.topics:
            raise errors.THREAD_NOT_FOUND
        if not chat.topics[topic]:
            raise errors.TOPIC_CLOSED
        content |= {"message_thread_id": topic, "is_topic_message": True}
    return desk.post(chat, content, BOT_JSON)


def _markup(params: Params) -> Json:
    if "reply_markup" not in params:
        return {}
    rows = checks.keyboard(params["reply_markup"], BOT_USERNAME)
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}


def _caption(params: Params) -> Json:
    words, entities = checks.caption(params.get("caption", ""), params.get("parse_mode"))
    return {**({"caption": words} if words else {}), **({"caption_entities": entities} if entities else {})}


def _stored(desk: Desk, given: object) -> Json:
    file = _uploaded(given)
    return {**_kept(desk, file), "file_name": file.name, "mime_type": file.mime}


def _photo(desk: Desk, given: object) -> list[Json]:
    """The sizes of a picture. Telegram makes smaller ones too; here there is the whole one alone."""
    file = _uploaded(given)
    width, height = checks.photo(file.content)
    return [{**_kept(desk, file), "width": width, "height": height}]


def _seen(message: Json) -> Json:
    """What people see of a message with a picture: one that is sent once more looks the same."""
    return {**message, "photo": [size["file_unique_id"] for size in message["photo"]]}


def _uploaded(file: object) -> Upload:
    if not isinstance(file, Upload):
        raise Malformed("the stand-in takes uploaded files only")
    if not file.content:
        raise Malformed("file must be non-empty")
    return file


def _kept(desk: Desk, file: Upload) -> Json:
    id = f"F{desk.state.next('file', 1):08d}"
    desk.shelf.save_file(id, file.content)
    unique = hashlib.sha256(file.content).hexdigest()[:16]
    return {"file_id": id, "file_unique_id": unique, "file_size": len(file.content)}


def _own(desk: Desk, params: Params) -> Json:
    """The bot's own message that a call is about."""
    chat = desk.state.chat_for_bot(params["chat_id"])
    message = desk.state.messages.get((chat.id, params["message_id"]))
    if message is None:
        raise errors.EDIT_NOT_FOUND
    if message["from"]["id"] != BOT_ID or "pinned_message" in message:
        raise errors.CANT_EDIT
    return message


def _pinnable(desk: Desk, params: Params) -> Chat:
    chat = desk.state.chat_for_bot(params["chat_id"])
    if chat.type != "private" and not chat.bot_may_pin:
        raise errors.NO_PIN_RIGHT
    return chat


def _user_json(desk: Desk, id: int) -> Json:
    if id == BOT_ID:
        return BOT_JSON
    if id not in desk.state.users:
        raise errors.USER_NOT_FOUND
    return desk.state.users[id].json()
