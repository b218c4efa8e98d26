"""Nobody reads what is none of theirs: ``docs/secrets.md`` says what is secret, from whom, and until when."""

from __future__ import annotations

from collections.abc import Iterator

from tests.simulation.judge import boards, leaks, markers, pictures
from tests.simulation.trace import Trace
from tests.simulation.verdict import Offence


def check(trace: Trace) -> Iterator[Offence]:
    """By what is written and drawn, by what stands in buttons and log lines, and by when the group's board changes."""
    yield from leaks.check(trace)
    yield from markers.check(trace)
    yield from boards.check(trace)
    yield from pictures.check(trace)
