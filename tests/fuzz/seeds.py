"""Well-formed updates from the group under fire, as Telegram brings them: what mutations begin with."""

from __future__ import annotations

import json
from typing import Any

from infra.local.botapi.state import BOT_JSON
from tests.flows.house import START, Flow
from tests.fuzz.scene import Scene
from tests.shared import SHARED

Json = dict[str, Any]
SAMPLES = sorted((SHARED / "updates").glob("*/*.json"))
"""Published updates; none where they are absent."""


def samples() -> list[Any]:
    """The published updates."""
    return [json.loads(sample.read_bytes()) for sample in SAMPLES]


def seeds(scene: Scene) -> list[Any]:
    """Commands, presses, comings and goings of Ada and Bruno; nothing of it has happened to the others."""
    bot = scene.bot
    return [{"update_id": 600_000 + number, **update} for number, update in enumerate(_updates(bot))]


def _updates(bot: Flow) -> list[Json]:
    group: Json = {"id": bot.group, "type": "group", "title": "The Garden"}
    ada: Json = {"id": bot.ada, "is_bot": False, "first_name": "Ada", "last_name": "L", "username": "ada"}
    bruno: Json = {"id": bot.bruno, "is_bot": False, "first_name": "Bruno"}
    desk: Json = {"id": bot.ada, "type": "private", "first_name": "Ada"}
    here: Json = {"message_id": 900, "date": int(START), "chat": group, "from": ada}
    alone: Json = {**here, "chat": desk}
    [id] = bot.matches()

    def typed(message: Json, text: str) -> Json:
        length = len(text.partition(" ")[0])
        return {
            "message": {**message, "text": text, "entities": [{"type": "bot_command", "offset": 0, "length": length}]}
        }

    def changed(was: str, now: str, chat: Json = group) -> Json:
        members = {
            "old_chat_member": {"user": BOT_JSON, "status": was},
            "new_chat_member": {"user": BOT_JSON, "status": now},
        }
        return {"my_chat_member": {"chat": chat, "from": ada, "date": int(START), **members}}

    texts = (
        "/status",
        "/gravity",
        "/dog@raven_and_dog_bot",
        "/new",
        "/resign",
        "/cancel",
        "/pick",
        "/rules dog",
        "/help",
    )
    return [
        *(typed(here, text) for text in texts),
        *(typed(alone, text) for text in ("/matches", "/start", f"/start panel-{id}", f"/start join-{id}", "/gravity")),
        typed({**here, "sender_chat": group, "from": {**ada, "id": 1087968824}}, "/cancel"),
        typed({**here, "is_topic_message": True, "message_thread_id": 7}, "/status"),
        typed({**here, "from": bruno, "reply_to_message": here}, "/resign"),
        {"edited_message": {**here, "text": "/cancel", "edit_date": int(START) + 1}},
        {"message": {**here, "from": bruno, "left_chat_member": bruno}},
        {"message": {**here, "new_chat_members": [bruno, BOT_JSON]}},
        {"message": {**here, "migrate_to_chat_id": -1_004_000_009}},
        {
            "message": {
                **here,
                "chat": {**group, "id": -1_004_000_009, "type": "supergroup"},
                "migrate_from_chat_id": bot.group,
            }
        },
        {"message": {**here, "new_chat_title": "The Grove"}},
        {"message": {**alone, "text": "Good evening"}},
        changed("member", "left"),
        changed("left", "member"),
        changed("member", "kicked", desk),
        changed("kicked", "member", desk),
        {"chat_member": {**changed("member", "left")["my_chat_member"]}},
        *({"callback_query": press} for press in _presses(bot)),
    ]


def _presses(bot: Flow) -> list[Json]:
    """One for each button that stands in the group or in Ada's private chat."""
    return [
        {
            "id": str(77_000 + number),
            "from": {"id": bot.ada, "is_bot": False, "first_name": "Ada"},
            "chat_instance": "1",
            "message": message,
            "data": data,
        }
        for number, (message, data) in enumerate(_buttons(bot))
    ]


def _buttons(bot: Flow) -> list[tuple[Json, str]]:
    return [
        (message, button["callback_data"])
        for chat in (bot.group, bot.ada)
        for message in bot.world.history(chat)
        for row in message.get("reply_markup", {}).get("inline_keyboard", [])
        for button in row
        if "callback_data" in button
    ]


def genuine(bot: Flow) -> list[str]:
    """The data of those buttons, each once."""
    return sorted({data for _, data in _buttons(bot)})
