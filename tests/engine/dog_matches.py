"""Matches of Dog's Judgement for tests: played to the end by chance or by house players, or scripted positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from random import Random

from engine.chance import draws
from engine.dog.choices import check
from engine.dog.events import CARDS, PLAYERS, Card, Event, Points, Tokens
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.notation import read
from engine.dog.rules import DOG, advance, start
from engine.dog.state import State, view
from engine.dog.view import ChoiceOptions, PlayOptions
from engine.game import Player, Tell

SEED = bytes(range(32))

Mover = Callable[[State, Player], Move | None]
"""What a player seals; None for silence."""

LEADS = ((9, 1, 1), (1, 9, 1), (1, 1, 9), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5))
"""VP after which players 0, 1 and 2 hold a Token of Life each, and 3 has least of the others in every event."""
JOINT = (*LEADS[:3], (2, 2, 2), (3, 3, 3), (2, 2, 2), (2, 2, 2))
"""The same with 3, 5 and 6 as joint candidates."""


# --- plays in one line ------------------------------------------------------------------------------


def play(text: str) -> Play:
    """A play by its notation: ``5cm``, ``5xr7``, ``5rbwcr``, ``5xb3-``."""
    move = read(text)
    assert isinstance(move, Play)
    return move


def row(text: str) -> dict[Player, Play]:
    """What the table plays, from the first player on: ``5cm . 7xr6``; a dot, and whoever is left over, is silent."""
    return {player: play(each) for player, each in enumerate(text.split()) if each != "."}


# --- whole matches ----------------------------------------------------------------------------------


def played(seed: bytes, mover: Mover) -> Iterator[State]:
    """Each state from the start of a match to its end."""
    state = start(seed).state
    yield state
    while state.board.stage != "over":
        sealed = {player: mover(state, player) for player in PLAYERS}
        state = close(state, {player: move for player, move in sealed.items() if move is not None})
        yield state


def finished(seed: bytes, mover: Mover) -> State:
    """The state at the end of a match."""
    *_, last = played(seed, mover)
    return last


def house_players(seed: bytes) -> Mover:
    """Seven house players."""

    def move(state: State, player: Player) -> Move | None:
        draw = draws(seed, f"house/{player}/{state.board.stage}/{state.board.round}")
        return DOG.house(view(state, player), draw)

    return move


def silent(state: State, player: Player) -> None:
    """A player who does nothing."""


def by_chance(random: Random) -> Mover:
    """Legal moves of every kind, silence and withdrawals among them."""

    def move(state: State, player: Player) -> Move | None:
        if random.random() < 0.1:
            return None
        match DOG.options(view(state, player)):
            case PlayOptions() as offered:
                return Withdraw() if random.random() < 0.05 else any_play(offered, random)
            case ChoiceOptions(players):
                choices: list[Move] = [Decline(), Challenge(None), *(Challenge(each) for each in players)]
                return random.choice(choices)
            case _:
                return None

    return move


def any_play(offered: PlayOptions, random: Random) -> Play:
    """A play built from what is offered."""
    card = random.choice(offered.cards)
    pair = random.choice(tuple(combinations(offered.events, 2)))
    gain = random.choice(dict(offered.values)[card]) if Event.EXCHANGE_STORE in pair else None
    movement = random.choice((None, *offered.movements)) if Event.BRIBING_THE_DOG in pair else None
    return Play(card, pair, gain, movement)


# --- scripted positions -----------------------------------------------------------------------------

NOBODY = ((0, 0, 0),) * 7
"""The VP of a table where nobody has scored."""


def opened(
    round_: int = 1,
    *,
    level: int = 1,
    tokens: Tokens | None = None,
    hand: tuple[Card, ...] = CARDS,
    points: tuple[tuple[Points, Points, Points], ...] = NOBODY,
    seed: bytes = SEED,
) -> State:
    """An open round in which everybody has this hand."""
    state = start(seed).state
    board = replace(state.board, stage="round", round=round_, level=level, tokens=tokens or Tokens())
    return replace(state, board=board, hands=(hand,) * 7, points=points)


def close(state: State, moves: Mapping[Player, Move] | None = None) -> State:
    """The state after the open phase."""
    return advance(state, moves or {}).state


def told(state: State, moves: Mapping[Player, Move] | None = None) -> tuple[Tell, ...]:
    """What is told when the open phase closes."""
    return advance(state, moves or {}).tells


def public(tells: tuple[Tell, ...]) -> list[object]:
    """The facts told to everybody."""
    return [tell.fact for tell in tells if tell.to is None]


def private(tells: tuple[Tell, ...], player: Player) -> list[object]:
    """The facts told to one player alone."""
    return [tell.fact for tell in tells if tell.to == player]


def code(state: State, player: Player | None, move: Move) -> str | None:
    """Why a move is refused, by its code; None if it is not."""
    refusal = check(view(state, player), move)
    return None if refusal is None else refusal.code


def choosing(points: tuple[tuple[int, int, int], ...] = LEADS, seed: bytes = SEED) -> State:
    """The choice that follows a last round in which nobody played."""
    state = close(opened(9, points=points, seed=seed))
    assert state.board.stage == "choice"
    return state
