"""Button presses in an open phase: a move sealed, a lock, a menu."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.game import BadNotation, Player, Refusal
from handler import people, sequence, voices
from handler.buttons import PhasePress, Verb
from handler.codec import read_telling
from handler.match import Made, Match
from handler.noting import panel_notes
from handler.replies import Edit, make, redraw_last, toast
from handler.rights import is_here
from handler.screening import panel, stale_panel
from handler.table import Outcome, Ports, change
from handler.telling import settle_afterwards
from handler.updates import Pressed
from handler.views import VIEWS
from handler.views.layout import cleaned
from handler.words import plain, speaking


@dataclass(frozen=True)
class Answer:
    """What a press is answered: a toast, and whether its panel is out of date."""

    text: str = ""
    stale: bool = False


def phase_press(ports: Ports, pressed: Pressed, press: PhasePress) -> Edit | None:
    """Seal, lock or show: stored first, then answered, then the panel is drawn, then everybody else is told. Where
    nobody is to be told, the panel's edit may be left to whoever brought the press.
    """

    def decide(match: Match) -> tuple[Match, Answer]:
        with speaking(voices.seated(match, pressed.who)):
            return _decide(match, pressed, press)

    outcome = change(ports, press.match, decide)
    if outcome is None:
        toast(ports, pressed, plain("table.toast.gone"))
        return None
    language = voices.seated(outcome.match, pressed.who)
    with speaking(language):
        edit = _show(ports, replace(pressed, who=replace(pressed.who, language=language)), press, outcome)
    if edit is not None and outcome.tells:
        make(ports, edit)  # what is told may put something newer in the same panel
        edit = None
    settle_afterwards(ports, outcome)
    return edit


def _show(ports: Ports, pressed: Pressed, press: PhasePress, outcome: Outcome[Answer]) -> Edit | None:
    answer, match = outcome.answer, outcome.match
    known = toast(ports, pressed, answer.text)
    player = match.player(pressed.who.id)
    if pressed.private and player is not None and not _is_board(outcome, pressed):
        if answer.stale:
            return redraw_last(ports, pressed, stale_panel(match, player, press.number), known=known)
        if match.number == press.number:
            menu = press.arg if press.verb is Verb.MENU else ""
            shown = panel_notes(match, player, menu) or panel(match, player, menu)
            if shown is not None:
                return redraw_last(ports, pressed, shown, known=known)
    return None


def _decide(match: Match, pressed: Pressed, press: PhasePress) -> tuple[Match, Answer]:
    player = match.player(pressed.who.id)
    if player is None:
        return match, Answer(plain("table.toast.stranger" if is_here(match, pressed) else "table.toast.gone"))
    if match.stage != "playing" or press.number != match.number:
        counted = _counted(match, player, press)
        return match, counted or Answer(plain("table.toast.phase_over"), stale=True)
    if _is_paused(match, player, pressed, press):
        return match, Answer(plain("calls.pause.press", name=cleaned(match.host_name)))
    if pressed.private:
        match = people.found(match, pressed.who)
    views = VIEWS[match.game]
    match press.verb:
        case Verb.MENU:
            return match, Answer()
        case Verb.LOCK | Verb.UNLOCK if match.phase is None or match.phase.instant or player not in match.phase.active:
            return match, Answer(plain("table.toast.broken"))
        case Verb.LOCK | Verb.UNLOCK:
            locks = press.verb is Verb.LOCK
            said = views.locked(match.view(player), locks)
            return _count(match, player, pressed, Made(pressed.update, None, locks), said)
        case Verb.SEAL | Verb.FINAL:
            try:
                move = match.engine.read(press.arg)
            except BadNotation:
                return match, Answer(plain("table.toast.broken"))
            if not _is_for_panels(match, move):
                return match, Answer(plain("table.toast.broken"))
            made = Made(pressed.update, press.arg, press.verb is Verb.FINAL)
            return _count(match, player, pressed, made, views.sealed(move))


def _is_paused(match: Match, player: Player, pressed: Pressed, press: PhasePress) -> bool:
    """Whether the match is paused, so that a press changes nothing, unless it has counted before."""
    if match.paused is None or press.verb is Verb.MENU:
        return False
    return not sequence.has_counted(match, player, pressed.update)


def _count(match: Match, player: Player, pressed: Pressed, made: Made, said: str) -> tuple[Match, Answer]:
    """Count a press in its place among the player's others, and say what it did. Whoever makes one plays on."""
    counted = sequence.count(match, player, made)
    if isinstance(counted, Refusal):
        return match, Answer(VIEWS[match.game].refusal(counted.code))
    counted = people.returned(counted, pressed.who.id, made.update)
    if sequence.is_forgotten(counted, player, made.update):
        return counted, Answer(plain("table.toast.too_late"))
    return counted, Answer(said if sequence.is_latest(counted, player, made.update) else plain("table.toast.late"))


def _is_board(outcome: Outcome[Answer], pressed: Pressed) -> bool:
    """Whether the press was on the group's board, which in a practice match stands in the private chat too."""
    if pressed.place is None or outcome.match.place.chat != pressed.place.chat:
        return False
    board = read_telling(outcome.item.telling).board
    return board is not None and (board.chat, board.message) == (pressed.place.chat, pressed.message)


def _counted(match: Match, player: Player, press: PhasePress) -> Answer | None:
    """The answer to a turn's press that comes a second time: the first has closed the phase, so it did count."""
    steps = () if match.record is None else match.record.steps
    if press.verb not in (Verb.SEAL, Verb.FINAL) or press.number >= len(steps):
        return None
    phase = match.engine.phase(match.history[press.number].state)
    if phase is None or phase.active != (player,) or steps[press.number].get(player) != press.arg:
        return None
    move = match.engine.read(press.arg)
    return Answer(VIEWS[match.game].sealed(move)) if _is_for_panels(match, move) else None


def _is_for_panels(match: Match, move: Any) -> bool:
    """Whether a button of a phase may carry a move: not the host's, nor resigning, which is asked about first."""
    return not match.engine.hosted(move) and move != match.engine.resign
