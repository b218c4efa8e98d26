"""A whole match of Dog's Judgement in hindsight, as values; all of it is public once it is judged (rule 14)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dog.events import Movement, Points, Tokens
from engine.dog.facts import Judgement


@dataclass(frozen=True)
class RoundStory:
    """A round: the VP that each player, in table order, scored in each of ``VP_EVENTS``; the tower's level after it;
    and the token moved.
    """

    scored: tuple[tuple[Points, Points, Points], ...]
    level: int
    moved: Movement | None


@dataclass(frozen=True)
class Story:
    """The nine rounds, where the tokens lie after them, and the judgement."""

    rounds: tuple[RoundStory, ...]
    tokens: Tokens
    judgement: Judgement
