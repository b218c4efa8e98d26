"""A copy with other values is what ``dataclasses.replace`` would have given."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import cached_property
from random import Random

import pytest

from engine.copying import altered
from engine.dog.state import State as DogState
from engine.dog.view import Board as DogBoard
from engine.episode.rules import Death
from engine.game import Phase
from engine.gravity.state import State
from engine.gravity.view import Board
from tests.engine import matches


def test_a_copy_is_equal_to_one_by_replace_and_leaves_the_original_alone() -> None:
    random = Random(7)
    for _, state in matches.played(random.randbytes(32), matches.by_chance(random)):
        before, board = repr(state), state.board
        copy = altered(state, board=altered(board, stage="over", winner=1), named=(None, None))
        assert copy == replace(state, board=replace(board, stage="over", winner=1), named=(None, None))
        assert (type(copy), hash(copy), repr(state)) == (State, hash(pickle.loads(pickle.dumps(copy))), before)


def test_a_copy_is_as_frozen() -> None:
    copy = altered(Phase("draft", (0,), 300), seconds=0)
    with pytest.raises(FrozenInstanceError):
        copy.seconds = 1  # type: ignore[misc]


@pytest.mark.parametrize("kind", [Phase, State, Board, DogState, DogBoard, Death])
def test_what_the_rules_copy_holds_its_fields_and_nothing_else(kind: type) -> None:
    assert is_dataclass(kind)
    assert all(each.init for each in fields(kind))
    assert not {"__slots__", "__post_init__"} & vars(kind).keys()
    assert not any(isinstance(value, cached_property) for value in vars(kind).values())
