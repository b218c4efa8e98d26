"""Whom the bot can write to: seating a person, losing one, finding one again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from engine.game import Player
from handler import calls, lobby
from handler.codec import read_match
from handler.match import Match, Person, with_notice
from handler.ports import Place, TelegramError, Unreachable
from handler.rights import has_left
from handler.table import Outcome, Ports, change
from handler.updates import Who
from handler.views import lobby as words
from handler.words import speaking

Joined = Literal["seated", "already", "full", "begun", "unreachable", "unwritten", "gone", "late", "sat"]
"""What came of asking for a seat. ``unwritten``: Telegram gave no clear answer; asking again can help. Of a seat of a
match in play: it is not free (``late``), or this person sat in another one there (``sat``).
"""


def ask_for_seat(
    ports: Ports, id: str, who: Who, place: Player | None = None
) -> tuple[Joined, Sequence[Outcome[Any] | None]]:
    """A Join press, or one for seat ``place`` of a match in play that is free to take. It is kept first (the proof that
    this person is in the group); then the bot writes to the person, and only whom that message reached is seated. What
    came of each change is to be told: the first may have been left what others had no time to tell.
    """
    asked = change(ports, id, lambda match: _ask(match, who, place))
    if asked is None:
        return "gone", ()
    if asked.answer is not None:
        return asked.answer, (asked,)
    match = asked.match
    try:
        with speaking(who.language):
            ports.telegram.send(Place(who.id), words.asking(who.name, match.game, match.title))
    except Unreachable:
        return "unreachable", (asked,)
    except TelegramError:
        return "unwritten", (asked,)
    joined, taken = take_seat(ports, id, who, place)
    return joined, (asked, taken)


def take_seat(ports: Ports, id: str, who: Who, place: Player | None = None) -> tuple[Joined, Outcome[Any] | None]:
    """Seat a person whose Join press is kept and whom the bot can write to."""
    taken = change(ports, id, lambda match: _take(match, who, place))
    return ("gone", None) if taken is None else (taken.answer, taken)


def take_kept_seat(ports: Ports, id: str, who: Who) -> tuple[Joined, Outcome[Any] | None]:
    """As ``take_seat``, for somebody who comes by way of the private chat, perhaps long after pressing Join: whoever
    has left the group meanwhile is not seated.
    """
    item = ports.store.load(id)
    match = None if item is None else read_match(id, item.body)
    if match is not None and who.id in match.asked and has_left(ports, match.place.chat, who.id):
        return "gone", change(ports, id, lambda match: (_not_asking(match, who.id), None))
    return take_seat(ports, id, who)


def lose(ports: Ports, id: str, user: int) -> Outcome[Any] | None:
    """The bot cannot write to a player any more: the match goes on, and the group is told once. A lobby loses them."""

    def decide(match: Match) -> tuple[Match, None]:
        player = match.player(user)
        who = None if player is None else match.seats[player]
        if player is None or who is None or not who.reachable:
            return match, None
        if match.stage == "lobby":
            return lobby.leave(match, user), None
        if match.reminded and match.phase is not None and not match.phase.instant:
            # Only who has not locked in gets a reminder, so that it got lost would say so: wait for the phase to end.
            return match, None
        away = _seat(match, player, replace(who, reachable=False))
        heard = match.stage == "playing" and match.place.chat != user
        return with_notice(away, "table.unreachable", name=who.name) if heard else away, None

    return change(ports, id, decide)


def found(match: Match, who: Who) -> Match:
    """The match with a person's latest name, and reachable: they have just written or pressed something in private.

    What they do in a group proves nothing: whoever has blocked the bot can still press buttons there.
    """
    player = match.player(who.id)
    seated = None if player is None else match.seats[player]
    if player is None or seated is None:
        return match
    # What is over stays as it was told.
    name = who.name if match.stage in ("lobby", "playing") else seated.name
    return _seat(match, player, replace(seated, name=name, reachable=True))


def left(match: Match, user: int, update: int) -> Match:
    """The match when a person has left it, or its group; a lobby frees their seat."""
    return lobby.leave(match, user) if match.stage == "lobby" else _turn(match, user, update, left=True)


def returned(match: Match, user: int, update: int) -> Match:
    """The match when a person plays on in it."""
    return _turn(match, user, update, left=False)


def _turn(match: Match, user: int, update: int, *, left: bool) -> Match:
    player = match.player(user)
    who = None if player is None else match.seats[player]
    if player is None or who is None or match.stage != "playing" or update <= who.turned:
        return match
    return _seat(match, player, replace(who, left=left, turned=update))


def _seat(match: Match, player: int, who: Person) -> Match:
    if match.seats[player] == who:
        return match
    return replace(match, seats=(*match.seats[:player], who, *match.seats[player + 1 :]))


def _ask(match: Match, who: Who, place: Player | None) -> tuple[Match, Joined | None]:
    if place is not None:
        barred = calls.cannot_take(match, who.id, place)
        return (match, barred) if barred is not None else (calls.ask(match, who.id), None)
    refused = _refusal(match, who)
    return (match, refused) if refused is not None else (lobby.ask(match, who.id), None)


def _not_asking(match: Match, user: int) -> Match:
    """The match without somebody's kept press. A seat that they have been given meanwhile stays theirs: in a match in
    play none may be empty.
    """
    return replace(match, asked=tuple(each for each in match.asked if each != user))


def _take(match: Match, who: Who, place: Player | None) -> tuple[Match, Joined]:
    if place is not None or (match.stage == "playing" and who.id in match.asked):
        barred = calls.cannot_take(match, who.id, place)
        if barred is None and who.id in match.asked:
            return calls.take(match, Person(who.id, who.name, language=who.language), place), "seated"
        return match, barred or "late"
    refused = _refusal(match, who)
    if refused is not None:
        return match, refused
    if who.id not in match.asked:
        return match, "gone"
    return lobby.seat(match, Person(who.id, who.name, language=who.language)), "seated"


def _refusal(match: Match, who: Who) -> Joined | None:
    if match.stage != "lobby":
        return "begun" if match.stage == "playing" else "gone"
    if match.player(who.id) is not None:
        return "already"
    return "full" if None not in match.seats else None
