"""What everybody was told of a match of Dog's Judgement, round by round, and at its judgement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.dog.facts import RoundResolved
from handler.frame import Chapter, News
from handler.views.dog.told import announce
from handler.views.history import chapters
from handler.words import plain

_END: Final = "end"


def recall(news: Sequence[News]) -> tuple[Chapter, ...]:
    """A chapter a round, and one for the judgement with all that follows from it."""
    return chapters(news, place, label, announce)


def place(fact: Any) -> str | None:
    """The round of a fact, or the end."""
    return str(fact.round) if isinstance(fact, RoundResolved) else _END


def label(place: str) -> str:
    """What a chapter is called."""
    return plain("notes.tab.judgement") if place == _END else plain("notes.tab.round", round=int(place))
