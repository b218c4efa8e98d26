"""What presses were told, held against what has counted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.game import Player
from tests.simulation.judge.answers import PICKED, RESIGNED, SEATED, STARTED
from tests.simulation.judge.buttons import MOVES, About, InPhase
from tests.simulation.judge.faults import Faults
from tests.simulation.judge.folds import Counted, Fold
from tests.simulation.judge.made import Press, Presses
from tests.simulation.judge.matches import Course
from tests.simulation.trace import Snapshot
from tests.simulation.verdict import Offence

KEPT: Final = 10
"""Presses of a seat that the bot remembers one by one; one that comes still later need not count."""


@dataclass
class Seat:
    """A seat in a phase while presses are counted; ``sets`` is None where nothing can be said of it any more."""

    fold: Fold
    sets: list[Counted] | None


Seats = Mapping[tuple[str, int, Player, int], Seat]


# --- when it is said ------------------------------------------------------------------------------


def is_stored(press: Press, asks: InPhase, course: Course | None, seats: Seats, latest: Mapping[str, Snapshot]) -> bool:
    """Whether a press that is told that it counts may have counted by now."""
    player = None if course is None else course.seat_of(press.user)
    if course is None or player is None:
        return True  # that it was answered so at all is judged at the end
    seat = seats.get((asks.match, asks.number, player, press.user))
    if seat is None:
        return False
    if seat.sets is None or any(press.update in counted for counted in seat.sets):
        return True
    return _is_done(seat, latest[asks.match], asks)


def holds(
    press: Press,
    asks: About,
    text: str,
    course: Course | None,
    latest: Mapping[str, Snapshot],
    sat: Collection[tuple[str, int]],
) -> bool:
    """Whether what an answer says of a match is stored. ``sat``: who has sat at which match."""
    match = latest.get(asks.match)
    if match is None or course is None:
        return text not in (RESIGNED, STARTED, SEATED)
    if text == RESIGNED:
        return bool(match.steps) and match.steps[-1] == {course.seat_of(press.user): course.resigning}
    if text == STARTED:
        return match.stage != "lobby"
    if text == SEATED:
        return (asks.match, press.user) in sat
    if PICKED.fullmatch(text):
        number = asks.arg.partition(".")[0]
        return number.isdecimal() and match.number > int(number)
    return True


# --- at the end -----------------------------------------------------------------------------------


def unkept(presses: Presses, courses: Mapping[str, Course], seats: Seats, faults: Faults) -> Iterator[Offence]:
    """Presses that were told one thing while another came of them."""
    for press in presses.all:
        if isinstance(press.asks, InPhase) and press.counted:
            yield from _accepted(press, press.asks, courses.get(press.asks.match), seats)
    for (*_, user), seat in seats.items():
        yield from _of_a_seat(seat, user, faults)


def _accepted(press: Press, asks: InPhase, course: Course | None, seats: Seats) -> Iterator[Offence]:
    player = None if course is None else course.seat_of(press.user)
    if course is None or player is None or not course.knows(asks.number):
        if course is None or course.fault is None:
            yield Offence("presses", f"press {press.update} was accepted from nobody who plays there", press.at)
        return
    seat = seats.get((asks.match, asks.number, player, press.user))
    if seat is None or (press.update not in seat.fold.admitted and not _is_done(seat, course.last, asks)):
        yield Offence("presses", f"press {press.update} was accepted against the rules: {asks}", press.at)


def _of_a_seat(seat: Seat, user: int, faults: Faults) -> Iterator[Offence]:
    """Acknowledged presses counted, and no refused one did."""
    fold, sets = seat.fold, seat.sets
    if sets is None:
        return
    where = f"{fold.course.match}:{fold.number} seat {fold.player}"
    left = sets
    first, last = _open(fold, user)
    for press in fold.presses:
        asks = press.asks
        assert isinstance(asks, InPhase)
        if press.counted and press.update in fold.admitted and not _is_done(seat, fold.course.last, asks):
            left, why = [counted for counted in left if press.update in counted], "was acknowledged and did not count"
        elif press.refused:
            left, why = [counted for counted in left if press.update not in counted], "was refused and counted"
        elif not press.answers and _must_count(press, fold, first, last, faults):
            left, why = [counted for counted in left if press.update in counted], "was taken and did not count"
        else:
            continue
        if not left:
            yield Offence("presses", f"{where}: press {press.update} ({asks.verb}{asks.arg}) {why}", press.at)
            return


def _must_count(press: Press, fold: Fold, first: float, last: float, faults: Faults) -> bool:
    """Whether Telegram took a press for done, though it was told nothing, while its phase was open all the time."""
    if any(fold.course.is_paused(start, end) for start, end in press.taken):
        return False
    newer = sum(other.update > press.update for other in fold.presses)
    during = any(first < start and end < last for start, end in press.taken)
    return during and press.update in fold.admitted and newer < KEPT and not faults.lasting(press.taken[-1][1])


def _open(fold: Fold, user: int) -> tuple[float, float]:
    """From when until when a phase was open, as it was stored, and somebody sat there."""
    writes = (
        w for w in fold.course.writes if w.after.number > fold.number or w.after.stage not in ("lobby", "playing")
    )
    closing = next(writes, None)
    first, last = fold.course.stored(fold.number), float("inf") if closing is None else closing.at
    theirs = [each for each in fold.course.tenures if (each.player, each.user) == (fold.player, user)]
    return max(first, min(each.at for each in theirs)), min(last, max(each.until for each in theirs))


def _is_done(seat: Seat, snapshot: Snapshot, asks: InPhase) -> bool:
    """Whether a turn was closed with just what a press asks for: then it makes no difference which of two did it."""
    done = seat.fold.alone and asks.number < snapshot.number
    return done and asks.verb in MOVES and snapshot.steps[asks.number].get(seat.fold.player) == asks.arg
