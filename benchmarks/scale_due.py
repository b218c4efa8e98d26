"""What looks for what is due costs while many matches are open, and what is looked up by person, chat and group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import process_time
from typing import Any, Final

from benchmarks.rows import Row
from benchmarks.scale_house import Clock, ports
from benchmarks.scale_matches import LEFT, NOW, Open
from handler import codec
from handler.deadlines import sweep
from handler.ports import Nudge, Result
from handler.recent import RecentRecords
from handler.results import Summary, write
from handler.table import OVERDUE_SECONDS, move_overdue
from handler.tallies import table
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople

DUE: Final = 10
"""Matches that are due among all that are open."""
RESULTS: Final = 5_000
"""Results of one group: a match of seven every day for two years."""
REPEATS: Final = 200
SWEEPS: Final = 5
SWEPT: Final = 20
"""Matches that come to be due between two sweeps."""
OVERDUE: Final = 150.0
"""Seconds for which a process was stopped, in each of which a deadline passed."""


class NoQueue:
    """A queue of nudges for a sweep that has all the time it needs."""

    def put(self, nudge: Nudge, seconds: float) -> None:
        """Nothing is left to it."""
        raise AssertionError("the sweep had time enough")


def look_ups(stores: dict[int, SqliteStore], opened: Sequence[Open]) -> Iterator[Row]:
    """What a look into the store takes beside the same look where few matches are open."""
    least, most = min(stores), max(stores)
    one = opened[least // 2]
    place, user = one.pointers.take_place, one.pointers.add_people[0]
    assert place is not None
    looks: dict[str, Callable[[SqliteStore], Sequence[Any]]] = {
        f"what is due, {DUE} matches": lambda store: list(store.due(NOW + LEFT + DUE - 0.5)),
        "the matches of a person": lambda store: store.of_person(user),
        "the matches of a chat": lambda store: store.in_chat(place.chat),
        "the match in a place": lambda store: [store.at(place)],
    }
    for name, look in looks.items():
        assert look(stores[least]) == look(stores[most])
        taken: dict[int, list[float]] = {least: [], most: []}
        for _ in range(REPEATS):
            for number, each in taken.items():
                each.append(_seconds(lambda number=number, look=look: look(stores[number])))  # type: ignore[misc]
        ratio = median(taken[most]) / median(taken[least])
        yield Row(
            f"{name}, {most:,} open",
            median(taken[most]) * 1e6,
            "µs",
            ratio,
            f"{least} open",
            samples=tuple(taken[most]),
        )
    alarms = [_seconds(stores[most].alarms) for _ in range(5)]
    yield Row(f"all alarms at start, {most:,} open", median(alarms) * 1e3, "ms", samples=tuple(alarms))


def sweeps(stores: dict[int, SqliteStore]) -> Iterator[Row]:
    """Sweeps that close the open phase of some matches each, none of which the process has met before; and a start
    after a stop. Both change the stores.
    """
    *_, few, most = sorted(stores)
    clocks = {number: Clock() for number in (few, most)}
    bots = {number: ports(stores[number], stores[number], clock) for number, clock in clocks.items()}
    taken: dict[int, list[float]] = {number: [] for number in bots}
    for sweeps in range(1, SWEEPS + 1):
        for number, bot in bots.items():
            codec._RECENT = RecentRecords()
            clocks[number].time = NOW + LEFT + SWEPT * sweeps - 0.5
            taken[number].append(_seconds(lambda bot=bot: sweep(bot, NoQueue(), lambda: 1e6)) / SWEPT)  # type: ignore[misc]
    ratio = median(taken[most]) / median(taken[few])
    each = median(taken[most]) * 1e3
    yield Row(f"sweep, each match due, {most:,} open", each, "ms", ratio, f"{few:,} open", samples=tuple(taken[most]))
    clocks[few].time = NOW + LEFT + SWEPT * SWEEPS + OVERDUE
    overdue = sum(at < clocks[few].time - OVERDUE_SECONDS for _, at in stores[few].alarms())
    codec._RECENT = RecentRecords()
    seconds = _seconds(lambda: move_overdue(bots[few]))
    yield Row("overdue deadlines moved at start", overdue / seconds, "a second")


def tables(store: SqliteStore) -> Iterator[Row]:
    """``/top`` of a group with thousands of results, beside as many of another group."""
    people = SqlitePeople(store.file)
    body = write(Summary(game="gravity", name="Player", title="A group", outcome="won"))
    people.add([Result(f"m{each}", each % 40, -1 - each % 2, NOW + each, body) for each in range(2 * RESULTS)])
    taken = [_seconds(lambda: table(people.in_chat(-1))) for _ in range(5)]
    assert len(people.in_chat(-1)) == RESULTS
    yield Row(f"/top of a group with {RESULTS:,} results", median(taken) * 1e3, "ms", samples=tuple(taken))


def _seconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun
