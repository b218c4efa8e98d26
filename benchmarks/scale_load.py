"""How many presses one machine takes a second: threads of one process, two processes, and the disk behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from threading import Barrier, Thread
from time import monotonic, perf_counter, sleep
from typing import Final

from benchmarks.rows import Row
from benchmarks.scale_house import ports
from benchmarks.scale_matches import NOW, Open, copies, positions, press
from handler.dispatch import handle
from handler.ports import StoreUnavailable
from infra.stores.sqlite import SqliteStore

THREADS: Final = (1, 4, 16, 64)
SECONDS: Final = 0.8
"""How long each load lasts."""
TELEGRAM: Final = 0.03
"""Seconds that a call to Telegram takes; a press makes two."""
PLAYED: Final = slice(500, 564)
"""Matches that are pressed, by a thread each or some: none that a sweep has closed a phase of."""
COMMITS: Final = 100


def rows(path: Path, opened: Sequence[Open]) -> Iterator[Row]:
    """Loads on the file at ``path``, in which these matches are open."""
    for name, wait in (("Telegram at once", 0.0), ("Telegram 30 ms", TELEGRAM)):
        one = 0.0
        for threads in THREADS:
            done, refused = _load(path, opened[PLAYED], threads, wait)
            one = one or done
            said = "1 thread" if threads > 1 else ""
            yield Row(f"presses, {name}, threads: {threads}", done, "a second", done / one if said else None, said)
    yield Row(f"given up for a locked file, of {THREADS[-1]} threads", refused, "calls")
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        begin = monotonic() + 2.5  # each process has its imports to do before
        running = [processes.submit(_process, path, half, begin) for half in (0, 1)]
        done = sum(each.result()[0] for each in running)
    yield Row("presses, two processes of 4 threads", done, "a second", None, "Telegram at once")
    yield from _disk(path, opened[PLAYED.start])


def _process(path: Path, half: int, begin: float) -> tuple[float, int]:
    """The load of one of two processes, on matches that the other does not press."""
    mine = [each for each in tuple(copies(positions(), PLAYED.stop))[PLAYED] if each.serial % 2 == half]
    sleep(max(0.0, begin - monotonic()))
    return _load(path, mine, 4, 0.0)


def _load(path: Path, opened: Sequence[Open], threads: int, wait: float) -> tuple[float, int]:
    """Presses a second by so many threads at once, each on matches of its own, and how many were refused."""
    counts, refusals = [0] * threads, [0] * threads
    updates = [[(press(each, 0), press(each, 1)) for each in opened[thread::threads]] for thread in range(threads)]
    ids = count(int(perf_counter() * 1_000_000))  # each press is a new one to its box, and later than those before
    ready = Barrier(threads + 1)
    with closing(SqliteStore(path)) as store:
        bot = ports(store, store, wait=partial(sleep, wait) if wait else lambda: None)

        def run(thread: int) -> None:
            ready.wait()
            number = 0
            while perf_counter() < until[0]:
                for pair in updates[thread]:
                    try:
                        handle(bot, pair[number % 2] | {"update_id": next(ids)})
                        counts[thread] += perf_counter() < until[0]
                    except StoreUnavailable:
                        refusals[thread] += 1
                number += 1

        workers = [Thread(target=run, args=(thread,), daemon=True) for thread in range(threads)]
        for worker in workers:
            worker.start()
        until = [perf_counter() + SECONDS]
        ready.wait()
        for worker in workers:
            worker.join()
    return sum(counts) / SECONDS, sum(refusals)


def _disk(path: Path, of: Open) -> Iterator[Row]:
    """A commit that survives the machine's end, as all here are, beside one that waits for no disk."""
    taken: dict[str, list[float]] = {"FULL": [], "OFF": []}
    with closing(SqliteStore(path)) as store:
        item = store.load(of.item.id)
        assert item is not None
        for _ in range(COMMITS):
            for mode, each in taken.items():
                with store.file.connection() as connection:
                    connection.execute(f"PRAGMA synchronous = {mode}")
                begun = perf_counter()
                item = store.commit(item, replace(item, version=item.version + 1), None, None, NOW)
                each.append(perf_counter() - begun)
    full, none = median(taken["FULL"]), median(taken["OFF"])
    yield Row("a commit to the disk", full * 1e3, "ms", full / none, "not waiting for it", samples=tuple(taken["FULL"]))
