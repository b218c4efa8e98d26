"""The pages that name tests stay true: every test that they name is there, and every row says what proves it."""

from __future__ import annotations

import pytest

from tests.naming import NAMED, missing, page, rows

PAGES = ("features.md", "security.md")


@pytest.mark.parametrize("name", PAGES)
def test_every_test_that_a_page_names_is_there(name: str) -> None:
    text = page(name)
    assert len(set(NAMED.findall(text))) > 50
    assert missing(text) == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_on_a_page_looks_like_a_test_and_is_not_read_as_one(name: str) -> None:
    text = page(name)
    assert text.count("::test_") == len(NAMED.findall(text))


def test_every_promise_says_what_proves_it() -> None:
    promises = [row for row in rows(page("features.md")) if "what is promised" in row]
    assert len(promises) > 70
    for promise in promises:
        assert promise["what is promised"], promise
        assert NAMED.search(promise["proved by"]), promise


def test_every_threat_says_what_proves_its_defence_and_what_remains() -> None:
    threats = list(rows(page("security.md")))
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
