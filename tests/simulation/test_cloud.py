"""EventBridge Scheduler and SQS in virtual time: what becomes of a nudge."""

from __future__ import annotations

from itertools import pairwise

import pytest

from handler.ports import Nudge
from infra.timers.scheduled import SOONEST
from tests.aws.cloud import VISIBILITY, WINDOW
from tests.simulation.cloud import LATE, MESSAGE_LATE, Cloud
from tests.simulation.processes import Killed, Process
from tests.simulation.stage import Stage
from tests.simulation.trace import Armed, Struck
from tests.simulation.weather import Fault


class Queue(Stage):
    """A queue whose messages are dealt with as ``answers`` say, and then well. ``seen`` says when each came, for which
    match and for the how manyth time.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.random = self.stream("cloud")
        self.cloud = Cloud(self.scheduler, self.weather, self.trace, self.random)
        self.timers = self.cloud.timers(self.process)
        self.answers: list[bool | None] = []
        self.seen: list[tuple[float, str, int]] = []
        self.cloud.consume(self._take)
        self.start = self.scheduler.now

    def arm(self, seconds: float, alarm: int = 1) -> None:
        at = self.start + seconds
        self.run(lambda: self.timers.arm("m", alarm, at))

    def put(self, seconds: float) -> None:
        self.run(lambda: self.timers.put(Nudge("m", 1, self.start + seconds), seconds))

    def came(self) -> list[float]:
        return [at - self.start for at, _, _ in self.seen]

    def armed(self) -> int:
        return len(list(self.trace.of(Armed)))

    def struck(self) -> list[str]:
        assert all(event.about == "m" for event in self.trace.of(Struck))
        return [event.fault for event in self.trace.of(Struck)]

    def _take(self, nudge: Nudge, tries: int) -> bool | None:
        self.seen.append((self.scheduler.now, nudge.match, tries))
        return self.answers.pop(0) if self.answers else True


@pytest.fixture
def queue() -> Queue:
    return Queue()


def test_a_near_timer_comes_by_both_ways(queue: Queue) -> None:
    queue.arm(200)
    assert [(armed.match, armed.alarm, armed.when) for armed in queue.trace.of(Armed)] == [
        ("m", 1, queue.start + 200)
    ] * 2
    assert len(queue.cloud.pending()) == 2
    queue.pass_time(300)
    assert len(queue.seen) == 2
    assert sum(198 <= at <= 202 for at in queue.came()) >= 1
    assert all(139 <= at <= 202 for at in queue.came())
    assert queue.cloud.pending() == []


def test_a_far_timer_comes_by_its_schedule(queue: Queue) -> None:
    queue.arm(5000)
    queue.pass_time(5100)
    [came] = queue.came()
    assert 4939 <= came <= 5001
    assert queue.armed() == 1


def test_two_processes_make_one_schedule(queue: Queue, caplog: pytest.LogCaptureFixture) -> None:
    behind = queue.cloud.timers(Process(2, -1.5, queue.scheduler, queue.weather, queue.trace))
    queue.arm(5000)
    queue.run(lambda: behind.arm("m", 1, queue.start + 5000))
    assert queue.armed() == 1
    assert caplog.records == []
    queue.pass_time(5100)
    queue.arm(5200)
    assert queue.armed() == 3


@pytest.mark.parametrize("skew", [-2.0, 2.0])
def test_a_timer_whose_time_has_passed_is_armed_by_any_clock(queue: Queue, skew: float) -> None:
    timers = queue.cloud.timers(Process(2, skew, queue.scheduler, queue.weather, queue.trace))
    queue.run(lambda: timers.arm("m", 1, queue.start - 100))
    queue.pass_time(SOONEST + skew + WINDOW + 2)
    assert len(queue.seen) == 2


KINDS = [("throttled", 0, "Throttled"), ("lost before", 0, "Unanswered"), ("lost after", 1, "Unanswered")]


@pytest.mark.parametrize(("kind", "armed", "error"), KINDS)
@pytest.mark.parametrize("fault", ["schedule refused", "message refused"])
def test_one_of_the_two_calls_fails(
    queue: Queue,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Fault,
    kind: str,
    armed: int,
    error: str,
) -> None:
    monkeypatch.setattr(queue.random, "choice", lambda kinds: kind)
    queue.weather.plan(fault)
    queue.arm(100)
    [failure] = caplog.records
    assert failure.__dict__["error"] == error
    assert queue.armed() == armed + 1
    assert queue.struck() == [fault]
    queue.pass_time(100 + WINDOW)
    assert len(queue.seen) == armed + 1


def test_what_fails_comes_again_soon_and_ends_with_the_dead_letters(queue: Queue) -> None:
    queue.answers = [False] * 8
    queue.put(0)
    queue.pass_time(400)
    assert [tries for _, _, tries in queue.seen] == [*range(1, 9)]
    came = queue.came()
    assert [round(later - earlier) for earlier, later in pairwise(came)] == [2, 4, 8, 16, 32, 60, 60]
    assert len(queue.cloud.dead) == 1
    assert queue.cloud.pending() == []


def test_what_a_process_takes_along_comes_again_after_the_queue_s_time(queue: Queue) -> None:
    queue.answers = [None]
    queue.put(0)
    queue.pass_time(VISIBILITY - 2)
    assert len(queue.seen) == len(queue.cloud.pending()) == 1
    queue.pass_time(5)
    assert [tries for _, _, tries in queue.seen] == [1, 2]


def test_schedules_may_be_lost_late_and_come_twice(queue: Queue) -> None:
    faults: tuple[Fault, ...] = ("schedule lost", "schedule late", "schedule twice")
    for alarm, fault in enumerate(faults):
        queue.weather.plan(fault)
        queue.arm(5000 + 5000 * alarm, alarm)
    queue.pass_time(20_000)
    assert queue.struck() == [*faults]
    late, first, second = queue.came()
    assert 9939 + LATE[0] <= late <= 10_001 + LATE[1]
    assert 14_939 <= first <= 15_001
    assert first <= second <= first + WINDOW + 2


def test_messages_may_be_lost_late_and_come_twice(queue: Queue) -> None:
    faults: tuple[Fault, ...] = ("message lost", "message late", "message twice")
    for fault in faults:
        queue.weather.plan(fault)
        queue.put(5)
    queue.pass_time(300)
    assert queue.struck() == [*faults]
    assert len(queue.seen) == 3
    assert max(queue.came()) >= 4 + MESSAGE_LATE[0]
    assert queue.cloud.pending() == []


@pytest.mark.parametrize(("fault", "armed"), [("killed before an effect", 0), ("killed after an effect", 1)])
def test_a_process_that_ends_around_a_call(queue: Queue, fault: Fault, armed: int) -> None:
    queue.weather.plan(fault)
    with pytest.raises(Killed):
        queue.arm(5000)
    assert queue.armed() == armed
    assert len(queue.cloud.pending()) == armed
