"""The order in which results are given."""

from __future__ import annotations

from collections.abc import Iterable

from handler.ports import Result


def latest_first(results: Iterable[Result]) -> list[Result]:
    """The latest first; of one moment those of a match together, by person."""
    return sorted(results, key=lambda result: (-result.ended_at, result.match, result.user))
