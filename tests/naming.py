"""Pages that name tests, as ``file::test``: what they name, and what of it is not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.shared import ROOT

NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
"""A test as a page names it: its file, from ``tests`` on, and its function."""


def page(name: str) -> str:
    """A page of the documentation."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


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
