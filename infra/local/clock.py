"""The local table's time, which can run faster than the wall's."""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from infra.local.botapi.shelf import Shelf

SPEEDS = (1, 10, 60)

KEEP_EVERY = 1.0
"""Seconds of the wall after which the time, when it is read, is written down again."""

logger = logging.getLogger(__name__)


class TableClock:
    """A clock that never runs backwards, and for the time it was down, however it ended, goes on at speed 1.

    With ``path`` the time is kept in that SQLite file, which must be its own: the time is written whenever it is read,
    in the middle of whatever another file's transaction holds locked. Raises UnusableFile.
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
            self._base = max(kept["now"] + max(wall() - kept["wall"], 0.0), kept["shown"])
        self._speed = 1
        self._since = self._keep_at = ticks()
        self._keep(self._since, KEEP_EVERY)

    @property
    def speed(self) -> float:
        """How many of its seconds pass in one second of the wall."""
        return self._speed

    def now(self) -> float:
        """Unix seconds of the table."""
        with self._lock:
            ticks = self._ticks()
            if ticks >= self._keep_at:
                self._keep(ticks, KEEP_EVERY)
            return self._at(ticks)

    def set_speed(self, speed: int) -> None:
        """Run at one of SPEEDS from now on, and let the listeners know. Raises ValueError."""
        if speed not in SPEEDS:
            raise ValueError(f"the speed is one of {SPEEDS}")
        with self._lock:
            ticks = self._ticks()
            self._base, self._since, self._speed = self._at(ticks), ticks, speed
            self._keep(ticks, KEEP_EVERY)
        for listener in self._listeners:
            listener()

    def on_speed(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever the speed has changed."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Keep the time, to the moment, and close the file. Whoever still reads the clock reads on at speed 1."""
        with self._lock:
            ticks = self._ticks()
            self._base, self._since, self._speed = self._at(ticks), ticks, 1
            self._keep(ticks, 0.0)
            self._keep_at = math.inf
            self._shelf.close()

    def _at(self, ticks: float) -> float:
        return self._base + (ticks - self._since) * self._speed

    def _keep(self, ticks: float, ahead: float) -> None:
        """Write down the time, and what will have been shown at most until it is written down again."""
        self._keep_at = ticks + ahead
        now = self._at(ticks)
        row = {"now": now, "shown": now + ahead * self._speed, "wall": self._wall()}
        try:
            with self._shelf.change():
                self._shelf.save("clock", "base", row)
        except sqlite3.Error as error:  # a full disk: whoever only wants to know the time still gets it
            logger.warning("the table's time could not be kept: %s", error)
