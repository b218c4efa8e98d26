"""Two processes on one store, one of which acts while the other is about to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from handler.dispatch import handle_by_calls, nudge
from handler.table import Ports
from tests.flows.frail import Around, Effect, Frail
from tests.flows.house import ManualTimers

CALLS = ("send", "edit", "pin", "document")
"""The effects that are calls to Telegram."""

T = TypeVar("T")


class Beside(Around):
    """While one process is about to do something, another one acts: before each effect, or before the ``at``-th."""

    def __init__(self) -> None:
        super().__init__()
        self.act: Callable[[], object] | None = None
        self.at: int | None = None
        self.count = 0

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if self.act is not None:
            self.count += 1
            if self.at in (None, self.count):
                act, self.act = self.act, None
                act()
                self.act = act
        return effect()


def second(bot: Frail) -> Ports:
    """Another process on the same store."""
    return bot.process(ManualTimers())


def come_by(bot: Frail, process: Ports) -> None:
    """A process looks after every match there is."""
    for id in bot.matches():
        nudge(process, id)


class TwoTimers(Frail):
    """A second process nudges whatever the first does."""

    beside: Ports | None = None

    def nudge(self, match: str) -> None:
        super().nudge(match)
        if self.beside is not None:
            nudge(self.beside, match)


def press_in(process: Ports, beside: Beside, at: int, update: Any) -> None:
    """Let another process handle an update before the ``at``-th effect from now on."""
    beside.at, beside.act = at, lambda: handle_by_calls(process, update)


class Slow(Around):
    """Calls to Telegram take their time, and before each ends another process comes by."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.bot: Frail | None = None
        self.process: Ports | None = None

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        bot, process = self.bot, self.process
        if bot is not None and process is not None and name in CALLS:
            bot.clock.time += self.seconds
            self.bot = None
            come_by(bot, process)
            self.bot = bot
        return effect()
