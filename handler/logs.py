"""What the programs log: a JSON object a line on standard error, of what may stand there (``docs/secrets.md``)."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

from handler import measures

FIELDS: Final = ("match", "update", "phase", "error", "call")
"""The ``extra`` fields that are shown: a match's id, an update's id, the number of a match's phase, the kind of an
error, the call to AWS that it came from. Any other stays unseen.
"""

NAMESPACE: Final = "RavenDog"
"""Where CloudWatch lists the measures, by Function."""

OURS: Final = ("engine", "handler", "infra")


def kind(error: Exception) -> dict[str, Any]:
    """An error as ``extra`` fields: its kind and, where it came from AWS, the call. Not its words."""
    return {"error": type(error).__name__, "call": getattr(error, "call", None)}


class JsonLine(logging.Formatter):
    """``timestamp`` (ISO 8601, UTC), ``level``, ``logger``, ``message`` and whatever there is of FIELDS.

    By the first two Lambda knows a line's level: one that lacks either it takes for INFO (Lambda developer guide,
    log-level filtering).

    A failure comes as ``trace``: the files, lines and functions it passed through, then its type; causes first. Its own
    words are left out, because nobody can know what a library's error quotes. For the same reason a library's message
    is shown without what it fills in.

    A measure is a line in CloudWatch's embedded metric format, from which CloudWatch makes a metric by itself (Amazon
    CloudWatch user guide, "Specification: Embedded metric format").
    """

    def format(self, record: logging.LogRecord) -> str:
        ours = record.name.partition(".")[0] in OURS
        line: dict[str, Any] = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage() if ours else str(record.msg).partition("\n")[0],
        }
        given = {field: getattr(record, field, None) for field in FIELDS}
        line |= {field: value for field, value in given.items() if value is not None}
        if record.name == measures.__name__:
            line |= _metric(record)
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = list(_trace(record.exc_info[1]))
        return json.dumps(line, default=lambda value: type(value).__name__)


def install() -> None:
    """Log warnings and worse as JSON lines from now on, in the whole process."""
    lines = logging.StreamHandler()
    lines.setFormatter(JsonLine())
    lines.addFilter(_is_heard)
    logging.basicConfig(handlers=[lines], level=logging.WARNING, force=True)


def install_with_measures() -> None:
    """Log the measures too, for CloudWatch: all of them where MEASURES is ``all`` in the environment, otherwise those
    that tell of trouble, because CloudWatch is paid for every hour in which a metric has come.
    """
    install()
    logging.getLogger(measures.__name__).setLevel(logging.INFO)


def _is_heard(record: logging.LogRecord) -> bool:
    """Whatever level somebody sets on a logger: below a warning libraries log whole requests, secrets included."""
    return record.levelno >= logging.WARNING or (record.name == measures.__name__ and _is_wanted(record))


def _is_wanted(record: logging.LogRecord) -> bool:
    return os.environ.get("MEASURES") == "all" or measures.is_trouble(*_measured(record))


def _measured(record: logging.LogRecord) -> tuple[measures.Measure, float]:
    measured: tuple[measures.Measure, float] = getattr(record, "measure")  # noqa: B009 - an extra, which no type knows
    return measured


def _metric(record: logging.LogRecord) -> dict[str, Any]:
    name, value = _measured(record)
    directive = {
        "Namespace": NAMESPACE,
        "Dimensions": [["Function"]],
        "Metrics": [{"Name": name, "Unit": measures.UNITS[name]}],
    }
    return {
        "_aws": {"Timestamp": round(record.created * 1000), "CloudWatchMetrics": [directive]},
        "Function": os.environ.get("AWS_LAMBDA_FUNCTION_NAME", "unknown"),
        name: value,
    }


def _trace(error: BaseException) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _trace(cause)
    for frame in extract_tb(error.__traceback__):
        yield f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
    yield type(error).__name__
