"""The repository itself: nothing in it names the place where it was written, and its locks hold."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.shared import ROOT

LOCKS = ("runtime", "local", "aws", "dev", "sam", "lambda")
INPUTS = ("sam", "lambda")
"""The locks with an input of their own, which share no environment with the others."""

# Put together here, so that this file does not hold what it looks for.
FORBIDDEN = re.compile(
    "|".join(
        (
            r"(?<![\w.])/" + r"(work|farm)/",
            r"\." + "library",
            r"\bTO" + r"DO\b",
            r"\bFIX" + r"ME\b",
            r"py" + r"pi\.org",
            r"python" + r"hosted\.org",
            r"npm" + r"js\.org",
            r"deb\." + r"debian\.org",
        )
    )
)


def tracked() -> Iterator[tuple[str, str]]:
    """Name and text of every file under version control that is text."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listing.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes()):
            yield name, content.decode("utf-8")


def pins(lock: str) -> Mapping[str, str]:
    """The version of every package in a lock; of one that has several, for several versions of Python, the last."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", lock, re.MULTILINE))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="looks at what git tracks, and this is no checkout")
def test_no_file_names_a_workplace_or_leaves_work_undone() -> None:
    found = [f"{name}: {match[0]}" for name, text in tracked() if (match := FORBIDDEN.search(text))]
    assert found == []


@pytest.mark.parametrize(
    "text", ["see /wo" + "rk/main", "# TO" + "DO: later", "--index-url https://py" + "pi.org/simple"]
)
def test_the_search_finds_what_it_looks_for(text: str) -> None:
    assert FORBIDDEN.search(text)


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_and_hashes_everything_and_holds_no_address(name: str) -> None:
    lock = read(f"requirements/{name}.txt")
    entries = [entry for entry in re.split(r"\n(?=[^\s#])", lock) if not entry.startswith("#")]
    assert {entry.partition("==")[0] for entry in entries} == pins(lock).keys() != set()
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in lock


def names(requirements: Iterable[str]) -> set[str]:
    """What the requirements ask for, whatever its version and extras."""
    return {re.split(r"[\[<>=~! ]", requirement)[0] for requirement in requirements}


def test_the_locks_cover_what_the_project_declares() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    runtime, extras = project["dependencies"], project["optional-dependencies"]
    declared = {
        "runtime": runtime,
        "local": runtime + extras["local"],
        "aws": runtime + extras["aws"],
        "dev": runtime + extras["local"] + extras["aws"] + extras["dev"],
    }
    for name in INPUTS:
        lines = read(f"requirements/{name}.in").splitlines()
        declared[name] = [line for line in lines if not line.startswith("#")]
    assert declared.keys() == set(LOCKS)
    for name, requirements in declared.items():
        assert names(requirements) <= pins(read(f"requirements/{name}.txt")).keys()


def test_the_locks_agree() -> None:
    runtime, local, aws, dev = (pins(read(f"requirements/{name}.txt")).items() for name in LOCKS if name not in INPUTS)
    assert runtime < local < dev
    assert runtime < aws < dev


def test_nothing_asks_for_a_lock_that_is_not_there() -> None:
    """Neither the Makefile nor a script."""
    scripts = [read("Makefile"), *(path.read_text(encoding="utf-8") for path in (ROOT / "tools").glob("*.sh"))]
    asked = {name for script in scripts for name in re.findall(r"requirements/(\w+)\.txt", script)}
    assert asked <= set(LOCKS) == {path.stem for path in (ROOT / "requirements").glob("*.txt")}
    assert {path.stem for path in (ROOT / "requirements").glob("*.in")} == set(INPUTS)


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    heading = re.search(r"^## \[(.+?)\] - (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    assert heading is not None
    assert heading[1] == version
    assert re.fullmatch(r"Unreleased|\d{4}-\d\d-\d\d", heading[2])


def test_the_readme_names_the_commands_and_its_links_lead_somewhere() -> None:
    readme = read("README.md")
    targets = set(re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)[0].split())
    named = set(re.findall(r"(?:^|`)(?:[A-Z_]+=\S+ )?make ([a-z]+)", readme, re.MULTILINE))
    assert {"play", "test", "host"} <= named <= targets
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", readme) if "://" not in link]
    assert [link for link in links if not (ROOT / Path(link)).exists()] == []
