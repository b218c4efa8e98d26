"""The choice of a guess: a seat, then a bird, then a confirmation; or none (rules 16 to 18)."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from engine.gravity.birds import LETTERS, Bird, Seat
from engine.gravity.moves import Guess, Move, Pass
from engine.gravity.notation import write as notation
from engine.gravity.view import GuessOptions
from handler.buttons import Verb
from handler.frame import Frame
from handler.views.gravity.choice import Choice
from handler.views.gravity.terms import bird_name
from handler.views.layout import paragraphs, press, rows
from handler.words import plain, say

_NONE: Final = "none"
"""The menu's place that asks whether to make no guess."""


def made(sealed: Move | None) -> Markup:
    """The guess that counts."""
    if isinstance(sealed, Guess):
        return say("gravity.guesses.guess", seat=sealed.seat, bird=bird_name(sealed.bird))
    return say("gravity.guesses.none")


def choice(frame: Frame, period: int, offered: GuessOptions, sealed: Move | None, menu: str) -> Choice:
    """A page by the menu's place: ``5`` asks for seat 5's bird, ``5h`` to confirm, ``none`` whether to make no guess,
    all else for a seat.
    """
    if menu == _NONE and not isinstance(sealed, Guess):
        return _no_guess(frame)
    found = re.fullmatch(r"([1-9][0-9]?)([a-z]?)", menu)
    if found is None or int(found[1]) not in offered.seats:
        return _seats(frame, period, offered, sealed)
    seat = int(found[1])
    if not found[2]:
        return _birds(frame, offered, sealed, seat)
    for bird in offered.birds:
        if found[2] == LETTERS[bird]:
            return _confirm(frame, sealed, seat, bird)
    return _seats(frame, period, offered, sealed)


def _standing(sealed: Move | None) -> Markup:
    """What counts while the player looks for something else: a confirmed guess stays until another is confirmed."""
    if isinstance(sealed, Guess):
        return say("gravity.guesses.standing", seat=sealed.seat, bird=bird_name(sealed.bird))
    return say("gravity.guesses.standing_none")


def _seats(frame: Frame, period: int, offered: GuessOptions, sealed: Move | None) -> Choice:
    # What ends the period stands above the seats: the night's orders are locked in with the lowest button, and this
    # panel may open under the finger that has just done so.
    seats = rows([press(frame, Verb.MENU, str(seat), str(seat)) for seat in offered.seats], 4)
    text = paragraphs(say("gravity.guesses.ask"), _standing(sealed), say("gravity.guesses.seat"))
    if not isinstance(sealed, Guess):
        label = plain("gravity.guesses.pass_button")
        asks = period > 1  # the panel of the period before had the button in the same place
        nothing = press(frame, *((Verb.MENU, _NONE) if asks else (Verb.FINAL, notation(Pass()))), label)
        return Choice(text, ((nothing,), *seats))
    keep = press(frame, Verb.LOCK, "", plain("gravity.guesses.keep_button"))
    withdraw = press(frame, Verb.FINAL, notation(Pass()), plain("gravity.guesses.withdraw_button"))
    return Choice(text, ((keep,), (withdraw,), *seats))


def _no_guess(frame: Frame) -> Choice:
    """Whoever makes no guess in a later period of a day is asked once: its panel may open under a finger that has just
    pressed No guess, or confirmed a guess, in the one before.
    """
    confirm = press(frame, Verb.FINAL, notation(Pass()), plain("gravity.guesses.no_guess_button"))
    back = press(frame, Verb.MENU, "", plain("gravity.panel.back"))
    return Choice(say("gravity.guesses.no_guess"), ((confirm,), (back,)))


def _birds(frame: Frame, offered: GuessOptions, sealed: Move | None, seat: Seat) -> Choice:
    birds = [press(frame, Verb.MENU, f"{seat}{LETTERS[bird]}", bird_name(bird)) for bird in offered.birds]
    back = press(frame, Verb.MENU, "", plain("gravity.guesses.other_seat"))
    return Choice(paragraphs(_standing(sealed), say("gravity.guesses.bird", seat=seat)), (*rows(birds, 3), (back,)))


def _confirm(frame: Frame, sealed: Move | None, seat: Seat, bird: Bird) -> Choice:
    asked = "gravity.guesses.confirm_raven" if bird is Bird.RAVEN else "gravity.guesses.confirm"
    confirm = press(frame, Verb.FINAL, notation(Guess(seat, bird)), plain("gravity.guesses.confirm_button"))
    back = press(frame, Verb.MENU, str(seat), plain("gravity.guesses.other_bird"))
    return Choice(paragraphs(_standing(sealed), say(asked, seat=seat, bird=bird_name(bird))), ((confirm,), (back,)))
