"""The Bot API methods that the bot uses, with the parameters it may give: read strictly, refused otherwise.

A test holds this table against the published description of the Bot API.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.botapi.errors import NO_METHOD, Malformed


@dataclass(frozen=True)
class Upload:
    """A file that came with a call as multipart/form-data."""

    name: str
    content: bytes
    mime: str


@dataclass(frozen=True)
class Method:
    """A method's parameters by name; the value names the accepted types as the Bot API's description does."""

    required: Mapping[str, str]
    optional: Mapping[str, str]


_CHAT = {"chat_id": "Integer|String"}
_SEND = {
    "message_thread_id": "Integer",
    "parse_mode": "String",
    "disable_notification": "Boolean",
    "protect_content": "Boolean",
    "reply_markup": "InlineKeyboardMarkup",
}
_WEBHOOK = {
    "max_connections": "Integer",
    "allowed_updates": "Array of String",
    "drop_pending_updates": "Boolean",
    "secret_token": "String",
}

_LANGUAGE = {"language_code": "String"}

METHODS: Mapping[str, Method] = {
    "getMe": Method({}, {}),
    "getUpdates": Method(
        {}, {"offset": "Integer", "limit": "Integer", "timeout": "Integer", "allowed_updates": "Array of String"}
    ),
    "setWebhook": Method({"url": "String"}, _WEBHOOK),
    "getWebhookInfo": Method({}, {}),
    "deleteWebhook": Method({}, {"drop_pending_updates": "Boolean"}),
    "setMyCommands": Method({"commands": "Array of BotCommand"}, {"scope": "BotCommandScope", **_LANGUAGE}),
    "getMyCommands": Method({}, {"scope": "BotCommandScope", **_LANGUAGE}),
    "setMyDescription": Method({}, {"description": "String", **_LANGUAGE}),
    "getMyDescription": Method({}, _LANGUAGE),
    "setMyShortDescription": Method({}, {"short_description": "String", **_LANGUAGE}),
    "getMyShortDescription": Method({}, _LANGUAGE),
    "setMyDefaultAdministratorRights": Method({}, {"rights": "ChatAdministratorRights", "for_channels": "Boolean"}),
    "getMyDefaultAdministratorRights": Method({}, {"for_channels": "Boolean"}),
    "sendMessage": Method({**_CHAT, "text": "String"}, {**_SEND, "link_preview_options": "LinkPreviewOptions"}),
    "sendPhoto": Method({**_CHAT, "photo": "InputFile|String"}, {**_SEND, "caption": "String"}),
    "sendDocument": Method({**_CHAT, "document": "InputFile|String"}, {**_SEND, "caption": "String"}),
    "editMessageText": Method(
        {},
        {
            **_CHAT,
            "message_id": "Integer",
            "text": "String",
            "parse_mode": "String",
            "link_preview_options": "LinkPreviewOptions",
            "reply_markup": "InlineKeyboardMarkup",
        },
    ),
    "editMessageMedia": Method(
        {"media": "InputMedia"}, {**_CHAT, "message_id": "Integer", "reply_markup": "InlineKeyboardMarkup"}
    ),
    "answerCallbackQuery": Method(
        {"callback_query_id": "String"},
        {"text": "String", "show_alert": "Boolean", "url": "String", "cache_time": "Integer"},
    ),
    "pinChatMessage": Method({**_CHAT, "message_id": "Integer"}, {"disable_notification": "Boolean"}),
    "getChatMember": Method({**_CHAT, "user_id": "Integer"}, {}),
}

NEEDED_IN_PRACTICE: Mapping[str, frozenset[str]] = {
    "editMessageText": frozenset({"chat_id", "message_id", "text"}),
    "editMessageMedia": frozenset({"chat_id", "message_id"}),
}
"""Optional only for messages of inline mode, which this bot does not have."""


def read(method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The call's parameters in their types, whether they came as JSON or as a form's strings.

    Raises Malformed for an unknown method or parameter, a missing one, or one of the wrong type.
    """
    known = METHODS.get(method)
    if known is None:
        raise NO_METHOD
    types = {**known.required, **known.optional}
    if strange := sorted(set(given) - set(types)):
        raise Malformed(f"{method} has no parameter {', '.join(strange)}")
    needed = set(known.required) | NEEDED_IN_PRACTICE.get(method, frozenset())
    if missing := sorted(needed - set(given)):
        raise Malformed(f"{method} needs {', '.join(missing)}")
    return {name: _value(f"{method}.{name}", types[name].split("|"), value) for name, value in given.items()}


def _value(where: str, types: list[str], value: Any) -> Any:
    if isinstance(value, Upload):
        if "InputFile" in types:
            return value
    elif "Integer" in types and (number := _integer(value)) is not None:
        return number
    elif "String" in types:
        if isinstance(value, str):
            return value
    elif "Boolean" in types:
        if isinstance(value, bool) or value in ("true", "false"):
            return value in (True, "true")
    elif types[0].startswith("Array of"):
        if isinstance(decoded := _decoded(value), list):
            return decoded
    elif "Integer" not in types and isinstance(decoded := _decoded(value), dict):
        return decoded
    raise Malformed(f"{where} must be {' or '.join(types)}")


def _integer(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    digits = value.removeprefix("-") if isinstance(value, str) else ""
    return int(value) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return None
