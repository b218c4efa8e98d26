"""Moves as short texts and back, one text a move (the table stands in :mod:`engine.dog.moves`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final

from engine.dog.events import CARDS, EVENTS, LETTERS, PLAYERS, VP_EVENTS, Card, Event, Movement
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.game import BadNotation

_NOTHING: Final = {"": None}
_GAINS: Final[dict[str, Card | None]] = {str(card): card for card in CARDS}
_MOVEMENTS: Final[dict[str, Movement | None]] = {
    "-": None,
    **{
        f"w{LETTERS[origin]}{LETTERS[goal]}": Movement("win", origin, goal)
        for origin, goal in permutations(VP_EVENTS, 2)
    },
    **{
        f"l{LETTERS[origin]}{LETTERS[goal]}": Movement("lose", origin, goal)
        for origin, goal in permutations(VP_EVENTS, 2)
    },
}


def _plays() -> Iterator[tuple[str, Play]]:
    """Every complete play with its text: any value for the Exchange Store, any movement or none for a bribe.

    Rules 2 and 3 forbid some of them: what is wrong with a play that can be written down, a refusal says.
    """
    for card in CARDS:
        for pair in combinations(EVENTS, 2):
            opening = f"{card}{LETTERS[pair[0]]}{LETTERS[pair[1]]}"
            for value, gain in (_GAINS if Event.EXCHANGE_STORE in pair else _NOTHING).items():
                for way, movement in (_MOVEMENTS if Event.BRIBING_THE_DOG in pair else _NOTHING).items():
                    yield opening + value + way, Play(card, pair, gain, movement)


_MOVES: Final[dict[str, Move]] = {
    **dict(_plays()),
    "-": Withdraw(),
    **{f"vs{player}": Challenge(player) for player in PLAYERS},
    "vs-": Challenge(None),
    "end": Decline(),
}
_TEXTS: Final = {move: text for text, move in _MOVES.items()}

_NO_MOVE: Final = "no move of this game"
"""A move may be secret and an error may be logged, so no error quotes one."""


def read(text: str) -> Move:
    """The move a text stands for; BadNotation unless the text is exactly what ``write`` gives for it."""
    move = find(text)
    if move is None:
        raise BadNotation(_NO_MOVE)
    return move


def find(text: str) -> Move | None:
    """As ``read``, and None for what is no move of this game."""
    return _MOVES.get(text)


def write(move: Move) -> str:
    """A move's text, at most 48 bytes; BadNotation for what can be none: an incomplete play, events out of order."""
    text = _TEXTS.get(move)
    if text is None:
        raise BadNotation(_NO_MOVE)
    return text
