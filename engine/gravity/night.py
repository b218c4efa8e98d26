"""One night resolved, in the order of rules 11 to 15. Pure: the match and the adjudicator both judge by it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from engine.game import Player
from engine.gravity.birds import BIRDS, NAMES, RULEBOOK, Bird, Quarters, Seat
from engine.gravity.facts import NOTHING
from engine.gravity.moves import Target

Seating = tuple[Bird, ...]
"""All eleven birds, seat 1 first."""


@dataclass(frozen=True)
class Night:
    """What a night brought.

    ``flightless`` in rulebook order, after tonight's poison; ``visits`` by visitor, rulebook order, seats ascending,
    only of those that visited; ``responses`` of the ten drafted birds; ``robin`` is the gain of the Robin's drafter.
    """

    flightless: tuple[Bird, ...]
    visits: Mapping[Bird, tuple[Seat, ...]]
    responses: Mapping[Bird, str]
    robin: Quarters


def resolve(
    seats: Seating,
    flightless: Collection[Bird],
    revealed: Collection[Bird],
    drafter: Mapping[Bird, Player],
    actions: Mapping[Bird, Target],
) -> Night:
    """Resolve a night.

    ``flightless`` before tonight's poison (the Penguin may be left out); ``revealed`` the publicly revealed birds;
    ``drafter`` of each of the ten drafted birds; ``actions`` only valid ones (:func:`engine.gravity.targets.refused`).
    """
    seat_of = {bird: seat for seat, bird in enumerate(seats, start=1)}
    aim = {bird: seat_of[target] if isinstance(target, Bird) else target for bird, target in actions.items()}
    down = poisoned(seats, flightless)

    # Rule 12. Naming itself, by name or by seat, does nothing.
    if aim.get(Bird.RAVEN) == seat_of[Bird.RAVEN]:
        del aim[Bird.RAVEN]
    blocked = seats[aim[Bird.RAVEN] - 1] if Bird.RAVEN in aim else None

    ways: dict[Bird, tuple[Seat, ...]] = {bird: (seat,) for bird, seat in aim.items()}
    ways[Bird.LOVEBIRD_A] = () if Bird.LOVEBIRD_A in down else _walk(seats, revealed)
    visits = {bird: way for bird in BIRDS if bird is not blocked and (way := ways.get(bird))}

    responses = _responses(seats, seat_of, down, blocked, drafter, visits)
    robin = 0 if blocked is Bird.ROBIN else len(_visitors(visits, seat_of[Bird.ROBIN]))
    return Night(down, visits, responses, robin)


def poisoned(seats: Seating, flightless: Collection[Bird]) -> tuple[Bird, ...]:
    """The flightless after the poison has spread (rule 11), rulebook order.

    One bird left to reach is reached from both sides; none left, and nothing happens.
    """
    raven = seats.index(Bird.RAVEN)
    down = {Bird.PENGUIN, *flightless}
    circle = (*seats[raven + 1 :], *seats[:raven])
    left = [bird for bird in circle if bird not in down]
    down.update(left[:1], left[-1:])
    return tuple(sorted(down, key=RULEBOOK.__getitem__))


def _walk(seats: Seating, revealed: Collection[Bird]) -> tuple[Seat, ...]:
    """The seats Lovebird A visits on the shorter way to Lovebird B (rule 13), ascending."""
    start = seats.index(Bird.LOVEBIRD_A)
    clockwise = (seats.index(Bird.LOVEBIRD_B) - start) % len(seats)
    counter = len(seats) - clockwise
    step, length = (1, clockwise) if clockwise < counter else (-1, counter)
    places = sorted((start + step * distance) % len(seats) for distance in range(1, length + 1))
    return tuple(place + 1 for place in places if seats[place] not in revealed)


def _visitors(visits: Mapping[Bird, tuple[Seat, ...]], seat: Seat) -> tuple[Bird, ...]:
    return tuple([bird for bird, visited in visits.items() if seat in visited])


def _responses(
    seats: Seating,
    seat_of: Mapping[Bird, Seat],
    flightless: Collection[Bird],
    blocked: Bird | None,
    drafter: Mapping[Bird, Player],
    visits: Mapping[Bird, tuple[Seat, ...]],
) -> dict[Bird, str]:
    """The texts of the ten drafted birds (rule 14), rulebook order."""

    def hawk(seat: Seat) -> str:
        return _yes(seats[seat - 1] in flightless)

    def crow(seat: Seat) -> str:
        appears = seats[seat - 1] in (Bird.RAVEN, Bird.CROW) or Bird.CROW in flightless
        return _yes(appears)

    def lark(seat: Seat) -> str:
        own = drafter[Bird.LARK]
        opposing = (bird for bird in _visitors(visits, seat) if drafter.get(bird, own) != own)
        return _seats(seat_of[bird] for bird in opposing)

    def owl(seat: Seat) -> str:
        return _at(seat, [bird for bird in _visitors(visits, seat) if bird is not Bird.OWL])

    def eagle(seat: Seat) -> str:
        visited = visits.get(seats[seat - 1], ())
        seen = [seats[place - 1] for place in visited]
        return _at(seat, [bird for bird in BIRDS if bird in seen])

    def penguin() -> str:
        place = seats.index(Bird.PENGUIN)
        neighbours = (seats[place - 1], seats[(place + 1) % len(seats)])
        return _yes(any(bird in flightless for bird in neighbours))

    def lovebird_b() -> str:
        visitors = _visitors(visits, seat_of[Bird.LOVEBIRD_B])
        return _seats(seat_of[bird] for bird in visitors if bird not in (Bird.LOVEBIRD_A, Bird.LOVEBIRD_B))

    texts = {bird: NOTHING for bird in BIRDS if bird in drafter}
    for bird, respond in ((Bird.PENGUIN, penguin), (Bird.LOVEBIRD_B, lovebird_b)):  # rule 10
        if bird is not blocked:
            texts[bird] = respond()
    sent = ((Bird.HAWK, hawk), (Bird.CROW, crow), (Bird.LARK, lark), (Bird.OWL, owl), (Bird.EAGLE, eagle))
    for bird, answer in sent:
        if bird in visits:
            texts[bird] = answer(visits[bird][0])
    if Bird.PARROT in visits:  # last: it repeats what another bird was told, and at its own seat there is nothing yet
        texts[Bird.PARROT] = texts.get(seats[visits[Bird.PARROT][0] - 1], NOTHING)
    return texts


def _yes(answer: bool) -> str:
    return "Yes" if answer else "No"


def _seats(seats: Iterable[Seat]) -> str:
    return ", ".join(str(seat) for seat in sorted(seats)) or NOTHING


def _at(seat: Seat, birds: Collection[Bird]) -> str:
    return f"{seat}: {', '.join(NAMES[bird] for bird in birds)}" if birds else NOTHING
