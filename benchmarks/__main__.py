"""Everything that is measured, one part after another: ``python -m benchmarks [PART …]``, or ``make bench``.

Each part has a process of its own, so that none is measured in what another left behind. Nothing here is asserted:
the table says what was found, and which goals were reached.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from benchmarks import report
from benchmarks.measuring import PARTS, measured


def main() -> None:
    """Measure, write, print."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, and print one table.")
    options.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all if none is named")
    options.add_argument("--output", type=Path, default=Path("build/bench"), help="folder for the JSON")
    given = options.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        options.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    parts = {}
    begun = monotonic()
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        for part in given.parts or PARTS:
            sys.stderr.write(f"measuring: {part}\n")
            parts[part] = processes.submit(measured, part).result()
    report.write(parts, given.output)
    print("\n".join(report.table(parts)))
    print(f"Measured in {monotonic() - begun:.0f} s; as JSON in {given.output}/. Each row: docs/performance.md")


if __name__ == "__main__":
    main()
