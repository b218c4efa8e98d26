"""Errands side by side: whose call is made when, and what becomes of results, errors and languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest

from handler.errands import Errand, carry_out
from handler.words import spoken
from infra.together import one_by_one


class Rounds:
    """A :class:`handler.ports.Together` that remembers how many calls each round had."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, calls: Sequence[Callable[[], Any]]) -> Sequence[Future[Any]]:
        self.sizes.append(len(calls))
        return one_by_one(calls)


class Lost(Exception):
    pass


def fail() -> None:
    raise Lost


def walk(said: list[str], name: str, steps: int) -> Errand[None]:
    for step in range(steps):
        said.append((yield partial("{}{}".format, name, step)))


def test_each_round_makes_the_next_call_of_every_errand_that_has_one() -> None:
    said: list[str] = []
    rounds = Rounds()
    carry_out(rounds, [("en", walk(said, "a", 3)), ("en", walk(said, "b", 1)), ("en", walk(said, "c", 2))])
    assert rounds.sizes == [3, 2, 1]
    assert said == ["a0", "b0", "c0", "a1", "c1", "a2"]


@pytest.mark.parametrize("errands", [[], [("en", walk([], "a", 0))]])
def test_nothing_to_do_asks_for_nothing(errands: list[tuple[str, Errand[None]]]) -> None:
    rounds = Rounds()
    carry_out(rounds, errands)
    assert rounds.sizes == []


def test_an_error_is_raised_where_the_call_stands_and_stops_no_other_errand() -> None:
    said: list[str] = []

    def careful() -> Errand[None]:
        try:
            yield fail
        except Lost:
            said.append((yield lambda: "mended"))

    carry_out(one_by_one, [("en", careful()), ("en", walk(said, "b", 2))])
    assert said == ["b0", "mended", "b1"]


def test_what_an_errand_raises_ends_them_all_before_another_call_is_made() -> None:
    said: list[str] = []
    rounds = Rounds()

    def careless() -> Errand[None]:
        yield fail

    with pytest.raises(Lost):
        carry_out(rounds, [("en", careless()), ("en", walk(said, "b", 3))])
    assert said == []
    assert rounds.sizes == [2]


def test_an_errand_may_return_what_came_of_it_to_one_that_it_is_part_of() -> None:
    said: list[int] = []

    def part() -> Errand[int]:
        first: int = yield lambda: 20
        second: int = yield lambda: 1
        return first + second

    def whole() -> Errand[None]:
        said.append(2 * (yield from part()))

    carry_out(one_by_one, [("en", whole())])
    assert said == [42]


def test_each_errand_speaks_its_own_language_from_beginning_to_end() -> None:
    said: list[tuple[str, str]] = []

    def speak(name: str) -> Errand[None]:
        for _ in range(3):
            said.append((name, spoken()))
            yield lambda: None
        said.append((name, spoken()))

    before = spoken()
    carry_out(one_by_one, [("es", speak("Ada")), ("en", speak("Bruno"))])
    assert set(said) == {("Ada", "es"), ("Bruno", "en")}
    assert spoken() == before
