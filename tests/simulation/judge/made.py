"""The presses of a trace: who made which, when the bot had them in hand, and what it answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tests.simulation.judge import buttons
from tests.simulation.judge.answers import meaning, read
from tests.simulation.judge.buttons import About, InPhase
from tests.simulation.trace import Call, Delivered, Pressed, Trace

AFTERWARDS: Final = 180.0
"""Seconds for which a process may still be at work on an update whose connection has ended."""


@dataclass(frozen=True)
class Press:
    """A press. ``held`` are the times at which a process (None: whichever) had it in hand; ``answers`` are the texts
    that Telegram carried out, ``tries`` how often it was brought, ``taken`` when Telegram got its 2xx for it.
    """

    update: int
    user: int
    chat: int
    at: float
    query: str
    asks: InPhase | About | None
    held: tuple[tuple[float, float, int | None], ...]
    answers: tuple[tuple[float, str], ...]
    tries: int
    taken: tuple[tuple[float, float], ...]

    def was_held(self, at: float, process: int) -> bool:
        """Whether a process had it in hand at a moment."""
        return any(start <= at <= end and by in (None, process) for start, end, by in self.held)

    @property
    def counted(self) -> bool:
        """Whether the bot said that it counts."""
        asks = self.asks
        return isinstance(asks, InPhase) and any(meaning(asks.verb, text) == "counted" for _, text in self.answers)

    @property
    def refused(self) -> bool:
        """Whether the bot said each time that it does not count."""
        asks = self.asks
        return (
            isinstance(asks, InPhase)
            and 0 < self.tries <= len(self.answers)
            and all(meaning(asks.verb, text) == "refused" for _, text in self.answers)
        )


@dataclass(frozen=True)
class Presses:
    """All presses, in the order in which they were made; those in phases by match, phase and user; by query."""

    all: tuple[Press, ...]
    in_phase: Mapping[tuple[str, int, int], tuple[Press, ...]]
    about: Mapping[str, tuple[Press, ...]]
    by_query: Mapping[str, Press]


def answered(call: Call) -> tuple[str, str] | None:
    """The query and the text of an answer that Telegram carried out."""
    if call.method != "answerCallbackQuery" or not call.done:
        return None
    return str(call.params["callback_query_id"]), read(str(call.params.get("text") or ""))


_READ: list[tuple[Trace, int, Presses]] = []


def presses(trace: Trace) -> Presses:
    """The presses of a trace; read once for all checks of it."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    found = _grouped(tuple(_read(trace)))
    _READ[:] = [(trace, len(trace.events), found)]
    return found


def _read(trace: Trace) -> Iterator[Press]:
    held: dict[int, list[tuple[float, float, int | None]]] = {}
    taken: dict[int, list[tuple[float, float]]] = {}
    answers: dict[str, list[tuple[float, str]]] = {}
    for event in trace.events:
        if isinstance(event, Delivered):
            # Without a status the connection ended, though whoever took it may have gone on.
            end = event.until + (AFTERWARDS if event.status is None else 0.0)
            held.setdefault(event.update, []).append((event.at, end, event.process))
            if event.status is not None and event.status < 300:
                taken.setdefault(event.update, []).append((event.at, event.until))
        elif isinstance(event, Call) and (answer := answered(event)) is not None:
            answers.setdefault(answer[0], []).append((event.at, answer[1]))
    for event in trace.of(Pressed):
        tries = held.get(event.update, [])
        yield Press(
            event.update,
            event.user,
            event.chat,
            event.at,
            event.query,
            buttons.read(event.data),
            tuple(tries),
            tuple(answers.get(event.query, ())),
            len(tries),
            tuple(taken.get(event.update, ())),
        )


def _grouped(those: tuple[Press, ...]) -> Presses:
    in_phase: dict[tuple[str, int, int], list[Press]] = {}
    about: dict[str, list[Press]] = {}
    for press in those:
        match press.asks:
            case InPhase(match=match, number=number):
                in_phase.setdefault((match, number, press.user), []).append(press)
            case About(match=match):
                about.setdefault(match, []).append(press)
    return Presses(
        those,
        {key: tuple(sorted(some, key=lambda press: press.update)) for key, some in in_phase.items()},
        {key: tuple(some) for key, some in about.items()},
        {press.query: press for press in those},
    )
