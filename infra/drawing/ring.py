"""The ring of a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from handler.picture import Flock, Known, Ring, Seat
from infra.drawing.canvas import Canvas, Point, around
from infra.drawing.colours import DIM, GOLD, GROUND, INK, LINE, PANEL, TEAL, TEXT
from infra.drawing.emblems import raven
from infra.drawing.fonts import width
from infra.drawing.parts import EDGE, HEAD, SMALL, WIDTH, badge, head, house, named, panel

_RADIUS: Final = 372
_DISC: Final = 97
_CENTRE: Final[Point] = (WIDTH / 2, HEAD + _RADIUS + _DISC + 8)
_BELOW: Final = round(_CENTRE[1] + _RADIUS * 0.96 + _DISC + 28)
_GAP: Final = 24


def ring(drawing: Ring) -> bytes:
    """A PNG."""
    canvas = Canvas(WIDTH, 1600)
    head(canvas, drawing.head)
    raven(canvas, (_CENTRE[0], _CENTRE[1] - 118), 210)
    for number, seat in enumerate(drawing.seats):
        _seat(canvas, around(_CENTRE, _RADIUS, number / len(drawing.seats)), number + 1, seat)
    _legend(canvas, drawing)
    return canvas.png(_draft(canvas, drawing) if drawing.flocks else _BELOW)


def _plate(canvas: Canvas, at: Point, known: Known, radius: float) -> None:
    """What stands for a kind of seat: solid, twice edged, or broken."""
    canvas.disc(at, radius * 1.06, GROUND)
    match known:
        case "all":
            canvas.disc(at, radius, GOLD)
        case "me":
            canvas.disc(at, radius, PANEL, TEAL, max(3, radius * 0.07))
            canvas.disc(at, radius * 0.85, None, TEAL, max(2, radius * 0.03))
        case "no":
            canvas.disc(at, radius, PANEL)
            canvas.dashed_circle(at, radius, LINE, max(3, radius * 0.045), 22 if radius > 50 else 7)


def _seat(canvas: Canvas, at: Point, number: int, seat: Seat) -> None:
    (x, y), known = at, seat.known
    _plate(canvas, at, known, _DISC)
    if known == "no":
        _hidden(canvas, at, number, seat.not_here)
        return
    words = _words(seat.bird)
    colour = INK if known == "all" else TEXT
    top = y - 20 * (len(words) - 1)
    canvas.text((x, top - 42), str(number), 34, INK if known == "all" else TEAL, "bold", "mm")
    for line, word in enumerate(words):
        canvas.text((x, top + 6 + line * 36), word, 34, colour, "bold", "mm", room=2 * _DISC - 28)


def _words(bird: str) -> tuple[str, ...]:
    """A bird's name in the lines it takes inside a disc."""
    return (bird,) if width(bird, "bold", 34) <= 2 * _DISC - 36 else tuple(bird.rsplit(" ", 1))


def _hidden(canvas: Canvas, at: Point, number: int, not_here: tuple[str, ...]) -> None:
    """The number alone, or over the birds that were guessed here in vain."""
    x, y = at
    if not not_here:
        canvas.text(at, str(number), 56, DIM, "bold", "mm")
        return
    canvas.text((x, y - 46), str(number), 44, DIM, "bold", "mm")
    shown = list(not_here) if len(not_here) <= 2 else [not_here[0]]
    for line, bird in enumerate(shown):
        _struck(canvas, (x, y + 4 + line * 38), bird)
    if len(not_here) > 2:
        canvas.text((x, y + 44), f"+{len(not_here) - 1}", SMALL, DIM, anchor="mm")


def _struck(canvas: Canvas, at: Point, text: str) -> None:
    (x, y), half = at, width(text, "regular", SMALL) / 2
    canvas.text(at, text, SMALL, DIM, anchor="mm")
    canvas.line(((x - half - 3, y + 2), (x + half + 3, y + 2)), DIM, 2.5)


def _legend(canvas: Canvas, drawing: Ring) -> None:
    """In the middle of the ring."""
    x, y = _CENTRE
    room = max(width(text, "regular", 32) for _, text in drawing.legend)
    left = x - (room + 64) / 2
    for line, (kind, text) in enumerate(drawing.legend):
        at = (left + 22, y + 92 + 50 * (line - (len(drawing.legend) - 1) / 2))
        if kind == "not":
            _struck(canvas, (left + 64 + width(text, "regular", SMALL) / 2, at[1]), text)
        else:
            _plate(canvas, at, kind, 20)
            canvas.text((left + 64, at[1]), text, 32, DIM)


def _draft(canvas: Canvas, drawing: Ring) -> int:
    """Both players' birds side by side; how high the picture is."""
    top = _BELOW + 14
    canvas.text((EDGE, top), drawing.draft, 40, TEXT, "bold")
    if drawing.house:
        left = WIDTH - EDGE - width(drawing.house, "regular", SMALL)
        canvas.text((left, top), drawing.house, SMALL, DIM)
        house(canvas, (left - 26, top), 15, DIM)
    wide = (WIDTH - 2 * EDGE - _GAP) / 2
    rows = [list(_rows(flock.birds, wide - 56)) for flock in drawing.flocks]
    high = 96 + 46 * max(map(len, rows)) + 14
    for place, flock in enumerate(drawing.flocks):
        corner = (EDGE + place * (wide + _GAP), top + 44)
        panel(canvas, corner, (wide, high))
        _flock(canvas, corner, wide, flock, rows[place])
    return round(top + 44 + high + EDGE)


def _flock(canvas: Canvas, corner: Point, wide: float, flock: Flock, rows: list[str]) -> None:
    x, y = corner
    fill, colour = (TEAL, INK) if flock.mine else (LINE, TEXT)
    taken = badge(canvas, (x + 22, y + 50), flock.who.mark, fill=fill, colour=colour)
    room = wide - taken - 60
    named(canvas, (x + taken + 38, y + 50), flock.who, 36, room)
    for line, row in enumerate(rows):
        canvas.text((x + 28, y + 116 + 46 * line), row, 34, TEXT, "bold")


def _rows(birds: Iterable[str], room: float) -> Iterator[str]:
    """Names in as few lines as hold them."""
    row = ""
    for bird in birds:
        longer = f"{row} · {bird}" if row else bird
        if row and width(longer, "bold", 34) > room:
            yield row
            longer = bird
        row = longer
    yield row
