"""The public table of Dog's Judgement."""

from __future__ import annotations

from typing import Final

from handler.picture import EventTale, Party, Table, Tower
from infra.drawing.canvas import Canvas
from infra.drawing.colours import DIM, GOLD, INK, LINE, RAISED, RED, TEXT
from infra.drawing.emblems import dog
from infra.drawing.fonts import wrapped
from infra.drawing.parts import (
    EDGE,
    HEAD,
    SMALL,
    WIDTH,
    chip,
    head,
    house,
    lose_token,
    named,
    panel,
    win_token,
)

_TOP: Final = HEAD + 16
_TOWER: Final = 250
_STOREY: Final = 62
_EVENTS: Final = EDGE + _TOWER + 36
"""Where the events begin."""
_EVENT: Final = 256
_GAP: Final = 22
_BELOW: Final = _TOP + 3 * _EVENT + 2 * _GAP + 58


def table(drawing: Table) -> bytes:
    """A PNG."""
    canvas = Canvas(WIDTH, 1500)
    head(canvas, drawing.head)
    _tower(canvas, drawing.tower)
    for place, event in enumerate(drawing.events):
        _event(canvas, _TOP + place * (_EVENT + _GAP), event)
    if drawing.moved:
        canvas.text((WIDTH / 2, _BELOW), drawing.moved, 36, TEXT, anchor="mm", room=WIDTH - 2 * EDGE)
    top = _BELOW + (56 if drawing.moved else -20)
    bottom = players(canvas, top, drawing.parties)
    if drawing.house:
        bottom += 40
        house(canvas, (EDGE + 22, bottom), 15, DIM)
        canvas.text((EDGE + 50, bottom), drawing.house, 34, DIM)
    return canvas.png(round(bottom + EDGE))


def _tower(canvas: Canvas, tower: Tower) -> None:
    """Its storeys, filled up to the level; over the topmost the roof that breaks."""
    canvas.text((EDGE, _TOP + 22), tower.title, 38, TEXT, "bold", room=_TOWER)
    left, right = EDGE, EDGE + _TOWER
    roof = _TOP + 62
    teeth = [(left + _TOWER * step / 10, roof + (14 if step % 2 else 0)) for step in range(11)]
    canvas.line(teeth, RED, 5)
    canvas.text((EDGE + _TOWER / 2, roof + 42), tower.above, 32, RED, anchor="mm", room=_TOWER)
    for storey in range(tower.top, 0, -1):
        y = roof + 70 + (tower.top - storey) * _STOREY
        middle = y + (_STOREY - 8) / 2
        if storey == tower.level:
            canvas.box((left, y), (_TOWER, _STOREY - 8), 10, GOLD)
            canvas.text((left + _TOWER / 2, middle), tower.caption, 36, INK, "bold", "mm", room=_TOWER - 20)
            continue
        fill, edge = (RAISED, None) if storey < tower.level else (None, LINE)
        canvas.box((left, y), (right - left, _STOREY - 8), 10, fill, edge, 2)
        canvas.text((left + _TOWER / 2, middle), str(storey), 34, TEXT if fill else DIM, anchor="mm")


def _event(canvas: Canvas, top: float, event: EventTale) -> None:
    left, wide = _EVENTS, WIDTH - EDGE - _EVENTS
    panel(canvas, (left, top), (wide, _EVENT))
    canvas.text((left + 30, top + 44), event.title, 40, TEXT, "bold", room=wide - 60)
    taken = tokens(canvas, left + 30, top + 108, event, 30)
    room = left + wide - taken - 30
    rows = wrapped(event.tokens, "regular", SMALL, room)[:2]
    for line, words in enumerate(rows):
        canvas.text((taken + 8, top + 108 + 36 * (line - (len(rows) - 1) / 2)), words, SMALL, TEXT, room=room)
    for line, words in enumerate(wrapped(event.does, "regular", SMALL, wide - 60)[:3]):
        canvas.text((left + 30, top + 164 + 36 * line), words, SMALL, DIM, room=wide - 60)
    if not event.scored:
        return
    canvas.text((left + 30, top + 164), event.scored, 34, DIM, room=wide - 60)
    for place, player in enumerate(event.scorers):
        chip(canvas, (left + 58 + place * 74, top + 212), str(player + 1), 28)


def tokens(canvas: Canvas, left: float, middle: float, event: EventTale, radius: float) -> float:
    """The tokens on an event side by side; where the next thing may stand. Without any, an empty place."""
    x, step = left + radius, 2 * radius + 10
    for _ in range(event.wins):
        win_token(canvas, (x, middle), radius)
        x += step
    if event.lose:
        lose_token(canvas, (x, middle), radius)
        x += step
    if not event.wins and not event.lose:
        canvas.dashed_circle((x, middle), radius, LINE, 3, 9)
        x += step
    return x - radius + 6


def players(canvas: Canvas, top: float, parties: tuple[Party, ...]) -> float:
    """Who the numbers are, in two columns; where they end."""
    rows = -(-len(parties) // 2)
    wide = (WIDTH - 2 * EDGE) / 2
    panel(canvas, (EDGE, top), (WIDTH - 2 * EDGE, rows * 64 + 28))
    for place, party in enumerate(parties):
        x, y = EDGE + 28 + (place // rows) * wide, top + 46 + (place % rows) * 64
        chip(canvas, (x + 24, y), party.mark, 24)
        named(canvas, (x + 66, y), party, 36, wide - 110)
    if len(parties) % 2:
        dog(canvas, (WIDTH - EDGE - 70, top + rows * 64 - 22), 76)
    return top + rows * 64 + 28
