"""The command line: what it is asked wrongly it says, and does nothing."""

from __future__ import annotations

import sys

import pytest

from tests.simulation.__main__ import main


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--seeds", "x"],
        ["--seeds", "1.5"],
        ["--seeds", "-1"],
        ["--seeds", "5:1"],
        ["--seeds", "3:3"],
        ["--seeds", "0:"],
        ["--seeds", "0:10:2"],
        ["--seeds", "0:5", "--story"],
        ["--seeds", "0", "--jobs", "0"],
        ["--seeds", "0", "--game", "chess"],
        ["--seeds", "0", "--store", "nothing"],
    ],
)
def test_wrong_use_is_refused(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["simulation", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "usage: python -m tests.simulation" in capsys.readouterr().err


def test_a_seed_is_run_and_its_story_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["simulation", "--seeds", "3:4", "--game", "gravity", "--story"])
    assert main() == 0
    told = capsys.readouterr().out
    assert "Pressed update=" in told
    assert "1 runs in " in told
    assert told.endswith("failed: none\n")
