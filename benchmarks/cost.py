"""What a host pays: whole matches played through the function's entry, counted, timed and priced.

People play as :mod:`tests.aws.evenings` says, and :mod:`tests.aws.bill` counts what each run of the function asks for.
A run's time is its own processor time and what libraries take for its calls and connections, stretched by the share of
a processor that its memory buys, plus what is waited: for each call to AWS, and for each round of calls to Telegram,
those of one telling being made side by side. Lambda rounds up to a millisecond.
Prices and waits stand in :mod:`benchmarks.prices`. Nothing is taken off for what AWS gives for nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, pairwise
from math import ceil
from typing import Final

from benchmarks import prices
from benchmarks.cost_calls import of_aws, of_telegram
from benchmarks.rows import Goal, Row
from tests.aws import evenings
from tests.aws.bill import Bill, Run, opened
from tests.aws.house import AwsFlow, house
from tests.flows.seven import company

SEED: Final = bytes([7]) * 32
MINUTES: Final = 60 * prices.HOURS
"""Minutes of a month: as many sweeps."""
ALARMS: Final = 6
"""Of template.yaml."""
STARTING: Final = """
from time import process_time
import handler.aws
from infra.aws import calls
calls.dynamodb(), calls.scheduler(), calls.sqs(), calls.ssm()
print(process_time())
"""
"""What a new process does before its first event. Each match pays for one: the sweep keeps a process warm, and a second
one is needed where two events come at once."""
KEPT: Final = 1_000
"""Matches in the table of an idle month."""
KB: Final = 2.0
"""Kilobytes of a match that is over, its results and pointers, and what DynamoDB adds to each."""
MATCHES: Final = 10_000
MIX: Final = (0.6, 0.3, 0.1)
"""Of the matches of a month: Gravity Pandemic, Dog's Judgement alone, episodes."""

WAITS: Final[Mapping[str, prices.Wait]] = {
    "TransactWriteItems": prices.TRANSACTION,
    "SendMessage": prices.QUEUE,
    "ChangeMessageVisibility": prices.QUEUE,
    "CreateSchedule": prices.SCHEDULER,
    "GetParameters": prices.SECRETS,
}
"""By the call to AWS; all others are the table's."""

TIGHT: Final = (
    "pictures and waiting for Telegram are what is left: a function URL instead of the HTTP API would save a tenth"
)

Cost = Mapping[str, float]
"""Dollars by what they are paid for."""


@dataclass(frozen=True)
class Calls:
    """Seconds of processor time of one call to AWS and one to Telegram, in the libraries below what was watched."""

    aws: float
    telegram: float


@cache
def calls() -> Calls:
    """As measured now."""
    return Calls(of_aws(), of_telegram())


def billed(run: Run) -> int:
    """Milliseconds that a run is billed for."""
    telegram, opened = run.calls["Telegram"], connections(run.rounds)
    busy = run.busy + telegram * calls().telegram + (run.calls.total() - telegram) * calls().aws
    busy += sum(opened) * prices.HANDSHAKE
    waits = sum(WAITS.get(name, prices.TABLE).ms * number for name, number in run.calls.items() if name != "Telegram")
    waits += len(run.rounds) * prices.TELEGRAM.ms + len(opened) * prices.CONNECTION.ms
    return ceil(1000 * busy * prices.WHOLE_CPU_MB / prices.MEMORY_MB + waits)


def connections(rounds: Sequence[int]) -> Sequence[int]:
    """How many connections to Telegram are opened each time that some are: where more calls are made at once than
    before in this run. Runs lie further apart than a connection lives.
    """
    most = accumulate(rounds, max)
    return [now - before for before, now in pairwise(chain([0], most)) if now > before]


def seconds(milliseconds: float) -> float:
    """Dollars for so many milliseconds of the function."""
    return milliseconds / 1000 * prices.MEMORY_MB / 1024 * prices.GB_SECOND.dollars


