"""The clock of the local table."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from infra.local.botapi.world import World
from infra.local.clock import KEEP_EVERY, SPEEDS, TableClock


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


def test_time_goes_on_as_on_the_wall_while_the_table_is_closed(tmp_path: Path) -> None:
    wall = Wall()
    clock = clock_at(wall, tmp_path / "x.sqlite")
    clock.set_speed(60)
    wall.go(10)
    clock.close()
    wall.go(100)
    again = clock_at(wall, tmp_path / "x.sqlite")
    assert (again.now(), again.speed) == (1_700, 1)
    again.close()
    wall.at -= 10_000
    set_back = clock_at(wall, tmp_path / "x.sqlite")
    assert set_back.now() == 1_700
    set_back.close()


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("down", [0.0, 8 * 3600.0])
def test_after_a_kill_no_shown_time_comes_again_and_the_time_down_counts_once(
    tmp_path: Path, speed: int, down: float
) -> None:
    wall = Wall()
    killed = clock_at(wall, tmp_path / "x.sqlite")
    killed.set_speed(speed)
    shown = 0.0
    for _ in range(95):
        wall.go(0.1)
        shown = killed.now()
    wall.go(down)
    again = clock_at(wall, tmp_path / "x.sqlite")
    assert shown <= again.now() <= shown + down + KEEP_EVERY * speed
    again.close()


def test_reading_the_time_while_the_world_is_being_changed_waits_for_nothing(tmp_path: Path) -> None:
    wall = Wall()
    clock = clock_at(wall, tmp_path / "clock.sqlite")
    world = World(clock, tmp_path / "telegram.sqlite")
    with world.desk.change() as state:
        state.set("x", {})
        wall.go(KEEP_EVERY)
        assert clock.now() == 1_000 + KEEP_EVERY
    world.close()
    again = clock_at(wall, tmp_path / "clock.sqlite")
    assert again.now() >= 1_000 + KEEP_EVERY
    clock.close()
    again.close()


def test_a_file_that_cannot_be_written_stops_no_clock(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    wall = Wall()
    clock = clock_at(wall, tmp_path / "x.sqlite")
    database = sqlite3.connect(tmp_path / "x.sqlite")
    database.execute("DROP TABLE rows")
    database.close()
    wall.go(KEEP_EVERY)
    assert clock.now() == 1_000 + KEEP_EVERY
    assert "could not be kept" in caplog.text
    clock.close()
    wall.go(KEEP_EVERY)
    assert clock.now() == 1_000 + 2 * KEEP_EVERY
