"""Why a move of Gravity Pandemic may be refused: every code there is, for the message catalogue to word."""

from __future__ import annotations

from typing import Final, Literal, get_args

from engine.game import Refusal

Code = Literal[
    "not-a-player",  # the public has no move
    "match-over",
    "wrong-phase",  # the move belongs to another phase
    "raven-unnameable",  # rule 1: nobody is told where the Raven sits
    "bird-used",  # rule 3: named in an earlier round
    "not-your-turn",  # rule 4: the other one drafts
    "bird-undrafted",  # rule 4: Lovebird A is nobody's
    "bird-taken",  # rule 4: drafted already tonight
    "not-idle",  # rule 6: the bot does not pick for you
    "your-turn",  # rule 6: you are back by picking now
    "not-your-bird",  # you did not draft it tonight
    "bird-twice",  # one bird, two targets
    "takes-no-target",  # rule 10: it works by itself
    "takes-a-seat",  # it cannot be sent to a bird by name
    "takes-a-bird",  # it cannot be sent to a seat
    "no-such-seat",  # seats are 1 to 11
    "seat-revealed",  # rules 8 and 18
    "bird-revealed",  # rules 8 and 18
    "own-reveal",  # rules 2 and 18: you were told where this bird sits
]

CODES: Final[tuple[str, ...]] = get_args(Code)


def refuse(code: Code) -> Refusal:
    """A refusal for one of this game's reasons."""
    return Refusal(code)
