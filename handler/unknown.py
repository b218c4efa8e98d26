"""Matches whose rules this program does not know: begun before an upgrade that changed them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from engine.record import UnknownRules

log = logging.getLogger(__name__)

REMEMBERED: Final = 1000
"""Of how many matches it is remembered that they were spoken of."""


@lru_cache(maxsize=REMEMBERED)
def leave_alone(match: str) -> None:
    """Say that a match is left as it is: once in a process, since timers and sweeps come back to it for ever."""
    log.warning("a match is left as it is", extra={"match": match, "error": "UnknownRules"})


@contextmanager
def leaving_alone(match: str) -> Iterator[None]:
    """Around what is done to one match of several: one of unknown rules is left as it is, and holds up none of them."""
    try:
        yield
    except UnknownRules:
        leave_alone(match)
