"""What the judge says of the host's calls: who may make them, how often they count, what becomes of the match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.simulation.calm import PROCESS, duel
from tests.simulation.edits import edited, with_events
from tests.simulation.judge import callers, notices, phases
from tests.simulation.trace import Delivered, Event, Snapshot, Stored, Trace, Wrote
from tests.simulation.verdict import Offence

Change = Callable[[Snapshot], Snapshot]


def is_open(write: Stored) -> bool:
    """Whether it leaves the phase open that was open before, which has a deadline."""
    before, after = write.before, write.after
    within = before is not None and before.seed is not None and before.number == after.number
    return within and write.write == "commit" and after.stage == "playing" and after.deadline is not None


def called(trace: Trace, text: str, change: Change, *, by: int | None = None, times: int = 1) -> Trace:
    """The trace with a commit that does what somebody has just typed so many times."""
    found = next(write for write in trace.of(Stored) if is_open(write))
    user = found.after.host if by is None else by
    before = found.after
    events: list[Event] = []
    for event in trace.events:
        events.append(event)
        if event is found:
            events.append(Wrote(found.at, 9_000_000, user, before.chat, text))
            events.append(Delivered(found.at - 1, found.at + 1, 9_000_000, PROCESS, 200))
            for _ in range(times):
                after = replace(change(before), version=before.version + 1)
                events.append(replace(found, before=before, after=after))
                before = after
    return with_events(trace, events)


def said(check: Callable[[Trace], Iterator[Offence]], trace: Trace) -> str:
    """All that a check has to say."""
    return "\n".join(offence.why for offence in check(trace))


def pause(match: Snapshot) -> Snapshot:
    """Paused when the first of its phases opened."""
    return replace(match, paused=match.opened, alarm_at=None)


def extend(minutes: int) -> Change:
    """So many minutes more."""

    def longer(match: Snapshot) -> Snapshot:
        assert match.deadline is not None
        added, lent = match.extended
        return replace(match, deadline=match.deadline + 60 * minutes, extended=(added + minutes, lent))

    return longer


def test_nothing_is_said_where_nobody_calls() -> None:
    assert not said(callers.check, duel())


def test_a_pause_by_the_host_and_by_somebody_else() -> None:
    """Only who may host pauses."""
    assert "paused by none who may" not in said(callers.check, called(duel(), "/pause", pause))
    assert "paused by none who may" in said(callers.check, called(duel(), "/pause", pause, by=99))
    assert "paused by none who may" in said(callers.check, called(duel(), "/extend 1", pause))


def test_a_paused_match_that_goes_on() -> None:
    """Nothing closes, and no deadline moves but by the pause."""

    def paused(write: Stored) -> list[Stored]:
        begun = write.before is not None and write.before.seed is not None
        before = pause(write.before) if write.before is not None and begun else write.before
        return [replace(write, before=before, after=pause(write.after))] if begun else [write]

    assert "closed while the match was paused" in said(phases.check, edited(duel(), Stored, paused))
    drifting = called(
        duel(), "/pause", lambda match: pause(replace(match, deadline=(match.deadline or 0) + 1)), times=2
    )
    assert "s were left" in said(phases.check, drifting)


@pytest.mark.parametrize(
    ("text", "minutes", "times", "why"),
    [
        ("/extend 2", 2, 1, ""),
        ("/extend +2", 2, 1, ""),
        ("/extend 2", 3, 1, "for which nobody asked"),
        ("/extend 2", 2, 2, "for which nobody asked who may, or asked once"),
        ("/extend 11", 11, 1, "beyond the caps"),
    ],
)
def test_more_time(text: str, minutes: int, times: int, why: str) -> None:
    """A typed call counts once, and no call for more than may be had."""
    heard = said(callers.check, called(duel(), text, extend(minutes), times=times))
    wrong = [line for line in heard.splitlines() if "are stored" not in line]
    assert why in "\n".join(wrong)
    assert bool(wrong) == bool(why)


def test_a_seat_that_nobody_gave_away() -> None:
    """It takes whoever has to agree, and somebody who asked for it."""

    def handed(user: int | None) -> Change:
        def change(match: Snapshot) -> Snapshot:
            who = match.seats[0]
            assert who is not None
            taken = replace(who, user=user, since=match.number)
            return replace(match, seats=(taken, *match.seats[1:]))

        return change

    assert "without who has to agree" in said(callers.check, called(duel(), "/replace", handed(None)))
    heard = said(callers.check, called(duel(), "/replace", handed(77)))
    assert "was not free to take" in heard
    assert "never asked for it" in heard


def test_a_call_that_is_not_announced() -> None:
    """The group hears of each."""
    assert "('paused',) was never told" in said(notices.check, called(duel(), "/pause", pause))
    assert "'extended'" in said(notices.check, called(duel(), "/extend 2", extend(2)))
