"""Timers inside the process with thousands of alarms armed."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from statistics import median
from threading import Event
from time import perf_counter, process_time, sleep
from typing import Final

from benchmarks.rows import Row
from benchmarks.scale_house import Clock
from infra.stores.memory import MemoryStore
from infra.timers.local import LocalTimers

ARMED: Final = 10_000
IDLE: Final = 2.0
"""Seconds for which nothing is due."""


def rows() -> Iterator[Row]:
    """What arming, waiting and nudging take."""
    clock, nudged, all_nudged = Clock(), set(), Event()
    timers = LocalTimers(clock)

    def nudge(match: str) -> None:
        nudged.add(match)
        if len(nudged) == ARMED:
            all_nudged.set()

    names = [f"match{number}" for number in range(ARMED)]
    taken = []
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number, name in enumerate(names):
        timers.arm(name, 1, clock.time + 600 + number / 1_000)
    size = (tracemalloc.get_traced_memory()[0] - before) / ARMED
    tracemalloc.stop()
    timers.start(MemoryStore(), nudge)
    for number in range(ARMED):
        begun = process_time()
        timers.arm(names[number], 2, clock.time + 700 + number / 1_000)
        taken.append(process_time() - begun)
    yield Row(f"timer armed beside {ARMED:,}", median(taken) * 1e6, "µs", samples=tuple(taken[:100]))
    yield Row("memory of an alarm", size, "bytes")
    begun = process_time()
    sleep(IDLE)
    yield Row(f"processor while {2 * ARMED:,} alarms wait", (process_time() - begun) / IDLE * 100, "%")
    clock.time += 650
    begun = perf_counter()
    timers.wake()
    all_nudged.wait(30)
    yield Row(f"nudges, {ARMED:,} due at once", ARMED / (perf_counter() - begun), "a second")
    timers.close()
