"""Opening a lobby, one to a place."""

from __future__ import annotations

import base64
from typing import Any

from engine.games import GAMES
from handler import lobby
from handler.codec import read_match, read_telling
from handler.match import Person
from handler.message import Message
from handler.ports import Conflict, Place, Taken
from handler.table import ATTEMPTS, Busy, Outcome, Ports, change, create, keep
from handler.telling import settle
from handler.updates import Who
from handler.views import talk
from handler.words import plain


def open_lobby(
    ports: Ports, place: Place, title: str, game: str, who: Who, update: int
) -> tuple[Outcome[Any] | None, Message | None]:
    """A new lobby, hosted by whoever asked. If the place has a match already: what is due there, and a refusal with a
    link to it, unless this very update opened it. Raises Busy if what stood in the way was gone each time.
    """
    if place.chat == who.id:
        title = plain("table.practice")
    for _ in range(ATTEMPTS):
        standing = ports.store.at(place)  # first, since a match is given its timer before it is stored
        if standing is None:
            id = base64.b32encode(ports.entropy.bytes(5)).decode().lower()
            host = Person(who.id, who.name)
            match = lobby.opened(id, place, title, game, GAMES[game].players, host, update, ports.clock.now())
            try:
                return create(ports, match), None
            except Conflict:
                continue
            except Taken as taken:
                standing = taken.match
        there = change(ports, standing, keep)
        if there is None or there.match.stage not in ("lobby", "playing"):
            settle(ports, there)
            continue
        if update == there.match.update:
            return there, None
        return there, talk.occupied(_link(there), lobby=there.match.stage == "lobby")
    raise Busy(f"{place.chat}")


def _link(there: Outcome[Any]) -> str | None:
    """A link to the board; only supergroups have any (their ids begin with -100)."""
    board = read_telling(there.item.telling).board
    match = read_match(there.item.id, there.item.body)
    chat = str(match.place.chat)
    if board is None or board.chat != match.place.chat or not chat.startswith("-100"):
        return None
    thread = "" if match.place.topic is None else f"{match.place.topic}/"
    return f"https://t.me/c/{chat.removeprefix('-100')}/{thread}{board.message}"
