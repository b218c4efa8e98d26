"""The host's calls as they come in: commands and presses. Who may call is asked when a call is carried out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.game import Player
from handler import calls, people
from handler.buttons import MatchPress
from handler.calls import Caller, Verdict
from handler.elsewhere import nothing_here
from handler.lobby import displayed, occupant
from handler.match import Match, Successor, pause_mark
from handler.message import Message
from handler.ports import Place
from handler.replies import answer, crowded, redraw, reply, toast
from handler.rights import may_host
from handler.standing import here
from handler.table import Ports, change, keep
from handler.telling import settle
from handler.updates import Command, Pressed
from handler.views import calls as words
from handler.views import talk
from handler.views.layout import cleaned
from handler.words import plain, say, speaking

Decide = Callable[[Match], tuple[Match, Verdict]]


def pause(ports: Ports, command: Command) -> None:
    """``/pause``."""
    caller = _caller(command)
    _typed(ports, command, lambda match: calls.pause(match, caller, ports.clock.now()))


def resume(ports: Ports, command: Command) -> None:
    """``/resume``."""
    caller = _caller(command)
    _typed(ports, command, lambda match: calls.resume(match, caller, ports.clock.now()))


def extend(ports: Ports, command: Command) -> None:
    """``/extend``, with minutes or without."""
    if not command.args:
        match = _called(ports, command)
        if match is not None:
            answer(ports, command, _how_long(match))
        return
    caller = _caller(command)
    _typed(ports, command, lambda match: calls.extend_by(match, caller, command.args))


def replace(ports: Ports, command: Command) -> None:
    """``/replace`` asks whose seat somebody else shall take."""
    match = _called(ports, command)
    if match is not None:
        answer(ports, command, _whose_seat(match))


def menu_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """The host's calls as buttons, for whoever may make them."""
    _ask(ports, pressed, match, _menu)


def pause_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """A pause was chosen there."""
    caller = _presser(pressed)
    _pressed(ports, pressed, match, lambda match: calls.pause(match, caller, ports.clock.now(), press.arg))


def resume_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """The button under the board of a paused match."""
    caller = _presser(pressed)
    _pressed(ports, pressed, match, lambda match: calls.resume(match, caller, ports.clock.now(), press.arg))


def extend_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """How much longer is asked, or so many minutes were chosen."""
    if press.arg == "ask":
        _ask(ports, pressed, match, _how_long)
        return
    number, _, total = press.arg.partition(".")
    caller = _presser(pressed)
    _pressed(
        ports,
        pressed,
        match,
        lambda match: calls.extend_to(match, caller, number, total),
        partial(_after_extend, number=number),
    )


def replace_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """Whose seat, and then who shall sit there instead. ``press.arg`` is the seat, who sat there when the button was
    drawn, and what shall become of it: nothing yet, ``house``, ``person`` or ``keep``.
    """
    if press.arg == "ask":
        _ask(ports, pressed, match, _whose_seat)
        return
    seat, _, rest = press.arg.partition(".")
    was, _, word = rest.partition(".")
    caller, seen = _presser(pressed), calls.sits(match, seat, was)
    by = _SUCCESSORS.get(word)
    if not word and seen is not None:
        if may_host(ports, match, pressed.who.id):
            toast(ports, pressed)
            redraw(ports, pressed, _by_whom(match, seen))
        else:
            toast(ports, pressed, plain("table.host_only", name=cleaned(match.host_name)))
        return

    def decide(match: Match) -> tuple[Match, Verdict]:
        player = calls.sits(match, seat, was)
        if player is None or (by is None and word != "keep"):
            return match, Verdict(plain("calls.stale"))
        return calls.keep(match, player) if by is None else calls.replace_by(match, caller, player, by)

    _pressed(ports, pressed, match, decide, partial(_after_replace, ports, pressed, seat=seat, was=was))


def agree_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """Whoever is to be replaced says whether they agree. ``press.arg`` is the seat, who sits there, who shall come
    instead, and ``yes`` or ``no``.
    """
    seat, _, rest = press.arg.partition(".")
    was, _, rest = rest.partition(".")
    by, _, word = rest.partition(".")

    def decide(match: Match) -> tuple[Match, Verdict]:
        player = calls.sits(match, seat, was)
        if player is None:
            return match, Verdict(plain("calls.replace.unasked"))
        return calls.answer_leaving(match, pressed.who.id, player, by, yes=word == "yes")

    def after(match: Match, verdict: Verdict) -> Message | None:
        player = calls.sits(match, seat, was)
        asks_still = not verdict.done and player is not None and player in match.leaving
        return None if was != str(pressed.who.id) or asks_still else _shown(verdict)

    _carried_out(ports, pressed, match, decide, after)


def take_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """Somebody wants a seat that is free to take. ``press.arg`` is the seat, and who still sits there."""
    seat, _, was = press.arg.partition(".")
    player = calls.sits(match, seat, was)
    if player is None:
        toast(ports, pressed, plain("calls.take.late"))
        return
    joined, outcomes = people.ask_for_seat(ports, match.id, pressed.who, player)
    if joined == "unreachable":
        toast(ports, pressed, url=talk.deep_link(ports.telegram.me().username, f"join-{match.id}"))
    else:
        toast(ports, pressed, plain(TAKEN[joined]), alert=joined in ("unwritten", "sat"))
    for outcome in outcomes:
        settle(ports, outcome)


def _typed(ports: Ports, command: Command, decide: Decide) -> None:
    """Carry a typed call out. What it does is announced; only what it cannot do is answered."""
    match = _called(ports, command)
    outcome = None if match is None else change(ports, match.id, decide)
    settle(ports, outcome)
    if outcome is not None and not outcome.answer.done:
        answer(ports, command, _said(outcome.answer.text))


