"""The Bot API's limits on what a bot sends. Everything refused here is the bot's own mistake."""

from __future__ import annotations

import json
import re
import struct
from typing import Any
from urllib.parse import urlsplit

from infra.local.botapi.entities import Entity, found_in, parse_html, units
from infra.local.botapi.errors import Malformed

TEXT_UNITS = 4096
CAPTION_UNITS = 1024
PHOTO_BYTES = 10 * 1024 * 1024
PHOTO_SIDES = 10_000
"""Pixels of width and height together."""
PHOTO_RATIO = 20
ANSWER_CHARACTERS = 200
DATA_BYTES = 64
BUTTONS = 100
BUTTONS_IN_A_ROW = 8
MARKUP_BYTES = 10_000
PNG = b"\x89PNG\r\n\x1a\n"
PNG_HEAD = 33
"""Bytes of the signature and of the chunk with the size, which comes first."""
START_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_COMMAND_NAME = re.compile(r"[a-z0-9_]{1,32}")


def text(source: str, parse_mode: str | None) -> tuple[str, list[Entity]]:
    """The text of a message and its entities: 1-4096 UTF-16 units after parsing. Raises Malformed."""
    parsed, entities = _parsed(source, parse_mode)
    if not parsed:
        raise Malformed("message text is empty")
    if units(parsed) > TEXT_UNITS:
        raise Malformed("message is too long")
    return parsed, found_in(parsed, entities)


def caption(source: str, parse_mode: str | None) -> tuple[str, list[Entity]]:
    """A file's caption and its entities: 0-1024 UTF-16 units after parsing. Raises Malformed."""
    parsed, entities = _parsed(source, parse_mode)
    if units(parsed) > CAPTION_UNITS:
        raise Malformed("message caption is too long")
    return parsed, found_in(parsed, entities)


def photo(content: bytes) -> tuple[int, int]:
    """Width and height of a picture, a PNG, in pixels. Raises Malformed."""
    if len(content) > PHOTO_BYTES:
        raise Malformed("file is too big")
    if content[:8] != PNG or content[12:16] != b"IHDR" or len(content) < PNG_HEAD:
        raise Malformed("IMAGE_PROCESS_FAILED")
    width, height = struct.unpack(">II", content[16:24])
    shorter, longer = sorted((width, height))
    if not shorter or width + height > PHOTO_SIDES or longer > shorter * PHOTO_RATIO:
        raise Malformed("PHOTO_INVALID_DIMENSIONS")
    return width, height


def keyboard(markup: dict[str, Any], bot: str) -> list[list[dict[str, str]]]:
    """The rows of an InlineKeyboardMarkup; start links to ``bot`` are looked into. Raises Malformed."""
    rows = markup.get("inline_keyboard")
    if set(markup) != {"inline_keyboard"} or not isinstance(rows, list):
        raise Malformed("object expected as reply markup")
    if len(json.dumps(markup, ensure_ascii=False).encode()) > MARKUP_BYTES:
        raise Malformed("reply markup is too long")
    for row in rows:
        if not isinstance(row, list) or not row:
            raise Malformed("a row of the inline keyboard must be a non-empty array")
        if len(row) > BUTTONS_IN_A_ROW:
            raise Malformed(f"more than {BUTTONS_IN_A_ROW} buttons in a row")
        for button in row:
            _button(button, bot)
    if sum(len(row) for row in rows) > BUTTONS:
        raise Malformed(f"more than {BUTTONS} buttons")
    return rows


def answer(words: str, url: str | None, bot: str) -> None:
    """An answerCallbackQuery's text and url. Raises Malformed."""
    if len(words) > ANSWER_CHARACTERS:
        raise Malformed("MESSAGE_TOO_LONG")
    if url is not None and start_payload(url, bot) is None:
        raise Malformed("URL_INVALID")


def commands(given: list[Any]) -> list[dict[str, str]]:
    """The list of setMyCommands. Raises Malformed."""
    if len(given) > 100:
        raise Malformed("BOT_COMMANDS_TOO_MUCH")
    for command in given:
        if not isinstance(command, dict) or set(command) != {"command", "description"}:
            raise Malformed("BotCommand has a command and a description")
        if not _COMMAND_NAME.fullmatch(command["command"]):
            raise Malformed("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"]) <= 256:
            raise Malformed("BOT_COMMAND_DESCRIPTION_INVALID")
    return given


def start_payload(url: str, bot: str) -> str | None:
    """The payload of a link that opens the bot's private chat ("" if it has none); None for any other link,
    one that adds the bot to a group (``startgroup``) included.

    Raises Malformed for such a link with a payload Telegram would not pass on.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname != "t.me" or parts.path.lower() != f"/{bot.lower()}":
        return None
    if not parts.query:
        return ""
    name, _, payload = parts.query.partition("=")
    if name == "startgroup":
        return None
    if name != "start" or not START_PAYLOAD.fullmatch(payload):
        raise Malformed("a start link's payload is 1-64 of A-Z, a-z, 0-9, _ and -")
    return payload


def _parsed(source: str, parse_mode: str | None) -> tuple[str, list[Entity]]:
    try:
        source.encode()
    except UnicodeEncodeError:
        raise Malformed("strings must be encoded in UTF-8") from None
    if parse_mode is None:
        return source.strip(), []
    if parse_mode.lower() != "html":
        raise Malformed("unsupported parse_mode")
    return parse_html(source)


def _button(button: Any, bot: str) -> None:
    if not isinstance(button, dict) or not all(isinstance(value, str) for value in button.values()):
        raise Malformed("can't parse InlineKeyboardButton: an object of strings is expected")
    if strange := sorted(set(button) - {"text", "callback_data", "url"}):
        raise Malformed(f"can't parse InlineKeyboardButton: unexpected {', '.join(strange)}")
    if not button.get("text", "").strip():
        raise Malformed("inline keyboard button text must be non-empty")
    actions = [button[key] for key in ("callback_data", "url") if key in button]
    if not actions or actions == [""]:
        raise Malformed("can't parse InlineKeyboardButton: Text buttons are not allowed in the inline keyboard")
    if len(actions) > 1:
        raise Malformed("can't parse InlineKeyboardButton: exactly one action is expected")
    if "callback_data" in button and len(button["callback_data"].encode()) > DATA_BYTES:
        raise Malformed("BUTTON_DATA_INVALID")
    if "url" in button and start_payload(button["url"], bot) is None and not urlsplit(button["url"]).hostname:
        raise Malformed("inline keyboard button URL is invalid")
