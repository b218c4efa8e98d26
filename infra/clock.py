"""The time of the machine."""

from __future__ import annotations

import time


class SystemClock:
    """The machine's own clock."""

    speed = 1.0

    def now(self) -> float:
        return time.time()
