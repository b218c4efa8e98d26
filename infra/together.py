"""How work is done: calls side by side or one by one, and at once what might be done afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from handler.ports import Stopped


def at_once(match: str, work: Callable[[], None]) -> None:
    """A :class:`handler.ports.Afterwards` where nothing can be done after an answer."""
    work()


class OneByOne:
    """A :class:`handler.ports.Together` that makes each call when it is begun."""

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call())
        except Exception as error:
            future.set_exception(error)
        return future

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        return tuple(running)


class Threads:
    """A :class:`handler.ports.Together` for any number of threads that have calls to make."""

    def __init__(self, most: int, turn: Callable[[], None] = lambda: None) -> None:
        """``most`` calls are made at once at most: as many as all who make some may have under way, for nobody's shall
        wait for another's while a lease runs out. A thread is begun when none is idle. ``turn`` returns when the next
        call may begin.
        """
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="call")
        self._turn = turn
        self._stopped = False

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        self._turn()
        if self._stopped:
            raise Stopped
        return self._pool.submit(call)

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        return wait(running, return_when=FIRST_COMPLETED).done

    def stop(self) -> None:
        """Begin no more calls."""
        self._stopped = True

    def close(self) -> None:
        """End the threads. Waits for the calls that are being made."""
        self._pool.shutdown(cancel_futures=True)
