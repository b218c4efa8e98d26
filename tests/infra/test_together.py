"""Calls side by side in real threads, and one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Barrier, Event, get_ident
from typing import Any

import pytest

from handler.errands import MOST
from handler.ports import Stopped, Together
from infra.together import OneByOne, Threads, at_once

PATIENCE = 30.0
"""Seconds after which calls that should have met are not side by side."""


class Broken(Exception):
    pass


def fail() -> None:
    raise Broken


@pytest.fixture
def threads() -> Iterator[Threads]:
    made = Threads(MOST)
    yield made
    made.close()


@pytest.fixture(params=["threads", "one by one"])
def together(request: pytest.FixtureRequest, threads: Threads) -> Together:
    return threads if request.param == "threads" else OneByOne()


def made(together: Together, *calls: Callable[[], Any]) -> list[Any]:
    """What came of each call, in their order: a result, or an error's type."""
    running = [together.begin(call) for call in calls]
    left = set(running)
    while left:
        done = together.wait(left)
        assert done, "something has ended"
        assert all(each.done() for each in done)
        left -= set(done)
    return [type(error) if (error := each.exception()) else each.result() for each in running]


def test_every_call_is_made_and_says_what_came_of_it(together: Together) -> None:
    assert made(together, partial(int, "1"), fail, partial(int, "3")) == [1, Broken, 3]
    assert made(together, *(partial(int, str(n)) for n in range(40))) == list(range(40))


def test_the_group_and_seven_people_are_called_at_once(threads: Threads) -> None:
    meet = Barrier(MOST)
    assert sorted(made(threads, *[partial(meet.wait, PATIENCE)] * MOST)) == list(range(MOST))


def test_what_is_made_is_known_while_others_are_slow(threads: Threads) -> None:
    release = Event()
    slow, quick = threads.begin(partial(release.wait, PATIENCE)), threads.begin(get_ident)
    assert set(threads.wait([slow, quick])) == {quick}
    assert quick.result() != get_ident()
    release.set()
    assert set(threads.wait([slow])) == {slow}


def test_each_call_of_threads_takes_its_turn_in_the_thread_that_begins_it() -> None:
    turns: list[int] = []
    threads = Threads(MOST, lambda: turns.append(get_ident()))
    assert made(threads, *[partial(int, "1")] * 3) == [1, 1, 1]
    assert turns == [get_ident()] * 3
    threads.close()


def test_once_stopped_threads_begin_nothing_and_end_what_they_have_begun(threads: Threads) -> None:
    release = Event()
    running = threads.begin(partial(release.wait, PATIENCE))
    threads.stop()
    with pytest.raises(Stopped):
        threads.begin(fail)
    release.set()
    assert set(threads.wait([running])) == {running}
    assert running.result()


def test_at_once_is_at_once_and_says_what_went_wrong() -> None:
    done: list[str] = []
    at_once("m", lambda: done.append("told"))
    assert done == ["told"]
    with pytest.raises(Broken):
        at_once("m", fail)
