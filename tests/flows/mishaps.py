"""What may go astray between Telegram, the clock and the bot: updates and nudges that come twice, late or never."""

from __future__ import annotations

from typing import Any

from tests.flows.frail import Frail
from tests.flows.house import ManualTimers


class Twice(Frail):
    """Telegram brings every update twice, the second time after ``behind`` others."""

    def __init__(self, behind: int) -> None:
        self.behind = behind
        self.echo: list[Any] = []
        super().__init__()

    def _bring(self, update: Any) -> bool:
        assert super()._bring(update)
        self.echo.append(update)
        if len(self.echo) > self.behind:
            assert self.post(self.echo.pop(0)) == 200
        return True


class LostTimers(ManualTimers):
    """No nudge ever comes."""

    def arm(self, match: str, alarm: int, at: float) -> None:
        """Forget it."""


class LateTimers(ManualTimers):
    """Every nudge comes late."""

    def arm(self, match: str, alarm: int, at: float) -> None:
        """Come when it is nearly too late to be of use."""
        super().arm(match, alarm, at + 17)


class DoubleTimers(ManualTimers):
    """Every nudge comes twice, once at its time and once after."""

    def arm(self, match: str, alarm: int, at: float) -> None:
        """Come, and come again."""
        super().arm(match, alarm, at)
        super().arm(match, alarm, at + 3)


class Timed(Frail):
    """A bot with other timers."""

    def __init__(self, timers: type[ManualTimers]) -> None:
        self.kind = timers
        super().__init__()

    def boot(self) -> None:
        super().boot()
        self.timers = self.kind()
        self.ports = self.process()
        self.serve()
