"""Telegram's own limit of what a bot may send to a group."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from infra.local.botapi.errors import Refusal, flood
from infra.local.botapi.world import VISIBLE

MOST: Final = 20
WINDOW: Final = 60.0
"""A group is sent at most so many visible calls within so many seconds."""


class Flood:
    """What each group was sent lately."""

    def __init__(self) -> None:
        self._sent: dict[int, deque[float]] = {}

    def refusal(self, method: str, given: Mapping[str, Any], now: float) -> Refusal | None:
        """What a call is refused with that would be one too many."""
        times = self._times(method, given)
        while times and times[0] <= now - WINDOW:
            times.popleft()
        return flood(max(1, ceil(times[0] + WINDOW - now))) if len(times) >= MOST else None

    def count(self, method: str, given: Mapping[str, Any], now: float) -> None:
        """A call was carried out."""
        self._times(method, given).append(now)

    def _times(self, method: str, given: Mapping[str, Any]) -> deque[float]:
        """When the group was sent something; of a call that does not count, nothing."""
        chat = int(given.get("chat_id", 0))
        return self._sent.setdefault(chat, deque()) if chat < 0 and method in VISIBLE else deque()
