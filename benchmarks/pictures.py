"""How long a picture takes to draw, and how large it is: ``python -m benchmarks.pictures``.

Times are of this process's own work. Beside each stands how many times longer it took than filling and packing an empty
sheet of the same size in the same run, which is the least that a picture can cost.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from io import BytesIO
from random import Random
from statistics import median
from time import process_time
from typing import Final

from PIL import Image

from engine.dog import retelling as dog_retelling
from engine.gravity import retelling
from engine.gravity.rules import GRAVITY
from handler.picture import Illustration
from handler.views.dog import pictures as dog
from handler.views.gravity import pictures as gravity
from infra.drawing import draw
from infra.drawing.canvas import FINE, Canvas
from tests.engine import dog_matches, matches
from tests.handler import dog_positions, positions

BOUND: Final = 150.0
"""Milliseconds that a picture may take."""


def pictures() -> Iterator[tuple[str, Illustration]]:
    """Each kind of picture, full of things."""
    two, seven = positions.framed(), dog_positions.framed()
    chance = Random(5)  # noqa: S311 - the same match each time
    played = list(matches.played(bytes([5]) * 32, matches.by_chance(chance)))
    state = next(state for _, state in reversed(played) if state.board.stage == "guesses")
    table = next(each for each in dog_positions.positions() if each.public.board.round == 9)
    found = {
        "ring, public": gravity.ring(two, GRAVITY.view(state, None)),
        "ring, private": gravity.ring(two, GRAVITY.view(state, 0)),
        "Gravity Pandemic, whole": gravity.story(two, retelling.retold(played[-1][0].history)),
        "table": dog.table(seven, table.public),
        "Dog's Judgement, whole": dog.story(
            seven, dog_retelling.retold(dog_matches.finished(bytes([3]) * 32, dog_matches.by_chance(chance)))
        ),
    }
    yield from ((name, each) for name, each in found.items() if each is not None)


def times(work: Callable[[], bytes], repeats: int) -> list[float]:
    """Milliseconds of each of so many times."""
    taken = []
    for _ in range(repeats):
        begun = process_time()
        work()
        taken.append((process_time() - begun) * 1_000)
    return taken


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description="Time the drawing of pictures.")
    options.add_argument("--repeats", type=int, default=20, choices=range(1, 1001), metavar="N", help="1 to 1000")
    repeats: int = options.parse_args().repeats
    found = list(pictures())
    [first] = times(lambda: draw(found[0][1].drawing), 1)
    worst = 0.0
    print(f"{'picture':25} {'kB':>5} {'median ms':>10} {'worst ms':>9} {'empty':>8}")
    for name, each in found:
        drawing = each.drawing
        png = draw(drawing)
        with Image.open(BytesIO(png)) as image:
            width, height = image.size
        empty = median(times(lambda size=(width, height): Canvas(*size).png(size[1]), repeats))  # type: ignore[misc]
        taken = times(lambda drawing=drawing: draw(drawing), repeats)  # type: ignore[misc]
        worst = max(worst, *taken)
        middle = median(taken)
        print(f"{name:25} {len(png) / 1000:5.0f} {middle:10.1f} {max(taken):9.1f} {middle / empty:7.1f}×")
    print(f"\nThe first picture of the process, which reads the fonts, took {first:.0f} ms.")
    print(f"Shapes are drawn {FINE} times as large. Every picture within {BOUND:.0f} ms: {_answer(worst < BOUND)}")


def _answer(within: bool) -> str:
    return "yes" if within else "no"


if __name__ == "__main__":
    main()
