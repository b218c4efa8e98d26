"""The story of a match of Dog's Judgement, out of the state it came to."""

from __future__ import annotations

from engine.dog.state import State
from engine.dog.story import RoundStory, Story


def retold(state: State) -> Story:
    """The story of a match that has been judged. ValueError for one that has not."""
    board = state.board
    if board.judgement is None:
        raise ValueError("a match has its story once it is judged")
    rounds = tuple(
        RoundStory(tuple(told[place].scored for told in state.told), announced.level, announced.moved)
        for place, announced in enumerate(board.announced)
    )
    return Story(rounds, board.tokens, board.judgement)
