"""A whole match of Dog's Judgement in one picture: VP by event and round, the tower, the tokens, and the judgement."""

from __future__ import annotations

from typing import Final

from handler.picture import DogTale, Fate, Grid, Party
from infra.drawing.canvas import Canvas, Point
from infra.drawing.colours import BLOOD, DIM, GOLD, INK, LINE, PANEL, RAISED, RED, TEXT
from infra.drawing.emblems import dog
from infra.drawing.fonts import width
from infra.drawing.parts import (
    EDGE,
    HEAD,
    SMALL,
    WIDTH,
    chip,
    cross,
    head,
    heart,
    house,
    legend,
    lose_token,
    named,
    panel,
    win_token,
)
from infra.drawing.table import tokens

_SIZE: Final = 34
"""Of all letters but those of the tokens' ways, for which a column is too narrow, and of the legend."""
_ROW: Final = 43
_CAPTION: Final = 104
"""How high the event's name and the rounds' numbers over its rows are."""
_FATE: Final = 56
_NAMES: Final = 272
"""How wide the players' names are."""
_TOTAL: Final = 92
_GAP: Final = 18


def dog_tale(drawing: DogTale) -> bytes:
    """A PNG."""
    canvas = Canvas(WIDTH, 2600)
    head(canvas, drawing.head)
    dog(canvas, (WIDTH - EDGE - 70, 96), 136)
    y: float = HEAD
    for grid in drawing.grids:
        y = _grid(canvas, y, grid, drawing) + _GAP
    y = _course(canvas, y, drawing) + 46
    y = _judgement(canvas, y, drawing)
    return canvas.png(round(legend(canvas, y + 48, drawing.legend, _sign)))


def _column(drawing: DogTale, number: int) -> float:
    """The middle of a round's column."""
    left, right = EDGE + _NAMES, WIDTH - EDGE - _TOTAL
    return left + (number + 0.5) * (right - left) / len(drawing.levels)


def _grid(canvas: Canvas, top: float, grid: Grid, drawing: DogTale) -> float:
    """An event's VP: a row a player, a column a round, and the total, framed for whoever leads."""
    high = _CAPTION + len(drawing.parties) * _ROW + 14
    panel(canvas, (EDGE - 20, top), (WIDTH - 2 * EDGE + 40, high))
    _title(canvas, top + 34, grid)
    middle = top + 82
    canvas.text((EDGE, middle), drawing.rounds, _SIZE, DIM, room=_NAMES - 10)
    for number in range(len(drawing.levels)):
        canvas.text((_column(drawing, number), middle), str(number + 1), _SIZE, DIM, anchor="mm")
    right = WIDTH - EDGE - _TOTAL / 2 + 14
    canvas.text((right, middle), drawing.total, _SIZE, DIM, "bold", "mm", room=_TOTAL)
    for player, party in enumerate(drawing.parties):
        y = top + _CAPTION + (player + 0.5) * _ROW
        _player(canvas, y, party)
        for number, points in enumerate(grid.points[player]):
            _points(canvas, (_column(drawing, number), y), points)
        leads = player in grid.leaders
        if leads:
            canvas.box((right - 38, y - 18), (76, 36), 10, GOLD)
        canvas.text((right, y), str(grid.totals[player]), 36, INK if leads else TEXT, "bold", "mm")
    return top + high


def _title(canvas: Canvas, middle: float, grid: Grid) -> None:
    """An event's letter and name, and the tokens it ended with."""
    title = grid.event.title
    canvas.box((EDGE, middle - 21), (42, 42), 10, LINE)
    canvas.text((EDGE + 21, middle), grid.event.letter, _SIZE, TEXT, "bold", "mm")
    canvas.text((EDGE + 56, middle), title, 40, TEXT, "bold")
    left = EDGE + 56 + width(title, "bold", 40) + 18
    if grid.event.wins or grid.event.lose:
        tokens(canvas, left, middle, grid.event, 20)


def _player(canvas: Canvas, y: float, party: Party) -> None:
    chip(canvas, (EDGE + 18, y), party.mark, 18)
    named(canvas, (EDGE + 46, y), party, _SIZE, _NAMES - 52)


def _points(canvas: Canvas, at: Point, points: int) -> None:
    x, y = at
    if points:
        canvas.box((x - 29, y - 17), (58, 34), 9, RAISED)
        canvas.text(at, str(points), _SIZE, TEXT, "bold", "mm")
    else:
        canvas.disc(at, 4, LINE)


