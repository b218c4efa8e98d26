"""What everybody was told of a match of Gravity Pandemic, round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from markupsafe import Markup

from engine.gravity.birds import DRAFTED
from engine.gravity.facts import Picked, RoundBegan
from handler.frame import Chapter, Frame, News
from handler.views.gravity.board import drafted
from handler.views.gravity.told import announce
from handler.views.history import chapters
from handler.words import plain

_DRAFT: Final = "draft"
"""The phase that needs no mark of silence: its picks say themselves who made them."""


@dataclass(frozen=True)
class _Draft:
    """A night's picks, as far as they have come."""

    round: int
    picks: tuple[Picked, ...]


def recall(news: Sequence[News]) -> tuple[Chapter, ...]:
    """A chapter a round: what was announced in it, and who drafted what."""
    return chapters(tuple(_with_drafts(news)), _place, _label, _said)


def _with_drafts(news: Sequence[News]) -> Iterator[News]:
    """The same with the picks of each draft as one fact, where its last one stood."""
    picks: list[Picked] = []
    for number, each in enumerate(news, 1):
        facts: list[Any] = []
        for fact in each.facts:
            if isinstance(fact, Picked):
                picks.append(fact)
            else:
                facts.append(fact)
        if picks and (len(picks) == len(DRAFTED) or number == len(news)):
            facts.insert(0, _Draft(picks[0].round, tuple(picks)))
            picks = []
        yield replace(each, facts=tuple(facts), silent=() if each.phase == _DRAFT else each.silent)


def _place(fact: Any) -> str | None:
    """The round of a fact; the end of the match belongs to the last."""
    round_ = getattr(fact, "round", None)
    return None if round_ is None else str(round_)


def _label(place: str) -> str:
    return plain("notes.tab.round", round=int(place))


def _said(frame: Frame, fact: Any) -> Markup | None:
    if isinstance(fact, _Draft):
        return drafted(frame, tuple((pick.player, pick.bird, pick.by) for pick in fact.picks))
    return None if isinstance(fact, RoundBegan) else announce(frame, fact)
