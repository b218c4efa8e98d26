"""What the operator's programs have found or done: a name for the sentence, its values, and whether it is as it should
be. The sentences are in ``handler/words/en/operator.toml``; the programs put the two together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["fine", "note", "wrong"]
"""As it should be; worth knowing; something has to be done about it."""


@dataclass(frozen=True)
class Finding:
    """One line for the operator. ``name`` is the sentence's key in its program's area; no value is a secret."""

    name: str
    values: dict[str, str | int] = field(default_factory=dict)
    mark: Mark = "fine"


def fine(name: str, /, **values: str | int) -> Finding:
    """As it should be."""
    return Finding(name, values)


def note(name: str, /, **values: str | int) -> Finding:
    """Worth knowing, and not wrong."""
    return Finding(name, values, "note")


def wrong(name: str, /, **values: str | int) -> Finding:
    """Not as it should be; the sentence says what to do."""
    return Finding(name, values, "wrong")
