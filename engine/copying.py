"""Values that differ a little from others: what ``dataclasses.replace`` does, for the states that a match runs through.

A match replayed copies its state some two hundred times, and ``replace`` builds each copy field by field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["altered"]

T = TypeVar("T")

if TYPE_CHECKING:
    # A type checker knows the fields that ``replace`` may name, and so those of ``altered``.
    from dataclasses import replace as altered
else:

    def altered(value: T, /, **changes: Any) -> T:
        """A copy of a frozen dataclass with other values in some of its fields.

        For plain values only: fields and nothing else, without ``__slots__``, ``__post_init__`` or anything cached.
        """
        copy = object.__new__(type(value))
        fields = copy.__dict__
        fields |= value.__dict__
        fields |= changes
        return copy
