"""Matches whose rules this program does not know: begun before an upgrade that changed them."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Final

log = logging.getLogger(__name__)

REMEMBERED: Final = 1000
"""Of how many matches it is remembered that they were spoken of."""


@lru_cache(maxsize=REMEMBERED)
def leave_alone(match: str) -> None:
    """Say that a match is left as it is: once in a process, since timers and sweeps come back to it for ever."""
    log.warning("a match is left as it is", extra={"match": match, "error": "UnknownRules"})
