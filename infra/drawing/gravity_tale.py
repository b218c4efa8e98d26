"""A whole match of Gravity Pandemic in one picture: who won, the four circles unrolled, and the points over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from handler.picture import Beat, GravityTale, Perch, RoundTale
from infra.drawing.canvas import Canvas, Point
from infra.drawing.colours import BLOOD, DIM, GOLD, GROUND, INK, LINE, PANEL, RAISED, TEAL, TEXT, Colour
from infra.drawing.emblems import raven
from infra.drawing.fonts import width
from infra.drawing.parts import (
    EDGE,
    HEAD,
    SMALL,
    WIDTH,
    badge,
    cross,
    drop,
    head,
    house,
    legend,
    named,
    panel,
    star,
    tick,
)

_SIDE: Final = 28
"""The margin of the columns, which need the room."""
_GAP: Final = 12
_CELL: Final = 69
_COLUMNS: Final = 4
_POINT: Final = 4
"""Quarters in a point."""
_LINES: Final[Sequence[Colour]] = (GOLD, TEAL)
"""The two players' colours; the first one's line is whole and has discs, the other's is broken and has boxes."""
_CHART: Final = 372


def gravity_tale(drawing: GravityTale) -> bytes:
    """A PNG."""
    canvas = Canvas(WIDTH, 2000)
    head(canvas, drawing.head)
    raven(canvas, (WIDTH - EDGE - 76, 92), 150)
    y = _finals(canvas, HEAD + 6, drawing)
    y = _rounds(canvas, y + 34, drawing.rounds)
    if drawing.beats:
        y = _chart(canvas, y + 40, drawing)
    return canvas.png(round(legend(canvas, y + 52, drawing.legend, _sign)))


def _finals(canvas: Canvas, top: float, drawing: GravityTale) -> float:
    wide = (WIDTH - 2 * EDGE - 24) / 2
    for place, party in enumerate(drawing.parties):
        x = EDGE + place * (wide + 24)
        panel(canvas, (x, top), (wide, 132))
        if place == drawing.winner:
            canvas.box((x, top), (wide, 132), 28, None, GOLD, 4)
        taken = badge(canvas, (x + 22, top + 42), party.mark, fill=_LINES[place], colour=INK)
        named(canvas, (x + taken + 38, top + 42), party, 36, wide - taken - 60)
        canvas.text((x + 28, top + 98), drawing.finals[place], 46, TEXT, "bold")
        if place == drawing.winner:
            canvas.text((x + wide - 28, top + 98), drawing.verdict, 34, GOLD, "bold", "rm")
            star(canvas, (x + wide - 62 - width(drawing.verdict, "bold", 34), top + 97), 22, GOLD)
    return top + 132


# --- the circles ----------------------------------------------------------------------------------


def _rounds(canvas: Canvas, top: float, rounds: Sequence[RoundTale]) -> float:
    """A column a round, the Raven in the middle of each."""
    wide = (WIDTH - 2 * _SIDE - (_COLUMNS - 1) * _GAP) / _COLUMNS
    left = (WIDTH - len(rounds) * (wide + _GAP) + _GAP) / 2
    for number, each in enumerate(rounds):
        x = left + number * (wide + _GAP)
        canvas.text((x + wide / 2, top + 18), each.title, 36, TEXT, "bold", "mm", room=wide)
        canvas.text((x + wide / 2, top + 60), each.end, SMALL, DIM, anchor="mm", room=wide)
        for place, perch in enumerate(each.perches):
            _perch(canvas, (x, top + 88 + place * _CELL), wide, perch)
    return top + 88 + max(len(each.perches) for each in rounds) * _CELL


def _perch(canvas: Canvas, corner: Point, wide: float, perch: Perch) -> None:
    (x, y), high = corner, _CELL - 6
    fill, colour = (TEXT, INK) if perch.raven else (BLOOD, TEXT) if perch.night is not None else (PANEL, TEXT)
    canvas.box(corner, (wide, high), 12, fill)
    canvas.text((x + 25, y + high / 2), str(perch.seat), SMALL, INK if perch.raven else DIM, anchor="mm")
    middle = y + (18 if perch.right else high / 2)
    canvas.text((x + 48, middle), perch.bird, 31, colour, "bold" if perch.raven else "regular", room=wide - 96)
    if perch.night is not None:
        drop(canvas, (x + wide - 25, y + high / 2 + 7), 17, str(perch.night))
    elif perch.grounded:
        canvas.line(((x + wide - 40, y + high / 2), (x + wide - 14, y + high / 2)), DIM, 5)
    left = x + 48
    for mark in perch.right:
        tick(canvas, (left + 10, y + 48), 9, colour, 4)
        canvas.text((left + 26, y + 48), mark, 28, colour, "bold")
        left += 40 + width(mark, "bold", 28)


# --- the points over time -------------------------------------------------------------------------


