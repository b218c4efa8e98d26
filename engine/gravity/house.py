"""The house player: a beginner who plays legally, remembers what they were told and guesses from it.

It sees a view, so it can know nothing that a person in its place would not. Its chance comes from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from engine.game import Draw
from engine.gravity.birds import NAMES, Bird, Seat
from engine.gravity.choices import options
from engine.gravity.facts import GuessTold, NightTold, Response, RevealTold
from engine.gravity.moves import Actions, Guess, Move, Pass, Pick, Reveal, Target
from engine.gravity.view import ActionOptions, DraftOptions, GuessOptions, RevealOptions, View

_BIRD_NAMED: Final = {name: bird for bird, name in NAMES.items()}
_TIMID: Final = 4
"""One suspicion in so many is kept to itself."""

T = TypeVar("T")


def house(view: View, draw: Draw) -> Move:
    """The move in the open phase of a player who is active in it; ValueError for anybody else."""
    match options(view):
        case RevealOptions(birds):
            return Reveal(_one(birds, draw) if birds else None)
        case DraftOptions(birds) if birds:
            return Pick(_one(birds, draw))
        case ActionOptions(birds):
            return Actions(tuple((bird, _target(view, seats, names, draw)) for bird, seats, names in birds))
        case GuessOptions() as offered:
            return _guess(view, offered, draw)
        case _:
            raise ValueError("the house player is not to move")


def _one(items: Sequence[T], draw: Draw) -> T:
    return items[draw(len(items))]


def _target(view: View, seats: Sequence[Seat], birds: Sequence[Bird], draw: Draw) -> Target | None:
    """Anything allowed, but rather not the seat whose bird it has been told."""
    told = [fact.seat for fact in view.told if isinstance(fact, RevealTold)]
    curious: list[Target] = [seat for seat in seats if seat not in told] + list(birds)
    targets = curious or list(seats)
    return _one(targets, draw) if targets else None


def _guess(view: View, offered: GuessOptions, draw: Draw) -> Guess | Pass:
    wrong = [fact.guess for fact in view.told if isinstance(fact, GuessTold) and fact.delta < 0]

    def open_to(guess: Guess) -> bool:
        return guess.seat in offered.seats and guess.bird in offered.birds and guess not in wrong

    certain = [guess for guess in _seen(view) if open_to(guess)]
    if certain:
        return certain[0]
    suspected = [guess for guess in _suspected(view) if open_to(guess)]
    if suspected and draw(_TIMID):
        return _one(suspected, draw)
    return Pass()


def _nights(view: View) -> Iterator[dict[Bird, Response]]:
    for fact in view.told:
        if isinstance(fact, NightTold):
            yield {response.bird: response for response in fact.responses}


def _seen(view: View) -> Iterator[Guess]:
    """What follows from Owl and Eagle: only Lovebird A visits several birds, and whom a bird was sent to by name is
    at the seat where that bird was seen.
    """
    for night in _nights(view):
        for watcher in (Bird.OWL, Bird.EAGLE):
            seat, birds = _list(night.get(watcher))
            if seat is None:
                continue
            if watcher is Bird.EAGLE and len(birds) > 1:
                yield Guess(seat, Bird.LOVEBIRD_A)
            for bird in birds:
                sent = night[bird].target if watcher is Bird.OWL and bird in night else None
                if isinstance(sent, Bird):
                    yield Guess(seat, sent)


def _list(response: Response | None) -> tuple[Seat | None, tuple[Bird, ...]]:
    """A response like ``9: Lark, Parrot`` taken apart; a seat of None if there is none."""
    if response is None or ": " not in response.text:
        return None, ()
    seat, names = response.text.split(": ")
    return int(seat), tuple(_BIRD_NAMED[name] for name in names.split(", "))


def _suspected(view: View) -> tuple[Guess, ...]:
    """The Raven wherever the Crow said Yes, unless it also said No there or another bird is known to sit there."""
    told = [fact.seat for fact in view.told if isinstance(fact, RevealTold)]
    said = [night[Bird.CROW] for night in _nights(view) if Bird.CROW in night]
    cleared = [response.target for response in said if response.text == "No"]
    suspects = [response.target for response in said if response.text == "Yes"]
    return tuple(
        Guess(seat, Bird.RAVEN)
        for seat in sorted({seat for seat in suspects if isinstance(seat, int)})
        if seat not in told and seat not in cleared
    )
