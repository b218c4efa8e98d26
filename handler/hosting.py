"""Button presses about a match as a whole: the lobby's card, a pick for somebody else, "my panel"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.game import BadNotation, Player, Refusal
from handler import lobby, voices
from handler.buttons import MatchPress
from handler.calling import (
    agree_press,
    extend_press,
    menu_press,
    pause_press,
    replace_press,
    resume_press,
    take_press,
)
from handler.codec import read_match
from handler.desk import ask_pick
from handler.ending import cancel_press, decline_press, quit_press, resign_press
from handler.joining import join
from handler.match import Match, lock, seal
from handler.message import Message
from handler.noting import history_press, notes_press
from handler.panels import send_panel
from handler.phases import begin, remind_at
from handler.ports import Place
from handler.rematch import rematch_press
from handler.replies import Edit, crowded, decided, redraw, reply, toast
from handler.rights import is_here, may_host
from handler.screening import frame
from handler.table import Ports
from handler.telling import settle
from handler.updates import Pressed
from handler.views.layout import cleaned
from handler.words import plain, say, speaking


def match_press(ports: Ports, pressed: Pressed, press: MatchPress) -> Edit | None:
    """Do what a button about a match asks, for whoever may ask it. Outside its chat a match looks as if it were not
    there, but for what its players do in private.
    """
    item = ports.store.load(press.match)
    if item is None:
        toast(ports, pressed, plain("table.toast.gone"))
        return None
    match = read_match(item.id, item.body)
    in_private = press.act in PRIVATE and match.player(pressed.who.id) is not None
    if not is_here(match, pressed) and not in_private:
        toast(ports, pressed, plain("table.toast.gone"))
        return None
    with speaking(voices.under(match, pressed)):
        return _act(ports, pressed, press, match)


def _act(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> Edit | None:
    if press.act in ACTS:
        return ACTS[press.act](ports, pressed, press, match)
    if press.act in SETTINGS:
        _set(ports, pressed, press, match)
    else:
        toast(ports, pressed, plain("table.toast.broken"))
    return None


def _set(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """The host's settings of a lobby; each button says what shall be, so pressing it twice changes nothing more."""
    if not may_host(ports, match, pressed.who.id):
        toast(ports, pressed, plain("lobby.toast.host"))
        return

    def decide(match: Match) -> tuple[Match, str]:
        if match.stage != "lobby":
            return match, _too_late(match)
        changed = SETTINGS[press.act](match, press.arg)
        if changed != match:
            return changed, plain("lobby.toast.done")
        return match, plain("lobby.toast.taken" if press.act == "house" else "lobby.toast.stale")

    settle(ports, decided(ports, pressed, press.match, decide))


def _join(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    join(ports, pressed, press.match)


def _leave(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    def decide(match: Match) -> tuple[Match, str]:
        if match.stage != "lobby":
            return match, _too_late(match)
        left = lobby.leave(match, pressed.who.id)
        return left, plain("lobby.toast.absent" if left == match else "lobby.toast.left")

    settle(ports, decided(ports, pressed, press.match, decide))


def _start(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    if not may_host(ports, match, pressed.who.id):
        toast(ports, pressed, plain("lobby.toast.host"))
        return
    seed = ports.entropy.bytes(32)

    def decide(match: Match) -> tuple[Match, str]:
        if match.stage != "lobby":
            return match, _too_late(match)
        if None in match.seats:
            return match, plain("lobby.toast.free_seats")
        if not match.users:
            return match, plain("lobby.toast.people")
        return begin(match, seed, ports.clock.now()), plain("lobby.toast.started")

    settle(ports, decided(ports, pressed, press.match, decide))


def _pick(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """The host picks for an idle player, or lets the bot; who plays in the match can only let the bot."""
    if not may_host(ports, match, pressed.who.id):
        toast(ports, pressed, plain("table.host_only", name=cleaned(match.host_name)))
        return
    if press.arg == "ask":
        if pressed.place is not None and reply(ports, pressed.place, ask_pick(match, pressed.who)):
            toast(ports, pressed)
        else:
            crowded(ports, pressed)
        return
    number, _, text = press.arg.partition(".")

    def decide(match: Match) -> tuple[Match, str]:
        phase = match.phase
        if match.paused is not None:
            return match, plain("calls.pause.press", name=cleaned(match.host_name))
        if phase is None or not phase.instant or number != str(match.number) or remind_at(match) is not None:
            return match, plain("table.pick.late")
        if text and match.plays(pressed.who.id) is not None:
            return match, plain("table.pick.plays")
        [player] = phase.active
        picked = _picked(match, player, text) if text else lock(match, player)
        if picked is None:
            return match, plain("table.toast.broken")
        return picked, plain("table.pick.done", name=cleaned(frame(match).names[player]))

    outcome = decided(ports, pressed, press.match, decide)
    if outcome is not None and number != str(outcome.match.number):
        # That turn is over, so its question goes.
        redraw(ports, pressed, Message(say("table.answered", answer=outcome.answer)))
    settle(ports, outcome)


def _picked(match: Match, player: Player, text: str) -> Match | None:
    """The host's move in a player's place; None for one that the host cannot make now."""
    try:
        move = match.engine.read(text)
    except BadNotation:
        return None
    picked = seal(match, player, move, final=True) if match.engine.hosted(move) else None
    return None if isinstance(picked, Refusal) else picked


def _panel(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    toast(ports, pressed)
    if not send_panel(ports, press.match, pressed.who):
        reply(ports, Place(pressed.who.id), Message(say("table.reply.not_yours")))


def _too_late(match: Match) -> str:
    return plain("lobby.toast.begun" if match.stage == "playing" else "table.toast.gone")


def _house(match: Match, arg: str) -> Match:
    """House players for the free ones among the seats that the button named."""
    for seat in arg.split(","):
        match = lobby.seat_house(match, int(seat)) if seat.isdecimal() else match
    return match


def _unseat(match: Match, arg: str) -> Match:
    place, _, was = arg.partition(".")
    return lobby.unseat(match, int(place), was) if place.isdecimal() else match


SETTINGS: Final[Mapping[str, Callable[[Match, str], Match]]] = {
    "house": _house,
    "unseat": _unseat,
    "pace": lobby.set_pace,
    "after": lobby.set_after,
    "first": lobby.put_first,
}

ACTS: Final[Mapping[str, Callable[[Ports, Pressed, MatchPress, Match], Edit | None]]] = {
    "join": _join,
    "leave": _leave,
    "start": _start,
    "resign": resign_press,
    "quit": quit_press,
    "decline": decline_press,
    "pick": _pick,
    "cancel": cancel_press,
    "calls": menu_press,
    "pause": pause_press,
    "resume": resume_press,
    "extend": extend_press,
    "replace": replace_press,
    "agree": agree_press,
    "take": take_press,
    "panel": _panel,
    "notes": notes_press,
    "history": history_press,
    "again": rematch_press,
}

PRIVATE: Final = frozenset({"resign", "quit", "agree", "panel", "notes", "history"})
"""Acts whose buttons are in a player's private chat."""
