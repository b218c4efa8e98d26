"""What Telegram says of a person in a group, asked when it matters: who may host, and who is still there."""

from __future__ import annotations

from typing import Final

from handler.match import Match
from handler.ports import TelegramError
from handler.table import Ports
from handler.updates import Pressed

ADMINISTRATORS: Final = frozenset({"creator", "administrator"})


def is_here(match: Match, pressed: Pressed) -> bool:
    """Whether a button was pressed in the match's own chat.

    A client can press any data under any message that its user sees, and Telegram vouches for that user and that chat
    alone. So it is the chat that shows that somebody belongs to the group. A press that was under way while the group
    became a supergroup comes from the group as it was: there the button must really be, for only the bot puts it there.
    """
    place = pressed.place
    return place is not None and (place.chat == match.place.chat or pressed.offered)


def has_left(ports: Ports, chat: int, user: int) -> bool:
    """Whether Telegram says that a person is no longer in a group. Only an administrator is told for sure
    (getChatMember), so where the bot is none, or gets no answer, nobody has left.
    """
    try:
        if ports.telegram.member(chat, ports.telegram.me().id) not in ADMINISTRATORS:
            return False
        return ports.telegram.member(chat, user) in ("left", "kicked")
    except TelegramError:
        return False


def may_host(ports: Ports, match: Match, user: int) -> bool:
    """Whether a person may make the host's calls now. If Telegram does not say, only the host may."""
    if user == match.host:
        return True
    return match.place.chat < 0 and is_administrator(ports, match.place.chat, user)


def is_administrator(ports: Ports, chat: int, user: int) -> bool:
    """Whether a person is an administrator of a group now. If Telegram does not say, they are none."""
    try:
        return ports.telegram.member(chat, user) in ADMINISTRATORS
    except TelegramError:
        return False
