"""The page on security stays true: every test that it names is there, and every threat says what proves its defence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
"""A test as the page names it: its file, from ``tests`` on, and its function."""


def missing(text: str) -> list[str]:
    """The tests that a text names and that are not there."""
    return [f"{file}::{name}" for file, name in NAMED.findall(text) if name not in held_by(ROOT / "tests" / file)]


def held_by(file: Path) -> set[str]:
    """The names of a file's tests; none if there is no such file."""
    if not file.is_file():
        return set()
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of a text's tables, each cell by its column's name."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *body = ([cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines())
        yield from (dict(zip(head, row, strict=True)) for row in body)


def test_every_test_that_the_page_names_is_there() -> None:
    assert len(set(NAMED.findall(PAGE))) > 50
    assert missing(PAGE) == []


def test_nothing_on_the_page_looks_like_a_test_and_is_not_read_as_one() -> None:
    assert PAGE.count("::test_") == len(NAMED.findall(PAGE))


def test_every_threat_says_what_proves_its_defence_and_what_remains() -> None:
    threats = list(rows(PAGE))
    assert len(threats) > 30
    for threat in threats:
        assert NAMED.search(threat["proved by"]) or threat["proved by"] == "*nothing*", threat
        assert all(threat.values()), threat
        assert threat["proved by"] != "*nothing*" or len(threat["what remains"]) > 20, threat


@pytest.mark.parametrize(
    "named",
    [
        "flows/test_nowhere.py::test_forged_presses_change_nothing",
        "flows/test_presses.py::test_nothing_of_the_kind",
        "flows/test_presses.py::forged",
    ],
)
def test_a_test_that_is_not_there_is_found(named: str) -> None:
    assert missing(f"| who | what | `{named}` |") == [named]
