"""What a match has to tell, and to whom: from its record the rules' facts, from what was stored the house's notices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from engine.dog.facts import CandidateNamed
from engine.episode.view import InDeath
from engine.game import Player
from tests.simulation.judge import said_dog, said_gravity, said_house
from tests.simulation.judge.matches import EMPTY, ENGLISH, Course, Tenure, courses
from tests.simulation.judge.texts import Token, house_player, person
from tests.simulation.trace import Happened, Pressed, Snapshot, Stored, Trace

_ALWAYS: Final = (
    *("begun", "moved", "unreachable", "granted", "ended", "cancelled", "removed"),
    *("paused", "resumed", "extended", "replaced", "offered", "stays", "welcome"),
)
"""Notices that are never stale; a reminder that comes too late is not told."""

WITHIN: Final = 200.0
"""Seconds in which a press is dealt with, or expires."""


@dataclass(frozen=True)
class Due:
    """Something that is to be told to an address once it is ``stored`` (Unix seconds), of step ``step``. ``may_miss``:
    or not, as it may have been told to whoever was there before.
    """

    what: tuple[object, ...]
    stored: float
    step: int
    may_miss: bool = False


@dataclass(frozen=True)
class Address:
    """Whom something is told: the table of a match (``tenure`` None), or one of its people while they have their seat.

    ``told`` are the facts, in the order in which they are to be told. ``notices`` are the house's own, which come
    between them. ``excuse``: why nothing need be told any more, empty if everything must be. ``foreign``: other than
    English is spoken there at some time, of which the judge reads nothing.
    """

    course: Course
    tenure: Tenure | None
    told: tuple[Due, ...]
    notices: tuple[Due, ...]
    excuse: str
    foreign: bool

    @cached_property
    def places(self) -> frozenset[tuple[int, int | None]]:
        """The chats that this is, with the topic."""
        if self.tenure is not None:
            return frozenset({(self.tenure.user, None)})
        return frozenset((write.after.chat, write.after.topic) for write in self.course.writes)

    @cached_property
    def chats(self) -> frozenset[int]:
        """The chats that this is."""
        return frozenset(chat for chat, _ in self.places)

    def __str__(self) -> str:
        whom = "the group" if self.tenure is None else f"player {self.tenure.player}"
        return f"match {self.course.match}, {whom}"


_READ: list[tuple[Trace, int, tuple[Address, ...]]] = []


def addresses(trace: Trace) -> tuple[Address, ...]:
    """Whom all the matches of a trace that began have something to tell; worked out once for all checks."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    found = tuple(
        address for course in courses(trace).values() if course.record is not None for address in _of(course, trace)
    )
    _READ[:] = [(trace, len(trace.events), found)]
    return found


def _of(course: Course, trace: Trace) -> Iterator[Address]:
    facts = list(_facts(course))
    notices = list(_notices(course, trace))
    for tenure in (None, *course.tenures):
        player = None if tenure is None else tenure.player
        told = tuple(_while_there(tenure, [due for to, due in facts if to == player]))
        house = tuple(due for to, due in notices if to == player and _is_there(tenure, due))
        yield Address(course, tenure, told, house, _excuse(course, tenure, trace), _is_foreign(course, tenure))


def _while_there(tenure: Tenure | None, dues: list[Due]) -> Iterator[Due]:
    """What an address is told of the facts of a seat: what came while its person had it, and from the phase in which
    they took it over on.
    """
    for due in dues:
        if tenure is None or (due.step >= tenure.since and due.stored < tenure.until):
            before = tenure is not None and due.step == tenure.since > 0
            yield replace(due, may_miss=before) if before else due


def _is_there(tenure: Tenure | None, due: Due) -> bool:
    return tenure is None or tenure.at <= due.stored < tenure.until


def _is_foreign(course: Course, tenure: Tenure | None) -> bool:
    if tenure is None:
        return course.is_foreign
    seats = (write.after.seats[tenure.player] for write in course.writes)
    return any(who.language != ENGLISH for who in seats if who is not None and who.user == tenure.user)


def _excuse(course: Course, tenure: Tenure | None, trace: Trace) -> str:
    last = course.last
    if tenure is not None and tenure.until < float("inf"):
        return "somebody else sits there now"
    player = None if tenure is None else tenure.player
    if player is None and last.chat < 0:
        chats = {write.after.chat for write in course.writes}
        out = any(each.what == "bot removed" and each.chat in chats for each in trace.of(Happened))
        return "the bot was removed" if out and last.stage != "playing" else ""
    alone = next((seat for seat, user in course.people.items() if user == last.chat), None)
    reader = alone if player is None else player
    seat = None if reader is None else last.seats[reader]
    return "" if seat is None or seat.reachable else "nobody can be written to there"


