"""Positions of Dog's Judgement as matches reach them, and every play that there is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from random import Random
from typing import Final

from engine.dog.choices import refused
from engine.dog.events import CARDS, EVENTS, PLAYERS, VP_EVENTS, Event, Movement
from engine.dog.moves import Move, Play
from engine.dog.rules import advance, phase, start
from engine.dog.state import view
from engine.dog.view import View
from engine.game import Phase, Tell
from handler.frame import Frame
from tests.engine.dog_matches import Mover, by_chance, house_players, silent
from tests.handler.pages import MATCH, NUMBER

NAMES: Final = ("Ann", "Bob", "Cem", "Dee", "Eva", "Fay", "Gus")
"""The seven of a table, in table order and in alphabetical order too, with no digit in a name."""

MOVEMENTS: Final = tuple(
    Movement(token, origin, goal) for token in ("win", "lose") for origin, goal in permutations(VP_EVENTS, 2)
)


@dataclass(frozen=True)
class Position:
    """An open phase (None at the end), everybody's view of it, what was told on the way to it, and what was sealed."""

    phase: Phase | None
    public: View
    views: tuple[View, ...]
    tells: tuple[Tell, ...]
    sealed: tuple[Move | None, ...]


def _plays() -> tuple[Play, ...]:
    return tuple(
        Play(card, pair, gain, movement)
        for card, pair in product(CARDS, combinations(EVENTS, 2))
        for gain in (CARDS if Event.EXCHANGE_STORE in pair else (None,))
        for movement in ((None, *MOVEMENTS) if Event.BRIBING_THE_DOG in pair else (None,))
    )


PLAYS: Final = _plays()
"""Every play that is complete, legal or not."""


def legal(view: View) -> set[Play]:
    """The plays that the rules admit, whatever ``options`` says."""
    return {play for play in PLAYS if refused(play, view.hand, view.board.tokens) is None}


def match(seed: int, mover: Mover) -> tuple[Position, ...]:
    """A whole match, position by position; the last one has no phase."""
    found = []
    reached = start(bytes([seed]) * 32)
    while True:
        state = reached.state
        open_ = phase(state)
        active = open_.active if open_ else ()
        sealed = tuple(mover(state, player) if player in active else None for player in PLAYERS)
        views = tuple(view(state, player) for player in PLAYERS)
        found.append(Position(open_, view(state, None), views, reached.tells, sealed))
        if open_ is None:
            return tuple(found)
        reached = advance(state, {player: move for player, move in enumerate(sealed) if move is not None})


@cache
def positions() -> tuple[Position, ...]:
    """Positions of matches between all kinds of players."""
    movers: list[Mover] = [house_players(bytes([number]) * 32) for number in range(2)]
    movers += [by_chance(Random(number)) for number in range(8)]
    return tuple(position for seed, mover in enumerate((*movers, silent)) for position in match(seed, mover))


@cache
def choices() -> tuple[tuple[View, Phase, Move | None], ...]:
    """Some of the choices that players had to make: each number of cards with other tokens, and each kind of choice."""
    found = {
        (position.phase.name, len(view.hand), view.board.tokens.lose): (view, position.phase, sealed)
        for position in positions()
        if position.phase is not None
        for view, sealed in zip(position.views, position.sealed, strict=True)
        if view.viewer in position.phase.active
    }
    return tuple(found.values())


def of_stage(stage: str) -> Position:
    """The first position of a stage."""
    return next(position for position in positions() if position.public.board.stage == stage)


def framed(*names: str, title: str = "The kennel") -> Frame:
    """A frame around a position."""
    return Frame(MATCH, NUMBER, names or NAMES, 1_900_000_000.0, title)
