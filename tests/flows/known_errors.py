"""The errors that the Bot API is known to answer with, and which of them a match meets where."""

from __future__ import annotations

import json

from infra.local.botapi import errors
from tests.shared import SHARED

LOST = [errors.BLOCKED, errors.CANT_INITIATE, errors.DEACTIVATED, errors.CHAT_NOT_FOUND]
"""With these somebody cannot be reached in private."""

SAMPLES = json.loads((SHARED / "botapi" / "errors.json").read_text()) if SHARED.is_dir() else []
"""Every known error, with the methods that are answered with it."""

METHODS = ("sendMessage", "editMessageText", "answerCallbackQuery", "pinChatMessage")
"""What the bot calls again and again while a match is played."""

ELSEWHERE = {"kicked_group", "kicked_supergroup", "not_member", "group_deleted", "chat_not_found", "upgraded"}
"""After these the match is not where it was; test_places.py has them."""

PERSONAL = {"blocked", "cant_initiate", "deactivated"}
"""These are never answered in a group."""
