"""What a press costs while more and more matches are open: the same presses, in stores of 10 to 10,000 matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from statistics import median
from time import process_time
from typing import Final, cast

from benchmarks.rows import Goal, Row, Unit
from benchmarks.scale_house import Counting, ports
from benchmarks.scale_matches import NOW, Open, press
from handler import codec
from handler.dispatch import handle
from handler.ports import MatchStore
from handler.recent import MOST, RecentRecords
from handler.table import Ports
from infra.stores.sqlite import SqliteStore

FEW: Final = 30
"""Matches that are played on beside each other while all others are open: fewer than are kept replayed."""
MANY: Final = 3 * MOST + 8
"""Matches pressed in turn, so many that each has been displaced before it comes up again."""
ROUNDS: Final = 20
"""How often each position is pressed for each row."""

FLAT: Final = Goal("ratio", "most", 1.10)
FLAT_AT_RANDOM: Final = replace(
    FLAT, missed="unpacking where a match stands takes 0.4 ms; kept unpacked (1.1×), 10,000 of them would fill 180 MB"
)


@dataclass
class Series:
    """A bot in a store of ``open`` matches, of which ``pressed`` are, by position and in turn; what each took."""

    open: int
    ports: Ports
    asked: Counting
    pressed: Sequence[Sequence[Open]]
    recent: RecentRecords = field(default_factory=RecentRecords)
    first: list[float] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)
    requests: int = 0


def rows(stores: dict[int, SqliteStore], opened: Sequence[Open], positions: int) -> Iterator[Row]:
    """``stores`` by the number of matches that are open in them, the first so many of ``opened``."""
    few = {number: _series(store, opened[:number], positions, FEW) for number, store in stores.items()}
    most = max(stores)
    many = _series(stores[most], opened, positions, MANY)
    everybody = [*few.values(), many]
    for series in everybody:
        for of in (each for matches in series.pressed for each in matches):
            series.first.append(_press(series, of, 0))
        series.requests = 0
    chance = Random(ROUNDS)  # noqa: S311 - the same order each time
    for turn in range(ROUNDS):
        for position in range(positions):
            for series in chance.sample(everybody, len(everybody)):  # none always after one that warms or cools it
                matches = series.pressed[position]
                series.taken.append(_press(series, matches[turn % len(matches)], turn % 2))
    least = few[min(few)]
    for number, series in few.items():
        if series is least:
            yield Row(f"press, {number} matches open", *_milliseconds(series.taken), samples=tuple(series.taken))
        else:
            goal = FLAT if number == most else None
            yield _beside(f"press, {number:,} open, the same few go on", series.taken, least, goal)
    yield _beside(f"press, {most:,} open, {MANY} of them in turn", many.taken, least, FLAT_AT_RANDOM)
    yield _beside(f"press, {most:,} open, first of its match in a process", many.first, least, None)
    for number in (min(stores), most):
        yield Row(
            f"store requests per press, {number:,} open",
            few[number].requests / len(few[number].taken),
            "calls",
            few[number].requests / least.requests if number == most else None,
            f"{least.open} open" if number == most else "",
            FLAT if number == most else None,
        )


def _series(store: SqliteStore, opened: Sequence[Open], positions: int, number: int) -> Series:
    chance = Random(len(opened))  # noqa: S311 - the same matches each time
    counting = Counting(store)
    of_each = [opened[position::positions] for position in range(positions)]
    chosen = [chance.sample(matches, min(number // positions, len(matches))) for matches in of_each]
    return Series(len(opened), ports(cast("MatchStore", counting), store), counting, chosen)


def _press(series: Series, of: Open, which: int) -> float:
    """Seconds of the process that a press takes; what it sealed is put aside again, so that no box fills up."""
    update = press(of, which)
    codec._RECENT = series.recent
    series.asked.asked.clear()
    begun = process_time()
    handle(series.ports, update)
    taken = process_time() - begun
    series.requests += series.asked.asked.total()
    now = series.ports.store.load(of.item.id)
    assert now is not None
    assert now.body != of.item.body, "the press counted"
    series.ports.store.commit(now, replace(of.item, version=now.version + 1), None, None, NOW)
    return taken


def _beside(name: str, taken: Sequence[float], least: Series, goal: Goal | None) -> Row:
    beside = f"{least.open} open"
    ratio = median(taken) / median(least.taken)
    return Row(name, *_milliseconds(taken), ratio, beside, goal, tuple(taken))


def _milliseconds(taken: Sequence[float]) -> tuple[float, Unit]:
    return median(taken) * 1_000, "ms"
