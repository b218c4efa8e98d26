"""What can be read again: a player's notebook, and the history of what everybody saw; in private, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from markupsafe import Markup

from engine.game import Player
from handler.buttons import MatchPress, PhasePress, Verb, write
from handler.frame import News
from handler.match import Match
from handler.message import Button, Keyboard, Message
from handler.places import is_gone
from handler.ports import Place
from handler.replies import Edit, redraw_last, reply, toast
from handler.screening import frame_of
from handler.silence import missed
from handler.table import Ports, change, keep
from handler.telling import settle
from handler.updates import Pressed
from handler.views import VIEWS, history, notebook, talk
from handler.words import plain, speaking

LOOKED_AT: Final = 5
"""How many of the matches that ended last are looked at for the one that was played in a topic."""


def news(match: Match, reader: Player | None) -> tuple[News, ...]:
    """What a player (None: everybody) was told, phase by phase. Who was silent is for that player alone to know until
    the match is over, and then for all.
    """
    return tuple(_news(match, reader))


def _news(match: Match, reader: Player | None) -> Iterator[News]:
    for step, reached in enumerate(match.history):
        facts = tuple(tell.fact for tell in reached.tells if tell.to in (None, reader))
        if step == 0:
            yield News(frame_of(match, step), facts, "", ())
            continue
        phase = match.engine.phase(match.history[step - 1].state)
        silent = missed(match, step - 1)
        known = silent if match.stage != "playing" else tuple(player for player in silent if player == reader)
        yield News(frame_of(match, step), facts, "" if phase is None else phase.name, known)


# --- the notebook ---------------------------------------------------------------------------------


def panel_notes(match: Match, player: Player, menu: str) -> Message | None:
    """The notebook in the place of the open phase's panel, with the way back; None where the menu leads elsewhere."""
    opened = notebook.opened(menu)
    if opened is None:
        return None
    page, back = opened

    def data(place: str) -> str:
        return write(PhasePress(match.id, match.number, Verb.MENU, place))

    below = ((Button(plain("notes.back"), data=data(back)),),)
    return _notebook(match, player, page, lambda page: data(notebook.menu(page, back)), below)


def private_notes(match: Match, player: Player, page: str = "") -> Message:
    """The notebook as a message of its own, with the way to the panel."""
    below = ((Button(plain("notes.panel"), data=write(MatchPress(match.id, "panel"))),),)
    return _notebook(match, player, page, partial(_data, match, "notes"), below)


def _notebook(match: Match, player: Player, page: str, data: Callable[[str], str], below: Keyboard) -> Message:
    notes = VIEWS[match.game].notes(player, news(match, player))
    return notebook.message(match.title, notes, page, data, below)


def _data(match: Match, act: str, place: str) -> str:
    return write(MatchPress(match.id, act, place))


def which(matches: Sequence[Match], act: str, asked: Markup) -> Message:
    """Which of several matches is meant; each button shows that match's."""
    return notebook.choice(tuple((match.title, _data(match, act, "")) for match in matches), asked)


def notes_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> Edit | None:
    """Another page of the notebook, for its player alone."""
    match = _woken(ports, match)
    player = match.player(pressed.who.id)
    if player is None:
        toast(ports, pressed, plain("table.toast.stranger"))
    elif match.stage != "playing":
        toast(ports, pressed, plain("notes.over"))
    else:
        return _show(ports, pressed, partial(private_notes, match, player, press.arg))
    return None


# --- the history ----------------------------------------------------------------------------------


def past(match: Match, place: str = "") -> Message:
    """A page of what everybody was told of a match that has begun."""
    return history.message(match.id, match.title, VIEWS[match.game].recall(news(match, None)), place)


def history_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> Edit | None:
    """Another page of the history. Whoever gets here plays in the match, is in its chat, or presses a button that the
    bot has put under a message to them, which counts while they are in the group; a stranger who only knows the
    match's id does not.
    """
    match = _woken(ports, match)
    outside = pressed.private and match.player(pressed.who.id) is None
    if match.record is None or (outside and is_gone(ports, match.place.chat, pressed.who.id)):
        toast(ports, pressed, plain("table.toast.gone"))
        return None
    return _show(ports, pressed, partial(past, match, press.arg))


def last_ended(ports: Ports, place: Place) -> Match | None:
    """The match that ended last in a place (in private: that somebody played), as long as it is kept; None if there is
    none. What everybody may read of it is in its group already.
    """
    results = ports.people.of(place.chat) if place.chat > 0 else ports.people.in_chat(place.chat)
    for id in list(dict.fromkeys(result.match for result in results))[:LOOKED_AT]:
        outcome = change(ports, id, keep)
        settle(ports, outcome)
        if outcome is None or outcome.match.record is None or outcome.match.stage == "playing":
            continue
        if place.chat > 0 or outcome.match.place == place:
            return outcome.match
    return None


# --- where it is shown ----------------------------------------------------------------------------


def _woken(ports: Ports, match: Match) -> Match:
    """The match with whatever is due there done."""
    outcome = change(ports, match.id, keep)
    settle(ports, outcome)
    return match if outcome is None else outcome.match


def _show(ports: Ports, pressed: Pressed, worded: Callable[[], Message]) -> Edit | None:
    """In the place of the message that was pressed, if that is in private; else in a message to whoever pressed."""
    with speaking(pressed.who.language):
        message = worded()
    if pressed.private:
        known = toast(ports, pressed)
        return redraw_last(ports, pressed, message, known=known)
    if reply(ports, Place(pressed.who.id), message):
        toast(ports, pressed, plain("table.reply.private"))
    else:
        toast(ports, pressed, url=talk.deep_link(ports.telegram.me().username, "hello"))
    return None