def _facts(course: Course) -> Iterator[tuple[Player | None, Due]]:
    """The seal, then what each step told."""
    record, begun = course.record, course.begun
    assert record is not None
    assert begun is not None
    names = course_tokens(course)
    playing = course.game.playing
    seal = sha256(bytes.fromhex(record.setup.seed)).hexdigest()
    for step, (transition, write) in enumerate(zip(record.history, _stored(course), strict=False)):
        stored = write.at
        if step == 0:
            yield None, Due(("begun", seal), stored, 0)
        here = (write.after.seats[player] for player in playing(transition.state))
        brief = all(who is not None and who.user is None for who in here)
        for tell in transition.tells:
            for what in _expected(course, tell.fact, names, brief, step):
                yield tell.to, Due(what, stored, step)
    over = next((write for write in course.writes if write.after.stage == "over"), None)
    if over is not None:
        for player, user in course.people.items():
            if user != over.after.chat:
                yield player, Due(("ended",), over.at, over.after.number)


def stored_times(course: Course) -> list[float]:
    """When the start and then each step was stored, Unix seconds."""
    return [write.at for write in _stored(course)]


def _stored(course: Course) -> list[Stored]:
    """The writes that brought the start and then each step."""
    writes: list[Stored] = []
    for write in course.writes:
        if write.after.seed is not None:
            writes += [write] * (write.after.number + 1 - len(writes))
    return writes


def _expected(
    course: Course, fact: Any, names: tuple[Token, ...], brief: bool, step: int
) -> Iterator[tuple[object, ...]]:
    if isinstance(fact, InDeath):
        fact, names = fact.fact, tuple(names[player] for player in fact.pair)
    if len(names) == 2:
        what = said_gravity.expected(fact, names, brief)
        yield from () if what is None else (what,)
    else:
        declined = isinstance(fact, CandidateNamed) and _declined_before(course, step)
        yield from said_dog.expected(fact, names, declined)


def _declined_before(course: Course, number: int) -> bool:
    """Whether the host had declined a Death Match before its candidate was named: then the choice was never open."""
    record = course.record
    assert record is not None
    was_open = any(write.after.number == number for write in course.writes)
    return not was_open and number < len(record.steps) and course.declining in record.steps[number].values()


def course_tokens(course: Course) -> tuple[Token, ...]:
    """What those who sit at the table are called in facts: by their names or, where seats changed hands, by the seats,
    because a fact that is told later names whoever sits there then.
    """
    assert course.begun is not None
    if not aliases(course):
        return tokens(course.begun)
    return tuple(seat_token(player) for player in range(len(course.begun.seats)))


def aliases(course: Course) -> Mapping[Token, Token]:
    """The seat of each name in a match where seats changed hands; nothing in any other."""
    names: dict[Token, Token] = {}
    for write in course.writes:
        # A seat may change hands with the write that ends the match.
        was_on = write.after.stage == "playing" or (write.before is not None and write.before.stage == "playing")
        if write.after.seed is not None and was_on:
            for player, name in enumerate(tokens(write.after)):
                names[name] = seat_token(player)
    return names if len(names) > len(course.last.seats) else {}


def seat_token(player: Player) -> Token:
    """A seat's token."""
    return f"⟨seat {player}⟩"


def tokens(begun: Snapshot) -> tuple[Token, ...]:
    """The tokens of those who sit at the table, in table order."""
    return tuple(
        "" if seat is None else house_player(seat.name) if seat.user is None else person(seat.user)
        for seat in begun.seats
    )


def _notices(course: Course, trace: Trace) -> Iterator[tuple[Player | None, Due]]:
    """What the changes of a match in play give the house to tell."""
    for write in course.writes:
        if write.before is not None and write.before.stage == "playing":
            for to, what in (*_changed(course, write.before, write.after, write.clock), *_reminded(course, write)):
                yield to, Due(what, write.at, write.after.number)
            if write.after.stage == "cancelled":
                due = Due(("cancelled",), write.at, write.after.number)
                yield from _cancelled(
                    course, write.before.chat, due, trace, moved=write.after.chat != write.before.chat
                )


