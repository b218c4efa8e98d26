"""Opening a lobby, one to a place."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.games import GAMES
from handler import lobby, voices
from handler.codec import read_match, read_telling
from handler.match import Match, Person
from handler.message import Message
from handler.ports import Conflict, Item, Place, Taken
from handler.table import ATTEMPTS, Busy, Outcome, Ports, change, create, keep
from handler.telling import settle
from handler.updates import Who
from handler.views import talk
from handler.words import plain


def open_lobby(
    ports: Ports, place: Place, title: str, game: str, who: Who, update: int
) -> tuple[Outcome[Any], Message | None]:
    """A new lobby, hosted by whoever asked; in their private chat house players take all other seats at once. If the
    place has a match already: what is due there, and a refusal with a link to it, unless this very update opened it.
    Raises Busy if what stood in the way was gone each time.
    """
    private = place.chat == who.id
    host = Person(who.id, who.name, language=who.language)

    def make(id: str, now: float) -> Match:
        called = plain("table.practice") if private else title
        opened = lobby.opened(id, place, called, game, GAMES[game].players, host, update, now)
        match = replace(opened, language=voices.for_new_match(ports, place, who))
        return lobby.filled(match) if private else match

    there = open_match(ports, place, make)
    if update == there.match.update:
        return there, None
    return there, talk.occupied(link(there), lobby=there.match.stage == "lobby")


def open_match(ports: Ports, place: Place, make: Callable[[str, float], Match]) -> Outcome[Any]:
    """What stands in a place: a lobby or match that was there already, or the lobby that ``make`` gives for an id and
    the time. Raises Busy if what stood in the way was gone each time.
    """
    for _ in range(ATTEMPTS):
        standing = ports.store.at(place)  # first, since a match is given its timer before it is stored
        if standing is None:
            id = base64.b32encode(ports.entropy.bytes(5)).decode().lower()
            try:
                return create(ports, make(id, ports.clock.now()))
            except Conflict:
                continue
            except Taken as taken:
                standing = taken.match
        there = change(ports, standing, keep)
        if there is not None and there.match.stage in ("lobby", "playing"):
            return there
        settle(ports, there)
    raise Busy(f"{place.chat}")


def link(there: Outcome[Any]) -> str | None:
    """A link to a match's board, or its lobby's card; only supergroups have any (their ids begin with -100)."""
    return board_link(there.item)


def board_link(item: Item) -> str | None:
    """The same for a match as it is stored."""
    board = read_telling(item.telling).board
    match = read_match(item.id, item.body)
    chat = str(match.place.chat)
    if board is None or board.chat != match.place.chat or not chat.startswith("-100"):
        return None
    thread = "" if match.place.topic is None else f"{match.place.topic}/"
    return f"https://t.me/c/{chat.removeprefix('-100')}/{thread}{board.message}"
