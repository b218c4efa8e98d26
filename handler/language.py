"""``/language``: what the bot speaks, chosen by a person for themselves, or for a group by who may host there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from handler.buttons import PlainPress
from handler.match import Match
from handler.ports import Place
from handler.profiles import Profile, amend
from handler.replies import answer, redraw, toast
from handler.rights import is_administrator, may_host
from handler.table import Ports, change, keep
from handler.telling import settle
from handler.unknown import leaving_alone
from handler.updates import Command, Pressed
from handler.views import settings
from handler.words import LANGUAGES, plain, speaking, spoken


def ask_language(ports: Ports, command: Command) -> None:
    """Offer the languages, where the asker may choose one; a group's anonymous administrator says who they are with the
    press.
    """
    match = None if command.private else _here(ports, command.place)
    if command.private or command.speaker == "group" or _may_choose(ports, command.place, match, command.who.id):
        answer(ports, command, settings.languages(spoken(), group=not command.private))
    else:
        answer(ports, command, settings.language_refused(None if match is None else match.host_name))


def choose_language(ports: Ports, pressed: Pressed, press: PlainPress, place: Place) -> None:
    """Speak another language from now on: kept first, then told to every open match that it concerns. The button says
    which, so pressed again it finds its work done, or does the rest. Raises Busy, StoreUnavailable.
    """
    if press.arg not in LANGUAGES:
        toast(ports, pressed, plain("table.toast.broken"))
        return
    if not pressed.private and not _may_choose(ports, place, _here(ports, place), pressed.who.id):
        toast(ports, pressed, plain("settings.language.not_yours"))
        return
    name = pressed.who.name if pressed.private else pressed.title
    amend(ports, place.chat, lambda before: _chosen(before, press.arg, name))
    if pressed.private:
        pressed = replace(pressed, who=replace(pressed.who, language=press.arg))
        for id in ports.store.of_person(place.chat):
            _tell(ports, id, lambda match: _speak_to(match, place.chat, press.arg))
    else:
        for id in ports.store.in_chat(place.chat):
            _tell(ports, id, lambda match: replace(match, language=press.arg))
    with speaking(press.arg):
        toast(ports, pressed, plain("settings.language.done", language=plain(f"settings.language.name.{press.arg}")))
        redraw(ports, pressed, settings.languages(press.arg, group=not pressed.private))


def _chosen(before: Profile, language: str, name: str) -> Profile:
    return replace(before, language=language, name=name)


def _speak_to(match: Match, user: int, language: str) -> Match:
    """A match in which somebody is spoken to in another language, and all of it where they practise alone."""
    seats = tuple(
        replace(who, language=language) if who is not None and who.user == user else who for who in match.seats
    )
    if match.place.chat != user:
        return replace(match, seats=seats)
    with speaking(language):
        return replace(match, seats=seats, language=language, title=str(plain("table.practice")))


def _tell(ports: Ports, id: str, speak: Callable[[Match], Match]) -> None:
    with leaving_alone(id):
        settle(ports, change(ports, id, lambda match: (speak(match), None)))


def _here(ports: Ports, place: Place) -> Match | None:
    """The match that is played or gathers in a place, with whatever is due there done."""
    id = ports.store.at(place)
    if id is None:
        return None
    with leaving_alone(id):
        outcome = change(ports, id, keep)
        settle(ports, outcome)
        return None if outcome is None or outcome.match.stage not in ("lobby", "playing") else outcome.match
    return None


def _may_choose(ports: Ports, place: Place, match: Match | None, user: int) -> bool:
    """The host of what is played here, or an administrator; asked now. In a group with topics the language is for all
    of them, and so it is in the hands of each topic's host.
    """
    return is_administrator(ports, place.chat, user) if match is None else may_host(ports, match, user)
