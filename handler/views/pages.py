"""What may be too long for one message, chapter by chapter: as few pages as can be, with buttons between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from handler.frame import Chapter
from handler.message import Button, Keyboard
from handler.views.layout import lines, paragraphs, rows
from handler.words import plain, say

LENGTH: Final = 3500
"""A page is no longer, in UTF-16 units of HTML: with what stands around it, it fits into Telegram's 4096."""


@dataclass(frozen=True)
class Page:
    """Some chapters, or a part of a long one. ``places`` are the chapters' own: a button with any of them means it."""

    places: tuple[str, ...]
    label: str
    text: Markup
    story: str


def pages(chapters: Sequence[Chapter]) -> tuple[Page, ...]:
    """Chapters put together in their order; one is divided only where it is too long for a page."""
    groups: list[list[Page]] = []
    for piece in (piece for chapter in chapters for piece in _pieces(chapter)):
        fits = groups and _length(*(each.text for each in groups[-1]), piece.text) <= LENGTH
        if fits and groups[-1][-1].story == piece.story:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return tuple(_together(group) for group in groups)


def found(pages: Sequence[Page], place: str) -> Page | None:
    """The page that a place means; None if it means none (any more)."""
    return next((page for page in pages if place in page.places), None)


def tabs(pages: Sequence[Page], shown: Page, data: Callable[[str], str]) -> Keyboard:
    """A button for each page, the one shown ticked; none where there is but one. ``data`` is what a place's carries."""
    if len(pages) < 2:
        return ()
    buttons = [
        Button(plain("screens.ticked", label=page.label) if page == shown else page.label, data=data(page.places[0]))
        for page in pages
    ]
    return rows(buttons, 2)


def _pieces(chapter: Chapter) -> Iterator[Page]:
    """A chapter under its label; what no longer fits goes on under the label with a number."""
    texts: list[list[Markup]] = [[]]
    for part in chapter.parts:
        if texts[-1] and _length(*texts[-1], part) > LENGTH - 100:
            texts.append([])
        texts[-1].append(part)
    for number, parts in enumerate(texts, 1):
        label = chapter.label if number == 1 else plain("notes.tab.part", label=chapter.label, number=number)
        place = chapter.place if number == 1 else f"{chapter.place}~{number}"
        first, *others = parts or [Markup()]
        yield Page(
            (place,),
            label,
            paragraphs(lines(say("notes.page.head", label=label), first or None), *others),
            chapter.story,
        )


def _together(group: Sequence[Page]) -> Page:
    if len(group) == 1:
        return group[0]
    label = plain("notes.tab.span", first=group[0].label, last=group[-1].label)
    return Page(
        tuple(place for page in group for place in page.places),
        label,
        paragraphs(*(each.text for each in group)),
        group[0].story,
    )


def _length(*texts: Markup) -> int:
    """Of the texts as paragraphs, in UTF-16 units."""
    return sum(len(text.encode("utf-16-le")) // 2 + 2 for text in texts)
