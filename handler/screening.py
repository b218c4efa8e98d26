"""From a match to its screens: the one place that takes views out of a state and hands them to the renderers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.game import Player
from handler.buttons import Verb
from handler.frame import Frame
from handler.lobby import card_view, displayed, occupant
from handler.match import Match, pause_mark
from handler.message import Keyboard, Message
from handler.silence import was_silent
from handler.views import VIEWS, calls, lobby, notebook, talk
from handler.views.layout import press
from handler.words import plain


def frame(match: Match) -> Frame:
    """The public things around a match that has begun; its screens are closed once it is over."""
    return Frame(
        match=match.id,
        number=match.number,
        names=tuple(displayed(who) for who in match.seats if who is not None),
        deadline=match.deadline,
        title=match.title,
        closed=match.stage != "playing",
        declined=match.declined,
        rest=match.rest,
        private=match.place.chat > 0,
        bare=tuple(who.name if who.user is None else None for who in match.seats if who is not None),
    )


def _closed_frame(match: Match, number: int) -> Frame:
    """What surrounds the screens of a phase that is over."""
    return replace(frame(match), number=number, deadline=None, closed=True, rest=None)


def frame_of(match: Match, step: int) -> Frame:
    """What surrounds the facts that a step told; in brief where only house players were left to play."""
    left = (match.seats[player] for player in match.engine.playing(match.history[step].state))
    return replace(frame(match), brief=all(who is not None and who.user is None for who in left))


def board(match: Match, username: str) -> tuple[str, Message]:
    """The group's board and its scene: the lobby's card or the game's board, with the way to one's panel under it."""
    if match.record is None:
        card = card_view(match)
        return "lobby", lobby.card(card) if match.stage == "lobby" else lobby.closed(card)
    view = match.view(None)
    shown = VIEWS[match.game].board(frame(match), view)
    if match.stage == "cancelled":
        shown = talk.cancelled(shown)
    if match.stage == "playing":
        own = () if match.place.chat > 0 else (talk.panel_link(username, match.id),)
        lowest = (*own, calls.calls_button(match.id))
        shown = replace(shown, keyboard=(*_calls(match), *shown.keyboard, lowest))
    return VIEWS[match.game].scene(view), shown


def status(match: Match, username: str) -> Message:
    """What the board says, where its buttons are not; only the links are."""
    _, shown = board(match, username)
    if match.record is not None:
        text = VIEWS[match.game].board(replace(frame(match), elsewhere=True), match.view(None)).text
        shown = replace(shown, text=text)
    linked = (tuple(button for button in row if button.url is not None) for row in shown.keyboard)
    return replace(shown, keyboard=tuple(row for row in linked if row))


def _calls(match: Match) -> Keyboard:
    """What the host's calls put on the board: the end of a pause, and seats that are free to take."""
    names = frame(match).names
    resume = () if match.paused is None else ((calls.resume_button(match.id, pause_mark(match)),),)
    take = ((calls.take_button(match.id, seat, occupant(match.seats[seat]), names[seat]),) for seat in match.free)
    return (*resume, *take)


def old_board(match: Match, scene: str) -> Message:
    """The last that the board of a scene showed, with nothing left to press."""
    if scene == "lobby":
        return lobby.started(card_view(match))
    views, game = VIEWS[match.game], match.engine
    public = [game.view(each.state, None) for each in match.history]
    number = max((at for at, view in enumerate(public) if views.scene(view) == scene), default=len(public) - 1)
    return views.board(_closed_frame(match, number), public[number])


def panel(match: Match, player: Player, menu: str = "") -> Message | None:
    """A player's panel in the open phase; None where there is nothing to ask of them."""
    phase = match.phase
    if phase is None or player not in phase.active:
        return None
    sealed = match.box.get(player)
    final = sealed is not None and sealed.final
    about, view, move = frame(match), match.view(player), match.sealed_move(player)

    def page(menu: str) -> Message | None:
        return VIEWS[match.game].panel(about, view, phase, move, final, menu)

    shown = page(menu)
    if shown is None:
        return None
    back = menu if menu and shown != page("") else ""  # a place that no press leads to shows the top
    notes = press(about, Verb.MENU, notebook.menu("", back), plain("notes.button"))
    return replace(shown, keyboard=(*shown.keyboard, (notes,)))


def closed_panel(match: Match, player: Player, number: int) -> Message:
    """What an old panel says for good: what counted in its phase, nothing to press."""
    shown = _old_panel(match, player, number)
    return talk.over_message() if shown is None else shown


def stale_panel(match: Match, player: Player, number: int) -> Message:
    """What becomes of a panel that was pressed too late: what counted in its phase, and the way to the current one."""
    return talk.stale_panel(match.id, _old_panel(match, player, number) if number < match.number else None)


def _old_panel(match: Match, player: Player, number: int) -> Message | None:
    assert match.record is not None
    game = match.engine
    if number >= len(match.record.steps):
        return None
    state = match.history[number].state
    phase = game.phase(state)
    if phase is None:
        return None
    text = match.record.steps[number].get(player)
    move: Any = None if text is None else game.read(text)
    if move is not None and move == game.resign:
        return None
    about = replace(_closed_frame(match, number), silent=was_silent(match, player, number))
    return VIEWS[match.game].panel(about, game.view(state, player), phase, move, True, "")
