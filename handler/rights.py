"""Who may change a lobby or end a match: its host and the group's administrators, asked when a button is pressed."""

from __future__ import annotations

from typing import Final

from handler.match import Match
from handler.ports import TelegramError
from handler.table import Ports

ADMINISTRATORS: Final = frozenset({"creator", "administrator"})


def may_host(ports: Ports, match: Match, user: int) -> bool:
    """Whether a person may make the host's calls now. If Telegram does not say, only the host may."""
    if user == match.host:
        return True
    if match.place.chat > 0:
        return False
    try:
        return ports.telegram.member(match.place.chat, user) in ADMINISTRATORS
    except TelegramError:
        return False
