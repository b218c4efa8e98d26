"""What the judge says of phases in time, and of writes that lose something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.simulation.calm import PROCESS, duel, evening
from tests.simulation.edits import edited, with_events
from tests.simulation.judge.phases import check
from tests.simulation.trace import Snapshot, Stored, Struck, Trace


def changed(trace: Trace, which: Callable[[Stored], bool], change: Callable[[Snapshot], Snapshot]) -> Trace:
    """The trace with the first such write, and all that follows from it, changed."""
    found = next(write for write in trace.of(Stored) if which(write))
    return edited(trace, Stored, lambda w: [replace(w, after=change(w.after)) if w is found else w])


def closes(write: Stored) -> bool:
    """Whether it closes a phase."""
    return write.before is not None and write.before.seed is not None and write.before.number < write.after.number


def shifted(trace: Trace, seconds: float) -> Trace:
    """The trace with everything from the closing of the first timed phase on so much later."""
    late = next(w for w in trace.of(Stored) if closes(w) and w.before and w.after.opened == w.before.deadline)
    old, index = late.after, trace.events.index(late)

    def later(snapshot: Snapshot) -> Snapshot:
        if snapshot.number != old.number or snapshot.deadline is None or old.deadline is None:
            return snapshot
        at = None if snapshot.alarm_at is None else snapshot.alarm_at + seconds
        return replace(snapshot, opened=old.opened + seconds, deadline=old.deadline + seconds, alarm_at=at)

    def moved(write: Stored) -> Stored:
        before = write.before and later(write.before)
        return replace(
            write, at=write.at + seconds, clock=write.clock + seconds, before=before, after=later(write.after)
        )

    events = [moved(e) if n >= index and isinstance(e, Stored) else e for n, e in enumerate(trace.events)]
    return with_events(trace, events)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda s: replace(s, version=s.version + 1), "follows version"),
        (lambda s: replace(s, steps=({0: "?-"}, *s.steps[1:])), "a closed phase is not what it was"),
        (lambda s: replace(s, stage="lobby"), "lobby after playing"),
        (lambda s: replace(s, stage="over"), "over, by the rules"),
        (lambda s: replace(s, seed="0" * 64), "seed, rules or game changed"),
        (lambda s: replace(s, deadline=s.deadline + 1), "s runs from"),
        (lambda s: replace(s, opened=s.opened + 1), "by a clock at"),
        (lambda s: replace(s, alarm_at=None), "an alarm at None"),
        (lambda s: replace(s, alarm=0), "alarm"),
    ],
)
def test_a_write_that_is_wrong(change: Callable[[Snapshot], Snapshot], why: str) -> None:
    """Each thing that no write may do."""
    wrong = changed(duel(), lambda w: closes(w) and w.after.number == 3, change)
    assert any(why in offence.why for offence in check(wrong))


def test_a_write_on_top_of_one_that_it_has_not_seen() -> None:
    """What it replaces is what was stored last."""
    trace = duel()
    lost = next(write for write in trace.of(Stored) if closes(write))
    without = edited(trace, Stored, lambda write: [] if write is lost else [write])
    assert any("not what was stored last" in offence.why for offence in check(without))


def test_telling_does_not_change_the_match() -> None:
    """What is stored of telling leaves the match alone."""
    wrong = changed(
        duel(), lambda w: w.write == "settle" and w.after.seed is not None, lambda s: replace(s, box={0: ("?c", True)})
    )
    assert any("changes the match itself" in offence.why for offence in check(wrong))


def test_an_early_end() -> None:
    """A phase with somebody in it who has not locked in lasts as long as its time."""
    trace = evening()
    early = edited(
        trace,
        Stored,
        lambda w: (
            [replace(w, before=replace(w.before, deadline=w.before.deadline + 500))]
            if closes(w) and w.before and w.before.deadline
            else [w]
        ),
    )
    assert any("closed early, without [0, 1]" in offence.why for offence in check(early))


def test_a_deadline_that_moves() -> None:
    """Only a process that has just started grants time."""
    trace = evening()
    snapshot = next(w.after for w in trace.of(Stored) if closes(w))
    assert snapshot.deadline is not None
    moved = replace(snapshot, version=snapshot.version + 1, deadline=snapshot.deadline + 77)
    index = next(n for n, event in enumerate(trace.events) if isinstance(event, Stored) and event.after == snapshot)
    at = trace.events[index].at
    grant = Stored(at, PROCESS, at, "commit", snapshot, moved)
    assert any("the deadline moved" in o.why for o in check(with_events(trace, [*trace.events[: index + 1], grant])))


@pytest.mark.parametrize(
    ("seconds", "struck", "late"), [(4, False, False), (6, False, True), (6, True, False), (150, True, True)]
)
def test_a_late_end(seconds: float, struck: bool, late: bool) -> None:
    """Some seconds without a reason; with one as long as the sweep takes, and once more for each fault."""
    trace = shifted(evening(), seconds)
    closing = next(w for w in trace.of(Stored) if closes(w))
    if struck:
        trace = with_events(trace, [Struck(closing.at - 20, "schedule lost"), *trace.events])
    assert any(" s late" in offence.why for offence in check(trace)) == late


@pytest.mark.parametrize(
    ("seconds", "faults", "late"), [(3940, 0, False), (3960, 0, True), (3960, 1, False), (4030, 1, True)]
)
def test_a_late_end_after_an_outage(seconds: float, faults: int, late: bool) -> None:
    """What goes wrong once an outage is over has as much time as it would have had without."""
    trace = shifted(evening(), seconds)
    closing = next(
        w for w in trace.of(Stored) if closes(w) and w.before and w.before.deadline == w.after.opened - seconds
    )
    assert closing.before is not None
    assert closing.before.deadline is not None
    outage = Struck(closing.before.deadline - 20, "outage", about="3700")  # until 3680 s after it, and 200 s to recover
    others = [Struck(closing.at - 20 - number, "store throttled", PROCESS) for number in range(faults)]
    struck = with_events(trace, [outage, *others, *trace.events])
    assert any(" s late" in offence.why for offence in check(struck)) == late


@pytest.mark.parametrize(("decided", "wrong"), [(-0.5, False), (0.5, True)])
def test_the_very_same_commit_twice(decided: float, wrong: bool) -> None:
    """A store takes it for that commit's own, but only if it was decided before the other took effect."""
    trace = duel()
    once = next(write for write in trace.of(Stored) if closes(write))
    again = replace(once, at=once.at + 1, clock=once.at + decided, before=once.after)
    twice = edited(trace, Stored, lambda write: [write, again] if write is once else [write])
    assert any("follows version" in offence.why for offence in check(twice)) == wrong


def test_a_phase_in_which_nobody_is_awaited() -> None:
    """It closes in the write that makes it so."""
    everybody = dict.fromkeys(range(2), (None, True))
    wrong = changed(duel(), lambda w: w.after.number == 0 and bool(w.after.box), lambda s: replace(s, box=everybody))
    assert any("nobody is awaited" in offence.why for offence in check(wrong))
