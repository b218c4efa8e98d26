"""What everybody was told of a match so far, chapter by chapter, and the message that shows a page of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup

from handler.buttons import MatchPress, write
from handler.frame import Chapter, Frame, News
from handler.message import Message
from handler.views.layout import isolated, paragraphs
from handler.views.pages import found, pages, tabs
from handler.words import plain, say


def chapters(
    news: Sequence[News],
    place: Callable[[Any], str | None],
    label: Callable[[str], str],
    announce: Callable[[Frame, Any], Markup | None],
) -> tuple[Chapter, ...]:
    """The facts in order, each in the chapter of its ``place`` (None: in that of the fact before), and before them who
    was silent in the phase that they closed.
    """
    parts: dict[str, list[Markup]] = {}
    at = ""
    for each in news:
        silent = _silence(each)
        for fact in each.facts:
            at = place(fact) or at
            texts = (silent, announce(each.frame, fact))
            parts.setdefault(at, []).extend(text for text in texts if text)
            silent = None
    return tuple(Chapter(at, label(at), tuple(texts)) for at, texts in parts.items() if texts)


def _silence(news: News) -> Markup | None:
    if not news.silent:
        return None
    names = ", ".join(isolated(news.frame.names[player]) for player in news.silent)
    return say("notes.history.silent", phase=plain(f"notes.phase.{news.phase}"), names=names)


def message(match: str, title: str, chapters: Sequence[Chapter], place: str) -> Message:
    """A page of a match's history; the latest where the place means none."""
    head = say("notes.history.head", title=isolated(title))
    known = pages(chapters)
    if not known:
        return Message(paragraphs(head, say("notes.history.empty")))
    shown = found(known, place) or known[-1]
    keyboard = tabs(known, shown, lambda at: write(MatchPress(match, "history", at)))
    return Message(paragraphs(head, shown.text), keyboard)
