"""Events, tokens and plays as fields of JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from engine.dog.choices import refused
from engine.dog.events import CARDS, ORDER, VP_EVENTS, Card, Event, Movement, Points, Token, Tokens
from engine.dog.moves import Play
from engine.dog.refusals import Code
from engine.reading import Fault, a_list, a_number, an_object, distinct, key, no_others, required

_EVENTS: Final[dict[str, Event]] = {event.value: event for event in Event}
_VP_EVENTS: Final[dict[str, Event]] = {event.value: event for event in VP_EVENTS}
_TOKENS: Final[dict[str, Token]] = {"win": "win", "lose": "lose"}
_PLAY: Final = ("card", "events", "gain", "move")
_MOVEMENT: Final = ("token", "from", "to")

_AT_FAULT: Final[dict[Code, tuple[str, str]]] = {
    "no-such-card": ("card", "is no card; there are 1 to 7"),
    "not-in-hand": ("card", "is not in the player's hand"),
    "no-value": ("gain", "is missing: the Exchange Store wants to know the card"),
    "value-without-store": ("gain", "belongs to a play on the Exchange Store"),
    "value-out-of-reach": ("gain", "must be within 2 of the card, from 1 to 7"),
    "movement-without-bribe": ("move", "belongs to a play on Bribing the Dog"),
    "no-such-token": ("move.from", "has no such token"),
    "same-place": ("move.to", "must be another event than the token lies on"),
}
"""Where in a play stands what a refusal is about, and how the fault is worded; of those that ``play`` leaves over."""

Json = dict[str, Any]

T = TypeVar("T")


def event(value: Any, at: str) -> Event:
    """An event by its id."""
    return _one_of(_EVENTS, value, at, "is no event")


def vp_event(value: Any, at: str) -> Event:
    """One of the three events that hold Victory Points, by its id."""
    return _one_of(_VP_EVENTS, value, at, "is no event that holds Victory Points")


def by_vp_event(value: Any, at: str) -> dict[Event, Any]:
    """An object with one entry for each of the three VP events and no other, in the events' order."""
    given = an_object(value, at)
    no_others(given, _VP_EVENTS, at)
    return {of: required(given, name, at) for name, of in _VP_EVENTS.items()}


def a_count(value: Any, at: str) -> int:
    """A whole number that is not negative: of tokens, or of Victory Points."""
    if a_number(value, at) < 0:
        raise Fault(at, "must not be negative")
    return int(value)


def hand(value: Any, at: str) -> tuple[Card, ...]:
    """A list of cards; a value may stand in it more than once (rule 2)."""
    cards = [a_number(card, f"{at}[{place}]") for place, card in enumerate(a_list(value, at))]
    for place, card in enumerate(cards):
        if card not in CARDS:
            raise Fault(f"{at}[{place}]", "is no card; there are 1 to 7")
    return tuple(sorted(cards))


def tokens(value: Any, at: str) -> Tokens:
    """Where the tokens lie, as ``{"win": {event: n}, "lose": event}``.

    The match has three Win Tokens, but nothing in the rules depends on how many there are, so they are not counted.
    """
    given = an_object(value, at)
    no_others(given, _TOKENS, at)
    win_at = key(at, "win")
    win = by_vp_event(required(given, "win", at), win_at)
    charge, remove, median = (a_count(count, key(win_at, on.value)) for on, count in win.items())
    return Tokens((charge, remove, median), vp_event(required(given, "lose", at), key(at, "lose")))


def play(value: Any, at: str) -> Play:
    """A play as ``{"card": 5, "events": [two of them, in any order], "gain": card, "move": movement}``.

    The last two may be left out, and ``move`` be null. Whether the rules allow the play is for ``admit`` to say.
    """
    given = an_object(value, at)
    no_others(given, _PLAY, at)
    card = a_number(required(given, "card", at), key(at, "card"))
    events_at = key(at, "events")
    named = a_list(required(given, "events", at), events_at)
    if len(named) != 2:
        raise Fault(events_at, "must be two")
    first, second = sorted(distinct(named, events_at, event), key=ORDER.__getitem__)
    gain = a_number(given["gain"], key(at, "gain")) if "gain" in given else None
    move = given.get("move")
    return Play(card, (first, second), gain, None if move is None else movement(move, key(at, "move")))


def movement(value: Any, at: str) -> Movement:
    """A movement of a token, as ``{"token": "win" or "lose", "from": event, "to": event}``."""
    given = an_object(value, at)
    no_others(given, _MOVEMENT, at)
    token_at, from_at, to_at = (key(at, name) for name in _MOVEMENT)
    token = _one_of(_TOKENS, required(given, "token", at), token_at, "must be win or lose")
    origin = vp_event(required(given, "from", at), from_at)
    return Movement(token, origin, vp_event(required(given, "to", at), to_at))


def admit(play_: Play, hand_: Sequence[Card] | None, tokens_: Tokens, at: str) -> None:
    """Refuse a play that rules 1 to 3 forbid with this hand (None: not known) and the tokens lying so."""
    code = refused(play_, hand_, tokens_)
    if code is not None:
        where, words = _AT_FAULT[code]
        raise Fault(key(at, where), words)


def written_play(play_: Play) -> Json:
    """The JSON of a play."""
    written: Json = {"card": play_.card, "events": [on.value for on in play_.events]}
    if play_.gain is not None:
        written["gain"] = play_.gain
    if play_.movement is not None:
        written["move"] = written_movement(play_.movement)
    return written


def written_movement(movement_: Movement | None) -> Json | None:
    """The JSON of a movement."""
    if movement_ is None:
        return None
    return {"token": movement_.token, "from": movement_.origin.value, "to": movement_.goal.value}


def written_tokens(tokens_: Tokens) -> Json:
    """The JSON of the tokens' places."""
    return {"win": {on.value: tokens_.on(on) for on in VP_EVENTS}, "lose": tokens_.lose.value}


def written_points(points: Sequence[tuple[Points, Points, Points]], players: Sequence[str]) -> Json:
    """The JSON of Victory Points by event and player; ``points`` are by player, then by event."""
    return {
        of.value: {player: own[place] for player, own in zip(players, points, strict=True)}
        for place, of in enumerate(VP_EVENTS)
    }


def _one_of(known: Mapping[str, T], value: Any, at: str, otherwise: str) -> T:
    found = known.get(value) if isinstance(value, str) else None
    if found is None:
        raise Fault(at, otherwise)
    return found
