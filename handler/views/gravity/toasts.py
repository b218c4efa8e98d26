"""The short answers to a press in Gravity Pandemic: plain text, at most 200 characters, no theatre."""

from __future__ import annotations

from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pass, Pick, Resign, Reveal
from engine.gravity.view import View
from handler.views.gravity.terms import bird_name, sent
from handler.words import plain


def refusal(code: str) -> str:
    """Why the press was refused (answerCallbackQuery's text)."""
    return plain(f"gravity.refused.{code}")


def sealed(move: Move) -> str:
    """What was just sealed (answerCallbackQuery's text)."""
    match move:
        case Reveal(bird=bird) if bird is not None:
            return plain("gravity.sealed.reveal", bird=bird_name(bird))
        case Reveal():
            return plain("gravity.sealed.reveal_none")
        case Pick(bird=bird) | HostPick(bird=bird):
            return plain("gravity.sealed.pick", bird=bird_name(bird))
        case Here():
            return plain("gravity.sealed.here")
        case Actions(targets=((bird, target),)):
            return plain("gravity.sealed.action", text=sent(bird, target))
        case Actions():
            return plain("gravity.sealed.actions")
        case Guess(seat=seat, bird=bird):
            return plain("gravity.sealed.guess", seat=seat, bird=bird_name(bird))
        case Pass():
            return plain("gravity.sealed.none")
        case Resign():
            return plain("gravity.sealed.resigned")


def locked(view: View, final: bool) -> str:
    """That the choice is locked in, or open again (answerCallbackQuery's text)."""
    return plain("gravity.toast.locked") if final else plain("gravity.toast.unlocked")
