"""The local table's time, which can run faster than the wall's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from infra.local.botapi.shelf import Shelf

SPEEDS = (1, 10, 60)


class TableClock:
    """A clock that never runs backwards and goes on after a restart where it would have been.

    With ``path`` the time is kept in that SQLite file. A restarted clock runs at speed 1.
    """

    def __init__(
        self,
        path: Path | None = None,
        wall: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._ticks = ticks
        self._lock = threading.Lock()
        self._shelf = Shelf(path)
        self._listeners: list[Callable[[], None]] = []
        kept = self._shelf.rows("clock").get("base")
        self._base = wall()
        if kept is not None:
            self._base = kept["now"] + max(wall() - kept["wall"], 0.0) * kept["speed"]
        self._since = ticks()
        self._speed = 1
        self._keep()

    @property
    def speed(self) -> float:
        """How many of its seconds pass in one second of the wall."""
        return self._speed

    def now(self) -> float:
        """Unix seconds of the table."""
        with self._lock:
            return self._now()

    def set_speed(self, speed: int) -> None:
        """Run at one of SPEEDS from now on, and let the listeners know. Raises ValueError."""
        if speed not in SPEEDS:
            raise ValueError(f"the speed is one of {SPEEDS}")
        with self._lock:
            self._base, self._since, self._speed = self._now(), self._ticks(), speed
            self._keep()
        for listener in self._listeners:
            listener()

    def on_speed(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever the speed has changed."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Keep the time and close the file."""
        with self._lock:
            self._base, self._since, self._speed = self._now(), self._ticks(), 1
            self._keep()
            self._shelf.close()

    def _now(self) -> float:
        return self._base + (self._ticks() - self._since) * self._speed

    def _keep(self) -> None:
        with self._shelf.change():
            self._shelf.save("clock", "base", {"now": self._base, "wall": self._wall(), "speed": self._speed})
