"""A player's private panel of Dog's Judgement: the head, what the player holds, the choice."""

from __future__ import annotations

from markupsafe import Markup

from engine.dog.choices import options
from engine.dog.moves import Move
from engine.dog.view import ChoiceOptions, PlayOptions, View
from engine.game import Phase
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Keyboard, Message
from handler.views.dog import challenge, plays
from handler.views.dog.terms import mine, place, table
from handler.views.layout import isolated, lines, paragraphs, press, until
from handler.words import plain, say


def panel(frame: Frame, view: View, phase: Phase, sealed: Move | None, final: bool, menu: str) -> Message | None:
    """The panel of the open phase; None for lookers-on, and while somebody else chooses an opponent."""
    if view.viewer not in phase.active:
        return None
    choice = _choice(frame, view, sealed, final, menu)
    in_play = view.board.stage in ("pregame", "round")
    known = (table(view.board), mine(view.hand, view.points)) if in_play else ()
    return Message(paragraphs(_head(frame, view), *known, choice.text), choice.keyboard)


def _choice(frame: Frame, view: View, sealed: Move | None, final: bool, menu: str) -> Message:
    """What is asked, or what is settled, with its buttons."""
    settled = final or frame.closed
    match options(view):
        case PlayOptions() as offered:
            if settled:
                return _settled(frame, plays.settled(frame, sealed), say("dog.round.hint"))
            return plays.choice(frame, view, offered, sealed, menu)
        case ChoiceOptions() as offered:
            return challenge.settled(frame, sealed) if settled else challenge.choice(frame, view, offered, menu)
        case None if view.board.stage == "pregame":
            if settled:
                over = say("dog.pregame.over") if frame.closed else None
                return _settled(frame, over, say("dog.pregame.hint"))
            ask = say("dog.pregame.ask_alone" if frame.private else "dog.pregame.ask")
            return _ready(frame, paragraphs(ask, say("dog.pregame.ready")))
        case None:
            if settled:
                return _settled(frame, plays.empty(frame), None)
            return _ready(frame, say("dog.round.empty"))


def _settled(frame: Frame, what: Markup | None, hint: Markup | None) -> Message:
    """That the player is ready, with the way back; nothing to press once the phase is over."""
    if frame.closed:
        return Message(paragraphs(what))
    back: Keyboard = ((press(frame, Verb.UNLOCK, "", plain("dog.panel.not_ready")),),)
    return Message(paragraphs(lines(say("dog.panel.is_ready"), what), hint), back)


def _ready(frame: Frame, text: Markup) -> Message:
    """Nothing to choose but to be ready."""
    return Message(text, ((press(frame, Verb.LOCK, "", plain("dog.panel.ready")),),))


def _head(frame: Frame, view: View) -> Markup:
    """Which match, where in it, and until when: one person may play several matches at once."""
    return lines(say("dog.panel.head", title=isolated(frame.title), place=place(view.board)), until(frame))
