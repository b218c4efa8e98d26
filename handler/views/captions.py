"""Captions of pictures: what is drawn, in words, however long the names are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from markupsafe import Markup

from engine.game import Player

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
