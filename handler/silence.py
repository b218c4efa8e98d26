"""Who let a phase pass in silence, so that the rules' default was made for them. Pure functions of a match.

While the match lasts that is told to the silent player alone: to anybody else it would say who had locked in. Once it
is over it stands in its history and its record.
"""

from __future__ import annotations

from engine.game import Player
from handler.match import Match


def missed(match: Match, number: int) -> tuple[Player, ...]:
    """The players, in table order, who had something to choose in phase ``number``, which has closed, and sealed
    nothing. House players never are silent: what they leave out, they chose to. Nor is anybody in a phase that was cut
    short by the end of the match.
    """
    return tuple(player for player in range(len(match.seats)) if was_silent(match, player, number))


def was_silent(match: Match, player: Player, number: int) -> bool:
    """Whether a player is among the :func:`missed` of a phase."""
    assert match.record is not None
    game, step = match.engine, match.record.steps[number]
    if player in step or not _was_person(match, player, number):
        return False
    before = match.history[number].state
    phase = game.phase(before)
    assert phase is not None, "a phase that has closed was open"
    if player not in phase.active or any(game.read(text) in (game.resign, game.decline) for text in step.values()):
        return False
    return game.options(game.view(before, player)) is not None


def silences(match: Match) -> tuple[tuple[Player, ...], ...]:
    """As :func:`missed`, for each phase that has closed."""
    return () if match.record is None else tuple(missed(match, number) for number in range(match.number))


def _was_person(match: Match, player: Player, number: int) -> bool:
    """Whether a person sat there in a phase: whoever sits there now, or somebody whose seat was taken over since."""
    who = match.seats[player]
    if who is None:
        return False
    if number < who.since:
        return any(seat == player for _, seat in match.former)
    return who.user is not None
