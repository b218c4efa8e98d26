"""Which picture a chat is owed: the one place that takes views and stories out of a match for the pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from engine.dog import retelling as dog_retelling
from engine.episode.rules import Death
from engine.episode.view import InDeath
from engine.game import Player, Tell, Transition
from engine.gravity import retelling as gravity_retelling
from engine.gravity.rules import GRAVITY
from handler.frame import Frame
from handler.match import Match
from handler.picture import Illustration
from handler.screening import frame
from handler.views.dog import pictures as dog
from handler.views.episode import death
from handler.views.gravity import pictures as gravity


def illustration(match: Match, viewer: Player | None) -> Illustration | None:
    """The picture that the group (viewer None) or a player is owed as the match stands; None: none.

    It depends on nothing but what that viewer may know: on their view, and on the whole match once that is public. In
    a private chat, where the group's picture and the player's would stand side by side, the player's says it all.
    """
    if match.record is None:
        return None
    shown = _SHOWN[match.game](match, _frame(match), viewer)
    if viewer is None and match.place.chat > 0 and match.stage == "playing":
        own = match.player(match.place.chat)
        return shown if own is None or illustration(match, own) is None else None
    return shown


def main_story(match: Match) -> Illustration | None:
    """The story of an episode's main match, once it is judged; for whoever tells of the judgement when the match has
    gone on to the Death Match already.
    """
    if match.record is None or match.game != "dog":
        return None
    state = match.state.main if isinstance(match.state, Death) else match.state
    if state.board.judgement is None:
        return None
    return dog.story(_frame(match), dog_retelling.retold(state))


def _frame(match: Match) -> Frame:
    """What surrounds a picture: of house players by themselves there is none."""
    left = (match.seats[player] for player in match.playing)
    return replace(frame(match), brief=all(who is not None and who.user is None for who in left))


def _of_gravity(match: Match, about: Frame, viewer: Player | None) -> Illustration | None:
    return _death(match, about, viewer, match.history)


def _of_episode(match: Match, about: Frame, viewer: Player | None) -> Illustration | None:
    """The table, the main match's story from its judgement on, and then the Death Match's pictures. Where house players
    play that by themselves, the main match's stays.
    """
    state = match.state
    if isinstance(state, Death) and not about.brief:
        within = death(about, state.pair)
        if viewer is not None and viewer not in state.pair:
            return None
        own = None if viewer is None else state.pair.index(viewer)
        return _death(match, within, own, _history(match.history))
    if viewer is not None:
        return None
    told = main_story(match)
    if told is not None:
        return told
    return dog.table(about, match.view(None)) if match.stage == "playing" else None


def _death(
    match: Match, about: Frame, viewer: Player | None, history: tuple[Transition[Any], ...]
) -> Illustration | None:
    """A match of Gravity Pandemic: the ring while it is played, and for the group its story at the end."""
    state = history[-1].state
    if match.stage == "playing":
        return gravity.ring(about, GRAVITY.view(state, viewer))
    if viewer is not None or state.board.winner is None:
        return None
    return gravity.story(about, gravity_retelling.retold(history))


def _history(whole: Iterable[Transition[Any]]) -> tuple[Transition[Any], ...]:
    """The Death Match's part of an episode, as Gravity Pandemic tells it."""
    return tuple(
        Transition(each.state.match, tuple(Tell(tell.fact.fact) for tell in each.tells if _is_of_death(tell)))
        for each in whole
        if isinstance(each.state, Death)
    )


def _is_of_death(tell: Tell) -> bool:
    return isinstance(tell.fact, InDeath)


_SHOWN: Final[dict[str, Callable[[Match, Frame, Player | None], Illustration | None]]] = {
    "gravity": _of_gravity,
    "dog": _of_episode,
}
"""Whose pictures a game's are, by its key."""
