"""What a measurement says: rows of one table, some of them with a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["a second", "ms", "µs", "bytes", "calls", "$", "%", "×", ""]


@dataclass(frozen=True)
class Goal:
    """What was set out to be reached: a row's ``value`` or ``ratio`` is ``at`` least or most ``bound``.

    ``missed``: why it is not reached and what would be needed, for the table to say where it is not.
    """

    of: Literal["value", "ratio"]
    at: Literal["least", "most"]
    bound: float
    missed: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    ``value`` is what was measured, in ``unit``; ``ratio`` how many times that which stands ``beside`` it, in words,
    measured in the same run. ``samples`` are the single times in seconds that a time or a rate is the median of, for
    ``python -m pyperf``; none for what is counted.
    """

    name: str
    value: float
    unit: Unit
    ratio: float | None = None
    beside: str = ""
    goal: Goal | None = None
    samples: tuple[float, ...] = ()

    @property
    def held(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        if self.goal is None:
            return None
        found = self.value if self.goal.of == "value" else self.ratio
        assert found is not None, "a goal for a ratio stands beside something"
        return found >= self.goal.bound if self.goal.at == "least" else found <= self.goal.bound
