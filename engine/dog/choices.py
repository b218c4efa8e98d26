"""What a viewer may do now: ``check``, ``options`` and ``amend``, pure functions of the view (and never of a state).

Screens import this module to offer only what is legal; ``engine.dog.rules`` puts it into the game's contract.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.dog.events import CARDS, EVENTS, VP_EVENTS, Card, Event, Tokens
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.refusals import Code, refuse
from engine.dog.view import ChoiceOptions, Options, PlayOptions, View
from engine.game import Refusal

REACH: Final = 2
"""How far from the card played the value wanted from the Exchange Store may be (rule 2)."""

_STAGE: Final[dict[type[Move], str]] = {Play: "round", Withdraw: "round", Challenge: "choice", Decline: "choice"}


def refused(play: Play, hand: Sequence[Card] | None, tokens: Tokens) -> Code | None:
    """Why a play is refused (rules 1 to 3) with this hand and the tokens where they lie, or None.

    Without a hand any card may be played.
    """
    if play.card not in CARDS:
        return "no-such-card"
    if hand is not None and play.card not in hand:
        return "not-in-hand"
    if play.events[0] is play.events[1]:
        return "same-event"
    return _gain(play) or _movement(play, tokens)


def values(card: Card) -> tuple[Card, ...]:
    """What the Exchange Store may be asked for with a card (rule 2), ascending."""
    return tuple(value for value in CARDS if abs(value - card) <= REACH)


def _gain(play: Play) -> Code | None:
    """Rule 2."""
    if Event.EXCHANGE_STORE not in play.events:
        return None if play.gain is None else "value-without-store"
    if play.gain is None:
        return "no-value"
    return None if play.gain in values(play.card) else "value-out-of-reach"


def _movement(play: Play, tokens: Tokens) -> Code | None:
    """Rule 3."""
    movement = play.movement
    if movement is None:
        return None
    if Event.BRIBING_THE_DOG not in play.events:
        return "movement-without-bribe"
    if movement.origin not in VP_EVENTS or movement.goal not in VP_EVENTS:
        return "no-tokens-there"
    if movement.origin is movement.goal:
        return "same-place"
    return None if tokens.holds(movement) else "no-such-token"


def check(view: View, move: Move) -> Refusal | None:
    """Why this viewer may not make this move now, or None."""
    code = _refusal(view, move)
    return None if code is None else refuse(code)


def _refusal(view: View, move: Move) -> Code | None:
    if view.viewer is None:
        return "not-a-player"
    if view.board.stage == "over":
        return "match-over"
    if _STAGE[type(move)] != view.board.stage:
        return "wrong-phase"
    match move:
        case Play():
            return refused(move, view.hand, view.board.tokens)
        case Withdraw():
            return None
        case Challenge() | Decline():
            return _choice(view, move)


def _choice(view: View, move: Challenge | Decline) -> Code | None:
    """Rule 16. The host declines in the candidate's name: it is the candidate's choice that then does not matter."""
    named = view.board.candidate
    assert named is not None, "somebody has the choice"
    if named.candidate != view.viewer:
        return "not-the-candidate"
    if isinstance(move, Decline) or move.opponent is None:
        return None
    return None if move.opponent in named.eligible else "not-eligible"


def options(view: View) -> Options:
    """Everything ``check`` admits for this viewer now, apart from withdrawing, leaving it to the lot, and declining."""
    board, named = view.board, view.board.candidate
    if board.stage == "round" and view.hand:
        cards = tuple(sorted(set(view.hand)))
        return PlayOptions(
            cards, EVENTS, tuple((card, values(card)) for card in cards), tuple(board.tokens.movements())
        )
    if board.stage == "choice" and named is not None and named.candidate == view.viewer:
        return ChoiceOptions(named.eligible)
    return None


def amend(sealed: Move | None, move: Move) -> Move:
    """What is sealed when ``move`` arrives after ``sealed``: the later replaces the earlier (rule 4)."""
    return move
