"""The table for people, and the same as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import pyperf

from benchmarks.rows import Goal, Row

Parts = Mapping[str, Sequence[Row]]
"""The rows of each part, in order."""

WIDTH: Final = 58


def table(parts: Parts) -> Iterator[str]:
    """The lines of the table."""
    head = f"{'':{WIDTH}} {'measured':>19} {'ratio':>7} {'goal':>9}"
    for part, rows in parts.items():
        yield f"{part.upper():{WIDTH}}{head[WIDTH:]}"
        for row in rows:
            yield _line(row)
            if row.held is False and row.goal is not None and row.goal.missed:
                yield f"    missed: {row.goal.missed}"
        yield ""
    goals = [row for rows in parts.values() for row in rows if row.goal is not None]
    yield f"{sum(row.held is True for row in goals)} of {len(goals)} goals reached."


def write(parts: Parts, folder: Path) -> None:
    """The rows as ``rows.json``, and the times behind them as ``times.json`` for ``python -m pyperf``."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"part": part, **asdict(row), "held": row.held} for part, found in parts.items() for row in found]
    (folder / "rows.json").write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")
    timed = [(f"{part}: {row.name}", row.samples) for part, found in parts.items() for row in found if row.samples]
    if timed:
        pyperf.BenchmarkSuite([_benchmark(name, samples) for name, samples in timed]).dump(
            str(folder / "times.json"), replace=True
        )


def _benchmark(name: str, samples: Sequence[float]) -> pyperf.Benchmark:
    # Metadata that pyperf would collect names the machine, which is nobody's business where results are passed on.
    return pyperf.Benchmark([pyperf.Run(samples, metadata={"name": name, "unit": "second"}, collect_metadata=False)])


def _line(row: Row) -> str:
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}×"
    goal = "" if row.goal is None else _goal(row.goal)
    verdict = {True: "✓", False: "✗", None: ""}[row.held]
    beside = f"  {row.beside}" if row.beside else ""
    line = f"{row.name:{WIDTH}} {_figure(row.value):>10} {row.unit:<8} {ratio:>6} {goal:>10} {verdict:1}{beside}"
    return line.rstrip()


def _goal(goal: Goal) -> str:
    sign = "≥" if goal.at == "least" else "≤"
    return f"{sign} {_figure(goal.bound)}{'×' if goal.of == 'ratio' else ''}"


def _figure(value: float) -> str:
    """Three digits that count, or all before the point."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
