"""How long the first press of a new process takes: the built package under AWS's emulator of Lambda's runtime
interface, moto for AWS and the stand-in for the Bot API both over HTTP on this machine.

Beside it in the same run, started in turn: the least that a function does with a press (``startup_bare``), and an echo
bot of ``telegram.ext`` (``startup_echo``). The emulator gives each a whole core; Lambda gives 512 MB 0.29 of one.
"""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.rows import Goal, Row
from benchmarks.startup_functions import BARE, ECHO, IMPORTS, OURS, Unpacked, unpacked
from infra.local.botapi.transport import TOKEN
from tests.aws.cloud import REGION
from tests.aws.emulated import EmulatedFlow, Function, emulated
from tests.aws.packaged import HERE, RUNTIME, emulator, lacking_runtime, package

ROUNDS: Final = 7
"""How often each function is started."""
IMPORTED: Final = 3
"""How often each only imports."""
WARM: Final = 5
"""Presses after the first one; an odd number, so that the next process too begins with a move that is not stored."""
BIRDS: Final = ("Hawk", "Owl")
"""Pressed in turn, so that each press seals another move than is stored."""

FIRST: Final = Goal(
    "ratio",
    "most",
    1.6,
    "beside boto3 and Flask it reads python-telegram-bot and the games; a snapshot (SnapStart) would be needed",
)

NOWHERE: Final[Mapping[str, str]] = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
}
"""An environment in which nothing can reach a real account."""


@dataclass(frozen=True)
class Started:
    """One process of a function: its first press by the clock and by the processor, a warm press by both, in seconds;
    bytes of memory at most.
    """

    first: float
    worked: float
    warm: float
    warm_worked: float
    memory: int


def measure() -> Iterator[Row]:
    """The rows."""
    if reason := _lacking():
        yield Row("not measured", 0, "", beside=reason)
        return
    assert HERE is not None
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_ENDPOINT_URL"):
        os.environ.pop(name, None)
    os.environ.update(NOWHERE)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # both servers write a line for each request
    with TemporaryDirectory() as name:
        folder = Path(name)
        with emulated(package(HERE), folder) as flow:
            functions = unpacked(flow.function.task_root, folder)
            started = _started(functions, flow, folder / "measured.log")
        imports = _imports(functions)
        yield from _rows(started, imports)
        yield from _sizes(functions)


def _lacking() -> str | None:
    """Why nothing can be measured, if so."""
    if reason := lacking_runtime():
        return reason
    return None if emulator() else "build/sam, with AWS's emulator, is not there: make bench installs it"


def _started(functions: Sequence[Unpacked], flow: EmulatedFlow, log: Path) -> Mapping[str, Sequence[Started]]:
    """Each function started in turn, again and again, a match of two waiting in the table for its first move."""
    flow.begin()
    buttons = [flow.button(bird, flow.ada) for bird in BIRDS]
    environment = {**flow.function.environment, "TELEGRAM_TOKEN": TOKEN}
    ours = flow.function
    taken: dict[str, list[Started]] = {each.name: [] for each in functions}
    try:
        for _ in range(ROUNDS):
            for each in functions:
                flow.function = Function(each.root, log, environment, each.handler)
                try:
                    taken[each.name].append(_pressed(flow, buttons))
                finally:
                    flow.function.close()
    finally:
        flow.function = ours
    return taken


def _pressed(flow: EmulatedFlow, buttons: Sequence[tuple[int, str]]) -> Started:
    for number in range(1 + WARM):
        assert flow.press_data(flow.ada, flow.ada, *buttons[number % 2]), "a press is answered"
    first, *warm = flow.function.invoked
    return Started(
        first.seconds,
        first.processor,
        median(each.seconds for each in warm),
        sum(each.processor for each in warm) / WARM,  # the system counts in hundredths of a second
        flow.function.most_memory,
    )


def _imports(functions: Sequence[Unpacked]) -> Mapping[str, Sequence[float]]:
    """Seconds of the processor of fresh processes that only import."""
    taken: dict[str, list[float]] = {each.name: [] for each in functions}
    for _ in range(IMPORTED):
        for each in functions:
            code = f"import {IMPORTS[each.name]}, time; print(time.process_time())"
            line = [str(RUNTIME), "-c", code]
            environment = {"PATH": os.defpath, "PYTHONPATH": str(each.root)}
            said = subprocess.run(line, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
            taken[each.name].append(float(said.stdout))
    return taken


def _rows(started: Mapping[str, Sequence[Started]], imports: Mapping[str, Sequence[float]]) -> Iterator[Row]:
    def each(of: Callable[[Started], float]) -> Mapping[str, Sequence[float]]:
        return {name: tuple(map(of, processes)) for name, processes in started.items()}

    for other in (BARE, ECHO):
        yield _times("first press, cold", each(lambda one: one.first), other, FIRST if other == BARE else None)
        yield _times("first press, cold, processor", each(lambda one: one.worked), other)
        yield _times("imports alone, processor", imports, other)
        yield _times("warm press", each(lambda one: one.warm), other)
        yield _times("warm press, processor", each(lambda one: one.warm_worked), other)
        yield _bytes("memory at most", {name: median(all) for name, all in each(lambda one: one.memory).items()}, other)


def _sizes(functions: Sequence[Unpacked]) -> Iterator[Row]:
    zipped = {each.name: each.zipped for each in functions}
    unzipped = {each.name: each.unzipped for each in functions}
    for other in (BARE, ECHO):
        yield _bytes("package, zipped", zipped, other)
        yield _bytes("package, unzipped", unzipped, other)


def _times(what: str, taken: Mapping[str, Sequence[float]], other: str, goal: Goal | None = None) -> Row:
    """Ours, and how many times that of what stands beside it."""
    ours, theirs = median(taken[OURS]), median(taken[other])
    beside = f"{theirs * 1000:,.{0 if theirs > 0.1 else 1}f} ms"
    return Row(f"{what}; {other}", ours * 1000, "ms", ours / theirs, beside, goal, tuple(taken[OURS]))


def _bytes(what: str, counted: Mapping[str, float], other: str) -> Row:
    ours, theirs = counted[OURS], counted[other]
    return Row(f"{what}; {other}", ours, "bytes", ours / theirs, f"{theirs:,.0f}")
