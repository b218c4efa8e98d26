"""Answers that belong to no match's telling: toasts, replies to commands, and what is put in the place of a message
that was pressed. Losing one loses nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from handler import voices
from handler.logs import kind
from handler.match import Match
from handler.measures import measure
from handler.message import Message
from handler.ports import MessageLost, Migrated, Place, TelegramError, Unreachable
from handler.table import Outcome, Ports, change
from handler.updates import Command, Pressed
from handler.views import talk
from handler.words import Plain, plain, say, speaking

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Edit:
    """An editMessageText that has yet to be made: what stands in a message of the bot's from now on."""

    place: Place
    message_id: int
    message: Message


def toast(ports: Ports, press: Pressed, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
    """Answer a press, in the presser's own language whatever is spoken where the button stands. Everything it proves is
    stored already, so a failure is only logged. Whether Telegram knew the press, as it knows none that is forged.
    """
    with speaking(press.who.language):
        text = text.again() if isinstance(text, Plain) else text
    try:
        return ports.telegram.answer(press.query, text, alert=alert, url=url)
    except TelegramError as error:
        _log(error)
        return False


def decided(
    ports: Ports, pressed: Pressed, id: str, decide: Callable[[Match], tuple[Match, str]]
) -> Outcome[str] | None:
    """Store a decision, then answer the press with what came of it. What there is to tell is left to the caller."""
    outcome = change(ports, id, decide)
    toast(ports, pressed, plain("table.toast.gone") if outcome is None else outcome.answer)
    return outcome


def reply(ports: Ports, place: Place, message: Message) -> bool:
    """Say something in a place; in a group only while its rate allows. False if nothing was said."""
    if not ports.rates.admit(place.chat, ports.clock.now()):
        return False
    try:
        ports.telegram.send(place, message)
    except Migrated as migrated:
        return reply(ports, Place(migrated.chat), message)
    except TelegramError as error:
        _log(error)
        return False
    return True


def answer(ports: Ports, command: Command, message: Message) -> bool:
    """Answer a command where it was typed; in private if the group is being written to too fast. False if neither."""
    if reply(ports, command.place, message):
        return True
    if command.private or command.speaker != "person":
        return False
    return reply(ports, Place(command.who.id), message)


def privately(ports: Ports, command: Command, message: Message) -> bool:
    """Answer a command in private wherever it was typed; in a group, say that it was, or where it could be."""
    try:
        ports.telegram.send(Place(command.who.id), message)
    except Unreachable:
        if not command.private:
            with speaking(voices.in_place(ports, command.place, command.who)):
                reply(ports, command.place, talk.start_me(ports.telegram.me().username))
        return False
    except TelegramError as error:
        _log(error)
        return False
    if not command.private:
        _mention(ports, command)
    return True


def _mention(ports: Ports, command: Command) -> None:
    """Say in a group that somebody was answered in private, or it looks as if nobody had listened. It is a nicety:
    where it would take room, or has just been said, it is left out.
    """
    if ports.rates.admit_nicety(command.place.chat, ports.clock.now()):
        with speaking(voices.in_place(ports, command.place, command.who)):
            try:
                ports.telegram.send(command.place, Message(say("table.reply.private")), quiet=True)
            except TelegramError as error:
                _log(error)


def redraw(ports: Ports, press: Pressed, message: Message) -> None:
    """Put a message in the place of the one that was pressed; sent anew if that one is gone.

    In a group a forged press could name any message of the bot, so there the button must really be under it.
    """
    edit = _edit(ports, press, message)
    if edit is not None:
        make(ports, edit)


def redraw_last(ports: Ports, press: Pressed, message: Message, *, known: bool) -> Edit | None:
    """As :func:`redraw`, with nothing to come after it: an edit that is returned is left to whoever brought the press,
    and saves a call.

    Nobody then hears what Telegram made of it, so it is left only where there is no reason to doubt: the button is
    really there, so is its message, and Telegram reads our HTML. And whoever brought the press gets to read it, so it
    is left only if the press was ``known`` to Telegram when it was answered: somebody who forges updates, having the
    webhook's secret, is given nothing to read.
    """
    edit = _edit(ports, press, message)
    if edit is None or (known and press.offered):
        return edit
    make(ports, edit)
    return None


def make(ports: Ports, edit: Edit) -> None:
    """Make an edit by a call; the message is sent anew if the one to edit is gone."""
    try:
        ports.telegram.edit(edit.place.chat, edit.message_id, edit.message)
    except MessageLost:
        reply(ports, edit.place, edit.message)
    except TelegramError as error:
        _log(error)


def _edit(ports: Ports, press: Pressed, message: Message) -> Edit | None:
    """The edit of what was pressed, with its place in the group's rate; None if there may be none."""
    if press.place is None or press.message is None or not (press.private or press.offered):
        return None
    if not ports.rates.admit(press.place.chat, ports.clock.now()):
        return None
    return Edit(press.place, press.message, message)


def crowded(ports: Ports, press: Pressed) -> None:
    """The group's rate is used up: say so to the presser alone."""
    toast(ports, press, plain("table.toast.crowd"))


def _log(error: TelegramError) -> None:
    measure("ApiErrors")
    log.warning("an answer was not delivered", extra=kind(error))
