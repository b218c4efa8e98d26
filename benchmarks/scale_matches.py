"""Thousands of open matches within seconds: a few are played by house players, and all others are copies of these.

A copy has an id, a place, people and a seed text of its own, so that nothing outside the engine takes two for one.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from engine.chance import draws
from engine.game import Player
from engine.games import GAMES
from engine.record import Record, Setup
from handler.codec import write_match, write_telling
from handler.match import Match, Person
from handler.message import Button, Message
from handler.phases import next_alarm
from handler.player_telling import panel_shown
from handler.ports import Item, Place, Pointers
from handler.screening import panel
from handler.screens import GROUP, Cursor, Screen, Telling

NOW: Final = 1_800_000_000.0
"""When all this happens, Unix seconds."""
LEFT: Final = 36_000.0
"""Seconds until the first deadline; each further match has one more."""
STANDS: Final = 5
"""From how many positions of each game matches are copied, from its beginning to its end."""
FIRST_USER: Final = 5_000_000_000
"""The first Telegram id of a player; each match has ten to itself."""

PANEL: Final = 123_456
"""The message id of everybody's panel, each in a chat of its own."""


@dataclass(frozen=True)
class Position:
    """A match as it stands, and two moves that one of its players may seal: pressed in turn, each changes the box."""

    match: Match
    player: Player
    moves: tuple[str, str]


@dataclass(frozen=True)
class Open:
    """One open match as it is stored: the copy of a position with this number."""

    position: Position
    serial: int
    item: Item
    pointers: Pointers


def positions() -> Sequence[Position]:
    """Positions of both games in turn, each further on in its match than the one before."""
    found = {game: list(_positions(game)) for game in GAMES}
    return [each[stand * (len(each) - 1) // (STANDS - 1)] for stand in range(STANDS) for each in found.values()]


def copies(of: Sequence[Position], number: int) -> Iterator[Open]:
    """So many open matches, a copy of each position in turn."""
    return (_copy(of[serial % len(of)], serial) for serial in range(number))


def _positions(game: str) -> Iterator[Position]:
    """Where a match by house players can be pressed on without closing a phase."""
    rules = GAMES[game]
    seed = Random(game).randbytes(32)  # noqa: S311 - the same match each time
    record = Record(Setup(game, rules.rules, seed.hex()))
    while (phase := rules.phase(record.history[-1].state)) is not None:
        state = record.history[-1].state
        if not phase.instant:
            for player in phase.active[:1]:
                moves = _moves(record, player)
                if len(moves) == 2:
                    yield Position(_match(record, phase.name), player, (moves[0], moves[1]))
        sealed = {
            player: rules.house(rules.view(state, player), draws(seed, f"{player}/{len(record.steps)}"))
            for player in phase.active
        }
        record = record.then({player: rules.write(move) for player, move in sealed.items() if move is not None})


def _moves(record: Record, player: Player) -> Sequence[str]:
    """Two different moves that a house player might make, in notation; fewer where it never varies."""
    rules, seed = GAMES[record.setup.game], bytes.fromhex(record.setup.seed)
    view = rules.view(record.history[-1].state, player)
    tries = (rules.house(view, draws(seed, f"{player}/{len(record.steps)}/{each}")) for each in range(8))
    return list(dict.fromkeys(rules.write(move) for move in tries if move is not None))[:2]


def _match(record: Record, phase: str) -> Match:
    """A match around a record; who sits in it is for the copies to say."""
    return Match(
        id="",
        place=Place(0),
        title=f"A group at its {phase}",
        game=record.setup.game,
        host=0,
        host_name="",
        stage="playing",
        pace="letters",
        seats=(),
        opened=NOW - 60,
        deadline=None,
        update=1,
        record=record,
        reminded=True,
    )


def press(of: Open, which: int) -> dict[str, Any]:
    """The update with which a player of a match presses the button of the first or the second (0, 1) of two moves."""
    match, player = _seated(of.position.match, of.serial), of.position.player
    shown = panel(match, player)
    assert shown is not None, "an active player has a panel"
    user = match.users[player]
    data = f"{match.id}:{match.number}:s{of.position.moves[which]}"
    return _update(2 * of.serial + which, user, data, shown)


def _copy(position: Position, serial: int) -> Open:
    match = _seated(position.match, serial)
    assert match.record is not None
    setup = match.record.setup
    record = replace(match.record, setup=replace(setup, seed=_spelt(setup.seed, serial)))
    item = Item(
        id=match.id,
        version=1,
        body=write_match(replace(match, record=record)),
        alarm_at=next_alarm(match),
        alarm=1,
        news=1,
        telling=write_telling(_telling(match)),
        told=1,
        tell_at=0.0,
        lease=None,
        lease_until=0.0,
    )
    return Open(position, serial, item, Pointers(take_place=match.place, add_people=match.users))


def _seated(match: Match, serial: int) -> Match:
    """A match under an id and in a place of its own, with people of its own."""
    first = FIRST_USER + 10 * serial
    return replace(
        match,
        id=base64.b32encode(serial.to_bytes(5, "big")).decode().lower(),
        place=Place(-1_000_000_000_000 - serial),
        host=first,
        host_name="Player 0",
        seats=tuple(Person(first + seat, f"Player {seat}") for seat in range(GAMES[match.game].players)),
        deadline=NOW + LEFT + serial,
    )


def _spelt(seed: str, serial: int) -> str:
    """The same seed in other letters, by the bits of a number: hex digits may be large or small."""
    bits = iter(bin(serial)[2:][::-1].ljust(len(seed), "0"))
    return "".join(digit.upper() if digit.isalpha() and next(bits) == "1" else digit for digit in seed)


def _telling(match: Match) -> Telling:
    """All has been told, and the group and everybody have their screens."""
    cursor = Cursor(match.number, 3)
    return Telling(
        cursors={GROUP: cursor, **{str(seat): cursor for seat in range(len(match.seats))}},
        board=Screen(match.place.chat, 123_456, "scene", "0123456789ab", pressable=True),
        panels={seat: panel_shown(match, seat, PANEL) for seat in range(len(match.seats))},
        sent=(NOW - 50, NOW - 40),
    )


def _update(number: int, user: int, data: str, panel: Message) -> dict[str, Any]:
    """A press of a button on a panel as Telegram tells of it."""
    chat = {"id": user, "type": "private", "first_name": "Player"}
    sender = {"id": user, "is_bot": False, "first_name": "Player", "language_code": "en"}
    return {
        "update_id": 1_000_000 + number,
        "callback_query": {
            "id": str(4_000_000_000_000 + number),
            "from": sender,
            "chat_instance": "1",
            "data": data,
            "message": {
                "message_id": PANEL,
                "date": int(NOW) - 30,
                "chat": chat,
                "from": {"id": 1, "is_bot": True, "first_name": "Raven & Dog", "username": "raven_dog_bot"},
                "text": panel.text.striptags(),
                "reply_markup": {
                    # The panel's first page, and what is pressed, which may stand on a later one.
                    "inline_keyboard": [
                        [{"text": "This", "callback_data": data}],
                        *([_button(each) for each in row] for row in panel.keyboard),
                    ]
                },
            },
        },
    }


def _button(button: Button) -> dict[str, str]:
    return {"text": button.label} | (
        {"url": button.url} if button.url is not None else {"callback_data": button.data or ""}
    )