def _chart(canvas: Canvas, top: float, drawing: GravityTale) -> float:
    """Both scores after each update, from nothing on."""
    canvas.text((EDGE, top + 10), drawing.chart, 36, TEXT, "bold")
    upper, lower = top + 104, top + _CHART
    beats = (Beat(1, (0, 0), ("", "")), *drawing.beats)
    scores = [score for beat in beats for score in beat.scores]
    low, high = min(scores) // _POINT, -(-max(scores) // _POINT)
    high = max(high, low + 1)
    left, right = EDGE + 54, WIDTH - EDGE - 88
    step = (right - left) / len(drawing.beats)

    def at(number: int, score: float) -> Point:
        return left + number * step, lower - (score / _POINT - low) / (high - low) * (lower - upper)

    _scale(canvas, low, high, left, right, lambda points: at(0, points * _POINT)[1])
    _borders(canvas, beats, drawing.rounds, lambda number: left + (number - 0.5) * step, top + 64, lower)
    for player in (1, 0):
        path = [at(number, beat.scores[player]) for number, beat in enumerate(beats)]
        if player == 0:
            canvas.line(path, _LINES[player], 6)
        else:
            canvas.dashes(path, _LINES[player], 6, 18, 10)
        radius = min(17.0, max(6.0, step * 0.42))
        for number, beat in enumerate(beats):
            if beat.events[player]:
                _mark(canvas, path[number], radius, player, beat.events[player])
    _ends(canvas, drawing, [at(len(beats) - 1, score) for score in beats[-1].scores])
    return lower


def _scale(canvas: Canvas, low: int, high: int, left: float, right: float, height: Callable[[int], float]) -> None:
    every = next(every for every in (1, 2, 5, 10, 20, 50) if (high - low) / every <= 5)
    for points in range(low, high + 1):
        if points % every == 0:
            y = height(points)
            canvas.line(((left, y), (right, y)), LINE if points == 0 else RAISED, 3 if points == 0 else 2)
            canvas.text((left - 16, y), str(points).replace("-", "−"), SMALL, DIM, anchor="rm")


def _borders(
    canvas: Canvas,
    beats: Sequence[Beat],
    rounds: Sequence[RoundTale],
    x_of: Callable[[int], float],
    top: float,
    lower: float,
) -> None:
    """A line where a round begins, with its number."""
    for number in range(1, len(beats)):
        before, round_ = beats[number - 1].round if number > 1 else 0, beats[number].round
        if round_ == before:
            continue
        x = x_of(number)
        canvas.dashes(((x, top + 20), (x, lower)), LINE, 2, 6, 8)
        after = next((later for later in range(number, len(beats)) if beats[later].round != round_), len(beats))
        for title in (rounds[round_ - 1].title, str(round_)):
            if x_of(after) - x >= width(title, "regular", SMALL) + 18:
                canvas.text((x + 10, top), title, SMALL, DIM)
                break


def _mark(canvas: Canvas, at: Point, radius: float, player: int, event: str) -> None:
    """What brought the points: a tick, a cross, a star for the Raven, nothing for the Robin."""
    colour, small = _LINES[player], event == "robin"
    r = radius * 0.5 if small else radius
    if player == 0:
        canvas.disc(at, r + 3, GROUND)
        canvas.disc(at, r, colour)
    else:
        canvas.box((at[0] - r - 3, at[1] - r - 3), (2 * r + 6, 2 * r + 6), 4, GROUND)
        canvas.box((at[0] - r, at[1] - r), (2 * r, 2 * r), 4, colour)
    match event:
        case "right":
            tick(canvas, at, r * 0.5, INK, max(2, r * 0.26))
        case "wrong":
            cross(canvas, at, r * 0.4, INK, max(2, r * 0.26))
        case "raven":
            star(canvas, at, r * 0.85, INK)


def _ends(canvas: Canvas, drawing: GravityTale, ends: Sequence[Point]) -> None:
    """Each line's player at its end, apart from each other."""
    first, second = ends[0][1], ends[1][1]
    if abs(first - second) < 40:
        middle, way = (first + second) / 2, 1 if first > second else -1
        first, second = middle + way * 20, middle - way * 20
    for player, y in enumerate((first, second)):
        canvas.text((ends[player][0] + 26, y), drawing.parties[player].mark, SMALL, _LINES[player], "bold")


# --- what the signs mean --------------------------------------------------------------------------


def _sign(canvas: Canvas, at: Point, sign: str) -> None:
    x, y = at
    match sign:
        case "seat":
            canvas.text(at, "7", SMALL, DIM, anchor="mm")
        case "poison":
            drop(canvas, (x, y + 4), 15, "2")
        case "grounded":
            canvas.line(((x - 13, y), (x + 13, y)), DIM, 5)
        case "right":
            tick(canvas, at, 11, TEXT, 4)
        case "wrong":
            cross(canvas, at, 9, TEXT, 4)
        case "raven":
            star(canvas, at, 17, TEXT)
        case "house":
            house(canvas, at, 15, DIM)
        case _:
            canvas.disc(at, 8, TEXT)
