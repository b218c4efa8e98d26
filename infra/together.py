"""How work is done: calls side by side or one by one, and at once what might be done afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

AT_ONCE: Final = 7
"""Calls that are made at once for a match: to seven people, and in the thread that asks to the group."""


def at_once(match: str, work: Callable[[], None]) -> None:
    """A :class:`handler.ports.Afterwards` where nothing can be done after an answer."""
    work()


def one_by_one(calls: Sequence[Callable[[], Any]]) -> Sequence[Future[Any]]:
    """A :class:`handler.ports.Together` that makes the calls one after another."""
    return [_made(call) for call in calls]


class Threads:
    """A :class:`handler.ports.Together` for any number of threads that have calls to make."""

    def __init__(self, most: int) -> None:
        """``most``: how many calls are made at once at most, besides one in the thread of each that asks for some.
        Threads are begun when they are needed.
        """
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="call")

    def __call__(self, calls: Sequence[Callable[[], Any]]) -> Sequence[Future[Any]]:
        others = [self._pool.submit(call) for call in calls[1:]]
        made = [_made(call) for call in calls[:1]]  # here: a single call is not worth the way to another thread
        for each in others:
            each.exception()  # waits
        return [*made, *others]

    def close(self) -> None:
        """End the threads. Waits for the calls that are being made."""
        self._pool.shutdown(cancel_futures=True)


def _made(call: Callable[[], Any]) -> Future[Any]:
    future: Future[Any] = Future()
    try:
        future.set_result(call())
    except Exception as error:
        future.set_exception(error)
    return future
