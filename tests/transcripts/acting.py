"""How people play where somebody watches: one after the other, with time to think."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.game import Player
from handler.match import Match, awaited
from handler.views import VIEWS
from tests.flows.players import Plan, Wish, make
from tests.transcripts.watched import Watched

THINKING = 11
"""Seconds between two moves."""

Interlude = Callable[[Watched, Match], None]
"""What else somebody does when a match has come to a scene."""


def act(bot: Watched, id: str, plan: Plan, interludes: Mapping[str, Interlude]) -> Match:
    """Play a match to its end by a plan. When it first comes to a scene that ``interludes`` names, that comes first."""
    left = dict(interludes)
    while True:
        match = bot.load(id)
        if match.phase is None:
            bot.wait(180)
            return match
        if interlude := left.pop(VIEWS[match.game].scene(match.view(None)), None):
            interlude(bot, match)
            continue
        if not any(_moved(bot, match, player, plan) for player in awaited(match)):
            bot.step()


def _moved(bot: Watched, match: Match, player: Player, plan: Plan) -> bool:
    """Whether a player had something to press, and did; then some time has passed."""
    who = match.seats[player]
    wish: Wish | None = None if who is None or who.user is None else plan(match, player)
    if wish is None or who is None or who.user is None or not make(bot, bot.load(match.id), who.user, wish):
        return False
    bot.wait(THINKING)
    return True
