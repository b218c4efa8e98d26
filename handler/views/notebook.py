"""A page of a player's notebook as a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from markupsafe import Markup

from handler.frame import Notes
from handler.message import Button, Keyboard, Message
from handler.views.layout import isolated, paragraphs
from handler.views.pages import found, pages, tabs
from handler.words import say

_NOTES: Final = "notes"
_BACK: Final = re.compile(r"[a-z0-9-]{0,12}")
"""Every place of a panel's menu; what else a forged button names is not kept, for a button holds 64 bytes."""


def menu(page: str, back: str) -> str:
    """Where a panel's menu leads to a page of the notebook (empty: the first); ``back`` is the place to go back to."""
    return f"{_NOTES}.{page}.{back if _BACK.fullmatch(back) else ''}"


def opened(menu: str) -> tuple[str, str] | None:
    """The page of the notebook that a place of a panel's menu means, and the place to go back to; None for none."""
    notes, page, back = (*menu.split(".", 2), "", "")[:3]
    return (page, back) if notes == _NOTES else None


def message(title: str, notes: Notes, place: str, data: Callable[[str], str], below: Keyboard) -> Message:
    """The page at a place, the first where there is none (any more), with buttons to the others, which carry the
    ``data`` of their places, and those that stand ``below``.
    """
    head = say("notes.head", title=isolated(title))
    known = (*pages(notes.chapters), *pages(() if notes.sheet is None else (notes.sheet,)))
    if not known:
        return Message(paragraphs(head, say("notes.empty")), below)
    shown = found(known, place) or known[0]
    return Message(paragraphs(head, shown.text), (*tabs(known, shown, data), *below))


def choice(matches: Sequence[tuple[str, str]], asked: Markup) -> Message:
    """Which of several matches is meant: the groups' titles, each with its button's data."""
    buttons = tuple((Button(isolated(title), data=data),) for title, data in matches)
    return Message(asked, buttons)
