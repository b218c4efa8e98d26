"""Episodes played to the end for tests: the main match by one hand, the Death Match by another."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.documents import export
from engine.dog.state import State as MainState
from engine.episode.rules import EPISODE, Death, Move, State
from engine.game import Player
from engine.record import Record, Setup
from tests.engine import dog_matches, matches

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus")
"""Who plays, by their names in the document."""
PLAYERS = ["p1", "p2", "p3", "p4", "p5", "p6", "p7"]
"""And by their keys in it."""


def record_of(seed: bytes) -> Record:
    """The record of an episode that has just begun."""
    return Record(Setup(EPISODE.key, EPISODE.rules, seed.hex()))


def played(seed: bytes, main: dog_matches.Mover, death: matches.Mover) -> Iterator[Record]:
    """Each record from the start of an episode to its end."""
    record = record_of(seed)
    yield record
    while EPISODE.phase(now := state(record)) is not None:
        if isinstance(now, Death):
            sealed: list[tuple[Player, Move | None]] = [
                (player, death(now.match, place)) for place, player in enumerate(now.pair)
            ]
        else:
            sealed = [(player, main(now, player)) for player in range(EPISODE.players)]
        record = record.then({player: EPISODE.write(move) for player, move in sealed if move is not None})
        yield record


def state(record: Record) -> State:
    """The state that a record has come to."""
    reached: State = record.history[-1].state
    return reached


def by_chance(seed: bytes, luck: int) -> Iterator[Record]:
    """Each record of an episode in which everybody moves by chance."""
    random = Random(luck)
    return played(seed, dog_matches.by_chance(random), matches.by_chance(random))


def by_house_players(seed: bytes) -> Iterator[Record]:
    """Each record of an episode of house players."""
    return played(seed, dog_matches.house_players(seed), matches.house_players(seed))


def whole(luck: int) -> tuple[Record, Any]:
    """An episode by chance, and its document."""
    *_, record = by_chance(Random(luck).randbytes(32), luck)
    return record, export(record, NAMES)


def ended(record: Record) -> MainState:
    """The main match of an episode."""
    last = state(record)
    return last.main if isinstance(last, Death) else last
