"""Errands side by side: whose call is made when, and what becomes of results, errors and languages."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest

from handler.errands import MOST, Errand, carry_out
from handler.words import spoken
from infra.together import OneByOne


class Log(OneByOne):
    """A :class:`handler.ports.Together` that remembers how many calls were under way at once."""

    def __init__(self) -> None:
        self.running: list[int] = []

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        self.running.append(len(running))
        return super().wait(running)


class LastFirst(OneByOne):
    """Of what is under way, the call that was begun last is made first."""

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        return tuple(running)[-1:]


class Lost(Exception):
    pass


def fail() -> None:
    raise Lost


def walk(said: list[str], name: str, steps: int) -> Errand[None]:
    for step in range(steps):
        said.append((yield partial("{}{}".format, name, step)))


def ready() -> None:
    """Every call may begin."""


def test_the_calls_of_all_errands_are_under_way_at_once() -> None:
    said: list[str] = []
    log = Log()
    carry_out(log, [("en", walk(said, "a", 3)), ("en", walk(said, "b", 1)), ("en", walk(said, "c", 2))], ready)
    assert log.running == [3, 2, 1]
    assert said == ["a0", "b0", "c0", "a1", "c1", "a2"]


def test_no_errand_waits_for_another() -> None:
    said: list[str] = []
    carry_out(LastFirst(), [("en", walk(said, "slow", 2)), ("en", walk(said, "quick", 3))], ready)
    assert said == ["quick0", "quick1", "quick2", "slow0", "slow1"]


def test_no_more_calls_are_under_way_than_may_be() -> None:
    said: list[str] = []
    log = Log()
    carry_out(log, [("en", walk(said, f"{n}.", 2)) for n in range(MOST + 3)], ready)
    assert max(log.running) == MOST
    assert len(said) == 2 * (MOST + 3)


@pytest.mark.parametrize("errands", [[], [("en", walk([], "a", 0))]])
def test_nothing_to_do_asks_for_nothing(errands: list[tuple[str, Errand[None]]]) -> None:
    log = Log()
    carry_out(log, errands, ready)
    assert log.running == []


def test_whether_a_call_may_begin_is_asked_right_before_it() -> None:
    did: list[str] = []

    def walk_on() -> Errand[None]:
        for _ in range(2):
            yield lambda: did.append("call")
            did.append("note")

    carry_out(OneByOne(), [("en", walk_on()), ("en", walk_on())], lambda: did.append("ready"))
    assert did == [*["ready", "call"] * 2, "note", "note"] * 2


def test_who_may_not_begin_ends_it_all() -> None:
    said: list[str] = []
    begun: list[str] = []

    def lost() -> None:
        if len(begun) == 2:
            raise Lost
        begun.append("one")

    with pytest.raises(Lost):
        carry_out(LastFirst(), [("en", walk(said, "a", 2)), ("en", walk(said, "b", 2))], lost)
    assert said == ["b0", "a0"], "what is under way is waited for and noted, and nothing more is begun"


def test_an_error_is_raised_where_the_call_stands_and_stops_no_other_errand() -> None:
    said: list[str] = []

    def careful() -> Errand[None]:
        try:
            yield fail
        except Lost:
            said.append((yield lambda: "mended"))

    carry_out(OneByOne(), [("en", careful()), ("en", walk(said, "b", 2))], ready)
    assert said == ["b0", "mended", "b1"]


def test_what_an_errand_raises_ends_them_all_before_another_call_is_made() -> None:
    said: list[str] = []
    log = Log()

    def careless() -> Errand[None]:
        yield fail

    with pytest.raises(Lost):
        carry_out(log, [("en", careless()), ("en", walk(said, "b", 3))], ready)
    assert said == ["b0"], "which was under way"
    assert log.running == [2, 1], "what is under way is waited for"


def test_an_errand_may_return_what_came_of_it_to_one_that_it_is_part_of() -> None:
    said: list[int] = []

    def part() -> Errand[int]:
        first: int = yield lambda: 20
        second: int = yield lambda: 1
        return first + second

    def whole() -> Errand[None]:
        said.append(2 * (yield from part()))

    carry_out(OneByOne(), [("en", whole())], ready)
    assert said == [42]


def test_each_errand_speaks_its_own_language_from_beginning_to_end() -> None:
    said: list[tuple[str, str]] = []

    def speak(name: str) -> Errand[None]:
        for _ in range(3):
            said.append((name, spoken()))
            yield lambda: None
        said.append((name, spoken()))

    before = spoken()
    carry_out(OneByOne(), [("es", speak("Ada")), ("en", speak("Bruno"))], ready)
    assert set(said) == {("Ada", "es"), ("Bruno", "en")}
    assert spoken() == before
