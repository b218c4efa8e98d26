"""A lobby before its match begins: who sits where, at what pace, and who may change it. Pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handler.frame import Card
from handler.match import LOBBY_SECONDS, NOBODY, PACES, Match, Pace, Person
from handler.ports import Place
from handler.views import lobby as words

HOUSE_NAMES: Final = ("Corvus", "Strix", "Alauda", "Aquila", "Rubecula", "Psitta", "Spheni")
"""What house players are called, by seat; the screens add that they are house players."""

ASKED_MOST: Final = 50
"""Join presses that a lobby keeps. A pointer leads to the match from each, and all of them change at once when it
begins or closes: a store takes only so many changes in one transaction (DynamoDB 100).
"""


def opened(id: str, place: Place, title: str, game: str, seats: int, host: Person, update: int, now: float) -> Match:
    """A fresh lobby. Whoever opens it is its host; in a private chat the host has a seat at once."""
    assert host.user is not None
    first = host if place.chat == host.user else None
    return Match(
        id=id,
        place=place,
        title=title,
        game=game,
        host=host.user,
        host_name=host.name,
        stage="lobby",
        pace="live",
        seats=(first, *(None,) * (seats - 1)),
        opened=now,
        deadline=now + LOBBY_SECONDS,
        update=update,
    )


def following(before: Match, id: str, title: str, host: Person, update: int, now: float) -> Match:
    """A lobby for the same people and house players as in a match that has ended, in the same place and at the same
    pace: with two seats each takes the other's. A person's seat is kept for them, whoever opened the lobby and hosts it
    included; in a private chat they have it at once.
    """
    fresh = opened(id, before.place, title, before.game, len(before.seats), host, update, now)
    old = before.seats[::-1] if len(before.seats) == 2 else before.seats
    kept = tuple(who if who is not None and who.user not in (None, NOBODY) else None for who in old)
    lobby = replace(
        fresh,
        seats=(None,) * len(old),
        pace=before.pace,
        declined=before.declined,
        language=before.language,
        follows=before.id,
        kept=tuple(None if who is None else Person(who.user, who.name) for who in kept),
    )
    for place, who in enumerate(old):
        if who is not None and who.user is None:
            lobby = seat_house(lobby, place)
    return seat(lobby, host) if before.place.chat == host.user else lobby


def filled(match: Match) -> Match:
    """A lobby with house players in all seats that are free."""
    for place in range(len(match.seats)):
        match = seat_house(match, place)
    return match


def displayed(who: Person) -> str:
    """A person's name as every screen shows it; a house player's says what it is."""
    return who.name if who.user is not None else words.house_name(who.name)


def card_view(match: Match) -> Card:
    """The public card of a lobby, or of the match that it became."""
    return Card(
        match=match.id,
        game=match.game,
        host=match.host_name,
        pace=match.pace,
        paces=tuple(PACES),
        names=tuple(None if who is None else displayed(who) for who in match.seats),
        occupants=tuple(occupant(who) for who in match.seats),
        deadline=match.deadline,
        private=match.place.chat > 0,
        declined=None if match.engine.decline is None else match.declined,
        kept=tuple(None if who is None else who.name for who in match.kept),
    )


def occupant(who: Person | None) -> str:
    """Who sits in a seat, short enough for a button."""
    if who is None:
        return "-"
    return "h" if who.user is None else str(who.user)


def ask(match: Match, user: int) -> Match:
    """Keep the Join press of somebody whom the bot may not be able to write to yet; beyond ASKED_MOST the oldest is
    forgotten, and whoever it was presses again.
    """
    return match if user in match.asked else replace(match, asked=(*match.asked, user)[-ASKED_MOST:])


def seat(match: Match, person: Person) -> Match:
    """Give a free seat to a person: the one that is kept for them, else the first that is kept for nobody, else the
    first, so that nobody is locked out. The same match if none is free or they sit already.
    """
    assert person.user is not None
    free = [place for place, who in enumerate(match.seats) if who is None]
    if match.player(person.user) is not None or not free:
        return match
    asked = tuple(user for user in match.asked if user != person.user)
    best = min(free, key=lambda place: _fitness(match, place, person.user))
    return replace(_fill(match, best, person), asked=asked)


def _fitness(match: Match, place: int, user: int | None) -> int:
    """How well a free seat fits a person; the least fits best."""
    kept = match.kept[place] if match.kept else None
    if kept is None:
        return 1
    return 0 if kept.user == user else 2


def seat_house(match: Match, place: int) -> Match:
    """Put a house player into a free seat."""
    if not 0 <= place < len(match.seats) or match.seats[place] is not None:
        return match
    return _fill(match, place, Person(None, HOUSE_NAMES[place]))


def leave(match: Match, user: int) -> Match:
    """Free a person's seat and forget their Join press."""
    seats = tuple(None if who is not None and who.user == user else who for who in match.seats)
    return replace(match, seats=seats, asked=tuple(each for each in match.asked if each != user))


def unseat(match: Match, place: int, was: str) -> Match:
    """Free a seat, if whoever the button showed still sits there."""
    if not 0 <= place < len(match.seats) or was == "-" or occupant(match.seats[place]) != was:
        return match
    return _fill(match, place, None)


def set_pace(match: Match, pace: str) -> Match:
    """Set the pace; an unknown one changes nothing."""
    known: dict[str, Pace] = {name: name for name in PACES}
    return replace(match, pace=known[pace]) if pace in known else match


def set_after(match: Match, word: str) -> Match:
    """Whether what may follow the match shall follow it; only in a game whose host can decline that."""
    if match.engine.decline is None or word not in ("yes", "no"):
        return match
    return replace(match, declined=word == "no")


def put_first(match: Match, who: str) -> Match:
    """In a game for two: the occupant named by the button takes the first seat, the other the second."""
    first, *rest = match.seats
    if len(rest) != 1 or occupant(first) == who or occupant(rest[0]) != who:
        return match
    return replace(match, seats=(rest[0], first), kept=match.kept[::-1])


def _fill(match: Match, place: int, who: Person | None) -> Match:
    return replace(match, seats=(*match.seats[:place], who, *match.seats[place + 1 :]))
