"""What each person may know, and from when: what they were told in private, what they hold, what they sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from engine.dog.events import CARDS
from engine.dog.facts import RoundTold
from engine.episode.view import InDeath
from engine.game import Player
from engine.games import GAMES
from tests.simulation.judge import said_dog, said_gravity
from tests.simulation.judge.dues import stored_times
from tests.simulation.judge.matches import Course, Tenure, courses
from tests.simulation.trace import Trace

Secret = tuple[object, ...]

_AT_THE_START: Final = said_dog.holds(CARDS, (0, 0, 0))


def knowledge(trace: Trace) -> Mapping[int, Mapping[Secret, float]]:
    """By user each secret with the time (Unix seconds) from which they may read it."""
    known: dict[int, dict[Secret, float]] = {}
    for course in courses(trace).values():
        if course.record is not None:
            for user, secret, at in _learnt(course):
                mine = known.setdefault(user, {})
                mine[secret] = min(at, mine.get(secret, at))
    return known


def _learnt(course: Course) -> Iterator[tuple[int, Secret, float]]:
    record = course.record
    assert record is not None
    seats: dict[Player, list[Tenure]] = {}
    for tenure in course.tenures:
        seats.setdefault(tenure.player, []).append(tenure)
    times = stored_times(course)
    for tenure in course.tenures:
        yield tenure.user, _AT_THE_START, tenure.at
    for player, secret, at in _of_seats(course, times):
        for tenure in seats.get(player, ()):
            # Whoever takes a seat over may know what it has learnt, and whoever had it nothing of what it learns then.
            if at < tenure.until:
                yield tenure.user, secret, max(at, tenure.at)
    seen: set[tuple[int, int, str]] = set()
    for write in course.writes:
        for player, (notation, _) in write.after.box.items():
            who = write.after.seats[player]
            user = None if who is None else who.user
            if notation is not None and user is not None and (player, user, notation) not in seen:
                seen.add((player, user, notation))
                for secret in sealed(course.last.game, notation):
                    yield user, secret, write.at


def _of_seats(course: Course, times: list[float]) -> Iterator[tuple[Player, Secret, float]]:
    """What each seat was told and did in the phases that have closed, and when."""
    record = course.record
    assert record is not None
    for transition, at in zip(record.history, times, strict=False):
        for tell in transition.tells:
            if tell.to is not None:
                for secret in _told(tell.fact):
                    yield tell.to, secret, at
    for step, at in zip(record.steps, times[1:], strict=False):
        for player, text in step.items():
            for secret in sealed(course.last.game, text):
                yield player, secret, at


def _told(fact: Any) -> Iterator[Secret]:
    if isinstance(fact, RoundTold):
        yield said_dog.holds(fact.hand, fact.points)
    yield from said_gravity.secrets_of(fact.fact if isinstance(fact, InDeath) else fact)


@cache
def sealed(game: str, notation: str) -> tuple[Secret, ...]:
    """What a sealed move says where it is shown."""
    move = GAMES[game].read(notation)
    return (*said_gravity.sealed(move), *said_dog.sealed(move))
