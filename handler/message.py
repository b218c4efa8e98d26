"""What the bot says: a text in Telegram's HTML and the buttons under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup


@dataclass(frozen=True)
class Button:
    """One inline button. Exactly one of ``data`` (callback_data, 1-64 bytes) and ``url`` is given."""

    label: str
    data: str | None = None
    url: str | None = None


Keyboard = tuple[tuple[Button, ...], ...]
"""Rows of buttons, top to bottom."""


@dataclass(frozen=True)
class Message:
    """A message to send or to edit in place; at most 4096 characters once its entities are parsed."""

    text: Markup
    keyboard: Keyboard = ()


def inline(keyboard: Keyboard) -> dict[str, Any]:
    """The keyboard as the Bot API words it (InlineKeyboardMarkup)."""
    return {"inline_keyboard": [[_worded(button) for button in row] for row in keyboard]}


def _worded(button: Button) -> dict[str, str]:
    given = {"text": button.label, "callback_data": button.data, "url": button.url}
    return {name: value for name, value in given.items() if value is not None}
