"""Forgetting a person: their profile, their results, and their name in the finished matches that are still kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handler.codec import read_match, read_telling, write_match, write_telling
from handler.match import NOBODY, Match, Notice, Person
from handler.message import Message
from handler.ports import Conflict, Item, Lease, Place
from handler.replies import privately, redraw, toast
from handler.screens import Telling
from handler.table import Busy, Ports, lease_seconds
from handler.updates import Command, Pressed
from handler.views import after
from handler.words import say

_ENDED: Final = frozenset({"over", "cancelled"})

_NO_NAMES: Final = frozenset({"unix", "title"})
"""Values of notices that are nobody's name."""


def ask(ports: Ports, command: Command) -> None:
    """``/forget`` asks once, in private."""
    privately(ports, command, after.ask_forget())


def forget_press(ports: Ports, pressed: Pressed, word: str) -> None:
    """The answer to the question. What is kept of the presser, and of nobody else, goes; a repeat finds nothing more.

    The results go last: they say which matches hold the name, should this have to be done again. Raises Busy.
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
            break
        scrubbed = replace(item, version=item.version + 1, body=write_match(after))
        try:
            item = ports.store.commit(item, scrubbed, None, None, ports.clock.now())
        except Conflict as conflict:
            item = conflict.current
        else:
            break
    if item is not None and read_match(id, item.body).stage in _ENDED:
        _scrub_telling(ports, item, user)


def _scrub_telling(ports: Ports, item: Item, user: int) -> None:
    """Take their chat out of what is kept of the telling. Raises Busy while somebody tells."""
    if untraced(read_telling(item.telling), user) == read_telling(item.telling):
        return
    now = ports.clock.now()
    try:
        held = ports.store.take(item, Lease(ports.entropy.bytes(9).hex(), now + lease_seconds(ports)), now)
        telling = write_telling(untraced(read_telling(held.telling), user))
        ports.store.settle(replace(held, telling=telling), done=True)
    except Conflict as conflict:
        raise Busy(item.id) from conflict


def untraced(telling: Telling, user: int) -> Telling:
    """What has been told, without somebody's private chat."""
    board = telling.board
    return replace(
        telling,
        board=replace(board, chat=NOBODY) if board is not None and board.chat == user else board,
        panels={player: each for player, each in telling.panels.items() if each.user != user},
        pictures={
            address: replace(each, chat=NOBODY) if each.chat == user else each
            for address, each in telling.pictures.items()
        },
    )


def without(match: Match, user: int) -> Match:
    """A match that has ended, without somebody's id and name; the same match while it goes on. What it was about stays:
    whoever sat there is somebody without a name, and what they practised was played nowhere.
    """
    if match.stage not in _ENDED:
        return match
    names = {who.name for who in match.seats if who is not None and who.user == user}
    if match.host == user:
        names.add(match.host_name)
    return replace(
        match,
        place=Place(NOBODY) if match.place.chat == user else match.place,
        seats=tuple(_nameless(who, user) for who in match.seats),
        host=NOBODY if match.host == user else match.host,
        host_name="" if match.host == user else match.host_name,
        kept=tuple(None if who is not None and who.user == user else who for who in match.kept),
        former=tuple(each for each in match.former if each[0] != user),
        parted=tuple(
            replace(each, new="") if each.new in names else each for each in match.parted if each.user != user
        ),
        notices=tuple(_unnamed(notice, names) for notice in match.notices),
    )


def _nameless(who: Person | None, user: int) -> Person | None:
    return Person(NOBODY, "", reachable=False, since=who.since) if who is not None and who.user == user else who


def _unnamed(notice: Notice, names: set[str]) -> Notice:
    return replace(
        notice,
        args=tuple((key, "" if value in names and key not in _NO_NAMES else value) for key, value in notice.args),
    )
