"""What the bot logs, taken down as it is written out and as it was meant."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from handler import measures
from handler.logs import JsonLine
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Logged, Trace

RAW: Final = "raw"
"""The level of a line that is written nowhere: a record's own words and all of its extras. Nothing secret may get as
far as that, whatever is left out of the log.
"""

_USUAL: Final = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


class Listener(logging.Handler):
    """Puts every record into the trace, at the simulation's time."""

    def __init__(self, scheduler: Scheduler, trace: Trace) -> None:
        super().__init__()
        self._scheduler = scheduler
        self._trace = trace
        self._lines = JsonLine()

    def emit(self, record: logging.LogRecord) -> None:
        record.created = now = self._scheduler.now
        extras = {key: value for key, value in vars(record).items() if key not in _USUAL}
        self._trace.add(Logged(now, record.levelname, self._lines.format(record)))
        self._trace.add(Logged(now, RAW, f"{record.getMessage()} {extras}"))


@contextmanager
def listening(scheduler: Scheduler, trace: Trace, *, measured: bool) -> Iterator[None]:
    """Let the trace hear what is logged, with the measures as on AWS or without."""
    root, numbers = logging.getLogger(), logging.getLogger(measures.__name__)
    levels = root.level, numbers.level
    others, listener = root.handlers[:], Listener(scheduler, trace)
    root.handlers[:] = [listener]
    root.setLevel(logging.WARNING)
    numbers.setLevel(logging.INFO if measured else logging.WARNING)
    try:
        yield
    finally:
        root.handlers[:] = others
        root.setLevel(levels[0])
        numbers.setLevel(levels[1])
