"""The rules pages: one a topic, each ruling under its number (``/rules`` and the button on every lobby card)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from engine.gravity.birds import BIRDS, NAMES
from handler.buttons import PlainPress, write
from handler.message import Button, Message
from handler.views.layout import lines, paragraphs, rows
from handler.words import plain, say


@dataclass(frozen=True)
class Page:
    """One topic with its rulings by number; ``extra`` is what stands before them, beside the introduction."""

    topic: str
    rulings: tuple[int, ...] = ()
    extra: Callable[[], Markup | None] = lambda: None


def _birds() -> Markup:
    return lines(
        *(say("rules.gravity.bird", bird=NAMES[bird], does=say(f"gravity.does.{bird.value}")) for bird in BIRDS)
    )


PAGES: Final[dict[str, tuple[Page, ...]]] = {
    "gravity": (
        Page("play", extra=lambda: say("rules.gravity.close")),
        Page("birds", extra=_birds),
        Page("reveals", (1, 2, 3)),
        Page("draft", (4, 5, 6)),
        Page("actions", (7, 8, 9, 10)),
        Page("night", (11, 12, 13, 14, 15)),
        Page("guessing", (16, 17, 18, 19)),
        Page("end", (20, 21, 22)),
    ),
}
"""The pages of each game, the first of them for whoever asks for no topic or for one there is not."""


def page(game: str, topic: str) -> Message:
    """A page of a game's rules with buttons to the others. KeyError for a game that is not played here."""
    pages = PAGES[game]
    shown = next((page for page in pages if page.topic == topic), pages[0])
    text = paragraphs(
        say(f"rules.{game}.page.{shown.topic}"),
        shown.extra(),
        *(say("rules.ruling", number=number, text=say(f"rules.{game}.ruling.{number}")) for number in shown.rulings),
    )
    tabs = [
        Button(plain(f"rules.{game}.tab.{page.topic}"), data=write(PlainPress("rules", f"{game}.{page.topic}")))
        for page in pages
        if page != shown
    ]
    return Message(text, rows(tabs, 2))
