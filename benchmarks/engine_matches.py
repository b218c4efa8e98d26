"""Whole matches by chance, the same each time, and what is taken out of them: moves, positions, questions to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.dog import fields as dog_fields
from engine.dog import judgement as dog_judgement
from engine.dog import round as dog_round
from engine.dog.moves import Play
from engine.dog.state import State as DogState
from engine.episode.rules import EPISODE, Death
from engine.game import Game, Player
from engine.games import GAMES
from engine.gravity import fields, night, score
from engine.gravity.birds import RULEBOOK, Bird
from engine.gravity.draft import PLAYERS, drafted
from engine.gravity.moves import Actions, Guess
from engine.gravity.state import State as GravityState
from engine.reading import canonical
from engine.record import Record
from tests.engine import episodes, matches

Moves = Mapping[Player, Any]


@dataclass(frozen=True)
class Position:
    """A state in which a phase is open, and what is sealed when it closes."""

    game: Game[Any, Any, Any]
    state: Any
    moves: Moves


@dataclass(frozen=True)
class Question:
    """Something to judge: as the adjudicator reads it, and as a call of the pure function that judges it."""

    kind: str
    line: bytes
    resolve: Callable[[], object]


GRAVITY: Final = "Gravity Pandemic"
DOG: Final = "Dog's Judgement"
EPISODES: Final = "Episode"


def records(number: int) -> dict[str, list[Record]]:
    """So many finished matches of each game, and episodes of both, by chance: with silence and wrong guesses."""
    whole = [list(episodes.by_chance(_seed(luck), luck))[-1] for luck in range(number)]
    return {
        GRAVITY: [matches.finished(_seed(luck), matches.by_chance(_random(luck)))[0] for luck in range(number)],
        DOG: [_declined(record) for record in whole],
        EPISODES: whole,
    }


def afresh(record: Record) -> Record:
    """The record as it is read from a store by a process that has not seen it."""
    return Record(record.setup, record.steps)


def moves_in(of: Sequence[Record]) -> int:
    """How many moves were sealed in these matches."""
    return sum(len(step) for record in of for step in record.steps)


def positions(of: Sequence[Record]) -> list[Position]:
    """Every open phase of these matches."""
    return [
        Position(game, transition.state, {player: game.read(text) for player, text in step.items()})
        for record in of
        for game in [GAMES[record.setup.game]]
        for transition, step in zip(record.history, record.steps, strict=False)  # in the last state no phase is open
    ]


def questions(of: Sequence[Position]) -> Iterator[Question]:
    """All that can be judged in these phases of whole matches."""
    for position in of:
        match position.state:
            case GravityState(board) as state if board.stage == "actions":
                yield _night(state, position.moves)
            case GravityState(board) as state if board.stage == "guesses":
                yield _guesses(state, position.moves)
            case DogState(board) as state if board.stage == "round":
                yield _round(state, position.moves)
            case DogState(board) as state if board.judgement is not None:
                yield _judgement(state)


def _random(luck: int) -> Random:
    return Random(luck)  # noqa: S311 - the same match each time


def _seed(luck: int) -> bytes:
    return _random(luck).randbytes(32)


def _declined(episode: Record) -> Record:
    """The main match alone: where it leads to a choice, the host ends it there."""
    main = [each.state for each in episode.history if not isinstance(each.state, Death) and EPISODE.phase(each.state)]
    last = main[-1]
    choice = last.board.candidate if last.board.stage == "choice" else None
    steps = episode.steps[: len(main)]
    return Record(episode.setup, steps if choice is None else (*steps[:-1], {choice.candidate: "end"}))


def _asked(kind: str, given: dict[str, Any], resolve: Callable[[], object]) -> Question:
    return Question(kind, canonical({"kind": kind, "input": given}).encode(), resolve)


def _seats(state: GravityState) -> dict[str, Any]:
    revealed = sorted((bird for _, bird in state.board.revealed), key=RULEBOOK.__getitem__)
    return {
        "seats": {str(seat): bird.value for seat, bird in enumerate(state.seats, start=1)},
        "revealed": [bird.value for bird in revealed],
    }


def _night(state: GravityState, moves: Moves) -> Question:
    board = state.board
    errands = [errand for move in moves.values() if isinstance(move, Actions) for errand in move.targets]
    sent = {bird: target for bird, target in errands if target is not None}
    owners = {bird: player for player, bird, _ in board.picks}
    known = [bird for _, bird in board.revealed]
    given = {
        **_seats(state),
        "flightless": [bird.value for bird in state.flightless],
        "drafts": {f"p{player}": [bird.value for bird in drafted(board, player)] for player in PLAYERS},
        "actions": {bird.value: fields.written_target(target) for bird, target in sent.items()},
    }
    return _asked("gravity/night", given, lambda: night.resolve(state.seats, state.flightless, known, owners, sent))


def _guesses(state: GravityState, moves: Moves) -> Question:
    guesses = {player: move for player, move in moves.items() if isinstance(move, Guess)}
    given = {
        **_seats(state),
        "barred": {f"p{player}": _id(bird) for player, bird in enumerate(state.named)},
        "guesses": {f"p{player}": fields.written_guess(guesses.get(player)) for player in PLAYERS},
    }
    return _asked("gravity/guesses", given, lambda: score.judge(state.seats, guesses))


def _id(bird: Bird | None) -> str | None:
    return None if bird is None else bird.value


def _round(state: DogState, moves: Moves) -> Question:
    board = state.board
    plays = {player: move for player, move in moves.items() if isinstance(move, Play)}
    given = {
        "charge": board.level,
        "tokens": dog_fields.written_tokens(board.tokens),
        "hands": {f"p{player}": list(hand) for player, hand in enumerate(state.hands)},
        "plays": {f"p{player}": dog_fields.written_play(play) for player, play in plays.items()},
    }
    return _asked("dog/round", given, lambda: dog_round.resolve(board.level, board.tokens, plays))


def _judgement(state: DogState) -> Question:
    players = [f"p{player}" for player in range(len(state.points))]
    given = {
        "vp": dog_fields.written_points(state.points, players),
        "tokens": dog_fields.written_tokens(state.board.tokens),
    }
    held = [0] * len(players)
    return _asked("dog/judgement", given, lambda: dog_judgement.judge(state.points, state.board.tokens, held))
