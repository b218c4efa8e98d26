"""What the programs log: a JSON object a line on standard error, of what may stand there (``docs/secrets.md``)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

FIELDS: Final = ("match", "update", "error")
"""The ``extra`` fields that are shown: a match's id, an update's id, the kind of an error. Any other stays unseen."""


class JsonLine(logging.Formatter):
    """``time`` (ISO 8601, UTC), ``level``, ``logger``, ``message`` and whatever there is of FIELDS.

    A failure comes as ``trace``: the files, lines and functions it passed through, then its type; causes first. Its own
    words are left out, because nobody can know what a library's error quotes.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        given = {field: getattr(record, field, None) for field in FIELDS}
        line |= {field: value for field, value in given.items() if value is not None}
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = list(_trace(record.exc_info[1]))
        return json.dumps(line, default=lambda value: type(value).__name__)


def install() -> None:
    """Log warnings and worse as JSON lines from now on, in the whole process."""
    lines = logging.StreamHandler()
    lines.setFormatter(JsonLine())
    logging.basicConfig(handlers=[lines], level=logging.WARNING, force=True)


def _trace(error: BaseException) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _trace(cause)
    for frame in extract_tb(error.__traceback__):
        yield f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
    yield type(error).__name__
