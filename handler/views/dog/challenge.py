"""The Elimination Candidate's choice of an opponent: a player or the lot, then a confirmation (rule 16)."""

from __future__ import annotations

from markupsafe import Markup

from engine.dog.facts import RoundResolved
from engine.dog.moves import Challenge, Decline, Move
from engine.dog.notation import write as notation
from engine.dog.view import ChoiceOptions, View
from engine.game import Player
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Message
from handler.views.dog.terms import amounts, people, who
from handler.views.layout import lines, paragraphs, press, rows
from handler.words import plain, say


def settled(frame: Frame, sealed: Move | None) -> Message:
    """What was chosen, or that the host has declined. There is nothing to press: the choice ends with it."""
    if isinstance(sealed, Decline):
        return Message(say("dog.challenge.declined"))
    if frame.silent:
        return Message(say("notes.silent.choice"))
    return Message(lines(say("dog.challenge.counted"), _made(frame, sealed)))


def _made(frame: Frame, sealed: Move | None) -> Markup:
    match sealed:
        case Challenge(opponent=int() as opponent):
            return say("dog.challenge.chosen", name=who(frame, opponent))
        case _:
            return say("dog.challenge.left")


def choice(frame: Frame, view: View, offered: ChoiceOptions, menu: str) -> Message:
    """Everybody who can be challenged, or the confirmation of one choice, whose notation is the menu's place."""
    moves = [Challenge(player) for player in offered.players]
    for move in (*moves, Challenge(None)):
        if menu == notation(move):
            return _confirm(frame, offered, move)
    players = [press(frame, Verb.MENU, notation(Challenge(player)), who(frame, player)) for player in offered.players]
    lot = press(frame, Verb.MENU, notation(Challenge(None)), plain("dog.challenge.lot"))
    known = (
        say("dog.challenge.line", name=who(frame, player), rounds=_rounds(view, player)) for player in offered.players
    )
    text = paragraphs(say("dog.challenge.ask"), lines(say("dog.challenge.known"), *known), say("dog.challenge.silence"))
    return Message(text, (*rows(players, 1), (lot,)))


def _rounds(view: View, player: Player) -> str:
    """In how many rounds a player scored in each VP event, from what was announced."""
    charge, remove, median = (
        sum(_scored(announced, place, player) for announced in view.board.announced) for place in range(3)
    )
    return amounts((charge, remove, median))


def _scored(announced: RoundResolved, place: int, player: Player) -> bool:
    return player in announced.scored[place]


def _confirm(frame: Frame, offered: ChoiceOptions, move: Challenge) -> Message:
    back = press(frame, Verb.MENU, "", plain("dog.panel.back"))
    if move.opponent is None:
        text = say("dog.challenge.confirm_lot", names=people(frame, offered.players))
        label = plain("dog.challenge.confirm_lot_button")
    else:
        text = say("dog.challenge.confirm", name=who(frame, move.opponent))
        label = plain("dog.challenge.confirm_button")
    return Message(text, ((press(frame, Verb.FINAL, notation(move), label),), (back,)))
