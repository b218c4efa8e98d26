"""The letters of the pictures: DejaVu Sans Condensed, unmodified, under its own licence (``LICENSE.txt``)."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Final, Literal

from PIL import ImageFont, features

Weight = Literal["regular", "bold"]

FILES: Final[dict[Weight, str]] = {"regular": "DejaVuSansCondensed.ttf", "bold": "DejaVuSansCondensed-Bold.ttf"}

NO_CHARACTER: Final = "\U0010ffff"
"""A code point that is no character, so every font draws its empty box for it."""
_FROM_THE_RIGHT: Final = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI"})
_SAMPLE: Final = 30
_TOWERING: Final = "mmm"
"""More marks on a letter than any language writes."""


@cache
def _bytes(weight: Weight) -> bytes:
    return (resources.files(__package__) / FILES[weight]).read_bytes()


@cache
def font(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels."""
    return ImageFont.truetype(BytesIO(_bytes(weight)), size)


@cache
def _box(weight: Weight) -> bytes:
    return bytes(font(weight, _SAMPLE).getmask(NO_CHARACTER))


@cache
def has(weight: Weight, char: str) -> bool:
    """Whether the font has a glyph for a character: one of its own, or a blank for a space or a joiner."""
    return bytes(font(weight, _SAMPLE).getmask(char)) != _box(weight)


def drawable(text: str, weight: Weight) -> bool:
    """Whether a text can be drawn as it is meant: every character has a glyph, no marks tower over a letter into the
    lines above, and what is written from right to left finds the library that sets it so (Pillow's wheels bring Raqm;
    FriBiDi is the system's).
    """
    if _TOWERING in "".join("m" if unicodedata.combining(char) else "-" for char in text):
        return False
    if any(unicodedata.bidirectional(char) in _FROM_THE_RIGHT for char in text) and not _is_set_both_ways():
        return False
    return all(has(weight, char) for char in text)


@cache
def _is_set_both_ways() -> bool:
    return bool(features.check("raqm") and features.check("fribidi"))


def width(text: str, weight: Weight, size: int) -> float:
    """How wide a text is, in pixels."""
    return font(weight, size).getlength(text)


def fitted(text: str, weight: Weight, size: int, room: float) -> str:
    """A text cut to fit into so many pixels, with an ellipsis where something is gone."""
    if width(text, weight, size) <= room:
        return text
    for length in range(len(text) - 1, 0, -1):
        cut = text[:length].rstrip() + "…"
        if width(cut, weight, size) <= room:
            return cut
    return "…"


def wrapped(text: str, weight: Weight, size: int, room: float) -> tuple[str, ...]:
    """A text in lines of words that fit into so many pixels; a word that does not stands alone."""
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width(longer, weight, size) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    return tuple(rows)
