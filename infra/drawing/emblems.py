"""The Raven and the Dog, as shadows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from infra.drawing.canvas import Canvas, Point
from infra.drawing.colours import GOLD, GROUND, RAISED

_STEPS: Final = 8

# Each outline lies in a square of 100 by 100, and goes round the body through its points in a soft curve.
_RAVEN: Final[Sequence[Point]] = (
    (73, 21), (66, 13), (56, 12), (48, 18), (43, 29), (34, 42), (24, 58), (13, 76), (3, 93), (9, 95), (22, 84),
    (36, 79), (50, 79), (62, 72), (70, 58), (72, 44), (73, 34),
)  # fmt: skip
_BEAK: Final[Sequence[Point]] = ((71, 19), (79, 20), (89, 25), (97, 35), (88, 32.5), (79, 34), (71, 36))
_SMILE: Final[Sequence[Point]] = ((68, 23.5), (69.5, 27.5), (75, 29.6), (83, 29.4), (91, 30.5))
_WING: Final[Sequence[Point]] = ((58, 42), (50, 58), (36, 70), (14, 90))
_DOG: Final[Sequence[Point]] = (
    (28, 20), (34, 12), (42, 10), (50, 15), (55, 24), (58, 36), (66, 48), (76, 60), (82, 74), (82, 88), (80, 95),
    (60, 96), (34, 96), (36, 90), (42, 86), (42, 72), (38, 60), (36, 50), (30, 44), (20, 42), (11, 39), (9, 33),
    (17, 29),
)  # fmt: skip
_EAR: Final[Sequence[Point]] = ((40, 12), (49, 12), (58, 20), (61, 33), (57, 38), (50, 31), (44, 22))
_TAIL: Final[Sequence[Point]] = ((80, 92), (90, 88), (95, 78), (93, 68))


def raven(canvas: Canvas, centre: Point, size: float) -> None:
    """The Raven on its perch. It is smiling."""
    place = _placing(centre, size)
    canvas.line((place((22, 95)), place((84, 95))), RAISED, 0.03 * size)
    for foot in (46, 55):
        canvas.line((place((foot + 1, 76)), place((foot, 94))), RAISED, 0.025 * size)
    canvas.shape(map(place, _soft(_RAVEN)), RAISED)
    canvas.shape(map(place, _BEAK), RAISED)
    canvas.line([place(point) for point in _open(_WING)], GROUND, 0.014 * size)
    canvas.line([place(point) for point in _open(_SMILE)], GROUND, 0.014 * size)
    canvas.disc(place((63.5, 22)), 0.034 * size, GOLD)
    canvas.disc(place((64.2, 22)), 0.016 * size, GROUND)


def dog(canvas: Canvas, centre: Point, size: float) -> None:
    """The Dog, sitting, with a coin at its collar."""
    place = _placing(centre, size)
    canvas.line([place(point) for point in _open(_TAIL)], RAISED, 0.055 * size)
    canvas.shape(map(place, _soft(_DOG)), RAISED)
    canvas.shape(map(place, _soft(_EAR)), GROUND)
    inner = [(0.88 * x + 0.12 * 51, 0.88 * y + 0.12 * 24) for x, y in _EAR]
    canvas.shape(map(place, _soft(inner)), RAISED)
    canvas.disc(place((30, 24)), 0.026 * size, GOLD)
    canvas.line((place((37, 47)), place((59, 40))), GOLD, 0.035 * size)
    canvas.disc(place((44, 52)), 0.055 * size, GOLD)
    canvas.disc(place((44, 52)), 0.034 * size, RAISED)


def _placing(centre: Point, size: float) -> Callable[[Point], Point]:
    (x, y), unit = centre, size / 100
    return lambda point: (x + (point[0] - 50) * unit, y + (point[1] - 50) * unit)


def _soft(points: Sequence[Point]) -> Iterator[Point]:
    """A closed curve through points (Catmull and Rom's)."""
    count = len(points)
    for number in range(count):
        yield from _arc(*(points[(number + step) % count] for step in (-1, 0, 1, 2)))


def _open(points: Sequence[Point]) -> Iterator[Point]:
    """A curve through points from the first to the last."""
    whole = (points[0], *points, points[-1])
    for number in range(len(points) - 1):
        yield from _arc(*whole[number : number + 4])
    yield points[-1]


def _arc(before: Point, start: Point, end: Point, after: Point) -> Iterator[Point]:
    for step in range(_STEPS):
        t = step / _STEPS
        yield (_along(t, before[0], start[0], end[0], after[0]), _along(t, before[1], start[1], end[1], after[1]))


def _along(t: float, a: float, b: float, c: float, d: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
