"""The clock of the local table."""

from __future__ import annotations

from pathlib import Path

import pytest

from infra.local.clock import TableClock


class Wall:
    """Time outside the table: the wall's, and a count of ticks that never goes back."""

    def __init__(self) -> None:
        self.at = 1_000.0
        self.ticks = 5.0

    def go(self, seconds: float) -> None:
        self.at += seconds
        self.ticks += seconds


def clock_at(wall: Wall, path: Path | None = None) -> TableClock:
    return TableClock(path, lambda: wall.at, lambda: wall.ticks)


def test_time_runs_at_the_speed_it_was_given() -> None:
    wall = Wall()
    clock = clock_at(wall)
    heard: list[float] = []
    clock.on_speed(lambda: heard.append(clock.speed))
    assert clock.now() == 1_000
    wall.go(2)
    clock.set_speed(60)
    assert clock.now() == 1_002
    wall.go(2)
    assert clock.now() == 1_122
    clock.set_speed(1)
    wall.go(1)
    assert clock.now() == 1_123
    assert heard == [60, 1]
    with pytest.raises(ValueError, match="speed"):
        clock.set_speed(0)


def test_a_wall_that_is_set_back_does_not_turn_time_back() -> None:
    wall = Wall()
    clock = clock_at(wall)
    wall.at -= 500
    wall.ticks += 1
    assert clock.now() == 1_001


def test_time_goes_on_after_a_restart(tmp_path: Path) -> None:
    wall = Wall()
    clock = clock_at(wall, tmp_path / "x.sqlite")
    clock.set_speed(60)
    wall.go(10)
    # Killed: nothing was closed.
    again = clock_at(wall, tmp_path / "x.sqlite")
    assert (again.now(), again.speed) == (1_600, 1)
    again.set_speed(60)
    wall.go(1)
    again.close()
    wall.go(100)
    closed = clock_at(wall, tmp_path / "x.sqlite")
    assert closed.now() == 1_760
    wall.at -= 10_000
    set_back = clock_at(wall, tmp_path / "x.sqlite")
    assert set_back.now() == 1_760
    for each in (clock, closed, set_back):
        each.close()
