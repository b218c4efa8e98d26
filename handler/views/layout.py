"""What all screens share: names that cannot break a line, deadlines in the reader's own time, rows of buttons."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from markupsafe import Markup

from handler.buttons import PhasePress, Verb, write
from handler.frame import Frame
from handler.message import Button, Keyboard
from handler.words import plain, say

NAME_LENGTH: Final = 32
"""Code points of a display name that are shown; Telegram allows names of up to 129."""

_MOMENT: Final = '<tg-time unix="{}" format="wT">{}</tg-time>'
_ISOLATE: Final = "\u2068"
_END_ISOLATE: Final = "\u2069"
_JOINERS: Final = "\u200c\u200d"
"""They hold emoji and Persian words together; every other invisible formatting character is dropped."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that draw nothing: fillers and the empty Braille pattern."""


def cleaned(name: str) -> str:
    """A display name on one line, without controls, cut to NAME_LENGTH; a stand-in if nothing visible is left."""
    return _visible(name) or plain("screens.nameless")


@lru_cache(maxsize=256)
def _visible(name: str) -> str:
    """What is shown of a name, in every language; empty if nothing visible is left."""
    kept = "".join(
        " " if char.isspace() or char in _BLANK else char
        for char in name
        if char in _JOINERS or char.isspace() or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
    )
    short = " ".join(kept.split()).strip(_JOINERS)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in short):
        return ""
    return short if len(short) <= NAME_LENGTH else short[: NAME_LENGTH - 1].rstrip(" " + _JOINERS) + "…"


def isolated(name: str) -> str:
    """A cleaned name for a text without markup, in a bidi isolate so that its direction ends with it."""
    return f"{_ISOLATE}{cleaned(name)}{_END_ISOLATE}"


def moment(unix: float) -> Markup:
    """A moment as a date-time entity: weekday and time on the reader's own clock, or in UTC by an old app.

    Source: Bot API, "date-time entity formatting": ``w`` is the day of the week, ``T`` the time with seconds.
    """
    second = int(unix)
    stamp = f"{datetime.fromtimestamp(second, UTC):%Y-%m-%d %H:%M:%S} UTC"
    return Markup(_MOMENT.format(second, stamp))  # noqa: S704 - a number, and its date in digits


def until(frame: Frame) -> Markup | None:
    """The line that says until when, or how much is left of a paused match's phase; None where nothing runs out."""
    if frame.rest is not None:
        return say("screens.paused", rest=duration(frame.rest))
    return None if frame.deadline is None else say("screens.until", moment=moment(frame.deadline))


def duration(seconds: float) -> str:
    """A time span as on a stopwatch, in full seconds: ``3:20``, ``1:04:00``."""
    minutes, second = divmod(int(seconds), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"


def lines(*parts: Markup | None) -> Markup:
    """The parts that are there, each on a line of its own."""
    return Markup("\n").join(part for part in parts if part is not None)


def paragraphs(*parts: Markup | None) -> Markup:
    """The parts that are there and not empty, with a blank line between them."""
    return Markup("\n\n").join(part for part in parts if part)


def listed(items: Iterable[Markup]) -> Markup:
    """Items in the order given, with commas."""
    return Markup(", ").join(items)


def press(frame: Frame, verb: Verb, arg: str, label: str, *, ticked: bool = False) -> Button:
    """A button of the open phase."""
    shown = plain("screens.ticked", label=label) if ticked else label
    return Button(shown, data=write(PhasePress(frame.match, frame.number, verb, arg)))


def rows(buttons: Sequence[Button], width: int) -> Keyboard:
    """Buttons in rows of at most ``width``, the rows as even as can be."""
    if not buttons:
        return ()
    height = -(-len(buttons) // width)
    even = -(-len(buttons) // height)
    return tuple(tuple(buttons[start : start + even]) for start in range(0, len(buttons), even))
