"""Documents with one thing wrong, for tests of what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from engine.documents import failure, replay
from engine.reading import Fault

Change = Callable[[Any], Any]


def fault(document: Any, judge: Callable[[Any], Any] = replay) -> str:
    """The path at which a document is at fault; it must be."""
    with pytest.raises(Fault) as caught:
        judge(document)
    assert failure(caught.value) == {"ok": False, "error": caught.value.message, "at": caught.value.at}
    assert caught.value.message
    return caught.value.at


def put(*path: str | int, value: Any) -> Change:
    """A change that puts a value at a path."""

    def change(document: Any) -> None:
        place = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def drop(*path: str | int) -> Change:
    """A change that takes away what stands at a path."""

    def change(document: Any) -> None:
        place = document
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


def put_anywhere(data: st.DataObject, document: Any, values: st.SearchStrategy[Any]) -> None:
    """Put one of the values at any place of a document."""
    place = document
    while True:
        step = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else list(range(len(place)))))
        if not isinstance(place[step], dict | list) or not place[step] or data.draw(st.booleans()):
            place[step] = data.draw(values)
            return
        place = place[step]
