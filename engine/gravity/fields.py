"""Birds, seats, targets and guesses as fields of JSON documents."""

from __future__ import annotations

from typing import Any, Final

from engine.gravity.birds import BIRDS, SEATS, Bird
from engine.gravity.moves import Guess, Target
from engine.gravity.night import Seating
from engine.reading import Fault, a_list, a_number, an_object, distinct, no_others, required

_IDS: Final[dict[str, Bird]] = {bird.value: bird for bird in BIRDS}

Json = dict[str, Any]


def bird(value: Any, at: str) -> Bird:
    """A bird by its id."""
    found = _IDS.get(value) if isinstance(value, str) else None
    if found is None:
        raise Fault(at, "is no bird")
    return found


def bird_or_none(value: Any, at: str) -> Bird | None:
    """A bird by its id, or null."""
    return None if value is None else bird(value, at)


def birds(value: Any, at: str) -> list[Bird]:
    """A list of birds, none twice."""
    return distinct(a_list(value, at), at, bird)


def seating(value: Any, at: str) -> Seating:
    """All eleven birds in a list, seat 1 first."""
    given = a_list(value, at)
    if len(given) != len(SEATS):
        raise Fault(at, f"must hold {len(SEATS)} birds")
    return tuple(distinct(given, at, bird))


def target(value: Any, at: str) -> Target:
    """A target as ``{"seat": n}`` or ``{"bird": b}``; whether there is such a seat is a question of the rules."""
    given = an_object(value, at)
    no_others(given, ("seat", "bird"), at)
    if len(given) != 1:
        raise Fault(at, "must name either a seat or a bird")
    return a_number(given["seat"], f"{at}.seat") if "seat" in given else bird(given["bird"], f"{at}.bird")


def guess_or_none(value: Any, at: str) -> Guess | None:
    """A guess as ``{"seat": n, "bird": b}``, or null; the seat is one of the eleven."""
    if value is None:
        return None
    given = an_object(value, at)
    no_others(given, ("seat", "bird"), at)
    seat = a_number(required(given, "seat", at), f"{at}.seat")
    if seat not in SEATS:
        raise Fault(f"{at}.seat", "is no seat")
    return Guess(seat, bird(required(given, "bird", at), f"{at}.bird"))


def written_target(target_: Target) -> Json:
    """The JSON of a target."""
    return {"bird": target_.value} if isinstance(target_, Bird) else {"seat": target_}


def written_guess(guess: Guess | None) -> Json | None:
    """The JSON of a guess."""
    return None if guess is None else {"seat": guess.seat, "bird": guess.bird.value}


def written_bird(bird_: Bird | None) -> str | None:
    """The JSON of a bird."""
    return None if bird_ is None else bird_.value
