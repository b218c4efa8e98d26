"""What can be pressed under a message of the open phase, and the pages of a panel that this leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from handler.buttons import PhasePress, Verb, read
from handler.message import Message

MATCH: Final = "abcdefgh"
NUMBER: Final = 31
"""The match and the phase of every frame here."""


def presses(message: Message) -> list[PhasePress]:
    """What each button carries, all of them good for the open phase."""
    found = []
    for row in message.keyboard:
        for button in row:
            assert button.data is not None
            assert 1 <= len(button.data.encode()) <= 64
            press = read(button.data)
            assert isinstance(press, PhasePress)
            assert (press.match, press.number) == (MATCH, NUMBER)
            found.append(press)
    return found


def reached(panel: Callable[[str], Message | None]) -> dict[str, Message]:
    """Every page of a panel that its own buttons lead to, by the menu's place, from what it shows at a place."""
    found: dict[str, Message] = {}
    ahead = [""]
    while ahead:
        place = ahead.pop()
        message = None if place in found else panel(place)
        if message is None:
            continue
        found[place] = message
        ahead.extend(press.arg for press in presses(message) if press.verb is Verb.MENU)
    return found
