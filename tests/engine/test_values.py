"""A value is what a frozen dataclass would be, apart from how its constructor is written."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import pytest

from engine.dog import facts as dog_facts
from engine.dog.view import View as DogView
from engine.episode import view as episode_view
from engine.game import Tell, Transition
from engine.gravity import facts
from engine.gravity.view import View
from engine.values import value


@value
class Made:
    """Something to compare."""

    first: int
    second: tuple[int, ...] = ()


@dataclass(frozen=True)
class Plain:
    """The same as ``dataclass`` would have it."""

    first: int
    second: tuple[int, ...] = ()


VALUES = [
    kind
    for module in (facts, dog_facts, episode_view)
    for kind in vars(module).values()
    if is_dataclass(kind) and inspect.isclass(kind) and kind.__module__ == module.__name__
] + [Tell, Transition, View, DogView]


def test_a_value_is_made_and_compared_like_a_frozen_dataclass() -> None:
    made, plain = Made(1, second=(2,)), Plain(1, second=(2,))
    assert repr(made) == repr(plain).replace("Plain", "Made")
    assert (made, hash(made), Made(1)) == (Made(first=1, second=(2,)), hash(plain), Made(1, ()))
    assert made != Made(1)
    assert pickle.loads(pickle.dumps(made)) == made
    assert vars(made) == vars(plain)
    assert Made.__match_args__ == ("first", "second")


@pytest.mark.parametrize("given", [{}, {"second": ()}, {"first": 1, "third": 3}])
def test_a_value_takes_no_other_parameters(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"Made\.__init__\(\)"):
        Made(**given)


def test_a_value_is_as_frozen() -> None:
    made = Made(1)
    with pytest.raises(FrozenInstanceError):
        made.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.first


@pytest.mark.parametrize("kind", VALUES)
def test_what_is_a_value_holds_plain_fields_and_nothing_else(kind: type) -> None:
    assert is_dataclass(kind)
    given = {each.name: each.default for each in fields(kind)}
    asked = inspect.signature(kind).parameters
    assert {name: MISSING if each.default is each.empty else each.default for name, each in asked.items()} == given
    assert all(each.default_factory is MISSING and each.name in vars(kind)["__annotations__"] for each in fields(kind))
    assert not {"__slots__", "__post_init__"} & vars(kind).keys()
    assert not any(isinstance(each, cached_property) for each in vars(kind).values())
