"""Why a move of Dog's Judgement may be refused: every code there is, for the message catalogue to word."""

from __future__ import annotations

from typing import Final, Literal, get_args

from engine.game import Refusal

Code = Literal[
    "not-a-player",  # the public has no move
    "match-over",
    "wrong-phase",  # the move belongs to another phase
    "no-such-card",  # cards are 1 to 7
    "not-in-hand",  # rule 1: the card has been played, or was never there
    "same-event",  # rule 1: two different events
    "no-value",  # rule 2: the Exchange Store is not told which card is wanted
    "value-without-store",  # rule 2: nothing is wanted anywhere else
    "value-out-of-reach",  # rule 2: within 2 of the card, from 1 to 7
    "movement-without-bribe",  # rule 3: only a bribe moves a token
    "no-tokens-there",  # rule 3: tokens lie on, and go to, the three VP events
    "no-such-token",  # rule 3: there is no such token where it would be taken from
    "same-place",  # rule 3: to another event
    "not-the-candidate",  # rule 16: somebody else chooses
    "not-eligible",  # rule 16: holds a Token of Life, or is the candidate
]

CODES: Final[tuple[str, ...]] = get_args(Code)


def refuse(code: Code) -> Refusal:
    """A refusal for one of this game's reasons."""
    return Refusal(code)
