"""Moves as short texts and back, one text a move (the table stands in :mod:`engine.gravity.moves`)."""

from __future__ import annotations

from typing import Final

from engine.game import BadNotation
from engine.gravity.birds import BIRDS, DRAFTED, LETTERS, RULEBOOK, SEATS, Bird
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pass, Pick, Resign, Reveal, Target

# Lovebird A is never drafted (rule 4), which leaves its letter free to open the notation of ``Actions``.
_MOVES: Final[dict[str, Move]] = {
    "?-": Reveal(None),
    **{f"?{LETTERS[bird]}": Reveal(bird) for bird in BIRDS},
    **{LETTERS[bird]: Pick(bird) for bird in DRAFTED},
    **{f"{LETTERS[bird]}!": HostPick(bird) for bird in DRAFTED},
    "+": Here(),
    "a": Actions(),
    "g-": Pass(),
    **{f"g{seat}{LETTERS[bird]}": Guess(seat, bird) for seat in SEATS for bird in BIRDS},
    "resign": Resign(),
}
_TEXTS: Final = {move: text for text, move in _MOVES.items()}

_TARGETS: Final[dict[str, Target | None]] = {
    "-": None,
    **{str(seat): seat for seat in SEATS},
    **{LETTERS[bird]: bird for bird in BIRDS},
}
_ERRANDS: Final[dict[str, tuple[Bird, Target | None]]] = {
    LETTERS[bird] + text: (bird, target) for bird in BIRDS for text, target in _TARGETS.items()
}
_ERRAND_TEXTS: Final = {errand: text for text, errand in _ERRANDS.items()}

_NO_MOVE: Final = "no move of this game"
"""A move may be secret and an error may be logged, so no error quotes one."""


def read(text: str) -> Move:
    """The move a text stands for; BadNotation unless the text is exactly what ``write`` gives for it."""
    move = _MOVES.get(text)
    if move is not None:
        return move
    if not text.startswith("a"):
        raise BadNotation(_NO_MOVE)
    try:
        targets = tuple([_ERRANDS[part] for part in text[1:].split(",")])
    except KeyError:
        raise BadNotation(_NO_MOVE) from None
    if not in_order(targets):
        raise BadNotation(_NO_MOVE)
    return Actions(targets)


def write(move: Move) -> str:
    """A move's text, at most 48 bytes; BadNotation for one that can be none: no such seat, birds out of order."""
    text = _TEXTS.get(move)
    if text is not None:
        return text
    if not isinstance(move, Actions) or not in_order(move.targets):
        raise BadNotation(_NO_MOVE)
    try:
        return "a" + ",".join(_ERRAND_TEXTS[errand] for errand in move.targets)
    except KeyError:
        raise BadNotation(_NO_MOVE) from None


def in_order(targets: tuple[tuple[Bird, Target | None], ...]) -> bool:
    """Whether each bird stands once and all in rulebook order."""
    places = [RULEBOOK[bird] for bird, _ in targets]
    return places == sorted(set(places))
