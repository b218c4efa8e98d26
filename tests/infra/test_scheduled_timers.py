"""Timers on AWS: what is asked of EventBridge Scheduler and SQS, and what becomes of it where one of them refuses."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError
from hypothesis import given
from hypothesis import strategies as st

from handler.ports import Nudge
from infra.aws import calls
from infra.aws.errors import AwsTrouble, Denied, Invalid, Missing, Throttled, Unanswered
from infra.timers.nudges import NotANudge, read_nudge, write_nudge
from infra.timers.scheduled import LONGEST_DELAY, REMEMBERED, SILENCE, NotAsked, ScheduledTimers
from tests.aws.cloud import REGION, Cloud, cloud
from tests.aws.demands import check_message, check_schedule
from tests.aws.refusals import BROKEN, CONFLICT, DENIED, INVALID, MISSING_GROUP, THROTTLED, refuse
from tests.aws.settings import SETTINGS
from tests.aws.wire import Wire, impatient
from tests.flows.house import START, ManualClock

REFUSALS = {Invalid: INVALID, Throttled: THROTTLED, Denied: DENIED, Missing: MISSING_GROUP, Unanswered: BROKEN}
EVERY_REFUSAL = pytest.mark.parametrize(("kind", "answer"), REFUSALS.items())


class Obliging:
    """A client that grants whatever it is asked for, and remembers it."""

    exceptions = SimpleNamespace(ConflictException=KeyError)

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []

    def create_schedule(self, **params: Any) -> None:
        self.asked.append(params)

    def send_message(self, **params: Any) -> None:
        self.asked.append(params)


class Desk:
    """Timers in an account, and all that they ask of it."""

    def __init__(self, cloud: Cloud) -> None:
        self.clock = cloud.clock
        self.cloud = cloud
        self.scheduler, self.sqs = calls.scheduler(), calls.sqs()
        self.schedules: list[Mapping[str, Any]] = []
        self.messages: list[Mapping[str, Any]] = []
        self.timers = self.process()
        note = (
            ("scheduler.CreateSchedule", self.scheduler, self.schedules),
            ("sqs.SendMessage", self.sqs, self.messages),
        )
        for call, client, asked in note:

            def ask(params: Mapping[str, Any], asked: list[Mapping[str, Any]] = asked, **_: Any) -> None:
                asked.append(params)

            client.meta.events.register(f"before-parameter-build.{call}", ask)

    def process(self) -> ScheduledTimers:
        """The timers of a fresh process."""
        return ScheduledTimers(lambda: self.scheduler, lambda: self.sqs, self.cloud.settings, self.clock)

    def moments(self) -> list[float]:
        """The times of the schedules, in seconds from the start."""
        return [check_schedule(params, self.clock.time, self.cloud.settings) - START for params in self.schedules]

    def delays(self) -> list[int]:
        """The messages' DelaySeconds."""
        for params in self.messages:
            check_message(params, self.cloud.settings)
        return [params["DelaySeconds"] for params in self.messages]


@pytest.fixture
def desk(aws: None) -> Iterator[Desk]:
    with cloud(ManualClock(), 1) as made:
        yield Desk(made)


# --- what is asked for ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait", "moment", "delay"),
    [
        (-3600.0, 5, 0),
        (-0.5, 5, 0),
        (0.0, 5, 0),
        (0.9, 5, 0),
        (59.9, 5, 59),
        (65.5, 5, 65),
        (66.2, 6, 66),
        (600.0, 540, 600),
        (900.0, 840, 900),
        (900.5, 840, None),
        (86_400.7, 86_340, None),
    ],
)
def test_a_schedule_is_aimed_early_and_a_message_where_it_reaches(
    desk: Desk, wait: float, moment: int, delay: int | None
) -> None:
    desk.timers.arm("abcdefgh", 3, START + wait)
    assert desk.moments() == [moment]
    assert desk.delays() == ([] if delay is None else [delay])


def test_a_reminder_whose_deadline_is_armed_goes_by_a_message_alone(desk: Desk) -> None:
    desk.timers.arm("abcdefgh", 4, START + 120)
    desk.timers.arm("abcdefgh", 3, START + 90)
    assert (desk.moments(), desk.delays()) == ([60], [120, 90])
    desk.timers.arm("abcdefgh", 3, START + 90)
    assert len(desk.messages) == 2, "it has been armed"


