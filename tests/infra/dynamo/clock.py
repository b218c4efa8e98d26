"""The clock that a store in DynamoDB looks at, and for how long it keeps a match after its end."""

from __future__ import annotations

from itertools import count

from tests.infra.store_contract import ENDED

KEEP_DAYS = 90


class Clock:
    """A clock that goes a little further at each look, as clocks do; a test may move it."""

    def __init__(self) -> None:
        self.time = ENDED + 60
        self._looks = count()

    def now(self) -> float:
        return self.time + next(self._looks) / 1_000
