"""Numbers for the operator, said where they arise and kept by whoever collects the logs (:mod:`handler.logs`).

A number with a name: nothing of a match, of a person or of a choice.
"""

from __future__ import annotations

import logging
from typing import Final, Literal

log = logging.getLogger(__name__)

Measure = Literal["Presses", "Conflicts", "DeadlineLateness", "ApiErrors", "DeliveriesPending"]

UNITS: Final[dict[Measure, str]] = {
    "Presses": "Count",
    "Conflicts": "Count",
    "DeadlineLateness": "Seconds",
    "ApiErrors": "Count",
    "DeliveriesPending": "Count",
}
"""Presses taken in; commits that somebody else was faster than; how late a phase closed whose time had run out; calls
to Telegram that did not succeed; matches with something untold that nobody tells, as the sweep finds them. The units
are CloudWatch's.
"""


QUIET: Final[dict[Measure, float]] = {"DeadlineLateness": 10, "ApiErrors": 0, "DeliveriesPending": 0}
"""Up to which value a measure tells of no trouble; the others never do."""


def is_trouble(name: Measure, value: float) -> bool:
    """Whether an operator who watches nothing else should hear of it."""
    return name in QUIET and value > QUIET[name]


def measure(name: Measure, value: float = 1) -> None:
    """Say a number."""
    log.info("measure", extra={"measure": (name, value)})