@pytest.mark.parametrize(
    ("deadline", "reminder"),
    [
        (("abcdefgh", 4, 120.0), ("abcdefgh", 3, 130.0)),
        (("abcdefgh", 5, 120.0), ("abcdefgh", 3, 90.0)),
        (("bcdefgha", 4, 120.0), ("abcdefgh", 3, 90.0)),
        (("abcdefgh", 4, 2000.0), ("abcdefgh", 3, 1500.0)),
        (("abcdefgh", 4, 1000.0), ("abcdefgh", 3, 750.0)),
    ],
)
def test_any_other_nudge_goes_both_ways_or_by_a_schedule(
    desk: Desk, deadline: tuple[str, int, float], reminder: tuple[str, int, float]
) -> None:
    for match, alarm, wait in (deadline, reminder):
        desk.timers.arm(match, alarm, START + wait)
    assert len(desk.schedules) == 2


def test_what_is_armed_after_the_reminder_goes_both_ways(desk: Desk) -> None:
    """A teller who has to wait takes the number of what is next due."""
    desk.timers.arm("abcdefgh", 4, START + 120)
    desk.timers.arm("abcdefgh", 3, START + 90)
    desk.timers.arm("abcdefgh", 3, START + 70)
    assert (desk.moments(), desk.delays()) == ([60, 10], [120, 90, 70])


def test_a_reminder_has_its_schedule_where_its_message_or_its_deadline_fails(desk: Desk) -> None:
    desk.timers.arm("abcdefgh", 4, START + 120)
    refuse(desk.sqs, "sqs.SendMessage", DENIED)
    desk.timers.arm("abcdefgh", 3, START + 90)
    desk.timers.arm("bcdefgha", 4, START + 120)
    desk.timers.arm("bcdefgha", 3, START + 90)
    assert len(desk.schedules) == 4


def test_both_carry_the_nudge(desk: Desk) -> None:
    desk.timers.arm("abcdefgh", 3, START + 60.25)
    [schedule], [message] = desk.schedules, desk.messages
    nudge = {"match": "abcdefgh", "alarm": 3, "at": START + 60.25}
    assert json.loads(schedule["Target"]["Input"]) == json.loads(message["MessageBody"]) == nudge
    assert schedule["Name"] == f"abcdefgh.3.{int((START + 60.25) * 1000)}"


