"""Every lock bites: each planted fault is caught, by the lock that ``docs/secrets.md`` names."""

from __future__ import annotations

import re

import pytest

from tests.handler import dog_positions, positions
from tests.planted import dog_bot_faults, dog_faults, faults, log_faults
from tests.planted.closing import LOCKS
from tests.planted.faults import Fault
from tests.shared import ROOT

FAULTS = {
    "gravity": faults.FAULTS,
    "dog": (*dog_faults.FAULTS, *dog_bot_faults.FAULTS),
    "log": log_faults.FAULTS,
}

# Positions are remembered for the whole run: they must be those of the games without faults.
positions.positions()
dog_positions.positions()


@pytest.mark.parametrize(("game", "lock"), [(game, lock) for game, locks in LOCKS.items() for lock in locks])
def test_a_lock_closes_where_nothing_is_planted(game: str, lock: str) -> None:
    assert LOCKS[game][lock]() > 10


@pytest.mark.parametrize(
    ("game", "fault"),
    [pytest.param(game, fault, id=fault.plant.__name__) for game, planted in FAULTS.items() for fault in planted],
)
def test_a_planted_fault_is_caught(game: str, fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault.plant(monkeypatch)
    with pytest.raises(AssertionError):
        LOCKS[game][fault.lock]()


@pytest.mark.parametrize("game", ["gravity", "dog"])
def test_a_secret_on_the_board_passes_the_blind_view(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Why lock 2 alone is not enough: the board is the same board, whatever else in the state is replaced."""
    fault = next(fault for fault in FAULTS[game] if fault.lock == "3 knowledge")
    fault.plant(monkeypatch)
    LOCKS[game]["2 blind view"]()


@pytest.mark.parametrize("game", LOCKS)
def test_every_lock_has_a_fault_to_catch(game: str) -> None:
    assert {fault.lock for fault in FAULTS[game]} == set(LOCKS[game])


@pytest.mark.parametrize(
    ("game", "name"), [("gravity", "Gravity Pandemic"), ("dog", "Dog's Judgement"), ("log", "The function's log")]
)
def test_the_page_lists_exactly_these_faults(game: str, name: str) -> None:
    page = (ROOT / "docs" / "secrets.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Planted faults")
    _, _, own = section.partition(f"### {name}\n")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", own.partition("###")[0], re.MULTILINE)
    assert rows[1:] == [(fault.says, fault.lock) for fault in FAULTS[game]]