def _course(canvas: Canvas, top: float, drawing: DogTale) -> float:
    """The tower's level after each round, and the token moved in it."""
    high = 228
    panel(canvas, (EDGE - 20, top), (WIDTH - 2 * EDGE + 40, high))
    canvas.text((EDGE, top + 34), drawing.rounds, _SIZE, DIM, room=_NAMES - 10)
    canvas.text((EDGE, top + 86), drawing.tower, _SIZE, TEXT, "bold", room=_NAMES - 10)
    canvas.text((EDGE, top + 168), drawing.movements, _SIZE, TEXT, "bold", room=_NAMES - 10)
    for number, level in enumerate(drawing.levels):
        x = _column(drawing, number)
        canvas.text((x, top + 34), str(number + 1), _SIZE, DIM, anchor="mm")
        if drawing.broken[number]:
            _broken(canvas, (x, top + 86))
        canvas.text((x, top + 86), str(level), 36, TEXT, "bold", "mm")
        move = drawing.moves[number]
        if move is None:
            canvas.disc((x, top + 168), 4, LINE)
        else:
            _moved(canvas, (x, top + 150), move)
    return top + high


def _broken(canvas: Canvas, at: Point) -> None:
    """The mark of a threshold broken: a jagged frame."""
    (x, y), half, teeth = at, 30, 5
    for side in (-1, 1):
        edge = [
            (x - half + 2 * half * step / (2 * teeth), y + side * (20 + (7 if step % 2 else 0)))
            for step in range(2 * teeth + 1)
        ]
        canvas.line(edge, RED, 3)


def _moved(canvas: Canvas, at: Point, move: tuple[str, str, str]) -> None:
    """The token, and below it the letters of where it came from and went."""
    x, y = at
    kind, origin, goal = move
    (win_token if kind == "win" else lose_token)(canvas, at, 19)
    canvas.text((x - 8, y + 42), origin, SMALL, DIM, anchor="rm")
    canvas.line(((x - 3, y + 36), (x + 3, y + 42), (x - 3, y + 48)), DIM, 3)
    canvas.text((x + 8, y + 42), goal, SMALL, TEXT, anchor="lm")


def _judgement(canvas: Canvas, top: float, drawing: DogTale) -> float:
    """What became of each player."""
    canvas.text((EDGE, top), drawing.judgement, 44, TEXT, "bold")
    y = top + 52
    if drawing.verdict:
        canvas.text((EDGE, y + 6), drawing.verdict, _SIZE, DIM, room=WIDTH - 2 * EDGE)
        y += 52
    rows = -(-len(drawing.parties) // 2)
    wide = (WIDTH - 2 * EDGE + 40 - _GAP) / 2
    for player, (party, fate) in enumerate(zip(drawing.parties, drawing.fates, strict=True)):
        corner = (EDGE - 20 + (player // rows) * (wide + _GAP), y + (player % rows) * (_FATE + 8))
        _fate(canvas, corner, wide, party, fate)
    return y + rows * (_FATE + 8)


def _fate(canvas: Canvas, corner: Point, wide: float, party: Party, fate: Fate) -> None:
    """A player with a heart for each Token of Life, or the mark of a candidate."""
    x, middle = corner[0], corner[1] + _FATE / 2
    canvas.box(corner, (wide, _FATE), 16, BLOOD if fate.candidate else PANEL)
    chip(canvas, (x + 38, middle), party.mark, 22)
    signs = 44 * max(fate.life, 1 if fate.candidate else 0)
    named(canvas, (x + 76, middle), party, 36, wide - 100 - signs)
    if fate.candidate:
        cross(canvas, (x + wide - 38, middle), 13, RED, 6)
    for number in range(fate.life):
        heart(canvas, (x + wide - 38 - number * 44, middle), 18)


def _sign(canvas: Canvas, at: Point, sign: str) -> None:
    match sign:
        case "candidate":
            cross(canvas, at, 11, RED, 5)
        case "broken":
            canvas.line([(at[0] - 18 + 9 * step, at[1] + (5 if step % 2 else -3)) for step in range(5)], RED, 3)
        case "win":
            win_token(canvas, at, 18)
        case "lose":
            lose_token(canvas, at, 18)
        case "house":
            house(canvas, at, 15, DIM)
        case _:
            heart(canvas, at, 17)
