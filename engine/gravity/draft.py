"""Whose turn it is to draft, and what is left (rules 4 and 5): pure functions of the public board."""

from __future__ import annotations

from typing import Final

from engine.game import Player
from engine.gravity.birds import DRAFTED, RULEBOOK, Bird
from engine.gravity.facts import Scores
from engine.gravity.view import Board

EC: Final[Player] = 0
"""The Elimination Candidate."""
DMO: Final[Player] = 1
"""The Death Match Opponent."""
PLAYERS: Final = (EC, DMO)


def first_drafter(previous: Player | None, scores: Scores) -> Player:
    """Who drafts first tonight (rule 5); ``previous`` did last night, None before the first night of the match."""
    if previous is None:
        return DMO
    if scores[EC] != scores[DMO]:
        return EC if scores[EC] < scores[DMO] else DMO
    return 1 - previous


def drafter(board: Board) -> Player | None:
    """Who is to pick now, in strict alternation (rule 4); None unless a draft is open."""
    if board.stage != "draft" or board.first is None:
        return None
    return (board.first + len(board.picks)) % 2


def birds_left(board: Board) -> tuple[Bird, ...]:
    """The birds not drafted yet tonight, rulebook order."""
    taken = [bird for _, bird, _ in board.picks]
    return tuple(bird for bird in DRAFTED if bird not in taken)


def drafted(board: Board, player: Player) -> tuple[Bird, ...]:
    """What a player drafted tonight, rulebook order."""
    own = [bird for owner, bird, _ in board.picks if owner == player]
    return tuple(sorted(own, key=RULEBOOK.__getitem__))
