"""Which birds are sent where: the table of actions, and what public facts forbid (rules 7 to 10)."""

from __future__ import annotations

from typing import Final

from engine.gravity.birds import BIRDS, SEATS, Bird, Seat
from engine.gravity.moves import Target
from engine.gravity.refusals import Code

Revealed = tuple[tuple[Seat, Bird], ...]
"""The publicly revealed seats with their birds."""

NAME_SEATS: Final = (Bird.HAWK, Bird.CROW, Bird.OWL, Bird.EAGLE, Bird.PARROT, Bird.RAVEN)
NAME_BIRDS: Final = (Bird.HAWK, Bird.LARK, Bird.RAVEN)
SENT: Final = tuple(bird for bird in BIRDS if bird in NAME_SEATS or bird in NAME_BIRDS)
"""Birds that need a submission; the others work, or walk, by themselves (rule 10)."""


def hidden_seats(revealed: Revealed) -> tuple[Seat, ...]:
    """The seats not publicly revealed, ascending."""
    known = [seat for seat, _ in revealed]
    return tuple(seat for seat in SEATS if seat not in known)


def hidden_birds(revealed: Revealed) -> tuple[Bird, ...]:
    """The birds not publicly revealed, rulebook order."""
    known = [bird for _, bird in revealed]
    return tuple(bird for bird in BIRDS if bird not in known)


def refused(bird: Bird, target: Target, revealed: Revealed) -> Code | None:
    """Why ``bird`` may not be sent to ``target``, from public facts alone (rule 7).

    The Raven may name itself, which does nothing (rule 12): where it sits is no public fact, so its own seat number
    cannot be refused, and then neither is its name.
    """
    if bird not in SENT:
        return "takes-no-target"
    if isinstance(target, Bird):
        if bird not in NAME_BIRDS:
            return "takes-a-seat"
        return "bird-revealed" if target in [known for _, known in revealed] else None
    if bird not in NAME_SEATS:
        return "takes-a-bird"
    if target not in SEATS:
        return "no-such-seat"
    return "seat-revealed" if target in [known for known, _ in revealed] else None
