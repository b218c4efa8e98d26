"""A sheet to draw on: shapes at twice the size, made smooth by shrinking, and letters on top of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Final, Literal

from PIL import Image, ImageDraw

from infra.drawing.colours import GROUND, Colour
from infra.drawing.fonts import Weight, fitted, font

FINE: Final = 2
"""How many times larger shapes are drawn than they come out."""
COLOURS: Final = 128
"""Colours of a finished picture, most of them the smooth edges."""

Point = tuple[float, float]
Anchor = Literal["lm", "mm", "rm"]
"""Which point of a text is given: left, middle or right, at the height of its middle."""


@dataclass(frozen=True)
class _Text:
    at: Point
    text: str
    weight: Weight
    size: int
    colour: Colour
    anchor: Anchor

    @property
    def foot(self) -> tuple[int, int]:
        """The point on the line it is written on. That goes by the capitals' middle, not by each text's own height, so
        that neighbours stand on one line.
        """
        x, y = self.at
        return round(x), round(y + 0.36 * self.size)

    @property
    def hung(self) -> str:
        """How Pillow is told where that point is."""
        return f"{self.anchor[0]}s"


class Canvas:
    """A sheet ``width`` pixels wide, at most ``height`` high. All measures are in pixels of the finished picture."""

    def __init__(self, width: int, height: int) -> None:
        self._image = Image.new("RGB", (width * FINE, height * FINE), GROUND)
        self._texts: list[_Text] = []

    @cached_property
    def _pen(self) -> ImageDraw.ImageDraw:
        return ImageDraw.Draw(self._image)

    def disc(self, at: Point, radius: float, fill: Colour | None, edge: Colour | None = None, line: float = 0) -> None:
        """A disc, with an edge inside it."""
        (x, y), r = at, radius
        self._pen.ellipse(_fine(x - r, y - r, x + r, y + r), fill, edge, round(line * FINE))

    def box(
        self,
        corner: Point,
        size: Point,
        round_: float,
        fill: Colour | None,
        edge: Colour | None = None,
        line: float = 0,
    ) -> None:
        """A box with round corners, from its upper left corner."""
        (x, y), (width, height) = corner, size
        # The last pixel belongs to the box.
        x1, y1 = (x + width) * FINE - 1, (y + height) * FINE - 1
        self._pen.rounded_rectangle((x * FINE, y * FINE, x1, y1), round_ * FINE, fill, edge, round(line * FINE))

    def line(self, points: Sequence[Point], colour: Colour, thick: float) -> None:
        """A line through points, round at its ends and corners."""
        self._pen.line([_fine(*point) for point in points], colour, round(thick * FINE), "curve")
        for at in (points[0], points[-1]):
            self.disc(at, thick / 2, colour)

    def dashes(self, points: Sequence[Point], colour: Colour, thick: float, dash: float, gap: float) -> None:
        """A broken line through points."""
        for start, end in _dashed(points, dash, gap):
            self._pen.line([_fine(*start), _fine(*end)], colour, round(thick * FINE))

    def dashed_circle(self, at: Point, radius: float, colour: Colour, thick: float, dashes: int) -> None:
        """A circle of dashes as long as their gaps."""
        (x, y), r, step = at, radius, 180 / dashes
        for number in range(dashes):
            start = number * 2 * step
            self._pen.arc(_fine(x - r, y - r, x + r, y + r), start, start + step, colour, round(thick * FINE))

    def shape(self, points: Iterable[Point], fill: Colour) -> None:
        """A polygon."""
        self._pen.polygon([_fine(*point) for point in points], fill)

    def text(
        self,
        at: Point,
        text: str,
        size: int,
        colour: Colour,
        weight: Weight = "regular",
        anchor: Anchor = "lm",
        room: float | None = None,
    ) -> None:
        """A line of text, cut to its room."""
        shown = text if room is None else fitted(text, weight, size, room)
        self._texts.append(_Text(at, shown, weight, size, colour, anchor))

    def texts(self) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
        """What is written, each with the left, top, right and bottom of its letters."""
        for each in self._texts:
            box = font(each.weight, each.size).getbbox(each.text, anchor=each.hung)
            (x, y) = each.foot
            yield each.text, (x + box[0], y + box[1], x + box[2], y + box[3])

    def png(self, height: int) -> bytes:
        """The upper part of the sheet, so many pixels high."""
        image = self._image.reduce(FINE, (0, 0, self._image.width, height * FINE))
        pen = ImageDraw.Draw(image)
        for each in self._texts:
            pen.text(each.foot, each.text, each.colour, font(each.weight, each.size), each.hung)
        file = BytesIO()
        few = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(file, "PNG", compress_level=5)
        return file.getvalue()


def around(centre: Point, radius: float, part: float) -> Point:
    """The point on a circle after a part of a turn, clockwise from the top."""
    x, y = centre
    return x + radius * sin(2 * pi * part), y - radius * cos(2 * pi * part)


def _fine(*measures: float) -> tuple[float, ...]:
    return tuple(measure * FINE for measure in measures)


def _dashed(points: Sequence[Point], dash: float, gap: float) -> Iterable[tuple[Point, Point]]:
    """The dashes along a line, which go on around its corners."""
    into = 0.0
    for (x0, y0), (x1, y1) in pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        along = 0.0
        while along < length:
            at = into % (dash + gap)
            step = min((dash if at < dash else dash + gap) - at, length - along) or dash
            if at < dash:
                start, end = along / length, (along + step) / length
                yield (
                    (x0 + (x1 - x0) * start, y0 + (y1 - y0) * start),
                    (x0 + (x1 - x0) * end, y0 + (y1 - y0) * end),
                )
            along += step
            into += step
