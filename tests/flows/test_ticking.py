"""A clock that moves on between any two readings, as a real one does; the other flows let it stand still."""

from __future__ import annotations

import pytest

from tests.flows.house import ManualClock, flow


def test_nothing_waits_for_a_moment_that_is_always_just_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    def tick(clock: ManualClock) -> float:
        clock.time += 0.001
        return clock.time

    with flow() as table:
        monkeypatch.setattr(ManualClock, "now", tick)
        table.begin()
        assert "Lock in" not in "".join(table.labels(table.group))
        assert any("Private reveals" in text for text in table.texts(table.group))
        assert any("Name one bird" in text for text in table.texts(table.ada))
