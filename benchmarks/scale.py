"""Whether a press costs the same however many matches are open, and where one machine gives out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks import scale_due, scale_dynamo, scale_load, scale_presses, scale_timers
from benchmarks.rows import Row
from benchmarks.scale_house import filled
from benchmarks.scale_matches import copies, positions

OPEN: Final = (10, 100, 1_000, 10_000)


def measure() -> Iterator[Row]:
    """The rows of this part."""
    stands = positions()
    opened = tuple(copies(stands, max(OPEN)))
    with TemporaryDirectory() as folder, ExitStack() as stack:
        paths = {number: Path(folder) / f"{number}.sqlite" for number in OPEN}
        stores = {number: stack.enter_context(closing(filled(path, opened[:number]))) for number, path in paths.items()}
        yield from scale_presses.rows(stores, opened, len(stands))
        yield from scale_due.look_ups(stores, opened)
        yield from scale_dynamo.rows(opened, stores[min(OPEN)])
        yield from scale_due.sweeps(stores)
        yield from scale_load.rows(paths[OPEN[2]], opened)
        yield from scale_due.tables(stores[min(OPEN)])
        yield Row("file per open match", paths[max(OPEN)].stat().st_size / max(OPEN), "bytes")
    yield from scale_timers.rows()