def cost(runs: Sequence[Run]) -> Cost:
    """What these runs cost, sweeps that found nothing left out: they are the idle month's."""
    bill = Bill()
    bill.runs.extend(runs)
    of = bill.counted()
    number = of["webhook"] + of["queue"] + of["sweep"]
    return {
        "HTTP API": of["webhook"] * prices.HTTP_API.dollars,
        "Lambda, runs": number * prices.RUN.dollars,
        "Lambda, time": sum(seconds(billed(run)) for run in runs if not run.idle),
        "DynamoDB, reads": of["read"] * prices.READ.dollars,
        "DynamoDB, writes": of["write"] * prices.WRITE.dollars,
        "Scheduler": of["CreateSchedule"] * prices.SCHEDULE.dollars,
        # A schedule sends a message too, and each that comes out is received and deleted.
        "SQS": (of["SendMessage"] + of["CreateSchedule"] + 2 * of["queue"]) * prices.SQS.dollars,
        "Bytes to Telegram": of["sent"] / 1e9 * prices.OUT.dollars,
        "Log": of["logged"] / 1e9 * prices.LOG.dollars,
    }


def played(play: Callable[[AwsFlow, Sequence[int]], None], people: int) -> Sequence[Run]:
    """The runs of one match, from the command that opens it until no nudge of it is left; the people know the bot."""
    with opened() as bill, house(seed=SEED) as bot:
        known = company(bot, people)
        bill.begin()
        play(bot, known)
        return tuple(bill.runs)


def start() -> float:
    """Dollars for starting a process: its imports, its clients and both secrets. Lambda bills for it as for a run."""
    command = [sys.executable, "-c", STARTING]
    environment = {**os.environ, "AWS_DEFAULT_REGION": "us-east-1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603 - our own
    busy = seconds(1000 * float(done.stdout) * prices.WHOLE_CPU_MB / prices.MEMORY_MB + prices.SECRETS.ms)
    return busy + 2 * prices.KMS.dollars


def idle(sweeps: Sequence[Run]) -> Cost:
    """What a month costs in which nobody plays."""
    sweep = sum(map(billed, sweeps)) / len(sweeps)
    return {
        "Sweep": MINUTES * (prices.RUN.dollars + seconds(sweep)),
        "Its look into the index": MINUTES * 0.5 * prices.READ.dollars,
        "Asking the queue": MINUTES * 60 / prices.POLL_SECONDS * prices.POLLERS * prices.SQS.dollars,
        "Alarms": ALARMS * prices.ALARM.dollars,
        "Log": MINUTES * sum(run.logged for run in sweeps) / len(sweeps) / 1e9 * prices.LOG.dollars,
        "Table and backups": KEPT * KB / 1e6 * (prices.STORAGE.dollars + prices.BACKUP.dollars),
    }


def container() -> float:
    """Dollars a month of the smallest container that is always there, with an address of its own."""
    task = 0.25 * prices.FARGATE_CPU.dollars + 0.5 * prices.FARGATE_GB.dollars
    return prices.HOURS * (task + prices.IPV4.dollars)


def measure() -> Iterator[Row]:
    """The rows of the table."""
    gravity, dog, episode = (
        played(play, people) for play, people in ((evenings.gravity, 2), (evenings.dog, 7), (evenings.episode, 7))
    )
    begin = start()
    one, two, both = (sum(cost(runs).values()) + begin for runs in (gravity, dog, episode))
    nothing = sum(idle([run for run in gravity if run.idle]).values())
    evening = sum(share * each for share, each in zip(MIX, (one, two, both), strict=True))
    month = nothing + MATCHES * evening
    always = container()
    yield Row("a match of Gravity Pandemic, two people", one, "$", goal=Goal("value", "most", 0.001, TIGHT))
    yield Row("a match of Dog's Judgement, seven people", two, "$", goal=Goal("value", "most", 0.002))
    yield Row("an episode, seven people", both, "$")
    for name, runs in (("Gravity Pandemic", gravity), ("Dog's Judgement", dog)):
        parts = sorted(cost(runs).items(), key=lambda part: -part[1])[:3]
        for part, dollars in parts:
            yield Row(f"  of {name}: {part}", dollars, "$")
    yield Row("a month in which nobody plays", nothing, "$", goal=Goal("value", "most", 1.0))
    yield Row("a container that is always there, a month", always, "$", always / nothing, "an idle month")
    balanced = always + prices.HOURS * (prices.BALANCER.dollars + prices.IPV4.dollars)
    yield Row("the same behind a load balancer", balanced, "$", balanced / nothing, "an idle month")
    machine = prices.MACHINE.dollars
    yield Row("the smallest machine of Lightsail", machine, "$", machine / nothing, "an idle month")
    yield Row("a month with 10,000 matches", month, "$", month / always, "the container, which does them too")
    yield Row("matches a month at which both cost the same", (always - nothing) / evening, "")
