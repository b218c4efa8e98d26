"""Many matches from one that has really begun: the same in other groups, with other people, ids and seeds."""

from __future__ import annotations

from collections.abc import Mapping


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text, JSON for instance, with every id in it replaced that has another name: ids are long enough to be nothing
    else by chance.
    """
    for old, new in names.items():
        text = text.replace(old, new)
    return text
