"""When a match wants attention next, as the trace shows it."""

from __future__ import annotations

from tests.simulation.trace import Snapshot, Trace


def untold(match: Snapshot) -> bool:
    """Whether somebody still has to be told something."""
    return match.told < match.news


def anything_due(trace: Trace, now: float) -> bool:
    """Whether a sweep at ``now`` would find a match."""
    return any(_due(match, now) for match in trace.latest.values())


def _due(match: Snapshot, now: float) -> bool:
    if match.alarm_at is not None and match.alarm_at <= now:
        return True
    return untold(match) and (match.tell_at if match.lease is None else max(match.tell_at, match.lease_until)) <= now
