"""One part measured. Not in the command itself: a new process does not find what a package's ``__main__`` defines."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from benchmarks.rows import Row

PARTS: Final = ("engine", "press", "startup", "scale", "cost")
"""Modules of this package; each has a ``measure``, which gives its rows."""


def measured(part: str) -> Sequence[Row]:
    """The rows of a part, measured in this process."""
    return tuple(import_module(f"benchmarks.{part}").measure())
