"""Each phase is closed once, never early, and not too late; and what is stored only ever grows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.game import Player
from tests.simulation.judge.counting import Closing, tally
from tests.simulation.judge.faults import Faults
from tests.simulation.judge.matches import EMPTY, SAME, Course, courses
from tests.simulation.trace import Booted, Snapshot, Stored, Trace
from tests.simulation.verdict import Offence

AT_WORK: Final = 60.0
"""Seconds for which a decision may be on its way to the store."""
GRACE: Final = 60.0
LOBBY: Final = 24 * 3600.0
OVERDUE: Final = 10.0
"""After a stop a phase that is overdue for longer than this runs a minute more."""
BOOTING: Final = 300.0
PROMPT: Final = 5.0
SWEPT: Final = 70.0
"""Seconds after its deadline within which a phase closes: when nothing went wrong; when only the sweep is left."""
AGAIN: Final = 70.0
"""And for each thing more that went wrong."""
HAMPERING: Final = ("killed", "out of time", "restart", "store", "schedule", "message", "sweep", "timers", "telegram s")
NEXT: Final = {
    "lobby": ("lobby", "playing", "over", "cancelled"),
    "playing": ("playing", "over", "cancelled"),
    "over": ("over",),
    "cancelled": ("cancelled",),
}


def check(trace: Trace) -> Iterator[Offence]:
    """Writes that lose or undo something, and phases that close when they must not, or do not when they must."""
    started = {event.process: event for event in trace.of(Booted)}
    for course in courses(trace).values():
        yield from _writes(course, started)
    faults = Faults(trace)
    for closing in tally(trace).closings:
        yield from _closing(closing, faults)


def _writes(course: Course, started: Mapping[int, Booted]) -> Iterator[Offence]:
    stored: Snapshot | None = None
    last: Stored | None = None
    for write in course.writes:
        before, after = write.before, write.after

        def offence(
            why: str, at: float = write.at, what: str = f"{write.write} {course.match} v{after.version}"
        ) -> Offence:
            return Offence("phases", f"{what}: {why}", at)

        if write.astray:
            yield offence(f"nobody, or somebody still, is led there from {write.astray}")
        if before is None:
            if stored is not None or after.version != 1:
                yield offence("created anew")
            if after.deadline is None or abs(after.deadline - after.opened - LOBBY) > SAME:
                yield offence(f"a lobby from {after.opened} to {after.deadline}")
        elif stored is None or before != stored:
            yield offence("what was stored before is not what was stored last")
        else:
            if not _is_twin(write, last, started):
                yield from (offence(why) for why in _change(write, before, after))
            if after.stage == "playing":
                yield from (offence(why) for why in _times(course, write, before, started))
        if after.seed is not None and course.knows(after.number):
            yield from (offence(why) for why in _stage(course, write))
        stored, last = after, write


def _is_twin(write: Stored, last: Stored | None, started: Mapping[int, Booted]) -> bool:
    """Whether a commit found just what it would have written, by another that took effect after this was decided: a
    store may take that for the commit's own effect, of which it was not told, and nothing is lost.
    """
    if (
        last is None
        or (last.write, write.write) != ("commit", "commit")
        or not last.after == write.before == write.after
    ):
        return False
    return write.clock - started[write.process].skew <= last.at <= write.at


def _change(write: Stored, before: Snapshot, after: Snapshot) -> Iterator[str]:
    """What a write may do to what was stored."""
    if after.version != before.version + (write.write == "commit"):
        yield f"follows version {before.version}"
    if after.steps[: before.number] != before.steps:
        yield "a closed phase is not what it was"
    if after.stage not in NEXT[before.stage]:
        yield f"{after.stage} after {before.stage}"
    if before.seed is not None and (after.seed, after.rules, after.game) != (before.seed, before.rules, before.game):
        yield "seed, rules or game changed"
    if write.write != "commit" and _content(before) != _content(after):
        yield "changes the match itself"
    if after.news < before.news or after.told > after.news or after.alarm < before.alarm:
        yield f"news {before.news} → {after.news}, told {after.told}, alarm {before.alarm} → {after.alarm}"


def _content(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.stage, snapshot.steps, snapshot.box, snapshot.seats, snapshot.opened, snapshot.deadline


def _times(course: Course, write: Stored, before: Snapshot, started: Mapping[int, Booted]) -> Iterator[str]:
    """When the open phase opened, and how long it runs."""
    after = write.after
    if not course.knows(after.number):
        return
    if before.seed is None or before.number < after.number:
        seconds = course.seconds(after.number)
        if abs(after.opened - write.clock) > SAME:
            yield f"opened at {after.opened}, by a clock at {write.clock}"
        if after.deadline != (None if seconds is None else after.opened + seconds):
            yield f"a phase of {seconds} s runs from {after.opened} to {after.deadline}"
    elif before.paused is not None:
        yield from _paused(write, before)
    elif after.paused is not None and abs(after.paused - write.clock) > SAME:
        yield f"paused at {after.paused}, by a clock at {write.clock}"
    elif after.opened != before.opened:
        yield "the open phase has opened anew"
    elif after.extended[0] != before.extended[0]:
        pass  # judged with who asked for it
    elif after.deadline != before.deadline and not _granted(write, before, started):
        yield f"the deadline moved from {before.deadline} to {after.deadline} without a stop"
    if write.write == "commit":
        yield from _alarm(course, write, before)


def _paused(write: Stored, before: Snapshot) -> Iterator[str]:
    """What becomes of the times of a paused match: nothing until it is resumed, and then just what was left is left."""
    after = write.after
    assert before.paused is not None
    assert before.deadline is not None
    if after.paused not in (None, before.paused):
        yield f"paused since {before.paused}, then since {after.paused}"
    length = 0.0 if after.paused is not None else write.clock - before.paused
    added = 60.0 * (after.extended[0] - before.extended[0])
    if abs(after.opened - before.opened - length) > SAME:
        yield f"a phase opened at {before.opened} before the pause and {after.opened} after {length} s of it"
    if after.deadline is None or abs(after.deadline - before.deadline - length - added) > SAME:
        yield f"{before.deadline - before.paused} s were left, and {after.deadline} is the deadline at {write.clock}"
    if after.paused is not None:
        same = [player for player, who in enumerate(after.seats) if who == before.seats[player]]
        if any(after.box.get(player) != before.box.get(player) for player in same):
            yield "a box changed while the match was paused"


def _alarm(course: Course, write: Stored, before: Snapshot) -> Iterator[str]:
    """The next alarm is the reminder or, once that is told, the deadline; and nobody is reminded before it is time."""
    after = write.after
    when = course.remind_at(after)
    due = after.deadline if after.reminded or when is None else when
    if after.paused is not None:
        due = None
    if (due is None) != (after.alarm_at is None) or (due and after.alarm_at and abs(after.alarm_at - due) > SAME):
        yield f"an alarm at {after.alarm_at}, with the next moment at {due}"
    reminds = after.reminded and not before.reminded and after.deadline == before.deadline
    if reminds and when is not None and when > write.clock + SAME:
        yield f"a reminder of {when}, by a clock at {write.clock}"


def _granted(write: Stored, before: Snapshot, started: Mapping[int, Booted]) -> bool:
    """Whether a process that has just started gives an overdue phase another minute."""
    old, new = before.deadline, write.after.deadline
    if old is None or new is None or write.at > started[write.process].at + BOOTING:
        return False
    decided = new - GRACE
    return decided - old > OVERDUE and write.clock - AT_WORK <= decided <= write.clock + 0.001


def _stage(course: Course, write: Stored) -> Iterator[str]:
    """Whether the match is over just when the rules say so, and no phase stays open for which nobody has to wait."""
    after = write.after
    phase = course.phase(after.number)
    if (after.stage == "over") != (phase is None) and not (phase is None and after.stage == "cancelled"):
        yield f"{after.stage}, by the rules {phase}"
    if after.stage != "playing" or after.paused is not None or phase is None or write.write != "commit":
        return
    if after.deadline is not None and after.deadline <= write.clock - AT_WORK:
        yield "an expired phase stays open"
    awaited = [p for p in phase.active if not after.box.get(p, EMPTY)[1] and not _is_away(course, after, p)]
    away = [p for p in phase.active if _is_away(course, after, p)]
    people = [player for player, who in enumerate(after.seats) if who is not None and who.user is not None]
    if not awaited and (not away or any(after.box.get(p, EMPTY)[1] for p in phase.active if p in people)):
        yield "a phase stays open in which nobody is awaited"


def _is_away(course: Course, snapshot: Snapshot, player: Player) -> bool:
    who = snapshot.seats[player]
    return who is not None and (who.left or not who.reachable) and not course.can_resign(snapshot.number, player)


def _closing(closing: Closing, faults: Faults) -> Iterator[Offence]:
    course, write, number = closing.course, closing.write, closing.number
    where, now = f"{course.match}:{number}", write.after.opened
    if abs(now - write.clock) > SAME:
        yield Offence("phases", f"{where} closed at {now}, by a clock at {write.clock}", write.at)
    if closing.ended:
        return
    before = closing.write.before
    if before is not None and before.paused is not None and closing.write.after.paused is not None:
        yield Offence("phases", f"{where} closed while the match was paused", write.at)
    if closing.deadline is None or now < closing.deadline:
        yield from _early(closing)
    elif number == write.before.number if write.before else False:
        late, allowed = now - closing.deadline, _allowed(closing, faults)
        if late > allowed:
            yield Offence("phases", f"{where} closed {late:.1f} s late, {allowed:.0f} s are explained", write.at)


def _early(closing: Closing) -> Iterator[Offence]:
    """Only where nobody is awaited a phase closes before its time."""
    course, write, number = closing.course, closing.write, closing.number
    phase = course.phase(number)
    assert phase is not None
    if closing.asked:
        return
    here = [player for player in phase.active if player not in closing.final]
    awaited = [player for player in here if not _may_be_away(closing, player)]
    if awaited:
        yield Offence("phases", f"{course.match}:{number} closed early, without {awaited}", write.at)
    elif here and not any(player in closing.final for player in phase.active if player in course.sat(closing.number)):
        yield Offence("phases", f"{course.match}:{number} closed early by house players alone", write.at)


def _may_be_away(closing: Closing, player: Player) -> bool:
    if closing.course.can_resign(closing.number, player):
        return False
    snapshots = [write for write in (closing.write.before, closing.write.after) if write is not None]
    seats = [snapshot.seats[player] for snapshot in snapshots]
    return any(who is not None and (who.left or not who.reachable) for who in seats)


def _allowed(closing: Closing, faults: Faults) -> float:
    """How late a phase may close, by what went wrong since shortly before it opened. While the bot could do nothing, no
    time passes for it, and afterwards it is as likely as ever that something goes wrong.
    """
    before, now = closing.write.before, closing.write.at
    assert before is not None
    assert closing.deadline is not None
    lasted = faults.lasted(closing.deadline, now)
    hampered = faults.between(before.opened - PROMPT, now + PROMPT, HAMPERING)
    return lasted + SWEPT + AGAIN * len(hampered) if lasted or hampered else PROMPT
