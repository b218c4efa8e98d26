"""The simulation finds what it is for: each planted fault, by the check that ``docs/reliability.md`` names."""

from __future__ import annotations

import re

import pytest

from tests.shared import ROOT
from tests.simulation.planted import FAULTS, Fault
from tests.simulation.run import run_scenario

SEEDS = range(40)
"""Within so many runs a fault has to show. Most show in the first."""


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.plant.__name__) for fault in FAULTS])
def test_a_planted_fault_is_caught(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault.plant(monkeypatch)
    found: set[str] = set()
    for seed in SEEDS:
        result = run_scenario(fault.scenario(seed))
        assert not result.trouble
        found |= {offence.check for offence in result.offences}
        if fault.check in found:
            return
    pytest.fail(f"{fault.says} was not caught by {fault.check!r}, but by {sorted(found)}")


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.plant.__name__) for fault in FAULTS])
def test_nothing_is_found_where_nothing_is_planted(fault: Fault) -> None:
    result = run_scenario(fault.scenario(0))
    assert not result.failed, result.why


def test_the_page_lists_exactly_these_faults() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Planted faults")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", section.partition("\n## ")[0], re.MULTILINE)
    assert rows[1:] == [(fault.says, fault.check) for fault in FAULTS]
