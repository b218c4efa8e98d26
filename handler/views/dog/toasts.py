"""The short answers to a press in Dog's Judgement: plain text, at most 200 characters, no theatre."""

from __future__ import annotations

from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.view import View
from handler.views.dog.terms import played
from handler.words import plain


def refusal(code: str) -> str:
    """Why the press was refused (answerCallbackQuery's text)."""
    return plain(f"dog.refused.{code}")


def sealed(move: Move) -> str:
    """What was just sealed (answerCallbackQuery's text)."""
    match move:
        case Play():
            return plain("dog.sealed.play", play=played(move))
        case Withdraw():
            return plain("dog.sealed.withdrawn")
        case Challenge(opponent=None):
            return plain("dog.sealed.lot")
        case Challenge():
            return plain("dog.sealed.challenge")
        case Decline():
            return plain("dog.sealed.declined")


def locked(view: View, final: bool) -> str:
    """That the player is ready, or not any more (answerCallbackQuery's text)."""
    if final:
        return plain("dog.toast.ready")
    return plain("dog.toast.not_ready") if view.board.stage == "pregame" else plain("dog.toast.not_ready_played")
