"""From an Update to what is done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from engine.games import GAMES
from engine.record import UnknownRules
from handler import buttons, desk, forgetting, people, places, tallies, voices, welcome
from handler.buttons import MatchPress, PhasePress, PlainPress
from handler.hosting import match_press
from handler.language import choose_language
from handler.measures import measure
from handler.message import Message
from handler.opening import open_lobby
from handler.ports import Place, TelegramError
from handler.practice import show_again
from handler.pressing import phase_press
from handler.profiles import meet, parted
from handler.replies import Edit, crowded, make, redraw_last, reply, toast
from handler.table import Ports, change, keep
from handler.telling import settle, settle_afterwards
from handler.unknown import leaving_alone
from handler.updates import Added, Command, Left, Moved, Pressed, Removed, Wrote, parse
from handler.views import rules
from handler.words import plain, say, speaking


def handle(ports: Ports, data: Any) -> Edit | None:
    """Handle one Update as JSON. Whatever is not meant for the bot changes nothing. Returns an edit that is left to
    whoever brought the update. Should it not be made, the next press of the message makes it good.

    Raises BadUpdate for what is no Update; Busy, StoreUnavailable and a TelegramError where a retry can help.
    """
    match parse(data, ports.telegram.me):
        case Pressed() as pressed:
            try:
                return _press(ports, pressed)
            except UnknownRules:
                toast(ports, pressed, plain("table.toast.other_rules"), alert=True)
        case Command() as command:
            try:
                desk.handle(ports, command)
            except UnknownRules:
                with speaking(voices.in_place(ports, command.place, command.who)):
                    reply(ports, command.place, Message(say("table.reply.other_rules")))
        case Wrote(who=who, text=text):
            desk.came_back(ports, who)
            if text:
                welcome.hint(ports, who)
        case Added() as added:
            welcome.greet(ports, added)
        case Removed(chat=chat):
            for id in ports.store.in_chat(chat):
                if places.is_gone(ports, chat, ports.telegram.me().id):
                    with leaving_alone(id):
                        settle(ports, places.remove(ports, id))
        case Left() as left:
            _left(ports, left)
            parted(ports, left.user, left.chat)
        case Moved(old=old, new=new):
            ports.people.move(old, new)
            for id in ports.store.in_chat(old):
                with leaving_alone(id):
                    for outcome in places.move(ports, id, new):
                        settle(ports, outcome)
        case None:
            pass
    return None


def handle_by_calls(ports: Ports, data: Any) -> None:
    """As :func:`handle`, for whoever brings an update and can make no edit."""
    edit = handle(ports, data)
    if edit is not None:
        make(ports, edit)


def _left(ports: Ports, left: Left) -> None:
    theirs = [id for id in ports.store.of_person(left.user) if id in ports.store.in_chat(left.chat)]
    if theirs and places.is_gone(ports, left.chat, left.user):
        for id in theirs:
            with leaving_alone(id):
                settle(ports, change(ports, id, lambda match: (people.left(match, left.user, left.update), None)))


def nudge(ports: Ports, id: str) -> None:
    """A timer or the sweep comes by: whatever is due is done, whatever is untold is told."""
    with leaving_alone(id):
        outcome = change(ports, id, keep)
        if outcome is not None and outcome.item.alarm_at is not None:
            # Timers that were rebuilt from the store knew only the nearest moment, which may have been a telling.
            ports.timers.arm(id, outcome.item.alarm, outcome.item.alarm_at)
        settle_afterwards(ports, outcome)


def _press(ports: Ports, pressed: Pressed) -> Edit | None:
    measure("Presses")
    match buttons.read(pressed.data):
        case PhasePress() as press:
            return phase_press(ports, pressed, press)  # without a look at who it is: their seat knows enough
        case MatchPress() as press:
            who = meet(ports, pressed.who, pressed.place, pressed.title)
            return match_press(ports, replace(pressed, who=who), press)
        case PlainPress() as press if pressed.place is not None:
            who = meet(ports, pressed.who, pressed.place, pressed.title)
            with speaking(voices.in_place(ports, pressed.place, who)):
                return _plain_press(ports, replace(pressed, who=who), press, pressed.place)
        case _:
            toast(ports, pressed, plain("table.toast.broken"))
    return None


def _plain_press(ports: Ports, pressed: Pressed, press: PlainPress, place: Place) -> Edit | None:
    game, _, topic = press.arg.partition(".")
    match press.act:
        case "new" if game in GAMES:
            _open(ports, pressed, place, game)
        case "rulebook" if game in GAMES:
            _rulebook(ports, pressed, place, partial(rules.page, game, topic))
        case "rules" if game in GAMES:
            known = toast(ports, pressed)
            return redraw_last(ports, pressed, rules.page(game, topic), known=known)
        case "language":
            choose_language(ports, pressed, press, place)
        case "matches" if pressed.private:
            toast(ports, pressed)
            reply(ports, place, desk.list_matches(ports, pressed.who.id))
        case "record" if pressed.private:
            tallies.record_press(ports, pressed, press.arg)
        case "forget" if pressed.private and press.arg in ("yes", "no"):
            forgetting.forget_press(ports, pressed, press.arg)
        case _:
            toast(ports, pressed, plain("table.toast.broken"))
    return None


def _open(ports: Ports, pressed: Pressed, place: Place, game: str) -> None:
    outcome, refusal = open_lobby(ports, place, pressed.title, game, pressed.who, pressed.update)
    if refusal is None or reply(ports, place, refusal):
        toast(ports, pressed)
    else:
        crowded(ports, pressed)
    settle(ports, outcome)
    if refusal is not None and pressed.private:
        show_again(ports, pressed.who)


def _rulebook(ports: Ports, pressed: Pressed, place: Place, page: Callable[[], Message]) -> None:
    """The rules go to whoever asked; into the group only for somebody the bot cannot write to."""
    try:
        with speaking(pressed.who.language):
            ports.telegram.send(Place(pressed.who.id), page())
    except TelegramError:
        if reply(ports, place, page()):
            toast(ports, pressed)
        else:
            crowded(ports, pressed)
    else:
        toast(ports, pressed, "" if pressed.private else plain("table.reply.private"))
