"""Captions of pictures: what is drawn, in words, however long the names are; and the names in pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from markupsafe import Markup

from engine.game import Player
from handler.frame import Frame
from handler.picture import Party
from handler.views.layout import cleaned
from handler.words import plain

LONGEST: Final = 1024
"""What a caption may have "after entities parsing" (Bot API, sendPhoto), counted in UTF-16 code units to be sure."""

Naming = Callable[[Player], str]
"""What a player is called in a caption, not escaped yet."""


def length(caption: Markup) -> int:
    """What Telegram counts of a caption without tags."""
    return len(caption.unescape().encode("utf-16-le")) // 2


def fitting(candidates: Iterable[Callable[[], Markup]]) -> Markup:
    """The first caption that is short enough, the last one if none is."""
    caption = Markup("")
    for candidate in candidates:
        caption = candidate()
        if length(caption) <= LONGEST:
            break
    return caption


def party(frame: Frame, player: Player, mark: str, instead: str) -> Party:
    """A player as pictures show them: a house player by the bare name, which leaves room for it, and a sign."""
    bare = frame.bare[player] if frame.bare else None
    return Party(mark, cleaned(frame.names[player] if bare is None else bare), instead, house=bare is not None)


def house_sign(frame: Frame) -> str:
    """What the sign of a house player means; empty where there is none."""
    return plain("pictures.house") if any(bare is not None for bare in frame.bare) else ""
