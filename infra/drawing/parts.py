"""What several pictures are made of: the head, a player's mark and name, tokens and other signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from handler.picture import Head, Party
from infra.drawing.canvas import Canvas, Point, around
from infra.drawing.colours import BLOOD, DIM, GOLD, INK, LINE, PANEL, RAISED, RED, TEAL, TEXT, Colour
from infra.drawing.fonts import drawable, fitted, width

WIDTH: Final = 1080
EDGE: Final = 48
"""The margin on the left and right."""
HEAD: Final = 176
"""How high the head is."""
SMALL: Final = 30
"""The smallest letters: on a phone 390 pixels wide they come out 11 pixels high."""


def head(canvas: Canvas, head: Head) -> None:
    """Which game, where in it, and for whom."""
    canvas.text((EDGE, 62), head.game, 38, GOLD, "bold")
    canvas.text((EDGE, 128), head.place, 62, TEXT, "bold")
    if head.note:
        room = WIDTH - 2 * EDGE - width(head.place, "bold", 62) - 100
        _note(canvas, head.note, room, TEAL if head.own else DIM)


def _note(canvas: Canvas, text: str, room: float, colour: Colour) -> None:
    """On a plate at the right."""
    shown = fitted(text, "regular", 32, room)
    wide = width(shown, "regular", 32) + 48
    canvas.box((WIDTH - EDGE - wide, 98), (wide, 60), 30, None, colour, 3)
    canvas.text((WIDTH - EDGE - wide / 2, 128), shown, 32, colour, anchor="mm")


def name_of(party: Party, size: int, room: float) -> str:
    """A player's name as far as it can be drawn and there is room for it."""
    visible = "".join(char for char in party.name if char.isprintable())
    return fitted(visible if visible and drawable(visible, "regular") else party.instead, "regular", size, room)


def named(canvas: Canvas, at: Point, party: Party, size: int, room: float) -> None:
    """A player's name from its left end, behind it the sign of a house player."""
    x, y = at
    sign = size * 0.44 if party.house else 0.0
    shown = name_of(party, size, room - (2 * sign + 12 if sign else 0))
    canvas.text(at, shown, size, TEXT)
    if sign:
        house(canvas, (x + width(shown, "regular", size) + 12 + sign, y), sign, DIM)


def house(canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
    """The sign of a house player: a small house."""
    (x, y), r = at, radius
    canvas.shape(((x - 1.1 * r, y), (x, y - r), (x + 1.1 * r, y)), colour)
    canvas.box((x - 0.75 * r, y - 0.1 * r), (1.5 * r, r), 2, colour)
    canvas.box((x - 0.22 * r, y + 0.3 * r), (0.44 * r, 0.6 * r), 0, PANEL)


def badge(canvas: Canvas, at: Point, mark: str, *, fill: Colour = RAISED, colour: Colour = TEXT) -> float:
    """A player's mark on a small plate whose left end is given; how wide it is."""
    wide = max(52.0, width(mark, "bold", 32) + 28)
    x, y = at
    canvas.box((x, y - 26), (wide, 52), 26, fill)
    canvas.text((x + wide / 2, y), mark, 32, colour, "bold", "mm")
    return wide


def chip(canvas: Canvas, at: Point, mark: str, radius: float, *, fill: Colour = LINE, colour: Colour = TEXT) -> None:
    """A player's mark on a disc."""
    canvas.disc(at, radius, fill)
    canvas.text(at, mark, 32, colour, "bold", "mm")


def drop(canvas: Canvas, at: Point, radius: float, number: str) -> None:
    """A drop of poison with the number of its night."""
    x, y = at
    canvas.shape(
        ((x, y - 1.75 * radius), (x + 0.86 * radius, y - 0.5 * radius), (x - 0.86 * radius, y - 0.5 * radius)), RED
    )
    canvas.disc(at, radius, RED)
    canvas.text((x, y), number, SMALL, INK, "bold", "mm")


def star(canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
    """A five-pointed star."""
    canvas.shape((around(at, radius if point % 2 == 0 else 0.45 * radius, point / 10) for point in range(10)), colour)


def cross(canvas: Canvas, at: Point, radius: float, colour: Colour, thick: float) -> None:
    """A cross."""
    (x, y), r = at, radius
    canvas.line(((x - r, y - r), (x + r, y + r)), colour, thick)
    canvas.line(((x - r, y + r), (x + r, y - r)), colour, thick)


def tick(canvas: Canvas, at: Point, radius: float, colour: Colour, thick: float) -> None:
    """A tick."""
    (x, y), r = at, radius
    canvas.line(((x - r, y), (x - 0.25 * r, y + 0.75 * r), (x + r, y - 0.8 * r)), colour, thick)


def heart(canvas: Canvas, at: Point, radius: float) -> None:
    """A Token of Life."""
    (x, y), half = at, radius * 0.54
    for side in (-1, 1):
        canvas.disc((x + side * half, y - 0.35 * radius), half * 1.06, TEAL)
    below = ((-1.06, -0.1), (-0.6, -0.35), (0.6, -0.35), (1.06, -0.1), (0, 1))
    canvas.shape(((x + dx * radius, y + dy * radius) for dx, dy in below), TEAL)


def win_token(canvas: Canvas, at: Point, radius: float) -> None:
    """A Win Token: a star on a gold coin."""
    canvas.disc(at, radius, GOLD)
    canvas.disc(at, radius * 0.84, None, INK, radius * 0.07)
    star(canvas, at, radius * 0.62, INK)


def lose_token(canvas: Canvas, at: Point, radius: float) -> None:
    """The Lose Token: a cross on a dark octagon."""
    canvas.shape((around(at, radius * 1.06, (corner + 0.5) / 8) for corner in range(8)), RED)
    canvas.shape((around(at, radius * 0.88, (corner + 0.5) / 8) for corner in range(8)), BLOOD)
    cross(canvas, at, radius * 0.36, RED, radius * 0.2)


def panel(canvas: Canvas, corner: Point, size: Point) -> None:
    """A plate to put things on."""
    canvas.box(corner, size, 28, PANEL)


def legend(
    canvas: Canvas, top: float, signs: Sequence[tuple[str, str]], draw: Callable[[Canvas, Point, str], None]
) -> float:
    """What signs mean, in rows, as many side by side as there is room for; ``draw`` draws one by its name. Where the
    rows end.
    """
    x, y = float(EDGE), top
    for sign, text in signs:
        wide = 52 + width(text, "regular", SMALL)
        if x > EDGE and x + wide > WIDTH - EDGE:
            x, y = float(EDGE), y + 52
        draw(canvas, (x + 18, y), sign)
        canvas.text((x + 46, y), text, SMALL, DIM)
        x += wide + 34
    return y + EDGE
