"""Who is taken for gone, and who comes to sit where: only those who did something of the kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.simulation.judge.buttons import About, InPhase
from tests.simulation.judge.made import Presses, presses
from tests.simulation.judge.matches import Course, courses
from tests.simulation.judge.presence import BOT, Presence
from tests.simulation.trace import FORGOTTEN, Call, Seat, Stored, Trace
from tests.simulation.verdict import Offence

WITHIN: Final = 60.0
"""Seconds in which what Telegram has said of somebody has its effect."""


def check(trace: Trace) -> Iterator[Offence]:
    """Seats that changed without a reason."""
    made = presses(trace)
    refused: dict[int, list[float]] = {}
    for call in trace.of(Call):
        refuses = call.status == 403 or (call.status == 400 and call.method == "sendMessage")
        if call.chat is not None and call.chat > 0 and refuses:
            refused.setdefault(call.chat, []).append(call.at)
    presence = Presence(trace)
    for course in courses(trace).values():
        for write in course.writes:
            yield from (Offence("presses", why, write.at) for why in _changed(course, write, made, refused, presence))


def _changed(
    course: Course,
    write: Stored,
    made: Presses,
    refused: dict[int, list[float]],
    presence: Presence,
) -> Iterator[str]:
    before, after = write.before, write.after
    if after.stage == "lobby" or before is None or before.seed is None:
        yield from _seated(course, write, made)
        return
    chats = {each.after.chat for each in course.writes}
    for player, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        if was is None or now is None or now.user is None or now.user != was.user:
            continue
        user, where = now.user, f"{course.match}: player {player}"
        if was.reachable and not now.reachable and not any(at <= write.at for at in refused.get(user, ())):
            yield f"{where} is out of reach, and Telegram never said so"
        if now.left and not was.left:
            quits = any(
                press.user == user and press.asks == About(course.match, "quit", "yes") and press.at <= write.at
                for press in made.about.get(course.match, ())
            )
            # Of a group that it has been removed from the bot learns nothing more, so old news are believed.
            out = any(presence.is_out(chat, who, write.at) for chat in chats for who in (user, BOT))
            if not quits and not out:
                yield f"{where} has left, and never did"
        if was.left and not now.left and not _plays_on(course, write, made, user):
            yield f"{where} plays on, and never said so"


def _plays_on(course: Course, write: Stored, made: Presses, user: int) -> bool:
    for press in made.all:
        asks = press.asks
        mine = press.user == user and isinstance(asks, InPhase | About) and asks.match == course.match
        if mine and press.was_held(write.at, write.process):
            return True
    return False


def _seated(course: Course, write: Stored, made: Presses) -> Iterator[str]:
    """Whoever comes to sit at a table has asked for it, in its own chat, be it by asking for a rematch; the host of a
    practice sits there anyway.
    """
    before, after = write.before, write.after
    had = _users(() if before is None else before.seats)
    chats = {each.after.chat for each in course.writes}
    for user in _users(after.seats):
        if user in had or user == after.chat:
            continue
        ways = {course.match: "join"} if after.follows is None else {course.match: "join", after.follows: "again"}
        theirs = (press for match in ways for press in made.about.get(match, ()) if press.user == user)
        asked = (press for press in theirs if press.at <= write.at and press.chat in chats)
        if not any(isinstance(press.asks, About) and press.asks.act == ways[press.asks.match] for press in asked):
            yield f"{course.match}: {user} has a seat and never asked for one"
    if len(set(_users(after.seats))) < len(_users(after.seats)):
        yield f"{course.match}: somebody has two seats"


def _users(seats: tuple[Seat | None, ...]) -> list[int]:
    return [who.user for who in seats if who is not None and who.user not in (None, FORGOTTEN)]
