"""Calls side by side in real threads, and one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Barrier, get_ident
from typing import Any

import pytest

from infra.together import AT_ONCE, Threads, at_once, one_by_one

PATIENCE = 30.0
"""Seconds after which calls that should have met are not side by side."""


class Broken(Exception):
    pass


def fail() -> None:
    raise Broken


@pytest.fixture
def threads() -> Iterator[Threads]:
    made = Threads(AT_ONCE)
    yield made
    made.close()


@pytest.fixture(params=["threads", "one by one"])
def together(
    request: pytest.FixtureRequest, threads: Threads
) -> Callable[[Sequence[Callable[[], Any]]], Sequence[Future[Any]]]:
    return threads if request.param == "threads" else one_by_one


def test_what_came_of_each_call_is_in_the_order_of_the_calls(
    together: Callable[[Sequence[Callable[[], Any]]], Sequence[Future[Any]]],
) -> None:
    made = together([partial(int, "1"), fail, partial(int, "3")])
    assert all(each.done() for each in made)
    assert [each.result() for each in made[::2]] == [1, 3]
    assert isinstance(made[1].exception(), Broken)
    assert [type(each.exception()) for each in together([fail, fail])] == [Broken, Broken]
    assert together([]) == []


def test_the_group_and_seven_people_are_called_at_once(threads: Threads) -> None:
    meet = Barrier(1 + AT_ONCE)
    made = threads([partial(meet.wait, PATIENCE)] * (1 + AT_ONCE))
    assert sorted(each.result() for each in made) == list(range(1 + AT_ONCE))


def test_more_calls_than_threads_are_made_all_the_same(threads: Threads) -> None:
    assert [each.result() for each in threads([partial(int, str(n)) for n in range(40)])] == list(range(40))


def test_a_single_call_needs_no_other_thread(threads: Threads) -> None:
    [made] = threads([get_ident])
    assert made.result() == get_ident()


def test_at_once_is_at_once_and_says_what_went_wrong() -> None:
    done: list[str] = []
    at_once("m", lambda: done.append("told"))
    assert done == ["told"]
    with pytest.raises(Broken):
        at_once("m", fail)
