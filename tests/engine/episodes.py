"""Episodes played to the end for tests: the main match by one hand, the Death Match by another."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.episode.rules import EPISODE, Death, Move, State
from engine.game import Player
from engine.record import Record, Setup
from tests.engine import dog_matches, matches


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
