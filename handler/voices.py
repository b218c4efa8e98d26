"""Which language is spoken where: a person's own in private, and one for all in a group."""

from __future__ import annotations

from handler.codec import read_match
from handler.match import Match
from handler.ports import Place
from handler.profiles import chosen
from handler.table import Ports
from handler.updates import Pressed, Who


def in_place(ports: Ports, place: Place, who: Who) -> str:
    """In private the person's language. In a group that of the match there; where there is none, the one chosen for the
    group, else that of whoever speaks. Raises StoreUnavailable.
    """
    if place.chat > 0:
        return who.language
    id = ports.store.at(place)
    item = None if id is None else ports.store.load(id)
    return (chosen(ports, place.chat) or who.language) if item is None else read_match(item.id, item.body).language


def for_new_match(ports: Ports, place: Place, who: Who) -> str:
    """The language of a match that somebody opens in a place."""
    return who.language if place.chat == who.id else chosen(ports, place.chat) or who.language


def under(match: Match, pressed: Pressed) -> str:
    """The language of what stands where a match's button was pressed."""
    return pressed.who.language if pressed.private else match.language


def seated(match: Match, who: Who) -> str:
    """A person's language as their seat knows it, which costs no look at their profile; without a seat, their own."""
    player = match.player(who.id)
    seat = None if player is None else match.seats[player]
    return who.language if seat is None else seat.language