@given(
    now=st.floats(1.6e9, 4e9),
    wait=st.floats(-1e6, 1e8),
    alarm=st.integers(0, 10**9),
    match=st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=8, max_size=8),
)
def test_no_schedule_lies_in_the_past_or_too_late_for_its_window(
    now: float, wait: float, alarm: int, match: str
) -> None:
    at = now + wait
    clock, aws = ManualClock(), Obliging()
    client: Any = aws
    clock.time = now
    ScheduledTimers(lambda: client, lambda: client, SETTINGS, clock).arm(match, alarm, at)
    for params in aws.asked:
        if "ScheduleExpression" in params:
            fires = check_schedule(params, now, SETTINGS)
            assert fires > now + 3
            assert fires <= max(now + 5, at - 60)
            assert fires > at - 62 or fires <= now + 5
        else:
            check_message(params, SETTINGS)
            assert at - now - 1 < params["DelaySeconds"] <= max(0, at - now)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_the_zone_of_the_machine_and_its_summer_time_are_nothing_to_a_schedule(
    desk: Desk, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for day in ("2027-03-14", "2027-03-28", "2027-04-04", "2027-10-03", "2027-10-31", "2027-11-07"):
            for hour in range(24):
                moment = datetime.fromisoformat(f"{day}T{hour:02}:30:00+00:00")
                desk.timers.arm("abcdefgh", 1, moment.timestamp() + 60)
                assert desk.schedules[-1]["ScheduleExpression"] == f"at({day}T{hour:02}:30:00)"
    finally:
        monkeypatch.undo()
        time.tzset()


# --- names ------------------------------------------------------------------------------------------


def test_a_name_belongs_to_one_match_alarm_and_moment(desk: Desk) -> None:
    for match, alarm, wait in (("m", 1, 60.0), ("n", 1, 60.0), ("m", 2, 60.0), ("m", 1, 60.001), ("m", 11, 60.0)):
        desk.timers.arm(match, alarm, START + wait)
    names = [params["Name"] for params in desk.schedules]
    assert len(set(names)) == len(names) == 5


def test_what_this_process_has_armed_it_does_not_arm_again(desk: Desk) -> None:
    for _ in range(3):
        desk.timers.arm("m", 1, START + 60)
    assert (len(desk.schedules), len(desk.messages)) == (1, 1)


def test_it_remembers_the_latest_only(desk: Desk) -> None:
    desk.timers.arm("m", 1, START + 60)
    for number in range(REMEMBERED):
        desk.timers.arm("n", number, START + 60)
    desk.timers.arm("m", 1, START + 60)
    assert len(desk.messages) == REMEMBERED + 2


def test_another_process_finds_the_schedule_made(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    desk.timers.arm("m", 1, START + 60)
    desk.process().arm("m", 1, START + 60)
    first, second = desk.schedules
    assert first == second  # the token included: to AWS it may be the same call, repeated
    desk.clock.time += 10
    desk.process().arm("m", 1, START + 60)
    assert caplog.records == []
    assert len(desk.cloud.schedules) == 1


def test_a_conflict_is_success(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    refuse(desk.scheduler, "scheduler.CreateSchedule", CONFLICT)
    desk.timers.arm("m", 1, START + 3600)
    assert desk.messages == []
    assert caplog.records == []


# --- refusals ---------------------------------------------------------------------------------------


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[int, str, str, str]]:
    """Level, match, error and call of each line; what AWS said is in none of them."""
    assert "a word of AWS's" not in caplog.text
    assert all(record.exc_info is None for record in caplog.records)
    return [
        (record.levelno, record.__dict__["match"], record.__dict__["error"], record.__dict__["call"])
        for record in caplog.records
    ]


@EVERY_REFUSAL
def test_without_a_schedule_a_long_wait_is_waited_in_the_queue(
    desk: Desk, kind: type[AwsTrouble], answer: tuple[int, str], caplog: pytest.LogCaptureFixture
) -> None:
    refuse(desk.scheduler, "scheduler.CreateSchedule", answer)
    desk.timers.arm("m", 1, START + 86_400)
    assert desk.delays() == [LONGEST_DELAY]
    assert logged(caplog) == [(logging.WARNING, "m", kind.__name__, "CreateSchedule")]


@EVERY_REFUSAL
def test_without_a_schedule_a_short_wait_has_its_message(
    desk: Desk, kind: type[AwsTrouble], answer: tuple[int, str], caplog: pytest.LogCaptureFixture
) -> None:
    refuse(desk.scheduler, "scheduler.CreateSchedule", answer)
    desk.timers.arm("m", 1, START + 60)
    assert desk.delays() == [60]
    assert logged(caplog) == [(logging.WARNING, "m", kind.__name__, "CreateSchedule")]


@EVERY_REFUSAL
def test_without_a_message_there_is_the_schedule(
    desk: Desk, kind: type[AwsTrouble], answer: tuple[int, str], caplog: pytest.LogCaptureFixture
) -> None:
    refuse(desk.sqs, "sqs.SendMessage", answer)
    desk.timers.arm("m", 1, START + 60)
    assert len(desk.cloud.schedules) == 1
    assert logged(caplog) == [(logging.WARNING, "m", kind.__name__, "SendMessage")]


@pytest.mark.parametrize("wait", [60, 86_400])
def test_where_neither_can_be_armed_the_operator_reads_of_it(
    desk: Desk, wait: float, caplog: pytest.LogCaptureFixture
) -> None:
    refuse(desk.scheduler, "scheduler.CreateSchedule", DENIED)
    refuse(desk.sqs, "sqs.SendMessage", THROTTLED)
    desk.timers.arm("m", 1, START + wait)
    assert logged(caplog) == [
        (logging.ERROR, "m", "Throttled", "SendMessage"),
        (logging.ERROR, "m", "Denied", "CreateSchedule"),
    ]


def test_no_answer_is_a_failure_that_may_have_taken_effect(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    def silence(**_: Any) -> None:
        raise ReadTimeoutError(endpoint_url="https://scheduler.test")

    desk.scheduler.meta.events.register("after-call.scheduler.CreateSchedule", silence)
    desk.timers.arm("m", 1, START + 86_400)
    assert desk.delays() == [LONGEST_DELAY]
    assert logged(caplog) == [(logging.WARNING, "m", "Unanswered", "CreateSchedule")]


def test_what_failed_is_tried_again(desk: Desk) -> None:
    refuse(desk.scheduler, "scheduler.CreateSchedule", THROTTLED)
    for _ in range(2):
        desk.timers.arm("m", 1, START + 60)
    assert len(desk.schedules) == 2


def test_a_client_that_cannot_be_made_is_trouble_with_the_call(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    timers = ScheduledTimers(cache(calls.scheduler), cache(calls.sqs), desk.cloud.settings, desk.clock)
    timers.arm("m", 1, START + 60)
    assert logged(caplog) == [
        (logging.ERROR, "m", "Invalid", "SendMessage"),
        (logging.ERROR, "m", "Invalid", "CreateSchedule"),
    ]
    with pytest.raises(Invalid):
        timers.put(Nudge("m", 1, START), 1)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    timers.arm("m", 1, START + 60)
    assert len(desk.cloud.schedules) == 1, "once it can be made, it is"


# --- silence ----------------------------------------------------------------------------------------


@pytest.fixture
def silent(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Nothing answers at SQS; boto3 tries again at once."""
    impatient(monkeypatch)
    wire = Wire(desk.sqs)
    wire.unsent = 1000
    return wire


def test_a_service_that_does_not_answer_is_left_alone_for_a_while(
    desk: Desk, silent: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """One wait fits into an event, but not one for each timer."""
    for number in range(5):
        desk.timers.arm("m", number, START + 60)
    assert silent.tries == {"SendMessage": calls.TIMER_ATTEMPTS}
    assert len(desk.schedules) == 5, "the other way stays open"
    assert logged(caplog) == [(logging.WARNING, "m", "Unanswered", "SendMessage")], "said once"
    with pytest.raises(NotAsked) as raised:
        desk.timers.put(Nudge("m", 2, START), 1)
    assert raised.value.call == "SendMessage"
    desk.clock.time += SILENCE
    silent.unsent = 0
    desk.timers.arm("m", 0, START + 60)
    assert desk.delays()[-1] == 30
    assert silent.tries == {"SendMessage": calls.TIMER_ATTEMPTS + 1}


def test_where_neither_answers_each_is_waited_for_once(
    desk: Desk, silent: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    schedules = Wire(desk.scheduler)
    schedules.unsent = 1000
    for wait in (60, 86_400, 120):
        desk.timers.arm("m", 1, START + wait)
    assert silent.tries + schedules.tries == dict.fromkeys(("SendMessage", "CreateSchedule"), calls.TIMER_ATTEMPTS)
    # Each match that is left without a timer is named all the same.
    both = ["SendMessage", "CreateSchedule"]
    assert [(level, call) for level, _, _, call in logged(caplog)] == [(logging.ERROR, call) for call in both * 3]


@EVERY_REFUSAL
def test_a_service_that_answers_is_asked_again(desk: Desk, kind: type[AwsTrouble], answer: tuple[int, str]) -> None:
    refuse(desk.sqs, "sqs.SendMessage", answer)
    for number in range(2):
        with pytest.raises(kind) as raised:
            desk.timers.put(Nudge("m", number, START), 1)
        assert type(raised.value) is kind


# --- the queue --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "delay"), [(-5.0, 0), (0.0, 0), (0.99, 0), (1.99, 1), (900.0, 900), (1e6, 900)])
def test_a_delay_is_rounded_down_and_within_what_sqs_takes(desk: Desk, seconds: float, delay: int) -> None:
    nudge = Nudge("m", 2, START)
    desk.timers.put(nudge, seconds)
    assert desk.delays() == [delay]
    assert read_nudge(desk.messages[0]["MessageBody"]) == nudge


@EVERY_REFUSAL
def test_a_queue_that_refuses_is_an_error_of_its_kind(
    desk: Desk, kind: type[AwsTrouble], answer: tuple[int, str]
) -> None:
    refuse(desk.sqs, "sqs.SendMessage", answer)
    with pytest.raises(kind) as raised:
        desk.timers.put(Nudge("m", 2, START), 1)
    assert str(raised.value) == f"{kind.__name__}: SendMessage"


# --- what is in a message ---------------------------------------------------------------------------

NUDGES = st.builds(
    Nudge,
    match=st.text(min_size=1),
    alarm=st.integers(0),
    at=st.floats(0, allow_infinity=False),
)


@given(NUDGES.filter(lambda nudge: nudge.alarm < 10**300))
def test_a_nudge_is_read_as_it_was_written(nudge: Nudge) -> None:
    assert read_nudge(write_nudge(nudge)) == nudge


GOOD = {"match": "m", "alarm": 1, "at": 1.5}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"m"',
        "{}",
        "[" * 200_000,
        *(json.dumps({key: value for key, value in GOOD.items() if key != left_out}) for left_out in GOOD),
        *(
            json.dumps(GOOD | {key: value})
            for key, values in {
                "match": ("", 7, None, ["m"]),
                "alarm": (-1, 1.0, "1", True, None, 10**400),
                "at": (-1, "1", True, None, float("nan"), float("inf"), 10**400),
                "more": (1,),
            }.items()
            for value in values
        ),
    ],
)
def test_what_is_no_nudge_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(NotANudge) as raised:
        read_nudge(text)
    assert str(raised.value) == ""


@given(st.text())
def test_any_text_is_a_nudge_or_refused(text: str) -> None:
    with suppress(NotANudge):
        assert isinstance(read_nudge(text), Nudge)
