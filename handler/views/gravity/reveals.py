"""The choice of a private reveal: one bird or none (rules 1 to 3)."""

from __future__ import annotations

from markupsafe import Markup

from engine.gravity.moves import Move, Reveal
from engine.gravity.notation import write as notation
from engine.gravity.view import RevealOptions
from handler.buttons import Verb
from handler.frame import Frame
from handler.views.gravity.choice import Choice
from handler.views.gravity.terms import bird_name
from handler.views.layout import lines, paragraphs, press, rows
from handler.words import plain, say


def made(sealed: Move | None) -> Markup:
    """The choice that counts; silence is none."""
    if isinstance(sealed, Reveal) and sealed.bird is not None:
        return say("gravity.reveals.bird", bird=bird_name(sealed.bird))
    return say("gravity.reveals.none")


def choice(frame: Frame, offered: RevealOptions, sealed: Move | None) -> Choice:
    """The birds that may be named, or none; a chosen one can be locked in."""
    birds = [
        press(frame, Verb.SEAL, notation(Reveal(bird)), bird_name(bird), ticked=sealed == Reveal(bird))
        for bird in offered.birds
    ]
    label = plain("gravity.reveals.none_button")
    nobody = press(frame, Verb.SEAL, notation(Reveal(None)), label, ticked=sealed == Reveal(None))
    keyboard = (*rows(birds, 3), (nobody,))
    if sealed is None:
        return Choice(paragraphs(say("gravity.reveals.ask"), say("gravity.reveals.silence")), keyboard)
    lock = press(frame, Verb.LOCK, "", plain("gravity.panel.lock"))
    text = paragraphs(say("gravity.reveals.ask"), lines(made(sealed), say("gravity.panel.counts")))
    return Choice(text, (*keyboard, (lock,)))
