"""Errands at several addresses side by side: of each its next call, all calls at once, and so on.

An errand is a generator. It yields a call and is sent what came of it, so it reads as if it made its calls itself. What
errands note between two calls, they note one after another in the thread of whoever carries them out: nothing of that
needs a lock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from typing import Any, TypeAlias, TypeVar

from handler.ports import Together
from handler.words import speaking

T = TypeVar("T")

Errand: TypeAlias = Generator[Callable[[], Any], Any, T]
"""What is to be done at an address, and what comes of it. It yields a call, and goes on with its result or error."""


def carry_out(together: Together, errands: Iterable[tuple[str, Errand[None]]]) -> None:
    """Carry out errands, each in the language that it speaks. What one of them raises ends them all."""
    waiting = [waits for language, errand in errands if (waits := _go_on(language, errand, None))]
    while waiting:
        made = together([call for _, _, call in waiting])
        waiting = [
            waits
            for (language, errand, _), done in zip(waiting, made, strict=True)
            if (waits := _go_on(language, errand, done))
        ]


def _go_on(
    language: str, errand: Errand[None], done: Future[Any] | None
) -> tuple[str, Errand[None], Callable[[], Any]] | None:
    """Let an errand go on with what came of its call, to the next one; None if there is none."""
    try:
        with speaking(language):
            if done is None:
                call = next(errand)
            elif (error := done.exception()) is not None:
                call = errand.throw(error)
            else:
                call = errand.send(done.result())
    except StopIteration:
        return None
    return language, errand, call
