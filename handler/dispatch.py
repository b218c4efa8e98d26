"""From an Update to what is done about it."""

from __future__ import annotations

from typing import Any

from engine.games import GAMES
from engine.record import UnknownRules
from handler import buttons, desk, people, places
from handler.buttons import MatchPress, PhasePress, PlainPress
from handler.hosting import match_press
from handler.measures import measure
from handler.message import Message
from handler.opening import open_lobby
from handler.ports import Place, TelegramError
from handler.pressing import phase_press
from handler.replies import crowded, redraw, reply, toast
from handler.table import Ports, change, keep
from handler.telling import settle
from handler.unknown import leaving_alone
from handler.updates import Added, Command, Left, Moved, Pressed, Removed, Wrote, parse
from handler.views import rules, talk
from handler.words import plain, say


def handle(ports: Ports, data: Any) -> None:
    """Handle one Update as JSON. Whatever is not meant for the bot changes nothing.

    Raises BadUpdate for what is no Update; Busy, StoreUnavailable and a TelegramError where a retry can help.
    """
    match parse(data, ports.telegram.me()):
        case Pressed() as pressed:
            try:
                _press(ports, pressed)
            except UnknownRules:
                toast(ports, pressed, plain("table.toast.other_rules"), alert=True)
        case Command() as command:
            try:
                desk.handle(ports, command)
            except UnknownRules:
                reply(ports, command.place, Message(say("table.reply.other_rules")))
        case Wrote(who=who):
            desk.came_back(ports, who)
        case Added(place=place):
            reply(ports, place, talk.group_greeting(tuple(GAMES)))
        case Removed(chat=chat):
            for id in ports.store.in_chat(chat):
                if places.is_gone(ports, chat, ports.telegram.me().id):
                    with leaving_alone(id):
                        settle(ports, places.remove(ports, id))
        case Left() as left:
            _left(ports, left)
        case Moved(old=old, new=new):
            for id in ports.store.in_chat(old):
                with leaving_alone(id):
                    for outcome in places.move(ports, id, new):
                        settle(ports, outcome)
        case None:
            pass


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
        settle(ports, outcome)


def _press(ports: Ports, pressed: Pressed) -> None:
    measure("Presses")
    match buttons.read(pressed.data):
        case PhasePress() as press:
            phase_press(ports, pressed, press)
        case MatchPress() as press:
            match_press(ports, pressed, press)
        case PlainPress() as press:
            _plain_press(ports, pressed, press)
        case None:
            toast(ports, pressed, plain("table.toast.broken"))


def _plain_press(ports: Ports, pressed: Pressed, press: PlainPress) -> None:
    game, _, topic = press.arg.partition(".")
    match press.act:
        case "new" if game in GAMES and pressed.place is not None:
            _open(ports, pressed, pressed.place, game)
        case "rulebook" if game in GAMES and pressed.place is not None:
            _rulebook(ports, pressed, pressed.place, rules.page(game, topic))
        case "rules" if game in GAMES:
            toast(ports, pressed)
            redraw(ports, pressed, rules.page(game, topic))
        case "matches" if pressed.private and pressed.place is not None:
            toast(ports, pressed)
            reply(ports, pressed.place, desk.list_matches(ports, pressed.who.id))
        case _:
            toast(ports, pressed, plain("table.toast.broken"))


def _open(ports: Ports, pressed: Pressed, place: Place, game: str) -> None:
    outcome, refusal = open_lobby(ports, place, pressed.title, game, pressed.who, pressed.update)
    if refusal is None or reply(ports, place, refusal):
        toast(ports, pressed)
    else:
        crowded(ports, pressed)
    settle(ports, outcome)


def _rulebook(ports: Ports, pressed: Pressed, place: Place, page: Message) -> None:
    """The rules go to whoever asked; into the group only for somebody the bot cannot write to."""
    try:
        ports.telegram.send(Place(pressed.who.id), page)
    except TelegramError:
        if reply(ports, place, page):
            toast(ports, pressed)
        else:
            crowded(ports, pressed)
    else:
        toast(ports, pressed, "" if pressed.private else plain("table.reply.private"))
