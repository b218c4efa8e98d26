"""How long the webhook takes to refuse a hostile request, the whole bot behind it: ``python -m benchmarks.refusals``.

Times are of the app itself, without a network: each request of the fuzzing corpus that gets a 4xx, or is read
and comes to nothing (200), again and again, and beside it a request to ``/healthz`` in the same run.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import Final

from flask.testing import FlaskClient

from tests.fuzz.hostile import READABLE
from tests.fuzz.requests import REQUESTS, Request
from tests.fuzz.scene import scene
from tests.fuzz.sending import by_client

BOUND: Final = 100.0
"""Milliseconds that a refusal may take."""
HEALTHZ: Final = Request("GET /healthz", 200, b"", (), "GET", "/healthz")


def times(client: FlaskClient, request: Request, repeats: int) -> Sequence[float]:
    """Milliseconds of each of so many requests."""
    taken = []
    for _ in range(repeats):
        begun = perf_counter()
        answer = by_client(client, request)
        taken.append((perf_counter() - begun) * 1_000)
        assert answer.status_code == request.status, request.name
    return taken


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.refusals", description="Time what the webhook refuses."
    )
    options.add_argument("--repeats", type=int, default=20, choices=range(1, 1001), metavar="N", help="1 to 1000")
    repeats: int = options.parse_args().repeats
    logging.disable()
    refused = [request for request in REQUESTS if request.status >= 400 or request.name in READABLE]
    with scene() as stage:
        client = stage.bot.client
        times(client, HEALTHZ, repeats)  # the first requests of a process are slow
        usual = median(times(client, HEALTHZ, repeats * 10))
        taken = {request: times(client, request, repeats) for request in refused}
    print(f"{'refused':55} {'status':>6} {'median ms':>10} {'worst ms':>9} {'healthz':>8}")
    for request, each in sorted(taken.items(), key=lambda pair: -max(pair[1])):
        middle = median(each)
        print(f"{request.name:55} {request.status:6} {middle:10.2f} {max(each):9.2f} {middle / usual:7.1f}×")
    worst = max(map(max, taken.values()))
    print(f"\nhealthz: {usual:.2f} ms. {len(taken)} refusals, {repeats} times each; the worst took {worst:.1f} ms.")
    print(f"Every refusal within {BOUND:.0f} ms: {'yes' if worst < BOUND else 'no'}")


if __name__ == "__main__":
    main()
