"""People at tables of a bot that stands elsewhere: they open matches, begin them, and press the buttons they find."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, Final

from benchmarks.press_bot import Bot
from benchmarks.stand_in import Json, StandIn

NAMES: Final = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Fritz", "Gina")

READY: Final = r"\d+:l"
TO_PLAY: Final = tuple(rf"\d+:{each}" for each in (r"s\dcm", r"s-", r"m\dcm", r"m\dc", r"m\d"))
"""A panel of Dog's Judgement as somebody uses it who cannot make up their mind: a card, its two events one after the
other, play it; take it back; and again. Nothing of it closes a round.
"""
TO_BE_READY: Final = tuple(rf"\d+:{each}" for each in (r"f\dcm", r"f-", r"l", r"m\dcm", r"m\dc", r"m\d"))
"""As somebody does who plays a card and is ready with it."""
TO_PASS: Final = tuple(rf"\d+:{each}" for each in (r"f-", r"f\dcm", r"l", r"mready", r"m"))
"""As somebody does who plays none, unless they have chosen already."""

PATIENCE: Final = 30.0
"""Seconds to wait at most for what should take two."""

Post = Callable[[Mapping[str, Any]], object]


@dataclass(frozen=True)
class Table:
    """A match, its group, and the people in the order of their seats."""

    match: str
    group: int
    people: Sequence[int]


def begun(stand_in: StandIn, post: Post, game: str, seats: int) -> Table:
    """A match that has begun by commands and buttons alone, at the pace of letters: no limit passes while it is played.

    The Start button is pressed before the group sees it: its card waits for the group's rate after so many presses.
    """
    group, people = stand_in.company(NAMES[:seats])
    post(stand_in.say(people[0], group, f"/{game}"))
    post(pressed(stand_in, people[0], group, "pace:letters"))
    for user in people:
        join = pressed(stand_in, user, group, "join:")
        post(join)
    card, match = join["callback_query"]["message"]["message_id"], join["callback_query"]["data"].partition(":")[0]
    post(stand_in.forge(people[0], group, card, f"{match}:start:"))
    return Table(match, group, people)


def in_round_one(stand_in: StandIn, post: Post) -> Table:
    """A match of Dog's Judgement in which all seven have pressed that they are ready for its first round."""
    table = begun(stand_in, post, "dog", len(NAMES))
    for user in table.people:
        post(pressed(stand_in, user, user, READY))
    return table


def another(stand_in: StandIn, bot: Bot, table: Table) -> Table:
    """The same match once more, in a group of its own."""
    group, people = stand_in.company(NAMES[: len(table.people)])
    match = base64.b32encode(secrets.token_bytes(5)).decode().lower()
    ids = zip((table.match, table.group, *table.people), (match, group, *people), strict=True)
    names = {str(old): str(new) for old, new in ids}
    stand_in.let_have(names)
    bot.let_have(table.match, names)
    return Table(match, group, people)


def pressed(stand_in: StandIn, user: int, chat: int, *wanted: str) -> Json:
    """The update of a press on a button that is there (:meth:`StandIn.press`)."""
    update = stand_in.press(user, chat, *wanted)
    assert update is not None, f"{wanted} is not offered"
    return update


def all_ready(stand_in: StandIn, people: Sequence[int]) -> Iterator[Json]:
    """The presses by which these are ready one after another, with a play only if they have chosen one."""
    for user in people:
        ready = False
        while not ready:
            update = pressed(stand_in, user, user, *TO_PASS)
            yield update
            _, _, what = update["callback_query"]["data"].split(":")
            ready = what[0] in "fl"


def told(bot: Bot) -> None:
    """Let two minutes pass for the bot, and wait until every group has been told what it could not be told at once.
    Raises TimeoutError.
    """
    bot.pass_time(120)
    settled(bot)


def settled(bot: Bot) -> None:
    """Wait until the bot has told everybody what it can tell, which it goes on with after a press is answered. Raises
    TimeoutError.
    """
    until = monotonic() + PATIENCE
    while bot.untold():
        if monotonic() > until:
            raise TimeoutError("something is never told")
        sleep(0.05)
