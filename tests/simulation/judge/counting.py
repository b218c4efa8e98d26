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
from tests.simulation.judge.answers import PICKED, RESIGNED, SEATED, STARTED
from tests.simulation.judge.buttons import MOVES, About, InPhase
from tests.simulation.judge.faults import Faults
from tests.simulation.judge.folds import Counted, Fold
from tests.simulation.judge.made import Press, Presses, answered, presses
from tests.simulation.judge.matches import EMPTY, Course, Slot, courses
from tests.simulation.trace import Call, Snapshot, Stored, Trace
from tests.simulation.verdict import Check, Offence

KEPT: Final = 10
"""Presses of a seat that the bot remembers one by one; one that comes still later need not count."""

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
class Seat:
    """A seat in a phase while presses are counted; ``sets`` is None where nothing can be said of it any more."""

    fold: Fold
    sets: list[Counted] | None


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
        self.seats: dict[tuple[str, int, Player], Seat] = {}
        self.latest: dict[str, Snapshot] = {}
        self.sat: set[tuple[str, int]] = set()
        self.tally = Tally()
        self.faults = Faults(trace)

    def whole(self) -> Tally:
        for event in self.trace.events:
            if isinstance(event, Stored):
                self._stored(event)
            elif isinstance(event, Call) and (answer := answered(event)) is not None:
                self._answered(event.at, *answer)
        for press in self.presses.all:
            if isinstance(press.asks, InPhase):
                self._judge(press, press.asks)
        for seat in self.seats.values():
            self._judge_all(seat)
        return self.tally

    def _offence(self, check: Check, why: str, at: float) -> None:
        self.tally.offences.append(Offence(check, why, at))

    def _seat(self, course: Course, number: int, player: Player) -> Seat:
        key = (course.match, number, player)
        if key not in self.seats:
            made = self.presses.in_phase.get((course.match, number, course.people[player]), ())
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
        if opens or before.box != after.box:
            house = course.house(number)
            for player, slot in after.box.items():
                if player not in course.people and house.get(player) != slot:
                    self._offence("presses", f"{course.match}:{number} a house player has {slot}", write.at)
            for player, slot in house.items():
                if player not in after.box:
                    self._offence("presses", f"{course.match}:{number} house player {player} lacks {slot}", write.at)
        for player in course.people:
            slot = after.box.get(player, EMPTY)
            self._narrow(course, write, number, player, slot, slot.__eq__)

    def _closed(self, course: Course, write: Stored, number: int) -> None:
        """A phase that this write closed. What it closes because its time is up counts no press more."""
        before, after = write.before, write.after
        assert before is not None
        step, phase = after.steps[number], course.phase(number)
        first = number == before.number and before.seed is not None
        seconds = course.seconds(number)
        deadline = before.deadline if first else None if seconds is None else after.opened + seconds
        expired = deadline is not None and deadline <= after.opened
        ending = self._ending(course, write, number, step, expired=expired)
        asked = self._asked(course, write, number, None) is not None
        final: set[Player] = set()
        for player, slot in {} if ending else course.house(number).items():
            final.add(player)
            if step.get(player) != slot[0]:
                self._offence("presses", f"{course.match}:{number} house player {player} has no {slot}", write.at)
        for player in () if ending else course.people:
            text = step.get(player)
            if not expired and self._picked(course, write, number, player, text):
                final.add(player)
                continue
            self._narrow(course, write, number, player, (text, True), _sealed(text), expired=expired)
            seat = self._seat(course, number, player)
            if seat.sets is None or any(seat.fold.slot(counted)[1] for counted in seat.sets):
                final.add(player)
        if not ending:
            for player in step:
                if player not in course.people and player not in course.house(number):
                    self._offence("presses", f"{course.match}:{number} a move of seat {player}, not asked", write.at)
        at = phase is not None and phase.instant and asked
        self.tally.closings.append(Closing(course, number, write, deadline, frozenset(final), at, ending))

    def _narrow(
        self,
        course: Course,
        write: Stored,
        number: int,
        player: Player,
        slot: Slot,
        fits: _Fits,
        *,
        expired: bool = False,
    ) -> None:
        """Leave what may have counted for a seat, given what was stored."""
        seat = self._seat(course, number, player)
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
                user = course.people.get(player)
                if not any(p.user == user for p in self._held(course, write, "resign", ("yes",))):
                    self._offence("presses", f"{course.match}:{number} seat {player} never resigned", write.at)
                break
            if text == course.declining and not expired:
                beforehand = self.presses.about.get(course.match, ())
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
        if text is not None and press.user in course.people.values() and self._plays(course, number, press.user):
            self._offence("presses", f"{course.match}:{number} picked by one who plays", write.at)
        return True

    def _plays(self, course: Course, number: int, user: int) -> bool:
        playing = course.game.playing(course.state(number))
        return any(course.people.get(player) == user for player in playing)

    # --- answers ----------------------------------------------------------------------------------

    def _answered(self, at: float, query: str, text: str) -> None:
        """Nothing is said before it is stored."""
        press = self.presses.by_query.get(query)
        if press is None:
            self._offence("presses", f"an answer to a press that nobody made: {query}", at)
            return
        asks = press.asks
        if isinstance(asks, InPhase):
            if press.counted and (at, text) == press.answers[0] and not self._is_stored(press, asks):
                self._offence("order", f"press {press.update} was told {text!r} before it was stored", at)
        elif isinstance(asks, About) and not self._holds(press, asks, text):
            self._offence("order", f"press {press.update} was told {text!r} before it was stored", at)

    def _is_stored(self, press: Press, asks: InPhase) -> bool:
        course = self.courses.get(asks.match)
        player = None if course is None else course.seat_of(press.user)
        if course is None or player is None:
            return True  # that it was answered so at all is judged at the end
        seat = self.seats.get((asks.match, asks.number, player))
        if seat is None:
            return False
        if seat.sets is None or any(press.update in counted for counted in seat.sets):
            return True
        return _is_done(seat, self.latest[asks.match], asks)

    def _holds(self, press: Press, asks: About, text: str) -> bool:
        """Whether what an answer says of a match is stored."""
        latest = self.latest.get(asks.match)
        if latest is None:
            return text not in (RESIGNED, STARTED, SEATED)
        if text == RESIGNED:
            player = self.courses[asks.match].seat_of(press.user)
            resigning = self.courses[asks.match].resigning
            return bool(latest.steps) and latest.steps[-1] == {player: resigning}
        if text == STARTED:
            return latest.stage != "lobby"
        if text == SEATED:
            return (asks.match, press.user) in self.sat
        if PICKED.fullmatch(text):
            number = asks.arg.partition(".")[0]
            return number.isdecimal() and latest.number > int(number)
        return True

    # --- at the end -------------------------------------------------------------------------------

    def _judge(self, press: Press, asks: InPhase) -> None:
        course = self.courses.get(asks.match)
        player = None if course is None else course.seat_of(press.user)
        if not press.counted:
            return
        if course is None or player is None or not course.knows(asks.number):
            if course is None or course.fault is None:
                self._offence("presses", f"press {press.update} was accepted from nobody who plays there", press.at)
            return
        seat = self.seats.get((asks.match, asks.number, player))
        if seat is None or (press.update not in seat.fold.admitted and not _is_done(seat, course.last, asks)):
            self._offence("presses", f"press {press.update} was accepted against the rules: {asks}", press.at)

    def _must_count(self, press: Press, fold: Fold, first: float, last: float) -> bool:
        """Whether Telegram took a press for done, though it was told nothing, while its phase was open all the time."""
        newer = sum(other.update > press.update for other in fold.presses)
        during = any(first < start and end < last for start, end in press.taken)
        return during and press.update in fold.admitted and newer < KEPT and not self.faults.lasting(press.taken[-1][1])

    def _judge_all(self, seat: Seat) -> None:
        """Acknowledged presses counted, and no refused one did."""
        fold, sets = seat.fold, seat.sets
        if sets is None:
            return
        where = f"{fold.course.match}:{fold.number} seat {fold.player}"
        left = sets
        first, last = _open(fold)
        for press in fold.presses:
            asks = press.asks
            assert isinstance(asks, InPhase)
            if press.counted and press.update in fold.admitted and not _is_done(seat, fold.course.last, asks):
                left, why = (
                    [counted for counted in left if press.update in counted],
                    "was acknowledged and did not count",
                )
            elif press.refused:
                left, why = [counted for counted in left if press.update not in counted], "was refused and counted"
            elif not press.answers and self._must_count(press, fold, first, last):
                left, why = [counted for counted in left if press.update in counted], "was taken and did not count"
            else:
                continue
            if not left:
                self._offence("presses", f"{where}: press {press.update} ({asks.verb}{asks.arg}) {why}", press.at)
                return


def _sealed(text: str | None) -> _Fits:
    return lambda slot: slot[0] == text


def _open(fold: Fold) -> tuple[float, float]:
    """From when until when a phase was open, as it was stored."""
    writes = (
        w for w in fold.course.writes if w.after.number > fold.number or w.after.stage not in ("lobby", "playing")
    )
    closing = next(writes, None)
    return fold.course.stored(fold.number), float("inf") if closing is None else closing.at


def _is_done(seat: Seat, snapshot: Snapshot, asks: InPhase) -> bool:
    """Whether a turn was closed with just what a press asks for: then it makes no difference which of two did it."""
    done = seat.fold.alone and asks.number < snapshot.number
    return done and asks.verb in MOVES and snapshot.steps[asks.number].get(seat.fold.player) == asks.arg
