"""What has become visible in the simulated Telegram, numbered, for the page that shows it."""

from __future__ import annotations

import re
import threading
import uuid
from collections import deque
from dataclasses import dataclass

from infra.local.botapi.shelf import Json

KEPT = 2_000
_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Event:
    """One change. ``id`` names the run of the program and the change's number in it."""

    id: str
    kind: str
    data: Json


class EventLog:
    """The latest changes, to be waited for by any number of threads."""

    def __init__(self) -> None:
        self._run = uuid.uuid4().hex[:8]
        self._events: deque[Event] = deque(maxlen=KEPT)
        self._count = 0
        self._news = threading.Condition()

    def add(self, kind: str, data: Json) -> None:
        """A change has happened."""
        with self._news:
            self._count += 1
            self._events.append(Event(f"{self._run}-{self._count}", kind, data))
            self._news.notify_all()

    @property
    def last(self) -> str:
        """The id of the latest change."""
        return f"{self._run}-{self._count}"

    def wake(self) -> None:
        """Let everybody who waits come back without news."""
        with self._news:
            self._news.notify_all()

    def after(self, id: str, wait: float) -> list[Event] | None:
        """The changes after ``id``, waiting up to ``wait`` seconds for one; None if ``id`` is too old to go on from."""
        run, _, number = id.partition("-")
        if run != self._run or not _NUMBER.fullmatch(number):
            return None
        with self._news:
            if self._count <= int(number):
                self._news.wait(wait)
            missing = self._count - int(number)
            if missing > len(self._events):
                return None
            return list(self._events)[len(self._events) - missing :] if missing > 0 else []
