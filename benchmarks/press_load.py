"""Fifty matches of seven at once: 350 people who press buttons while one process answers them all.

Presses come at their times whether or not those before them have been answered, as people's do, and each is counted
from its time on: whoever has to wait for a connection waits for the bot. Only somebody's own presses come one after
another, as Telegram delivers them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from time import monotonic, sleep
from typing import Any, Final

from benchmarks.elsewhere import THREADS
from benchmarks.posting import Line, Posted
from benchmarks.press_bot import Bot
from benchmarks.stand_in import StandIn
from benchmarks.tables import TO_BE_READY, TO_PLAY, Table, all_ready, another, in_round_one, told

MATCHES: Final = 50
PACE: Final = 10.0
"""Seconds from one of a person's presses to the next, on average: somebody busy, where a round lasts ten minutes."""
SECONDS: Final = 10.0
CAPACITY_SECONDS: Final = 3.0
AT_ONCE: Final = 8
"""Presses under way at the same time where the capacity is measured."""


@dataclass(frozen=True)
class Pressed:
    """A press under load: seconds from its time to the 200 and to the toast."""

    until_answer: float
    until_toast: float


@dataclass(frozen=True)
class Load:
    """What was measured with 350 people: presses that close nothing, then all presses, those that close a round among
    them; the most presses answered a second, and the seconds of a processor that each of those took.
    """

    quiet: Sequence[Pressed]
    all: Sequence[Pressed]
    closings: int
    capacity: float
    work: float


def measure_load(stand_in: StandIn, bot: Bot) -> Load:
    """Open a match by its buttons, and the others as it; then press in all of them."""
    with _connections(stand_in, bot) as post, ThreadPoolExecutor(AT_ONCE) as pool:
        first = in_round_one(stand_in, post)
        told(bot)
        tables = [first, *(another(stand_in, bot, first) for _ in range(MATCHES - 1))]
        crowd = Crowd(tables, stand_in, post)
        quiet = crowd.press_at_their_times(TO_PLAY)
        work, begun = bot.worked(), monotonic()
        pressed = crowd.press_at_once(pool, TO_PLAY, CAPACITY_SECONDS)
        capacity, work = pressed / (monotonic() - begun), (bot.worked() - work) / pressed
        # The matches come to the ends of their rounds one after another, as they would by themselves.
        list(pool.map(lambda each: _get_on(stand_in, post, *each), enumerate(tables)))
        closed = bot.closed()
        everything = crowd.press_at_their_times(TO_BE_READY)
        told(bot)
        return Load(quiet, everything, bot.closed() - closed, capacity, work)


Post = Callable[[Mapping[str, Any]], Posted]


class Crowd:
    """Everybody at the tables, and who of them waits for an answer."""

    def __init__(self, tables: Sequence[Table], stand_in: StandIn, post: Post) -> None:
        self._stand_in = stand_in
        self._post = post
        self._random = Random(7)  # noqa: S311 - the same people in the same order each time
        self._idle = [user for table in tables for user in table.people]
        self._people = len(self._idle)
        self._lock = threading.Lock()

    def press_at_their_times(self, wanted: Sequence[str]) -> Sequence[Pressed]:
        """Presses at random times (a Poisson process), each of somebody who has answers to all of theirs."""
        self._stand_in.heard()
        begun = due = monotonic()
        with ThreadPoolExecutor(THREADS) as connections:
            made: list[tuple[float, Future[tuple[float, Posted] | None]]] = []
            while (due := due + self._random.expovariate(self._people / PACE)) < begun + SECONDS:
                sleep(max(0.0, due - monotonic()))
                made.append((due, connections.submit(self._press, wanted)))
        toasts = {each.query: each.at for each in self._stand_in.heard()}
        answered = ((due, future.result()) for due, future in made)
        return [
            Pressed(posted.answered - due - prepared, toasts[posted.query] - due - prepared)
            for due, (prepared, posted) in ((due, each) for due, each in answered if each is not None)
        ]

    def press_at_once(self, pool: ThreadPoolExecutor, wanted: Sequence[str], seconds: float) -> int:
        """As many presses as are answered in this time, somebody else's as soon as one is. Returns how many."""
        until = monotonic() + seconds

        def press(_: int) -> int:
            pressed = 0
            while monotonic() < until:
                pressed += self._press(wanted) is not None
            return pressed

        return sum(pool.map(press, range(AT_ONCE)))

    def _press(self, wanted: Sequence[str]) -> tuple[float, Posted] | None:
        """Somebody presses who finds one of these buttons: the seconds it took to find it, which are none of the bot's,
        and how it was answered. None if nobody has anything to press.
        """
        begun = monotonic()
        with self._lock:
            tried = []
            try:
                while self._idle:
                    tried.append(user := self._idle.pop(self._random.randrange(len(self._idle))))
                    update = self._stand_in.press(user, user, *wanted)
                    if update is not None:
                        tried.pop()
                        break
                else:
                    return None
            finally:
                self._idle += tried
        prepared = monotonic() - begun
        try:
            return prepared, self._post(update)
        finally:
            with self._lock:
                self._idle.append(user)


def _get_on(stand_in: StandIn, post: Post, number: int, table: Table) -> None:
    """Let as many of a table be ready as belong to its place among all tables; never all seven."""
    for update in all_ready(stand_in, table.people[: number * len(table.people) // MATCHES]):
        post(update)


@contextmanager
def _connections(stand_in: StandIn, bot: Bot) -> Iterator[Post]:
    """A connection to the bot for each thread that posts."""
    own = threading.local()
    lines: list[Line] = []
    address = bot.address()

    def post(update: Mapping[str, Any]) -> Posted:
        if not hasattr(own, "line"):
            own.line = Line(address, "/telegram", stand_in.carry_out)
            lines.append(own.line)
        posted: Posted = own.line.post(update)
        return posted

    try:
        yield post
    finally:
        for line in lines:
            line.close()
