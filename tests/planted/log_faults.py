"""Faults of the function's log, one a function."""

from __future__ import annotations

import logging
from typing import Any, Final

import pytest

from handler import aws, logs
from handler.match import Match
from handler.phases import begin
from tests.planted.faults import Fault


def libraries_are_heard(patch: pytest.MonkeyPatch) -> None:
    """Either alone would not tell: below a warning they are not heard, and what they fill in is not shown."""
    patch.setattr(logs, "_is_heard", lambda record: True)
    patch.setattr(logs, "OURS", (*logs.OURS, "botocore", "urllib3", "httpcore", "telegram"))


def event_is_logged(patch: pytest.MonkeyPatch) -> None:
    request = aws._request

    def planted(event: Any, context: Any) -> Any:
        logging.getLogger("handler.aws").warning("a request came in: %s", event)
        return request(event, context)

    patch.setattr(aws, "_request", planted)


def new_field_is_shown(patch: pytest.MonkeyPatch) -> None:
    def planted(match: Match, seed: bytes, now: float) -> Match:
        logging.getLogger("handler.hosting").warning("a match begins", extra={"seed": seed.hex()})
        return begin(match, seed, now)

    patch.setattr(logs, "FIELDS", (*logs.FIELDS, "seed"))
    patch.setattr("handler.hosting.begin", planted)


FAULTS: Final = (
    Fault("Libraries are heard as the program is, at every level", "the function's log", libraries_are_heard),
    Fault("A request is logged as it came in", "the function's log", event_is_logged),
    Fault("A match's seed becomes a field that lines show", "the function's log", new_field_is_shown),
)
