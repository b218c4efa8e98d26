"""The timers of one machine, by a clock that stands still until a test moves it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from heapq import heappush
from queue import Queue
from threading import TIMEOUT_MAX, Event, get_ident

import pytest

from handler.ports import Lease, Pointers, StoreUnavailable
from infra.clock import SystemClock
from infra.entropy import SystemEntropy
from infra.stores.memory import MemoryStore
from infra.timers import local
from infra.timers.local import LocalTimers
from tests.infra.store_contract import new

PATIENCE = 30.0
"""Seconds after which a test that waits for a nudge fails; one that passes waits for no more than a thread switch."""


class ManualClock:
    def __init__(self) -> None:
        self.time = 1000.0
        self.speed = 1.0

    def now(self) -> float:
        return self.time


class AdjustableClock:
    """A clock that starts as fast as the wall's."""

    def __init__(self) -> None:
        self._adjusted_at, self._adjusted_to, self.speed = time.monotonic(), 1000.0, 1.0

    def now(self) -> float:
        return self._adjusted_to + (time.monotonic() - self._adjusted_at) * self.speed

    def adjust(self, speed: float) -> None:
        self._adjusted_at, self._adjusted_to, self.speed = time.monotonic(), self.now(), speed


class Table:
    """A clock, a store and timers that write down their nudges."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.store = MemoryStore()
        self.timers = LocalTimers(self.clock)
        self.nudged: Queue[str] = Queue()

    def start(self) -> None:
        self.timers.start(self.store, self.nudged.put)

    def move_to(self, time: float) -> None:
        self.clock.time = time
        self.timers.wake()

    def next(self, number: int = 1) -> set[str]:
        return {self.nudged.get(timeout=PATIENCE) for _ in range(number)}

    def nothing_else(self) -> bool:
        """Whether nobody else was nudged until now; a nudge armed last of all shows that the timers have looked."""
        self.timers.arm("sentinel", 1, self.clock.time)
        return self.next() == {"sentinel"} and self.nudged.empty()


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    # Only wake and arm may move these timers on.
    monkeypatch.setattr(local, "LONGEST_WAIT", TIMEOUT_MAX)
    table = Table()
    yield table
    table.timers.close()


def test_nudges_at_its_time_and_not_before(table: Table) -> None:
    table.start()
    table.timers.arm("m", 1, 1010.0)
    table.move_to(1009.9)
    assert table.nothing_else()
    table.move_to(1010.0)
    assert table.next() == {"m"}
    table.move_to(1050.0)
    assert table.nothing_else()


def test_an_overdue_alarm_is_nudged_at_once(table: Table) -> None:
    table.start()
    table.timers.arm("m", 1, 10.0)
    assert table.next() == {"m"}


def test_an_earlier_alarm_overtakes_a_later_one(table: Table) -> None:
    table.start()
    table.timers.arm("late", 1, 1020.0)
    table.timers.arm("early", 1, 1010.0)
    table.move_to(1010.0)
    assert table.next() == {"early"}
    table.move_to(1020.0)
    assert table.next() == {"late"}


def test_the_same_alarm_twice_is_one_nudge(table: Table) -> None:
    table.start()
    table.timers.arm("m", 1, 1010.0)
    table.timers.arm("m", 1, 1010.0)
    table.move_to(1010.0)
    assert table.next() == {"m"}
    assert table.nothing_else()


def test_an_alarm_armed_with_every_press_takes_no_more_room(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[tuple[float, str]] = []

    def watched(heap: list[tuple[float, str]], alarm: tuple[float, str]) -> None:
        kept.append(alarm)
        heappush(heap, alarm)

    monkeypatch.setattr(local, "heappush", watched)
    table.start()
    for _ in range(100):
        table.timers.arm("m", 1, 1010.0)
    assert kept == [(1010.0, "m")]
    table.move_to(1010.0)
    assert table.next() == {"m"}
    # Once it was due, the same moment can be armed again.
    table.timers.arm("m", 2, 1010.0)
    assert table.next() == {"m"}


def test_an_earlier_nudge_of_a_match_does_not_cost_it_the_later_one(table: Table) -> None:
    table.start()
    table.timers.arm("m", 1, 1030.0)
    table.timers.arm("m", 1, 1010.0)
    table.move_to(1010.0)
    assert table.next() == {"m"}
    table.move_to(1030.0)
    assert table.next() == {"m"}


def test_nothing_is_nudged_before_the_start(table: Table) -> None:
    table.timers.arm("m", 1, 10.0)
    assert table.nudged.empty()
    table.start()
    assert table.next() == {"m"}


def test_start_arms_what_the_store_knows(table: Table) -> None:
    table.store.create(new("overdue", alarm_at=10.0), Pointers())
    table.store.create(new("later", alarm_at=1010.0), Pointers())
    table.store.create(new("untold", news=1, tell_at=1020.0), Pointers())
    table.store.create(new("idle"), Pointers())
    table.start()
    assert table.next() == {"overdue"}
    table.move_to(1010.0)
    assert table.next() == {"later"}
    table.move_to(1020.0)
    assert table.next() == {"untold"}
    assert table.nothing_else()


def test_start_without_a_store_fails_openly(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable() -> list[tuple[str, float]]:
        raise StoreUnavailable("locked")

    monkeypatch.setattr(table.store, "alarms", unavailable)
    with pytest.raises(StoreUnavailable):
        table.start()


def test_every_minute_a_sweep_finds_what_no_timer_knew(table: Table) -> None:
    table.start()
    table.store.create(new("another's", alarm_at=1010.0), Pointers())
    table.store.create(new("told now", news=1), Pointers())
    table.store.take(new("told now", news=1), Lease("t", 1090.0), now=1050.0)
    table.move_to(1059.9)
    assert table.nothing_else()
    table.move_to(1060.0)
    assert table.next() == {"another's"}
    table.move_to(1120.0)
    assert table.next(2) == {"another's", "told now"}


def test_a_failed_sweep_is_logged_and_the_next_one_works(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failed = Event()
    works = table.store.due

    def due(now: float) -> Iterable[str]:
        if now < 1100.0:
            failed.set()
            raise StoreUnavailable("locked")
        return works(now)

    monkeypatch.setattr(table.store, "due", due)
    table.start()
    table.store.create(new("m", alarm_at=1010.0), Pointers())
    table.move_to(1060.0)
    assert failed.wait(PATIENCE)
    table.move_to(1120.0)
    assert table.next() == {"m"}
    table.timers.close()
    assert "the sweep failed" in caplog.text


def test_a_failed_nudge_stops_nobody(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    def nudge(match: str) -> None:
        table.nudged.put(match)
        if match.startswith("bad"):
            raise RuntimeError("no such match")

    table.timers.start(table.store, nudge)
    for number in range(20):
        table.timers.arm(f"bad{number}", 1, 1000.0)
    assert len(table.next(20)) == 20
    table.timers.arm("good", 1, 1000.0)
    assert table.next() == {"good"}
    table.timers.close()
    assert "match bad0 could not be looked after" in caplog.text


def test_a_nudge_that_the_store_failed_comes_again_before_the_sweep(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    armed_again = Event()
    arm = table.timers.arm

    def watched(match: str, alarm: int, at: float) -> None:
        arm(match, alarm, at)
        armed_again.set()

    def nudge(match: str) -> None:
        if not armed_again.is_set():
            raise StoreUnavailable("locked")
        table.nudged.put(match)

    table.timers.start(table.store, nudge)
    monkeypatch.setattr(table.timers, "arm", watched)
    arm("m1", 1, 1000.0)
    assert armed_again.wait(PATIENCE)
    table.move_to(1000.0 + local.AGAIN_AFTER)
    assert table.next() == {"m1"}


def test_a_slow_nudge_holds_up_no_other(table: Table) -> None:
    release = Event()

    def nudge(match: str) -> None:
        if match == "slow":
            assert release.wait(PATIENCE)
        table.nudged.put(match)

    table.timers.start(table.store, nudge)
    table.timers.arm("slow", 1, 1000.0)
    table.timers.arm("quick", 1, 1000.0)
    assert table.next() == {"quick"}
    release.set()
    assert table.next() == {"slow"}


def test_a_faster_clock_shortens_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "LONGEST_WAIT", TIMEOUT_MAX)
    clock = AdjustableClock()
    timers = LocalTimers(clock)
    nudged: Queue[str] = Queue()
    timers.start(MemoryStore(), nudged.put)
    timers.arm("m", 1, clock.now() + 5000.0)
    clock.adjust(100_000.0)
    timers.wake()
    assert nudged.get(timeout=PATIENCE) == "m"
    timers.close()


def test_close_waits_for_running_nudges_and_starts_no_more(table: Table) -> None:
    running, release, done = Event(), Event(), Event()

    def nudge(match: str) -> None:
        running.set()
        assert release.wait(PATIENCE)
        done.set()

    table.timers.start(table.store, nudge)
    table.timers.arm("m", 1, 1000.0)
    assert running.wait(PATIENCE)
    release.set()
    table.timers.close()
    assert done.is_set()
    table.timers.arm("late", 1, 1000.0)
    table.timers.wake()


def test_what_is_done_afterwards_is_done_in_another_thread(table: Table) -> None:
    release = Event()

    def work() -> None:
        assert release.wait(PATIENCE)
        table.nudged.put("told")

    table.timers.afterwards("m", work)
    release.set()  # nobody would if this thread had to do it
    assert table.next() == {"told"}


def test_what_is_done_afterwards_keeps_no_nudge_waiting_and_never_waits_itself(table: Table) -> None:
    release, here = Event(), get_ident()
    threads: Queue[int] = Queue()

    def slow() -> None:
        threads.put(get_ident())
        assert release.wait(PATIENCE)

    table.start()
    for _ in range(local.TELLERS):
        table.timers.afterwards("slow", slow)
    assert here not in {threads.get(timeout=PATIENCE) for _ in range(local.TELLERS)}
    table.timers.arm("quick", 1, 1000.0)
    assert table.next() == {"quick"}
    table.timers.afterwards("one more", lambda: threads.put(get_ident()))
    assert threads.get(timeout=PATIENCE) == here, "no thread is free, so whoever asks does it"
    release.set()


def test_what_is_done_here_afterwards_fails_here(table: Table) -> None:
    release = Event()
    for _ in range(local.TELLERS):
        table.timers.afterwards("slow", lambda: assert_set(release))

    def work() -> None:
        raise StoreUnavailable("locked")

    with pytest.raises(StoreUnavailable):
        table.timers.afterwards("m", work)
    release.set()


def test_a_match_that_the_store_failed_afterwards_is_nudged_before_the_sweep(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    armed = Event()
    arm = table.timers.arm

    def watched(match: str, alarm: int, at: float) -> None:
        arm(match, alarm, at)
        armed.set()

    def work() -> None:
        raise StoreUnavailable("locked")

    monkeypatch.setattr(table.timers, "arm", watched)
    table.start()
    table.timers.afterwards("m1", work)
    assert armed.wait(PATIENCE)
    table.move_to(1000.0 + local.AGAIN_AFTER)
    assert table.next() == {"m1"}


def test_what_fails_afterwards_for_another_reason_is_logged(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    def work() -> None:
        raise RuntimeError("no such seat")

    table.timers.afterwards("m1", work)
    table.timers.close()
    assert "match m1 could not be looked after" in caplog.text


def test_close_waits_for_what_is_done_afterwards_and_begins_no_thread_more(table: Table) -> None:
    running, release, done = Event(), Event(), Event()

    def work() -> None:
        running.set()
        assert release.wait(PATIENCE)
        done.set()

    table.start()
    table.timers.afterwards("m", work)
    assert running.wait(PATIENCE)
    release.set()
    table.timers.close()
    assert done.is_set()
    table.timers.afterwards("late", lambda: table.nudged.put("late"))
    assert table.nudged.get_nowait() == "late"


def assert_set(event: Event) -> None:
    assert event.wait(PATIENCE)


def test_system_clock_and_entropy() -> None:
    clock = SystemClock()
    assert clock.now() > 1.7e9
    entropy = SystemEntropy()
    assert len(entropy.bytes(32)) == 32
    assert entropy.bytes(32) != entropy.bytes(32)
