"""The commands of a trace: who wrote which, and when the bot had them in hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.simulation.judge.made import AFTERWARDS
from tests.simulation.trace import Delivered, Trace, Wrote

_COMMAND: Final = re.compile(r"/([a-z0-9_]+)(?:@\w+)?(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Typed:
    """A command with what followed it; ``held`` are the times at which a process (None: whichever) had it in hand."""

    update: int
    user: int
    chat: int
    name: str
    args: str
    held: tuple[tuple[float, float, int | None], ...]

    def was_held(self, at: float, process: int) -> bool:
        """Whether a process had it in hand at a moment."""
        return any(start <= at <= end and by in (None, process) for start, end, by in self.held)


def typed(trace: Trace) -> tuple[Typed, ...]:
    """The commands of a trace, in the order in which they were written."""
    return tuple(_read(trace))


def _read(trace: Trace) -> Iterator[Typed]:
    held: dict[int, list[tuple[float, float, int | None]]] = {}
    for event in trace.of(Delivered):
        end = event.until + (AFTERWARDS if event.status is None else 0.0)
        held.setdefault(event.update, []).append((event.at, end, event.process))
    for wrote in trace.of(Wrote):
        found = _COMMAND.fullmatch(wrote.text.strip())
        if found is not None and wrote.update is not None:
            times = tuple(held.get(wrote.update, ()))
            yield Typed(wrote.update, wrote.user, wrote.chat, found[1].lower(), (found[2] or "").strip(), times)
