"""Which presses have counted: each write of a match is held against the presses that its process had in hand.

What counted cannot be seen, only what lies in the box. So all that may have counted is kept, as sets of presses, and
each write leaves those sets that give what it stored. Where none is left, something lay in a box that nobody had put
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.game import Player
from tests.simulation.judge.acknowledged import Seat, holds, is_stored, unkept
from tests.simulation.judge.buttons import About, InPhase
from tests.simulation.judge.faults import Faults
from tests.simulation.judge.folds import Fold
from tests.simulation.judge.hosts import may_host
from tests.simulation.judge.made import Press, Presses, answered, presses
from tests.simulation.judge.matches import EMPTY, Course, Slot, courses
from tests.simulation.judge.presence import Presence
from tests.simulation.trace import Call, Snapshot, Stored, Trace
from tests.simulation.verdict import Check, Offence

MOST: Final = 1024
"""Sets that are kept for a seat; beyond that whatever its person may have pressed is believed."""

_Fits = Callable[[Slot], bool]


@dataclass(frozen=True)
class Closing:
    """Phase ``number`` was closed with ``step``. ``final``: the active players who may have locked in. ``asked``: the
    host asked for a pick just then. ``ended``: by a move that ends the match at once.
    """

    course: Course
    number: int
    write: Stored
    deadline: float | None
    final: frozenset[Player]
    asked: bool
    ended: bool


@dataclass
class Tally:
    """What came of counting. ``capped``: seats of which too much was possible."""

    offences: list[Offence] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)
    capped: int = 0


_READ: list[tuple[Trace, int, Tally]] = []


def tally(trace: Trace) -> Tally:
    """The presses of a trace, counted; once for all checks of it."""
    if _READ and _READ[0][0] is trace and _READ[0][1] == len(trace.events):
        return _READ[0][2]
    counted = _Count(trace).whole()
    _READ[:] = [(trace, len(trace.events), counted)]
    return counted


class _Count:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.presses: Presses = presses(trace)
        self.courses = courses(trace)
        self.seats: dict[tuple[str, int, Player, int], Seat] = {}
        self.latest: dict[str, Snapshot] = {}
        self.sat: set[tuple[str, int]] = set()
        self.tally = Tally()
        self.presence = Presence(trace)

    def whole(self) -> Tally:
        for event in self.trace.events:
            if isinstance(event, Stored):
                self._stored(event)
            elif isinstance(event, Call) and (answer := answered(event)) is not None:
                self._answered(event.at, *answer)
        self.tally.offences += unkept(self.presses, self.courses, self.seats, Faults(self.trace))
        return self.tally

    def _offence(self, check: Check, why: str, at: float) -> None:
        self.tally.offences.append(Offence(check, why, at))

    def _seat(self, course: Course, number: int, player: Player, user: int) -> Seat:
        key = (course.match, number, player, user)
        if key not in self.seats:
            made = self.presses.in_phase.get((course.match, number, user), ())
            self.seats[key] = Seat(Fold(course, number, player, made), [frozenset()])
        return self.seats[key]

    # --- writes -----------------------------------------------------------------------------------

    def _stored(self, write: Stored) -> None:
        before, after = write.before, write.after
        self.latest[after.match] = after
        self.sat.update((after.match, who.user) for who in after.seats if who is not None and who.user is not None)
        course = self.courses[after.match]
        if write.write != "commit" or before is None or after.seed is None or not course.knows(after.number):
            return
        number = before.number
        while number < after.number:
            self._closed(course, write, number)
            number += 1
        if after.stage == "playing":
            self._kept(course, write, number)

    def _kept(self, course: Course, write: Stored, number: int) -> None:
        """The phase that is open afterwards."""
        before, after = write.before, write.after
        assert before is not None
        opens = before.number < number or before.seed is None
        people = {player: who.user for player, who in enumerate(after.seats) if who and who.user is not None}
        if opens or (before.box, before.seats) != (after.box, after.seats):
            house = course.house(number, people)
            for player, slot in after.box.items():
                if player not in people and house.get(player) != slot:
                    self._offence("presses", f"{course.match}:{number} a house player has {slot}", write.at)
            for player, slot in house.items():
                if player not in after.box:
                    self._offence("presses", f"{course.match}:{number} house player {player} lacks {slot}", write.at)
        for player, user in people.items():
            slot = after.box.get(player, EMPTY)
            self._narrow(course, write, number, (player, user), slot, slot.__eq__)

    def _closed(self, course: Course, write: Stored, number: int) -> None:
        """A phase that this write closed. What it closes because its time is up counts no press more."""
        before, after = write.before, write.after
        assert before is not None
        step, phase = after.steps[number], course.phase(number)
        first = number == before.number and before.seed is not None
        seconds = course.seconds(number)
        deadline = before.deadline if first else None if seconds is None else after.opened + seconds
        if first and before.paused is not None and deadline is not None:
            deadline += after.opened - before.paused
        expired = deadline is not None and deadline <= after.opened
        ending = self._ending(course, write, number, step, expired=expired)
        asked = self._asked(course, write, number, None) is not None
        final: set[Player] = set()
        people = course.sat(number)
        house = course.house(number, people)
        for player, slot in {} if ending else house.items():
            final.add(player)
            if step.get(player) != slot[0]:
                self._offence("presses", f"{course.match}:{number} house player {player} has no {slot}", write.at)
        for player, user in {} if ending else people.items():
            text = step.get(player)
            if not expired and self._picked(course, write, number, player, text):
                final.add(player)
                continue
            self._narrow(course, write, number, (player, user), (text, True), _sealed(text), expired=expired)
            seat = self._seat(course, number, player, user)
            if seat.sets is None or any(seat.fold.slot(counted)[1] for counted in seat.sets):
                final.add(player)
        if not ending:
            for player in step:
                if player not in people and player not in house:
                    self._offence("presses", f"{course.match}:{number} a move of seat {player}, not asked", write.at)
        at = phase is not None and phase.instant and asked
        self.tally.closings.append(Closing(course, number, write, deadline, frozenset(final), at, ending))

    def _narrow(
        self,
        course: Course,
        write: Stored,
        number: int,
        who: tuple[Player, int],
        slot: Slot,
        fits: _Fits,
        *,
        expired: bool = False,
    ) -> None:
        """Leave what may have counted for a seat and who sits there, given what was stored."""
        player, user = who
        seat = self._seat(course, number, player, user)
        if seat.sets is None:
            return
        fold = seat.fold
        new = [press.update for press in fold.presses if press.update in fold.admitted]
        if new and not expired:
            held = {press.update for press in fold.presses if press.was_held(write.at, write.process)}
            new = [update for update in new if update in held]
        else:
            new = []
        possible = dict.fromkeys(
            counted
            for had in seat.sets
            for counted in (had, *(had | {update} for update in new if update not in had))
            if fits(fold.slot(counted))
        )
        if not possible:
            had = sorted({str(fold.slot(counted)) for counted in seat.sets})
            what = f"{course.match}:{number} seat {player} has {slot} by a press too late or by nobody's, before: {had}"
            self._offence("presses", what, write.at)
        if len(possible) > MOST:
            self.tally.capped += 1
        seat.sets = list(possible) if 0 < len(possible) <= MOST else None

    # --- moves that presses about the match make --------------------------------------------------

    def _ending(self, course: Course, write: Stored, number: int, step: Mapping[Player, str], *, expired: bool) -> bool:
        """Whether the step is a move that ends the match at once; and if so, somebody must have asked for it."""
        for player, text in step.items():
            if text == course.resigning and not expired:
                user = course.sat(number).get(player)
                if not any(p.user == user for p in self._held(course, write, "resign", ("yes",))):
                    self._offence("presses", f"{course.match}:{number} seat {player} never resigned", write.at)
                break
            if text == course.declining and not expired:
                beforehand = [press for each in self._followed(course) for press in self.presses.about.get(each, ())]
                declined = any(
                    isinstance(p.asks, About) and (p.asks.act, p.asks.arg) == ("after", "no") for p in beforehand
                )
                if not declined and not list(self._held(course, write, "decline", (f"{number}.yes",))):
                    self._offence("presses", f"{course.match}:{number} nobody declined", write.at)
                break
        else:
            return False
        if len(step) != 1:
            self._offence("presses", f"{course.match}:{number} other moves beside the one that ends it", write.at)
        return True

    def _followed(self, course: Course) -> Iterator[str]:
        """A match and those that it is a rematch of: its lobby begins with what was set for them."""
        match: str | None = course.match
        while match is not None:
            yield match
            match = self.courses[match].last.follows if match in self.courses else None

    def _held(self, course: Course, write: Stored, act: str, args: tuple[str, ...]) -> Iterator[Press]:
        for press in self.presses.about.get(course.match, ()):
            asks = press.asks
            asked = isinstance(asks, About) and asks.act == act and asks.arg in args
            if asked and press.was_held(write.at, write.process):
                yield press

    def _asked(self, course: Course, write: Stored, number: int, text: str | None) -> Press | None:
        """The host's press for a pick in somebody's place, ``text`` None: the bot's pick."""
        return next(self._held(course, write, "pick", (f"{number}.{text or ''}", str(number))), None)

    def _picked(self, course: Course, write: Stored, number: int, player: Player, text: str | None) -> bool:
        """Whether the host picked for a player, or let the bot."""
        phase = course.phase(number)
        if phase is None or not phase.instant or player not in phase.active:
            return False
        if text is not None and not course.game.hosted(course.game.read(text)):
            return False
        press = self._asked(course, write, number, text)
        if press is None:
            return False
        if not may_host(self.presence, course, press.user, write.at):
            self._offence("presses", f"{course.match}:{number} picked by one who may not", write.at)
        before = write.before
        when = course.remind_at(before) if before is not None and before.number == number else None
        if when is not None and when > write.clock:
            self._offence("presses", f"{course.match}:{number} picked {when - write.clock:.1f} s too early", write.at)
        if text is not None and self._plays(course, number, press.user):
            self._offence("presses", f"{course.match}:{number} picked by one who plays", write.at)
        return True

    def _plays(self, course: Course, number: int, user: int) -> bool:
        playing = course.game.playing(course.state(number))
        return any(course.sat(number).get(player) == user for player in playing)

    # --- answers ----------------------------------------------------------------------------------

    def _answered(self, at: float, query: str, text: str) -> None:
        """Nothing is said before it is stored."""
        press = self.presses.by_query.get(query)
        if press is None:
            self._offence("presses", f"an answer to a press that nobody made: {query}", at)
            return
        asks = press.asks
        if isinstance(asks, InPhase):
            first = press.counted and (at, text) == press.answers[0]
            early = first and not is_stored(press, asks, self.courses.get(asks.match), self.seats, self.latest)
        else:
            course = self.courses.get(asks.match) if isinstance(asks, About) else None
            early = isinstance(asks, About) and not holds(press, asks, text, course, self.latest, self.sat)
        if early:
            self._offence("order", f"press {press.update} was told {text!r} before it was stored", at)


def _sealed(text: str | None) -> _Fits:
    return lambda slot: slot[0] == text
