"""What is measured is not asserted; that it can be, and what the table makes of it, is."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pyperf
import pytest

from benchmarks import report
from benchmarks.cost import connections
from benchmarks.measuring import PARTS
from benchmarks.rows import Goal, Row
from tests.naming import page

REACHED = Row("nights", 2_000, "a second", goal=Goal("value", "least", 2_000), samples=(0.0005, 0.0006))
MISSED = Row("a press", 4.5, "ms", 1.61, "the floor", Goal("ratio", "most", 1.5, "the disk; a faster one"))
COUNTED = Row("bytes of an item", 12_345, "bytes")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_can_be_measured_and_is_explained(part: str) -> None:
    assert callable(import_module(f"benchmarks.{part}").measure)
    headings = [line for line in page("performance.md").splitlines() if line.startswith("## ")]
    names = {"press": "## A press, end to end", "startup": "## Start-up"}
    assert names.get(part, f"## {part.capitalize()}") in headings


def test_a_goal_is_reached_at_its_bound_and_missed_beyond_it() -> None:
    assert REACHED.held is True
    assert MISSED.held is False
    assert COUNTED.held is None


def test_the_table_says_why_a_goal_is_missed_and_counts_what_is_reached() -> None:
    said = list(report.table({"engine": [REACHED, COUNTED], "press": [MISSED]}))
    assert said[0].startswith("ENGINE")
    assert [line for line in said if "✓" in line] == [line for line in said if line.startswith("nights")]
    at = next(number for number, line in enumerate(said) if "✗" in line)
    assert "1.61×" in said[at]
    assert said[at + 1].strip() == "missed: the disk; a faster one"
    assert "12,345" in next(line for line in said if line.startswith("bytes of an item"))
    assert said[-1] == "1 of 2 goals reached."


def test_rows_and_times_are_written_for_programs(tmp_path: Path) -> None:
    report.write({"engine": [REACHED, COUNTED]}, tmp_path)
    report.write({"engine": [REACHED, COUNTED]}, tmp_path)
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["part"], row["name"], row["held"]) for row in rows] == [
        ("engine", "nights", True),
        ("engine", "bytes of an item", None),
    ]
    [times] = pyperf.BenchmarkSuite.load(str(tmp_path / "times.json"))
    assert times.get_name() == "engine: nights"
    assert times.get_values() == (0.0005, 0.0006)
    assert "hostname" not in times.get_metadata()


def test_a_run_opens_a_connection_for_each_call_of_its_widest_round() -> None:
    assert connections([1, 8, 7, 8, 1]) == [1, 7]
    assert connections([2, 2, 3]) == [2, 1]
    assert connections([]) == []
