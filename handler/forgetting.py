"""Forgetting a person: their profile, their results, and their name in the finished matches that are still kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handler.codec import read_match, write_match
from handler.match import NOBODY, Match, Notice, Person
from handler.message import Message
from handler.ports import Conflict
from handler.replies import privately, redraw, toast
from handler.table import Ports
from handler.updates import Command, Pressed
from handler.views import after
from handler.words import say

_NO_NAMES: Final = frozenset({"unix", "title"})
"""Values of notices that are nobody's name."""


def ask(ports: Ports, command: Command) -> None:
    """``/forget`` asks once, in private."""
    privately(ports, command, after.ask_forget())


def forget_press(ports: Ports, pressed: Pressed, word: str) -> None:
    """The answer to the question. What is kept of the presser, and of nobody else, goes; a repeat finds nothing more.

    The results go last: they say which matches hold the name, should this have to be done again.
    """
    if word == "yes":
        for result in ports.people.of(pressed.who.id):
            _scrub(ports, result.match, pressed.who.id)
        ports.people.forget(pressed.who.id)
    toast(ports, pressed)
    redraw(ports, pressed, Message(say("after.forget.done" if word == "yes" else "after.forget.kept")))


def _scrub(ports: Ports, id: str, user: int) -> None:
    """Take somebody out of a match as it is stored. Nobody is told of it: what was posted stays as it is."""
    item = ports.store.load(id)
    while item is not None:
        before = read_match(id, item.body)
        after = without(before, user)
        if after == before:
            return
        scrubbed = replace(item, version=item.version + 1, body=write_match(after))
        try:
            ports.store.commit(item, scrubbed, None, None, ports.clock.now())
        except Conflict as conflict:
            item = conflict.current
        else:
            return


def without(match: Match, user: int) -> Match:
    """A match that has ended, without somebody's id and name; the same match while it goes on. What it was about stays:
    whoever sat there is somebody without a name.
    """
    if match.stage not in ("over", "cancelled"):
        return match
    names = {who.name for who in match.seats if who is not None and who.user == user}
    if match.host == user:
        names.add(match.host_name)
    return replace(
        match,
        seats=tuple(_nameless(who, user) for who in match.seats),
        host=NOBODY if match.host == user else match.host,
        host_name="" if match.host == user else match.host_name,
        kept=tuple(None if who is not None and who.user == user else who for who in match.kept),
        former=tuple(each for each in match.former if each[0] != user),
        notices=tuple(_unnamed(notice, names) for notice in match.notices),
    )


def _nameless(who: Person | None, user: int) -> Person | None:
    return Person(NOBODY, "", reachable=False, since=who.since) if who is not None and who.user == user else who


def _unnamed(notice: Notice, names: set[str]) -> Notice:
    return replace(
        notice,
        args=tuple((key, "" if value in names and key not in _NO_NAMES else value) for key, value in notice.args),
    )
