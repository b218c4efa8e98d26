"""What can be pressed in a chat, read as a person reads it: from the newest message up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

NEWEST: Final = 20
"""So many messages people look through, most of the time."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Button:
    """A button: the chat and the message that it is under, and what it carries."""

    chat: int
    message: int
    data: str


def buttons(messages: Sequence[Json], newest: int = NEWEST) -> Iterator[Button]:
    """Every button that can be pressed, newest message first."""
    for place in range(len(messages) - 1, max(-1, len(messages) - 1 - newest), -1):
        message = messages[place]
        markup = message.get("reply_markup")
        if markup is not None:
            for row in markup.get("inline_keyboard", ()):
                for button in row:
                    if "callback_data" in button:
                        yield Button(message["chat"]["id"], message["message_id"], button["callback_data"])


def by_data(messages: Sequence[Json], newest: int = NEWEST) -> dict[str, Button]:
    """The newest button for each data."""
    found: dict[str, Button] = {}
    for button in buttons(messages, newest):
        found.setdefault(button.data, button)
    return found
