"""A rematch: the same people once more, in a lobby where each one's seat is kept, and each taps again."""

from __future__ import annotations

from dataclasses import replace

from handler import lobby
from handler.buttons import MatchPress
from handler.joining import join
from handler.match import Match, Person
from handler.opening import open_match
from handler.ports import Place
from handler.replies import toast
from handler.table import Ports
from handler.telling import settle
from handler.updates import Pressed
from handler.words import plain


def rematch_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """Open the lobby of a rematch, or take one's seat in it; what stands there otherwise stays. It is for those who sat
    in the match, and for its host: anybody else may open a lobby of their own, and join this one from its card.
    """
    if match.stage not in ("over", "cancelled") or match.record is None:
        toast(ports, pressed, plain("table.toast.broken"))
        return
    if match.player(pressed.who.id) is None and match.host != pressed.who.id:
        toast(ports, pressed, plain("after.again.strangers"), alert=True)
        return
    place, host = _place(match, pressed), Person(pressed.who.id, pressed.who.name, language=pressed.who.language)
    before = replace(match, place=place)
    title = match.title if place.chat > 0 else pressed.title

    def make(id: str, now: float) -> Match:
        return lobby.following(before, id, title, host, pressed.update, now)

    there = open_match(ports, place, make)
    _answer(ports, pressed, match, there.match)
    settle(ports, there)


def _answer(ports: Ports, pressed: Pressed, old: Match, there: Match) -> None:
    if there.follows != old.id:
        toast(ports, pressed, plain("after.again.lobby" if there.stage == "lobby" else "after.again.match"))
    elif there.stage != "lobby":
        toast(ports, pressed, plain("after.again.begun"))
    elif there.player(pressed.who.id) is None and old.player(pressed.who.id) is not None:
        join(ports, pressed, there.id)
    else:
        toast(ports, pressed, plain("after.again.opened"))


def _place(match: Match, pressed: Pressed) -> Place:
    """Where the match was played. If its group has become a supergroup since it ended, that is where the press is."""
    assert pressed.place is not None
    here = pressed.place.chat
    return Place(here) if here != match.place.chat and _is_supergroup(here) else match.place


def _is_supergroup(chat: int) -> bool:
    return str(chat).startswith("-100")
