"""Errands at several addresses side by side: each goes on as soon as its own call is made, whatever the others' take.

An errand is a generator. It yields a call and is sent what came of it, so it reads as if it made its calls itself. What
errands note between two calls, they note one after another in the thread of whoever carries them out: nothing of that
needs a lock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar

from handler.ports import Together
from handler.words import speaking

MOST: Final = 8
"""Calls under way at once: to seven people and the group."""

T = TypeVar("T")

Errand: TypeAlias = Generator[Callable[[], Any], Any, T]
"""What is to be done at an address, and what comes of it. It yields a call, and goes on with its result or error."""


def carry_out(together: Together, errands: Iterable[tuple[str, Errand[None]]], ready: Callable[[], None]) -> None:
    """Carry out errands, each in the language that it speaks. ``ready`` comes right before each call. What it or one of
    them raises ends them all, when the calls that are under way are made and noted. Raises Stopped.
    """
    waiting = deque((language, errand, call) for language, errand in errands if (call := _go_on(language, errand)))
    running: dict[Future[Any], tuple[str, Errand[None]]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < MOST:
                ready()
                language, errand, call = waiting.popleft()
                running[together.begin(call)] = language, errand
            for done in together.wait(running):
                language, errand = running.pop(done)
                if following := _go_on(language, errand, done):
                    waiting.append((language, errand, following))
    except Exception:
        while running:
            for done in together.wait(running):
                language, errand = running.pop(done)
                with suppress(Exception):
                    _go_on(language, errand, done)
        raise


def _go_on(language: str, errand: Errand[None], done: Future[Any] | None = None) -> Callable[[], Any] | None:
    """Let an errand go on with what came of its call. Its next one, None if there is none."""
    try:
        with speaking(language):
            if done is None:
                return next(errand)
            if (error := done.exception()) is not None:
                return errand.throw(error)
            return errand.send(done.result())
    except StopIteration:
        return None