def _called(ports: Ports, command: Command) -> Match | None:
    """The match that a call is about, once whoever typed it may make it; else they have been answered."""
    match = here(ports, command.place)
    if match is None:
        answer(ports, command, nothing_here(ports, command))
    elif command.speaker == "person" and not may_host(ports, match, command.who.id):
        answer(ports, command, talk.host_only(match.host_name))
    else:
        return match
    return None


def _pressed(
    ports: Ports,
    pressed: Pressed,
    match: Match,
    decide: Decide,
    after: Callable[[Match, Verdict], Message | None] = lambda match, verdict: None,
) -> Verdict | None:
    """Carry a pressed call out, for whoever may make it. None if nobody was asked to decide."""
    if not may_host(ports, match, pressed.who.id):
        toast(ports, pressed, plain("table.host_only", name=cleaned(match.host_name)))
        return None
    return _carried_out(ports, pressed, match, decide, after)


def _carried_out(
    ports: Ports,
    pressed: Pressed,
    match: Match,
    decide: Decide,
    after: Callable[[Match, Verdict], Message | None],
) -> Verdict | None:
    """Store, answer, put what follows in the place of the question, and tell."""
    outcome = change(ports, match.id, decide)
    if outcome is None:
        toast(ports, pressed, plain("table.toast.gone"))
        return None
    toast(ports, pressed, outcome.answer.text)
    following = after(outcome.match, outcome.answer)
    if following is not None:
        redraw(ports, pressed, following)
    settle(ports, outcome)
    return outcome.answer


def _after_extend(match: Match, verdict: Verdict, number: str) -> Message:
    """What stands where more time was asked for: what was added, or what can be added now."""
    open_still = number == str(match.number) and calls.cannot_extend(match) is None
    return _how_long(match) if open_still and not verdict.done else _shown(verdict)


def _after_replace(
    ports: Ports, pressed: Pressed, match: Match, verdict: Verdict, seat: str, was: str
) -> Message | None:
    """What stands where a seat was asked about: what came of it, or that its player has been asked."""
    player = calls.sits(match, seat, was)
    if not verdict.done:
        return _shown(verdict) if player is None else None
    leaving = None if player is None else match.leaving.get(player)
    if player is None or leaving is None or leaving.agreed:
        return _shown(verdict)
    return _ask_leaving(ports, pressed, match, player, leaving.by)


def _ask_leaving(ports: Ports, pressed: Pressed, match: Match, player: Player, by: Successor) -> Message:
    """Ask whoever is to be replaced: in private, where they surely see it; in the group if they cannot be reached."""
    who = match.seats[player]
    assert who is not None
    assert who.user is not None

    def question() -> Message:
        return words.ask_leaving(match.id, match.title, player, occupant(who), displayed(who), by)

    with speaking(who.language):
        asked = who.reachable and reply(ports, Place(who.user), question())
    if not asked and not pressed.private:
        return question()
    with speaking(match.language):
        asked = asked or reply(ports, match.place, question())
    return words.is_asked(displayed(who)) if asked else _said(plain("table.toast.crowd"))


def _ask(ports: Ports, pressed: Pressed, match: Match, question: Callable[[Match], Message]) -> None:
    """Put a question to whoever may make the calls, with whatever is due done first."""
    if not may_host(ports, match, pressed.who.id):
        toast(ports, pressed, plain("table.host_only", name=cleaned(match.host_name)))
        return
    outcome = change(ports, match.id, keep)
    if outcome is not None and pressed.place is not None:
        if reply(ports, pressed.place, question(outcome.match)):
            toast(ports, pressed)
        else:
            crowded(ports, pressed)
    settle(ports, outcome)


def _menu(match: Match) -> Message:
    if match.stage != "playing":
        return _said(plain("table.over"))
    taking_turns = match.phase is not None and match.phase.instant
    return words.menu(match.id, pause_mark(match), paused=match.paused is not None, turn=taking_turns)


def _how_long(match: Match) -> Message:
    reason = calls.cannot_extend(match)
    if reason is not None:
        return _said(reason)
    return words.how_long(match.id, match.number, match.extended, calls.steps(match))


def _whose_seat(match: Match) -> Message:
    reason = calls.cannot_replace(match)
    if reason is not None:
        return _said(reason)
    seats = [(player, occupant(match.seats[player]), _name(match, player)) for player in match.playing]
    return words.whose_seat(match.id, seats)


def _by_whom(match: Match, player: Player) -> Message:
    was, leaving = occupant(match.seats[player]), player in match.leaving
    return words.by_whom(match.id, player, was, _name(match, player), leaving=leaving)


def _name(match: Match, player: Player) -> str:
    who = match.seats[player]
    assert who is not None
    return displayed(who)


def _shown(verdict: Verdict) -> Message:
    return _said(verdict.shown or verdict.text)


def _said(text: str) -> Message:
    return Message(say("table.answered", answer=text))


def _caller(command: Command) -> Caller:
    person = command.speaker == "person"
    return Caller(command.who.id if person else None, command.who.name if person else None, command.update)


def _presser(pressed: Pressed) -> Caller:
    return Caller(pressed.who.id, pressed.who.name)


_SUCCESSORS: dict[str, Successor] = {"house": "house", "person": "person"}

TAKEN: dict[people.Joined, str] = {
    "seated": "calls.take.seated",
    "already": "lobby.toast.already",
    "sat": "calls.take.sat",
    "late": "calls.take.late",
    "full": "calls.take.late",
    "begun": "calls.take.late",
    "unwritten": "lobby.toast.unwritten",
    "gone": "table.toast.gone",
}
