"""The judgement after round 9 (rules 10 to 13). Pure: the match and the adjudicator both judge by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.dog.events import VP_EVENTS, Event, Points, Tokens
from engine.dog.facts import EventJudged, Judgement

TOO_MANY: Final = 6
"""So many Tokens of Life, won by all players together, cost everybody one (rule 11)."""
GARNETS: Final = 2
"""For each Token of Life kept (rule 12)."""


def judge(points: Sequence[tuple[Points, Points, Points]], tokens: Tokens, held: Sequence[int]) -> Judgement:
    """Judge a match.

    By player in table order: ``points`` are the VP in each of ``VP_EVENTS``, ``held`` the Tokens of Life from before
    the match. Those count for who is without one (rule 13), and the loss of rule 11 may take one of them; everything
    else speaks of this match's tokens only.
    """
    events = tuple(_judged(event, points, tokens.on(event)) for event in VP_EVENTS if tokens.on(event))
    players = range(len(points))
    won = tuple(sum(event.each for event in events if player in event.leaders) for player in players)
    all_lose = sum(won) >= TOO_MANY
    loss = 1 if all_lose else 0
    life = tuple(max(0, mine - loss) for mine in won)

    without = [player for player in players if held[player] + won[player] <= loss]
    place = VP_EVENTS.index(tokens.lose)
    least = min((points[player][place] for player in without), default=None)
    return Judgement(
        events=events,
        won=won,
        all_lose=all_lose,
        life=life,
        garnets=tuple(GARNETS * kept for kept in life),
        lose=tokens.lose,
        least=least,
        candidates=tuple(player for player in without if points[player][place] == least),
    )


def _judged(event: Event, points: Sequence[tuple[Points, Points, Points]], tokens: int) -> EventJudged:
    """Rule 10: a sole leader takes every Win Token's worth, tied leaders one each, and nobody's zero leads alone."""
    totals = [each[VP_EVENTS.index(event)] for each in points]
    best = max(totals)
    leaders = tuple(player for player, total in enumerate(totals) if total == best)
    return EventJudged(event, tokens, leaders, best, tokens if len(leaders) == 1 else 1)
