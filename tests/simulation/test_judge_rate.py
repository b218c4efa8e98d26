"""What the judge says of too many calls to a group, and of calls that no correct bot makes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.simulation.calm import duel, evening
from tests.simulation.edits import with_events
from tests.simulation.judge import calls, rate
from tests.simulation.trace import Booted, Call, Trace

GROUP = -4001


def at(times: Sequence[float], chat: int = GROUP, method: str = "sendMessage", status: int | None = 200) -> Trace:
    """Calls at these times."""
    trace = Trace()
    for process in (1, 2):
        trace.add(Booted(0.0, process, 0.0))
    for time in times:
        trace.add(Call(time, 1, method, chat, {"chat_id": chat}, status == 200, status))
    return trace


@pytest.mark.parametrize("trace", [duel(), evening()])
def test_a_calm_match_keeps_the_rate(trace: Trace) -> None:
    assert not list(rate.check(trace))
    assert not list(calls.check(trace))


@pytest.mark.parametrize(
    ("trace", "offences"),
    [
        (at(range(20)), 0),
        (at(range(21)), 1),
        (at(range(25)), 5),
        (at([*range(20), 60.0]), 0),
        (at([*range(20), 59.9]), 1),
        (at(range(25), status=429), 5),
        (at(range(25), status=500), 0),
        (at(range(25), status=None), 0),
        (at(range(25), method="editMessageText"), 5),
        (at(range(25), method="sendDocument"), 5),
        (at(range(25), method="pinChatMessage"), 0),
        (at(range(25), chat=4001), 0),
    ],
)
def test_twenty_visible_calls_a_minute(trace: Trace, offences: int) -> None:
    assert len(list(rate.check(trace))) == offences


def test_a_violation() -> None:
    trace = with_events(duel(), duel().events)
    trace.violations.append("sendMessage: text is too long")
    assert [offence.check for offence in calls.check(trace)] == ["calls"]


@pytest.mark.parametrize(
    ("seconds", "process", "silent", "offences"),
    [(1.0, 1, True, 1), (29.0, 1, True, 1), (30.0, 1, True, 0), (1.0, 2, True, 0), (1.0, 1, False, 0)],
)
def test_a_wait_is_kept_by_the_process_that_knows_of_it(
    seconds: float, process: int, silent: bool, offences: int
) -> None:
    """By what it tells; whoever asks it something may be answered, and that is aloud."""
    params = {"chat_id": GROUP, "text": "A board", "disable_notification": silent}
    trace = Trace()
    trace.add(Call(5.0, 1, "sendMessage", GROUP, params, False, 429, wait=30))
    trace.add(Call(5.0 + seconds, process, "sendMessage", GROUP, params, True, 200))
    assert len(list(rate.check(trace))) == offences
