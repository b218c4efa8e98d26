"""Frozen dataclasses that are made anew in every phase: facts, views, transitions.

A match replayed makes more than a thousand of them. The constructor that ``dataclass`` writes for a frozen class calls
``object.__setattr__`` for each field, which is most of what it takes; this one writes into the new object's own
dictionary.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

__all__ = ["value"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(kind: type[T]) -> type[T]:
    """``dataclass(frozen=True)`` with a quicker constructor: the same parameters, and nothing else differs.

    For plain fields only: no ``__slots__``, ``__post_init__``, ``field()`` or fields inherited.
    """
    made: Any = dataclass(frozen=True, init=False)(kind)
    names = [each.name for each in fields(made)]
    lines = [f"def __init__({', '.join(['self', *names])}):", " __dict__ = self.__dict__"]
    lines += [f" __dict__[{name!r}] = {name}" for name in names]
    written: dict[str, Any] = {}
    exec("\n".join(lines), written)  # noqa: S102 - as dataclass itself does, and of names of fields alone
    made.__init__ = written["__init__"]
    made.__init__.__qualname__ = f"{kind.__qualname__}.__init__"
    made.__init__.__defaults__ = tuple(each.default for each in fields(made) if each.default is not MISSING)
    return kind