def _changed(
    course: Course, before: Snapshot, after: Snapshot, clock: float
) -> Iterator[tuple[Player | None, tuple[object, ...]]]:
    if before.chat != after.chat and after.stage == "playing":
        yield None, ("moved",)
    yield from _timed(before, after, clock)
    yield from _handed_on(course, before, after)
    for was, now in zip(before.seats, after.seats, strict=True):
        if was is None or now is None or now.user is None or now.user != was.user or after.stage != "playing":
            continue
        if was.reachable and not now.reachable and now.user != after.chat:
            yield None, ("unreachable", person(now.user))


def _timed(before: Snapshot, after: Snapshot, clock: float) -> Iterator[tuple[Player | None, tuple[object, ...]]]:
    """What is told of pauses, and of deadlines that have moved within a phase."""
    if after.stage != "playing" or after.deadline is None:
        return
    if before.paused is None and after.paused is not None:
        yield None, ("paused",)
    if before.number != after.number:
        if before.paused is not None and before.deadline is not None:
            # Nobody was awaited any more, so the phase closed with the same write.
            yield None, ("resumed", said_house.moment(before.deadline + clock - before.paused))
        return
    until = said_house.moment(after.deadline)
    if before.extended[0] != after.extended[0]:
        yield None, ("extended", None if after.paused is not None else until)
    elif before.paused is not None and after.paused is None:
        yield None, ("resumed", until)
    elif before.deadline != after.deadline:
        yield None, ("granted", until)


def _handed_on(course: Course, before: Snapshot, after: Snapshot) -> Iterator[tuple[Player | None, tuple[object, ...]]]:
    """What is told of seats that change hands, are offered, or are not after all."""
    if after.stage == "lobby" or before.stage != "playing":
        return
    was, now = tokens(before), tokens(after)
    # Whoever does not play on is no longer offered, and nobody has to be told.
    knows = after.stage == "playing" and course.knows(after.number)
    playing = course.game.playing(course.state(after.number)) if knows else ()
    for player, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        assert old is not None
        assert new is not None
        if old.user != new.user:
            yield None, ("replaced", was[player], now[player])
            if new.user is not None:
                yield player, ("welcome", was[player])
        elif before.leaving.get(player) != after.leaving.get(player):
            if after.leaving.get(player) == ("person", True):
                yield None, ("offered", was[player])
            elif player not in after.leaving and player in playing:
                yield None, ("stays", was[player])


def _reminded(course: Course, write: Stored) -> Iterator[tuple[Player | None, tuple[object, ...]]]:
    """Whoever still owes something when it is time is reminded, a turn in the group, else in private. What the same
    write decides comes after it, such as more minutes.
    """
    before, after = write.before, write.after
    assert before is not None
    begins = after.reminded and not before.reminded and before.number == after.number
    moved = before.deadline != after.deadline and before.extended == after.extended
    phase = course.phase(after.number) if begins and not moved and course.knows(after.number) else None
    if phase is None or before.deadline is None or after.stage != "playing":
        return
    until = said_house.moment(before.deadline)
    for player in phase.active:
        if course.game.options(course.view(after.number, player)) is None:
            continue
        who = after.seats[player]
        if who is None or who.user is None or after.box.get(player, EMPTY)[1]:
            continue
        if (who.left or not who.reachable) and not course.can_resign(after.number, player):
            continue
        if phase.instant:
            yield None, ("turn", person(who.user), until)
        elif who.reachable:
            yield player, ("reminded", until)


def _cancelled(
    course: Course, chat: int, due: Due, trace: Trace, *, moved: bool
) -> Iterator[tuple[Player | None, Due]]:
    """Ended by its people, the table is told; ended by removal, each of them; ended for want of a place, both.

    Where people press to end it in a group that the bot is just being removed from, it may be either.
    """
    out = any(each.at <= due.stored for each in trace.of(Happened) if each.what == "bot removed" and each.chat == chat)
    if out and any(_asks_to_cancel(course, each, due.stored) for each in trace.of(Pressed)):
        return
    if not out:
        yield None, due
    if out or moved:
        for player in course.people:
            yield player, replace(due, what=("removed",))


def _asks_to_cancel(course: Course, press: Pressed, stored: float) -> bool:
    return press.data.startswith(f"{course.match}:cancel:") and stored - WITHIN < press.at <= stored


def always(what: tuple[object, ...]) -> bool:
    """Whether a notice has to be told however late it is."""
    return what[0] in _ALWAYS
