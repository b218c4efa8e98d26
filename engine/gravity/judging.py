"""The adjudicator's kinds of Gravity Pandemic: one night, or one guessing period, played by hand somewhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Player
from engine.gravity import fields
from engine.gravity.birds import BIRDS, DRAFTED, RULEBOOK, SEATS, Bird
from engine.gravity.fields import Json
from engine.gravity.moves import Guess, Target
from engine.gravity.night import Seating, resolve
from engine.gravity.score import judge
from engine.gravity.targets import Revealed, refused
from engine.reading import Fault, a_name, an_object, key, no_others, required

_PLAYERS = 2


def night(given: Json, at: str) -> Json:
    """Judge ``gravity/night``: an action that is missing or invalid counts as not submitted (rule 7), anything else
    wrong is a Fault.
    """
    seats = _seats(required(given, "seats", at), key(at, "seats"))
    flightless = _never_the_raven(given, "flightless", at, "is passed over by the poison")  # rule 11
    revealed = _revealed(given, seats, at)
    players, owner = _drafts(required(given, "drafts", at), key(at, "drafts"))
    actions = _actions(required(given, "actions", at), revealed, owner, key(at, "actions"))
    result = resolve(seats, flightless, [bird for _, bird in revealed], owner, actions)
    return {
        "flightless": [bird.value for bird in result.flightless],
        "visits": {bird.value: list(visited) for bird, visited in result.visits.items()},
        "responses": {bird.value: text for bird, text in result.responses.items()},
        "robin": {"player": players[owner[Bird.ROBIN]], "quarters": result.robin},
    }


def guesses(given: Json, at: str) -> Json:
    """Judge ``gravity/guesses``; a guess that rule 18 refuses is a Fault, for it is none."""
    seats = _seats(required(given, "seats", at), key(at, "seats"))
    revealed = _revealed(given, seats, at)
    barred_at, guesses_at = key(at, "barred"), key(at, "guesses")
    barred = an_object(required(given, "barred", at), barred_at)
    players = _two(barred, barred_at)
    own = [_named(barred[player], key(barred_at, player)) for player in players]
    entered = an_object(required(given, "guesses", at), guesses_at)
    no_others(entered, players, guesses_at)
    made: dict[Player, Guess] = {}
    for seat_at_table, player in enumerate(players):
        where = key(guesses_at, player)
        guess = fields.guess_or_none(entered.get(player), where)
        if guess is not None:
            _admit(guess, revealed, own[seat_at_table], where)
            made[seat_at_table] = guess
    verdict = judge(seats, made)
    found = sorted((bird for _, bird in verdict.revealed), key=RULEBOOK.__getitem__)
    return {
        "deltas": {player: verdict.deltas.get(place, 0) for place, player in enumerate(players)},
        "revealed": [bird.value for bird in found],
        "raven": verdict.raven_found,
        "again": verdict.again,
    }


def _seats(value: Any, at: str) -> Seating:
    """All seats by number, as strings: every seat once and every bird once."""
    given = an_object(value, at)
    no_others(given, [str(seat) for seat in SEATS], at)
    seats: list[Bird] = []
    for seat in SEATS:
        where = key(at, str(seat))
        bird = fields.bird(required(given, str(seat), at), where)
        if bird in seats:
            raise Fault(where, "has a bird that sits elsewhere already")
        seats.append(bird)
    return tuple(seats)


def _revealed(given: Json, seats: Seating, at: str) -> Revealed:
    birds = _never_the_raven(given, "revealed", at, "ends the round when it is found")  # rule 19
    return tuple((seat, bird) for seat, bird in zip(SEATS, seats, strict=True) if bird in birds)


def _never_the_raven(given: Json, name: str, at: str, why: str) -> list[Bird]:
    """A list of birds in which the Raven cannot stand, and why it cannot."""
    where = key(at, name)
    birds = fields.birds(required(given, name, at), where)
    if Bird.RAVEN in birds:
        raise Fault(f"{where}[{birds.index(Bird.RAVEN)}]", why)
    return birds


def _named(value: Any, at: str) -> Bird | None:
    """The bird of a private reveal (rule 1), or none."""
    bird = fields.bird_or_none(value, at)
    if bird is Bird.RAVEN:
        raise Fault(at, "cannot be named for a private reveal")
    return bird


def _two(given: Json, at: str) -> list[str]:
    """The names of the two players, who are the keys of an object."""
    players = [a_name(player, at) for player in given]
    if len(players) != _PLAYERS:
        raise Fault(at, "must name two players")
    return players


def _drafts(value: Any, at: str) -> tuple[list[str], dict[Bird, Player]]:
    """The players' names, and who of them (0 or 1) drafted each bird."""
    given = an_object(value, at)
    players = _two(given, at)
    owner: dict[Bird, Player] = {}
    for place, player in enumerate(players):
        where = key(at, player)
        birds = fields.birds(given[player], where)
        if len(birds) != len(DRAFTED) // _PLAYERS:
            raise Fault(where, "must hold five birds")
        for index, bird in enumerate(birds):
            if bird is Bird.LOVEBIRD_A:
                raise Fault(f"{where}[{index}]", "is never drafted")
            if bird in owner:
                raise Fault(f"{where}[{index}]", "was drafted by the other player")
            owner[bird] = place
    return players, owner


def _actions(value: Any, revealed: Revealed, owner: Mapping[Bird, Player], at: str) -> dict[Bird, Target]:
    """The legal actions; every id must be known, though."""
    legal: dict[Bird, Target] = {}
    for name, submitted in an_object(value, at).items():
        bird = fields.bird(name, key(at, name))
        target = _target_or_none(submitted, key(at, name))
        if bird in owner and target is not None and refused(bird, target, revealed) is None:
            legal[bird] = target
    return {bird: legal[bird] for bird in BIRDS if bird in legal}


def _target_or_none(value: Any, at: str) -> Target | None:
    """A target as ``fields.target`` reads it, and None for anything else but a bird that there is not."""
    match value:
        case {"seat": int(seat), **others} if not others and not isinstance(seat, bool):
            return seat
        case {"bird": str(name), **others} if not others:
            return fields.bird(name, key(at, "bird"))
        case _:
            return None


def _admit(guess: Guess, revealed: Revealed, barred: Bird | None, at: str) -> None:
    """Rule 18."""
    if any(seat == guess.seat for seat, _ in revealed):
        raise Fault(f"{at}.seat", "is publicly revealed")
    if any(bird is guess.bird for _, bird in revealed):
        raise Fault(f"{at}.bird", "is publicly revealed")
    if guess.bird is barred:
        raise Fault(f"{at}.bird", "is barred: it is the guesser's own private reveal")
