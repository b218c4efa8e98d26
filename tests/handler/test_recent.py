"""Records kept replayed: never another outcome than a replay from the start."""

from __future__ import annotations

from engine.record import Record, Setup, Step
from handler.recent import RecentRecords

SETUP = Setup("gravity", 1, "5a" * 32)
STEPS: tuple[Step, ...] = ({0: "?h"}, {1: "p"}, {0: "h"}, {})


def test_a_record_that_grew_replays_only_what_is_new() -> None:
    recent = RecentRecords()
    first = recent.record(SETUP, STEPS[:2])
    replayed = first.history
    second = recent.record(SETUP, STEPS)
    assert second == Record(SETUP, STEPS)
    assert second.history == Record(SETUP, STEPS).history
    assert all(old is new for old, new in zip(replayed, second.history, strict=False))
    assert recent.record(SETUP, STEPS) is second


def test_a_shorter_or_different_record_is_replayed_from_the_start() -> None:
    recent = RecentRecords()
    assert recent.record(SETUP, STEPS).history
    for steps in (STEPS[:1], ({0: "?p"}, *STEPS[1:]), ()):
        assert recent.record(SETUP, steps).history == Record(SETUP, steps).history


def test_matches_do_not_mix_and_only_so_many_are_kept() -> None:
    recent = RecentRecords(most=2)
    setups = [Setup("gravity", 1, digit * 64) for digit in "123"]
    kept = [recent.record(setup, STEPS) for setup in setups]
    assert [record.setup for record in kept] == setups
    assert recent.record(setups[2], STEPS) is kept[2]
    assert recent.record(setups[1], STEPS) is kept[1]
    assert recent.record(setups[0], STEPS) is not kept[0]
