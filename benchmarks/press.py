"""A press, end to end: from the webhook to its 200, with the store on a disk and the Bot API's stand-in on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.elsewhere import elsewhere
from benchmarks.floor import Floor
from benchmarks.plain_application import PlainApplication
from benchmarks.press_alone import FAR, Alone, Press, measure_alone
from benchmarks.press_bot import Bot
from benchmarks.press_load import SECONDS, Load, measure_load
from benchmarks.rows import Goal, Row
from benchmarks.stand_in import StandIn

GAMES: Final = {"gravity": "Gravity Pandemic", "dog": "Dog's Judgement, seven"}

TO_FLOOR: Final = Goal(
    "ratio",
    "most",
    1.5,
    "the floor neither reads nor judges nor stores: all of that would have to cost half a call to the Bot API",
)
TO_PLAIN: Final = Goal("ratio", "most", 1, "the plain Application neither judges nor stores before it answers")
STEADY: Final = Goal(
    "ratio", "most", 5, "one process of Python works on one press at a time; a second one would be needed"
)
STEADY_ALL: Final = Goal(
    "ratio",
    "most",
    5,
    "telling a round that closed takes a tenth of a second, half of it for a picture, of the one process that all "
    "presses share; a second one would have to tell, or draw",
)


def measure() -> Iterator[Row]:
    """All rows: one press at a time, what it asks of others, and 350 people at once."""
    with ExitStack() as open_:
        folder = Path(open_.enter_context(TemporaryDirectory()))
        stand_in = open_.enter_context(elsewhere(StandIn))
        bot_api = stand_in.address(), stand_in.token()
        bot = open_.enter_context(elsewhere(Bot, *bot_api, folder))
        with (
            elsewhere(Floor, *bot_api) as floor,
            elsewhere(PlainApplication, *bot_api, folder) as plain,
        ):
            alone = measure_alone(stand_in, bot, floor.address(), plain.address())
        load = measure_load(stand_in, bot)
        if violations := stand_in.violations():
            raise RuntimeError(f"what was measured is no correct bot: {violations[0]}")
    yield from _times(alone)
    yield from _counts(alone)
    yield from _under_load(load)


def _times(alone: Alone) -> Iterator[Row]:
    beside = {name: [each.seconds for each in posted] for name, posted in alone.beside.items()}
    for key, game in GAMES.items():
        taken = [each.posted.seconds for each in alone.presses[key]]
        yield _median(f"{game}: a press to its 200", taken, beside["floor"], "the floor", TO_FLOOR)
        for name, other, what, goal in (
            ("beside the barest floor", "plainly", "Flask, and one call by httpx alone", None),
            ("beside the plain Application", "plain", "one answer and one edit", TO_PLAIN),
        ):
            ratio = median(taken) / median(beside[other])
            yield Row(f"{game}: {name}", median(taken) * 1_000, "ms", ratio, what, goal)
        yield _late(f"{game}: 99th percentile", taken)
        yield _median(f"{game}: a press to its toast", _until_toast(alone.presses[key]))
    taken = [each.posted.seconds for each in alone.presses["page"]]
    yield _median("Dog's Judgement: another page of the panel", taken)
    yield _median("A press that is refused", [each.posted.seconds for each in alone.presses["refused"]])
    near, far = alone.presses["closing"], alone.presses["closing far"]
    yield _median("A round of seven closes: until all have their panel", [each.until_panels for each in near])
    in_turn = [len(each.heard) * FAR for each in far]
    yield _median("The same, each call 40 ms", [each.until_panels for each in far], in_turn, "its calls in turn")
    yield _median("Floor: Flask, and one call by the bot's client", beside["floor"])
    yield _median("Floor: Flask, and one call by httpx alone", beside["plainly"])
    yield _median("Plain Application: one answer and one edit", beside["plain"])
    yield _median("Plain Application: written before the 200", beside["written"])


def _counts(alone: Alone) -> Iterator[Row]:
    accepted, closing = [*alone.presses["gravity"], *alone.presses["dog"]], alone.presses["closing"]
    yield _most("Reads, accepted press that closes nothing", accepted, lambda each: each.reads, 1)
    yield _most("Writes, accepted press that closes nothing", accepted, lambda each: each.writes, 1)
    yield _most("Reads, press that closes a round of seven", closing, lambda each: each.reads, 1)
    yield _most("Writes, press that closes a round of seven", closing, lambda each: each.writes, 2)
    yield _most("Writes, refused press", alone.presses["refused"], lambda each: each.writes, 0)
    everything = [each for presses in alone.presses.values() for each in presses]
    yield _most("Bot API calls up to the toast, any press", everything, lambda each: each.until_toast, 1)
    yield _most("Bot API calls after it, press that closes nothing", accepted, lambda each: each.after_toast)
    yield _most("Bot API calls after it, press that closes a round", closing, lambda each: each.after_toast)
    for key, game in GAMES.items():
        presses = alone.presses[key]
        yield Row(f"{game}: sent to Telegram by a press", median(each.sent for each in presses), "bytes")
        yield Row(f"{game}: the item that it writes", median(each.written for each in presses), "bytes")


def _under_load(load: Load) -> Iterator[Row]:
    for what, pressed, goal in (
        ("350 players, nothing closes", load.quiet, STEADY),
        ("350 players, all presses", load.all, STEADY_ALL),
    ):
        taken, toasts = [each.until_answer for each in pressed], [each.until_toast for each in pressed]
        yield Row(f"{what}: presses", len(pressed) / SECONDS, "a second")
        yield _median(f"{what}: to the 200", taken)
        yield _late(f"{what}: to the 200, 99th percentile", taken, goal)
        yield _median(f"{what}: to the toast", toasts)
        yield _late(f"{what}: to the toast, 99th percentile", toasts)
    yield Row("350 players, all presses: rounds that close", load.closings / SECONDS, "a second")
    yield Row("One process, nothing closes: presses at most", load.capacity, "a second")
    yield Row("One process, nothing closes: its work on a press", load.work * 1_000, "ms")


def _until_toast(presses: Sequence[Press]) -> Sequence[float]:
    return [each.toast.at - each.posted.sent for each in presses]


def _median(
    name: str, taken: Sequence[float], others: Sequence[float] = (), beside: str = "", goal: Goal | None = None
) -> Row:
    """The median, beside that of ``others``."""
    ratio = median(taken) / median(others) if others else None
    return Row(name, median(taken) * 1_000, "ms", ratio, beside, goal, tuple(taken))


def _late(name: str, taken: Sequence[float], goal: Goal | None = None) -> Row:
    """The 99th percentile, beside the median."""
    latest = quantiles(taken, n=100)[98]
    return Row(name, latest * 1_000, "ms", latest / median(taken), "its median", goal)


def _most(name: str, presses: Sequence[Press], count: Callable[[Press], int], bound: int | None = None) -> Row:
    """The most that any of these presses needed."""
    goal = None if bound is None else Goal("value", "most", bound)
    return Row(name, max(map(count, presses)), "calls", goal=goal)
