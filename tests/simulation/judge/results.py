"""What is kept of people: each result once, not before its match is over, and nothing of whom was forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from tests.simulation.judge.matches import courses
from tests.simulation.judge.repeats import Losses
from tests.simulation.trace import FORGOTTEN, Kept, Snapshot, Stored, Trace
from tests.simulation.verdict import Offence


def check(trace: Trace) -> Iterator[Offence]:
    """Results that are written too early, again without a reason, of nobody who played, after they were forgotten, or
    not at all.
    """
    losses = Losses(trace)
    latest: dict[str, Snapshot] = {}
    written: dict[tuple[str, int], list[Kept]] = {}
    forgotten: dict[int, float] = {}
    for event in trace.events:
        if isinstance(event, Stored):
            latest[event.after.match] = event.after
        elif isinstance(event, Kept) and event.what == "forget":
            forgotten[event.user] = event.at
        elif isinstance(event, Kept) and event.what == "result":
            those = written.setdefault((event.match, event.user), [])
            yield from _result(event, latest.get(event.match), those, forgotten)
            those.append(event)
    for (match, user), those in written.items():
        if len(those) > 1:
            yield from losses.unexplained(f"the result of {user} in {match} was written", those, check="results")
    for course in courses(trace).values():
        if course.last.stage == "over":
            for user in course.people.values():
                if user != FORGOTTEN and (course.match, user) not in written and user not in forgotten:
                    yield Offence("results", f"{user} has no result of {course.match}", trace.events[-1].at)


def _result(event: Kept, match: Snapshot | None, before: list[Kept], forgotten: dict[int, float]) -> Iterator[Offence]:
    what = f"the result of {event.user} in {event.match}"
    if match is None or match.stage != "over":
        yield Offence("results", f"{what} was written before the match was over", event.at)
        return
    if all(who is None or who.user != event.user for who in match.seats) and event.user not in forgotten:
        yield Offence("results", f"{what} is of nobody who played to its end", event.at)
    if before and event.new and before[-1].at < forgotten.get(event.user, 0.0):
        yield Offence("results", f"{what} was written again after they were forgotten", event.at)
