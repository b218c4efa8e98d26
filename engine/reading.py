"""JSON from outside, taken apart so that every fault is named by its path; and JSON as it is written out.

Messages repeat no value that was read: it may be of any size and hold anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NoReturn

_DIGITS: Final = 100
_TOO_LARGE: Final = 10**_DIGITS
"""Stands for every longer number: far beyond anything that is asked for, and Python would not read them all."""


class NotJson(ValueError):
    """A text that is not one JSON value, or that says the same key twice."""


class Fault(ValueError):
    """What is wrong with a value, and the path (``rounds[1].reveals.p1``) at which it stands."""

    def __init__(self, at: str, message: str) -> None:
        super().__init__(f"{at}: {message}")
        self.at = at
        self.message = message


def parse(raw: bytes) -> Any:
    """The JSON value in UTF-8 bytes, a byte order mark before it or none.

    NotJson otherwise: NaN, a key given twice and endless nesting count as such.
    """
    try:
        text = raw.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_whole)
    except UnicodeDecodeError:
        raise NotJson("is not UTF-8") from None
    except NotJson:
        raise
    except (ValueError, RecursionError):
        raise NotJson("is not JSON") from None


def canonical(value: Any) -> str:
    """Sorted keys, no spaces, one line, plain ASCII: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise NotJson("has a key twice in one object")
    return value


def _whole(digits: str) -> int:
    if len(digits) <= _DIGITS:
        return int(digits)
    return -_TOO_LARGE if digits.startswith("-") else _TOO_LARGE


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"holds {name}, which is not JSON")


def key(at: str, name: str) -> str:
    """The path of a key in the object at a path."""
    return f"{at}.{name}" if at else name


def an_object(value: Any, at: str) -> dict[str, Any]:
    """The value if it is a JSON object."""
    if not isinstance(value, dict):
        raise Fault(at, "must be an object")
    return value


def a_list(value: Any, at: str) -> list[Any]:
    """The value if it is a JSON list."""
    if not isinstance(value, list):
        raise Fault(at, "must be a list")
    return value


def a_number(value: Any, at: str) -> int:
    """The value if it is a whole number (true is none)."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault(at, "must be a whole number")
    return value


def required(value: Mapping[str, Any], name: str, at: str) -> Any:
    """What an object holds under a key that it must have."""
    if name not in value:
        raise Fault(key(at, name), "is missing")
    return value[name]


def no_others(value: Iterable[str], names: Collection[str], at: str) -> None:
    """Refuse any key that is not among the names."""
    for name in value:
        if name not in names:
            raise Fault(key(at, name), "does not belong here")


def by_player(value: Any, players: Collection[str], at: str) -> dict[str, Any]:
    """An object with one entry for each player and no other, in the players' order."""
    given = an_object(value, at)
    no_others(given, players, at)
    return {player: required(given, player, at) for player in players}


def distinct(values: Iterable[Any], at: str, read: Callable[[Any, str], Any]) -> list[Any]:
    """Each item of a list read at its place, none twice; items are read into something that can be hashed."""
    seen: dict[Any, None] = {}
    for place, value in enumerate(values):
        item = read(value, f"{at}[{place}]")
        if item in seen:
            raise Fault(f"{at}[{place}]", "stands here for the second time")
        seen[item] = None
    return list(seen)


def a_name(value: Any, at: str) -> str:
    """A player's id in a document: any string that is not empty."""
    if not isinstance(value, str) or not value:
        raise Fault(at, "must be a string that is not empty")
    return value
