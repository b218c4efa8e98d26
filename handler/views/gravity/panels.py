"""A player's private panel of Gravity Pandemic: the head, what the player lawfully knows, the choice."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from engine.game import Phase
from engine.gravity.birds import RULEBOOK
from engine.gravity.choices import options
from engine.gravity.facts import GuessTold, NightTold, RevealTold
from engine.gravity.moves import Move
from engine.gravity.view import ActionOptions, GuessOptions, Options, RevealOptions, View
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Message
from handler.views.gravity import actions, guesses, reveals
from handler.views.gravity.choice import Choice
from handler.views.gravity.terms import bird_name, known, place, points, who
from handler.views.gravity.told import responses
from handler.views.layout import isolated, lines, listed, paragraphs, press, until
from handler.words import plain, say


def panel(frame: Frame, view: View, phase: Phase, sealed: Move | None, final: bool, menu: str) -> Message | None:
    """The panel of the open phase; None in a draft (its buttons are under the group's board) and for lookers-on."""
    if view.viewer not in phase.active:
        return None
    offered = options(view)
    settled = final or frame.closed
    choice = _settled(frame, view, offered, sealed) if settled else _open(frame, view, offered, sealed, menu)
    if choice is None:
        return None
    return Message(paragraphs(_head(frame, view), lines(known(view.board), *_told(view)), choice.text), choice.keyboard)


def _open(frame: Frame, view: View, offered: Options, sealed: Move | None, menu: str) -> Choice | None:
    match offered:
        case RevealOptions():
            return reveals.choice(frame, offered, sealed)
        case ActionOptions():
            return actions.choice(frame, view, offered, sealed, menu)
        case GuessOptions():
            return guesses.choice(frame, view.board.period, offered, sealed, menu)
        case _:
            return None


def _settled(frame: Frame, view: View, offered: Options, sealed: Move | None) -> Choice | None:
    """What is locked in, with the way back; or, once the phase is over, what counted."""
    match offered:
        case RevealOptions():
            what = reveals.made(sealed)
        case ActionOptions():
            what = actions.made(view, sealed)
        case GuessOptions():
            what = guesses.made(sealed)
        case _:
            return None
    if frame.closed:
        return Choice(lines(say("notes.silent.phase" if frame.silent else "gravity.panel.counted"), what), ())
    change = press(frame, Verb.UNLOCK, "", plain("gravity.panel.change"))
    return Choice(paragraphs(lines(say("gravity.panel.locked"), what), say("gravity.panel.hint")), ((change,),))


def _head(frame: Frame, view: View) -> Markup:
    """Which match, where in it, the score and until when: one person may play several matches at once."""
    mine, other = (0, 1) if view.viewer == 0 else (1, 0)
    scores = view.board.scores
    return lines(
        say("gravity.panel.head", title=isolated(frame.title), place=place(view.board)),
        say("gravity.score.mine", mine=points(scores[mine]), other=who(frame, other), theirs=points(scores[other])),
        until(frame),
    )


def _told(view: View) -> Iterator[Markup]:
    """What this player was told in private this round: the named bird's seat; by day the last night's responses too."""
    for told in view.told:
        if isinstance(told, RevealTold) and told.bird is not None and told.seat is not None:
            yield say("gravity.known.seat", bird=bird_name(told.bird), seat=told.seat)
    if view.board.stage != "guesses":
        return
    nights = [told for told in view.told if isinstance(told, NightTold)]
    if nights:
        yield lines(say("gravity.known.night", night=nights[-1].night), responses(nights[-1]))
    wrong = {told.guess for told in view.told if isinstance(told, GuessTold) and told.guess and told.delta < 0}
    if wrong:
        ordered = sorted(wrong, key=lambda guess: (guess.seat, RULEBOOK[guess.bird]))
        pairs = listed(say("gravity.bird.at", seat=guess.seat, bird=bird_name(guess.bird)) for guess in ordered)
        yield say("gravity.known.wrong", guesses=pairs)
