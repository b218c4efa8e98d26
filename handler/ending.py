"""Button presses that end a match, or somebody's part in it: resigning, leaving, declining, cancelling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from markupsafe import Markup

from handler import people
from handler.buttons import MatchPress
from handler.desk import ask_cancel, ask_everybody, needed
from handler.match import Match, can_decline, can_resign, cancel, decline, resign
from handler.message import Message
from handler.replies import crowded, decided, redraw, reply, toast
from handler.rights import may_host
from handler.table import Outcome, Ports
from handler.telling import settle
from handler.updates import Pressed
from handler.views import talk
from handler.views.layout import cleaned
from handler.words import plain, say


def resign_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """A player gives the match up, or thinks better of it."""

    def decide(match: Match) -> tuple[Match, str]:
        player = match.player(pressed.who.id)
        if player is None:
            return match, plain("table.toast.stranger")
        if not can_resign(match, player):
            return match, plain("table.over")
        if press.arg != "yes":
            return match, plain("table.resign.kept")
        return resign(match, player), plain("table.resign.done")

    _answer_in_private(ports, pressed, press, decide)


def quit_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """A player leaves a match that goes on without them (rule 15 of Dog's Judgement)."""

    def decide(match: Match) -> tuple[Match, str]:
        player = match.player(pressed.who.id)
        if player is None:
            return match, plain("table.toast.stranger")
        if match.plays(pressed.who.id) is None or can_resign(match, player):
            return match, plain("table.phase_over")
        if press.arg != "yes":
            return people.returned(match, pressed.who.id, pressed.update), plain("table.quit.kept")
        return people.left(match, pressed.who.id, pressed.update), plain("table.quit.done")

    _answer_in_private(ports, pressed, press, decide)


def _answer_in_private(
    ports: Ports, pressed: Pressed, press: MatchPress, decide: Callable[[Match], tuple[Match, str]]
) -> None:
    """Store, and put the answer where the question was."""
    outcome = decided(ports, pressed, press.match, decide)
    if outcome is not None and pressed.private:
        redraw(ports, pressed, Message(say("table.answered", answer=outcome.answer)))
    settle(ports, outcome)


def decline_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """The host ends the match with what it has come to; asked once."""
    if not may_host(ports, match, pressed.who.id):
        toast(ports, pressed, plain("table.host_only", name=cleaned(match.host_name)))
        return
    if press.arg == "ask":
        if not can_decline(match):
            toast(ports, pressed, plain("table.phase_over"))
            return
        question = talk.ask_decline(match.id, match.game, match.number)
        if pressed.place is not None and reply(ports, pressed.place, question):
            toast(ports, pressed)
        else:
            crowded(ports, pressed)
        return
    number, _, word = press.arg.partition(".")

    def decide(match: Match) -> tuple[Match, str]:
        if number != str(match.number) or not can_decline(match):
            return match, plain("table.phase_over")
        if word != "yes":
            return match, plain(f"{match.game}.decline.kept")
        return decline(match), plain("lobby.toast.done")

    outcome = decided(ports, pressed, press.match, decide)
    redraw(
        ports,
        pressed,
        Message(_declined(outcome)),
    )
    settle(ports, outcome)


def cancel_press(ports: Ports, pressed: Pressed, press: MatchPress, match: Match) -> None:
    """The match is ended for everybody; asked once, and if the asker plays, of every player."""
    user = pressed.who.id
    hosts = may_host(ports, match, user)
    if press.arg == "ask":
        if not hosts:
            toast(ports, pressed, plain("lobby.toast.host"))
        elif pressed.place is not None and reply(ports, pressed.place, ask_cancel(ports, match, user)):
            toast(ports, pressed)
        else:
            crowded(ports, pressed)
        return

    def decide(match: Match) -> tuple[Match, str]:
        plays = match.plays(user) is not None
        if match.stage not in ("lobby", "playing"):
            return match, plain("table.over")
        if not hosts and not plays:
            return match, plain("table.host_only", name=cleaned(match.host_name))
        if match.consent is None:
            return match, plain("table.cancel.unasked")
        if press.arg == "no":
            kept = "table.cancel.lobby_kept" if match.stage == "lobby" else "table.cancel.kept"
            return replace(match, consent=None), plain(kept)
        if press.arg != ("close" if match.stage == "lobby" else "yes"):
            return match, plain("lobby.toast.begun" if match.stage == "playing" else "table.cancel.unasked")
        if match.stage == "lobby":
            return cancel(match, "lobby.closed", name=pressed.who.name), plain("lobby.toast.done")
        if not plays or (hosts and set(needed(match)) <= {user}):
            return cancel(match, "table.cancelled", name=pressed.who.name), plain("lobby.toast.done")
        agreed = replace(match, consent=tuple(dict.fromkeys((*match.consent, user))))
        if set(needed(match)) <= set(agreed.consent or ()):
            return cancel(agreed, "table.agreed"), plain("lobby.toast.done")
        return agreed, plain("table.cancel.noted")

    outcome = decided(ports, pressed, press.match, decide)
    if outcome is not None and outcome.match.consent is None and (hosts or outcome.match.player(user) is not None):
        # Nothing is asked any more, so the question goes.
        redraw(ports, pressed, Message(_ended(outcome)))
    elif outcome is not None and user in (outcome.match.consent or ()):
        redraw(ports, pressed, ask_everybody(outcome.match))
    settle(ports, outcome)


def _ended(outcome: Outcome[str]) -> Markup:
    """What stands where it was asked whether to end a match: what has become of the match, or of the question."""
    match = outcome.match
    if match.stage != "cancelled":
        return say("table.answered", answer=outcome.answer)
    return say("table.over" if match.record is not None else "table.cancel.closed")


def _declined(outcome: Outcome[str] | None) -> Markup:
    """What stands where it was asked whether to end a match where it is."""
    if outcome is None:
        return say("table.toast.gone")
    if outcome.match.stage == "over" and outcome.answer == plain("lobby.toast.done"):
        return say(f"{outcome.match.game}.decline.done")
    return say("table.answered", answer=outcome.answer)
