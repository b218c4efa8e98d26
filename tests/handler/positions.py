"""Positions of Gravity Pandemic as matches reach them, and what a Telegram message shows of a text in HTML."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from typing import Final

from engine.game import Phase, Tell
from engine.gravity.birds import BIRDS, DRAFTED, LETTERS, SEATS
from engine.gravity.choices import amend, check, options
from engine.gravity.moves import Move
from engine.gravity.notation import read
from engine.gravity.rules import GRAVITY
from engine.gravity.view import View
from handler.frame import Frame
from tests.handler.pages import MATCH, NUMBER

BUILDING_BLOCKS: Final[tuple[Move, ...]] = tuple(
    read(text)
    for text in (
        "?-",
        *(f"?{LETTERS[bird]}" for bird in BIRDS),
        *(LETTERS[bird] for bird in DRAFTED),
        "+",
        "a",
        *(f"a{LETTERS[bird]}-" for bird in BIRDS),
        *(f"a{LETTERS[bird]}{seat}" for bird in BIRDS for seat in SEATS),
        *(f"a{LETTERS[bird]}{LETTERS[target]}" for bird in BIRDS for target in BIRDS),
        "g-",
        *(f"g{seat}{LETTERS[bird]}" for seat in SEATS for bird in BIRDS),
    )
)
"""Every press that seals something in some phase: whole moves, and orders for one bird."""


@dataclass(frozen=True)
class Position:
    """An open phase with everybody's view of it, and what was told on the way to it."""

    phase: Phase | None
    public: View
    views: tuple[View, View]
    tells: tuple[Tell, ...]
    sealed: tuple[Move | None, Move | None]


def legal(view: View) -> list[Move]:
    """What ``check`` admits of all building blocks, whatever ``options`` says."""
    return [move for move in BUILDING_BLOCKS if check(view, move) is None]


Chooser = Callable[[View, random.Random], Move | None]


def house(view: View, chance: random.Random) -> Move | None:
    """A house player."""
    return GRAVITY.house(view, chance.randrange)


def wild(view: View, chance: random.Random) -> Move | None:
    """Somebody who presses at random, orders several birds and falls silent now and then."""
    if chance.random() < 0.15:
        return None
    sealed: Move | None = None
    for _ in range(4):
        sealed = amend(sealed, chance.choice(legal(view)))
    return sealed


def silent(view: View, chance: random.Random) -> Move | None:
    """Somebody who is not there."""
    return None


def match(seed: int, *choosers: Chooser) -> Iterator[Position]:
    """A whole match of two choosers, position by position; the last one has no phase. At most 400 phases of it."""
    chance = random.Random(seed)
    reached = GRAVITY.start(chance.randbytes(32))
    for _ in range(400):
        phase, state = GRAVITY.phase(reached.state), reached.state
        views = (GRAVITY.view(state, 0), GRAVITY.view(state, 1))
        active = phase.active if phase else ()
        moves = {player: choosers[player](views[player], chance) for player in active}
        yield Position(phase, GRAVITY.view(state, None), views, reached.tells, (moves.get(0), moves.get(1)))
        if phase is None:
            return
        reached = GRAVITY.advance(state, {player: move for player, move in moves.items() if move is not None})


@cache
def positions() -> tuple[Position, ...]:
    """Positions of matches between all kinds of players."""
    pairs = [(house, house), (house, wild), (wild, house), (wild, wild), (silent, wild), (silent, silent)]
    return tuple(position for seed, pair in enumerate(pairs) for position in match(seed, *pair))


def framed(*names: str, title: str = "The aviary") -> Frame:
    """A frame around a position."""
    return Frame(MATCH, NUMBER, names or ("Ann", "Bob"), 1_900_000_000.0, title)


TAGS: Final = {"b", "i", "blockquote", "code", "tg-time"}
"""The tags our texts use, all known to the Bot API's HTML mode."""


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert tag in TAGS, tag
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(text: str) -> str:
    """What a reader sees of a text in HTML; an assertion fails if Telegram would refuse it."""
    assert set(re.findall(r"&[^;\s]*;?", text)) <= {"&amp;", "&lt;", "&gt;", "&#34;", "&#39;"}
    parser = _Parser()
    parser.feed(str(text))  # a Markup would escape what it is added to
    parser.close()
    assert parser.open == []
    assert html.unescape(re.sub(r"<[^>]*>", "", text)) == parser.text
    return parser.text


@cache
def choices() -> tuple[tuple[View, Phase, Move | None], ...]:
    """Every different choice that a player had to make, with the player's view and what that player sealed."""
    found = {
        (position.phase.name, options(view)): (view, position.phase, sealed)
        for position in positions()
        if position.phase is not None
        for view, sealed in zip(position.views, position.sealed, strict=True)
    }
    return tuple(found.values())
