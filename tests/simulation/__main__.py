"""``python -m tests.simulation --seeds A:B``: run seeds, say which fail, and add up what happened."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from multiprocessing import get_context
from os import cpu_count
from typing import get_args

from tests.simulation.judge import judge
from tests.simulation.run import Result, run, simulate
from tests.simulation.scenario import GAMES, Game, Store, draw
from tests.simulation.weather import FAULTS

TOTALS = ("matches", "phases", "Pressed", "Delivered", "Call", "Stored", "Nudged", "Booted", "Logged")

Job = tuple[int, Game | None, Store]


def main() -> int:
    """0 if no seed failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", required=True, type=_seeds, help="A:B (B excluded), or one seed")
    parser.add_argument("--game", choices=GAMES, help="this one instead of the one that a seed draws")
    parser.add_argument("--store", choices=get_args(Store), default="memory")
    parser.add_argument("--jobs", type=_jobs, default=cpu_count() or 1, help="how many runs at once")
    parser.add_argument("--story", action="store_true", help="print everything that happened in the run of one seed")
    options = parser.parse_args()
    seeds: range = options.seeds
    if options.story and len(seeds) > 1:
        parser.error("a story is told of one seed")
    if options.story:
        _tell(seeds[0], options.game, options.store)
    begun = time.monotonic()
    counts, failed, runs, seconds = Counter[str](), list[int](), 0, 0.0
    for result in _results([(seed, options.game, options.store) for seed in seeds], options.jobs):
        runs += 1
        seconds += result.seconds
        counts.update(result.counts)
        if result.failed:
            failed.append(result.scenario.seed)
            _accuse(result)
    print(f"{runs} runs in {time.monotonic() - begun:.0f} s ({seconds / max(runs, 1):.2f} s of CPU each)")
    print(", ".join(f"{kind} {counts[kind]}" for kind in TOTALS))
    print(", ".join(f"{fault} {counts[fault]}" for fault in FAULTS if counts[fault]))
    print(f"failed: {' '.join(map(str, sorted(failed))) or 'none'}")
    return 1 if failed else 0


def _seeds(text: str) -> range:
    found = re.fullmatch(r"(\d+)(?::(\d+))?", text, re.ASCII)
    seeds = range(0) if found is None else range(int(found[1]), int(found[2] or int(found[1]) + 1))
    if not seeds:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a seed nor A:B with A below B")
    return seeds


def _jobs(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,2}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 999")
    return int(text)


def _results(jobs: list[Job], processes: int) -> Iterator[Result]:
    """Each job's result, as it comes."""
    if processes == 1 or len(jobs) == 1:
        yield from map(_run, jobs)
        return
    with get_context("fork").Pool(processes) as pool:
        yield from pool.imap_unordered(_run, jobs)


def _run(job: Job) -> Result:
    return run(*job)


def _accuse(result: Result) -> None:
    """Say what is wrong with a seed, and the command that runs it again."""
    why = result.why.replace("\n", "\n    ")
    print(f"seed {result.scenario.seed}: {why}\n    {result.command}", flush=True)


def _tell(seed: int, game: Game | None, store: Store) -> None:
    """The whole story of a run, and the verdict."""
    scenario = draw(seed, game, store)
    print(scenario)
    trace = simulate(scenario)
    print("\n".join(_lines(trace.events)))
    print(f"pending: {trace.pending}\nviolations: {trace.violations}")
    for offence in judge(trace):
        print(f"{_time(offence.at)} {offence.check}: {offence.why}")


def _lines(events: Iterable[object]) -> Iterator[str]:
    for event in events:
        fields = {name: value for name, value in vars(event).items() if name != "at"}
        yield f"{_time(vars(event)['at'])} {type(event).__name__} " + " ".join(f"{k}={v!r}" for k, v in fields.items())


def _time(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%d %H:%M:%S.%f}"[:-3]


if __name__ == "__main__":
    sys.exit(main())
