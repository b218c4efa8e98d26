"""Records kept replayed: never another outcome than a replay from the start."""

from __future__ import annotations

from typing import Any

import pytest

from engine import record as engine_record
from engine.record import Record, Setup, Step
from handler.recent import RecentRecords
from handler.steps import read_step

SETUP = Setup("gravity", 1, "5a" * 32)
STEPS = ["0:?h", "1:p", "0:h", ""]


def replayed(setup: Setup, steps: list[str]) -> Record:
    """The record, from the start."""
    return Record(setup, tuple(map(read_step, steps)))


def test_a_record_that_grew_replays_only_what_is_new() -> None:
    recent = RecentRecords()
    first = recent.record(SETUP, STEPS[:2])
    history = first.history
    second = recent.record(SETUP, STEPS)
    assert second == replayed(SETUP, STEPS)
    assert second.history == replayed(SETUP, STEPS).history
    assert all(old is new for old, new in zip(history, second.history, strict=False))
    assert recent.record(SETUP, STEPS.copy()) is second


def test_a_shorter_or_different_record_is_replayed_from_the_start() -> None:
    recent = RecentRecords()
    assert recent.record(SETUP, STEPS).history
    for steps in (STEPS[:1], ["0:?p", *STEPS[1:]], []):
        assert recent.record(SETUP, steps).history == replayed(SETUP, steps).history


def test_matches_do_not_mix_and_only_so_many_are_kept() -> None:
    recent = RecentRecords(most=2)
    setups = [Setup("gravity", 1, digit * 64) for digit in "123"]
    kept = [recent.record(setup, STEPS) for setup in setups]
    assert [record.setup for record in kept] == setups
    assert recent.record(setups[2], STEPS) is kept[2]
    assert recent.record(setups[1], STEPS) is kept[1]
    assert recent.record(setups[0], STEPS) is not kept[0]


def packed(steps: list[str], packed_bytes: int = 1_000_000) -> RecentRecords:
    """A match's state was known after these steps, and other matches have been read since."""
    recent = RecentRecords(most=1, packed_bytes=packed_bytes)
    assert recent.record(SETUP, steps).latest.state
    recent.record(Setup("gravity", 1, "1" * 64), [])
    return recent


def counting(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The steps that are replayed from now on."""
    counted: list[object] = []
    transition = engine_record._transition

    def watched(game: Any, state: Any, step: Step) -> Any:
        counted.append(step)
        return transition(game, state, step)

    monkeypatch.setattr(engine_record, "_transition", watched)
    return counted


def test_of_a_match_read_before_many_others_only_what_is_new_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    recent = packed(STEPS[:2])
    counted = counting(monkeypatch)
    record = recent.record(SETUP, STEPS)
    assert record.latest.state
    assert counted == [read_step(step) for step in STEPS[2:]]
    assert record == replayed(SETUP, STEPS)
    assert record.latest == replayed(SETUP, STEPS).history[-1]
    assert record.history == replayed(SETUP, STEPS).history


def test_a_match_packed_twice_is_as_it_was_last() -> None:
    recent = packed(STEPS[:2])
    assert recent.record(SETUP, STEPS).latest.state
    recent.record(Setup("gravity", 1, "2" * 64), [])
    assert recent.record(SETUP, STEPS).is_replayed
    assert recent.record(SETUP, STEPS).latest == replayed(SETUP, STEPS).latest


@pytest.mark.parametrize("steps", [STEPS[:1], ["0:?p", *STEPS[1:]], []])
def test_a_different_record_than_was_packed_is_replayed_from_the_start(steps: list[str]) -> None:
    record = packed(STEPS).record(SETUP, steps)
    assert not record.is_replayed
    assert record.history == replayed(SETUP, steps).history


def test_what_has_no_room_is_replayed_again() -> None:
    assert packed(STEPS).record(SETUP, STEPS).is_replayed
    record = packed(STEPS, packed_bytes=100).record(SETUP, STEPS)
    assert not record.is_replayed
    assert record.latest == replayed(SETUP, STEPS).latest


def test_nothing_is_packed_of_a_match_that_nobody_replayed() -> None:
    recent = RecentRecords(most=1)
    recent.record(SETUP, STEPS)
    recent.record(Setup("gravity", 1, "1" * 64), [])
    assert not recent.record(SETUP, STEPS).is_replayed
