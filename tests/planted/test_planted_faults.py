"""Every lock bites: each planted fault is caught, by the lock that ``docs/secrets.md`` names."""

from __future__ import annotations

import re

import pytest

from tests.handler.positions import positions
from tests.planted.closing import LOCKS
from tests.planted.faults import FAULTS, Fault
from tests.shared import ROOT

# Positions are remembered for the whole run: they must be those of the game without faults.
positions()


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_closes_where_nothing_is_planted(lock: str) -> None:
    assert LOCKS[lock]() > 10


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.plant.__name__)
def test_a_planted_fault_is_caught(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault.plant(monkeypatch)
    with pytest.raises(AssertionError):
        LOCKS[fault.lock]()


def test_a_secret_on_the_board_passes_the_blind_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why lock 2 alone is not enough: the board is the same board, whatever else in the state is replaced."""
    [fault] = [fault for fault in FAULTS if fault.lock == "3 knowledge"]
    fault.plant(monkeypatch)
    LOCKS["2 blind view"]()


def test_every_lock_has_a_fault_to_catch() -> None:
    assert {fault.lock for fault in FAULTS} == set(LOCKS)


def test_the_page_lists_exactly_these_faults() -> None:
    page = (ROOT / "docs" / "secrets.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Planted faults")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    assert rows[1:] == [(fault.says, fault.lock) for fault in FAULTS]
