"""EventBridge Scheduler and SQS in virtual time: what was asked for comes late, doubled, disordered or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, Final

from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

from handler.aws import LATEST, SOON
from handler.ports import Nudge
from infra.aws.calls import TIMER_LONGEST
from infra.timers.nudges import read_nudge
from infra.timers.scheduled import LONGEST_DELAY, ScheduledTimers
from tests.aws.cloud import COPY_WITHIN, RECEIVES, VISIBILITY, WINDOW
from tests.aws.demands import check_message, check_schedule
from tests.aws.settings import SETTINGS
from tests.simulation.processes import Process
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Armed, Trace
from tests.simulation.weather import Fault, Weather

LATE: Final = (30.0, 600.0)
"""Seconds by which a late schedule is later than the window allows."""
MESSAGE_LATE: Final = (2.0, 120.0)
"""Seconds by which a late message comes late."""

Take = Callable[[Nudge, int], bool | None]
"""Deals with a nudge that is handed over for the n-th time, and may sleep. False: it is to come again soon; None: the
process is no more.
"""


class Used(ClientError):
    """The scheduler's ConflictException: there is a schedule of this name."""


@dataclass(eq=False)
class Message:
    """A message in the queue. ``received`` counts how often it was handed over."""

    nudge: Nudge
    received: int = 0


class Cloud:
    """The queue and the schedules. ``dead`` are the dead letters, as texts."""

    def __init__(self, scheduler: Scheduler, weather: Weather, trace: Trace, random: Random) -> None:
        self.dead: list[str] = []
        self._scheduler = scheduler
        self._weather = weather
        self._trace = trace
        self._random = random
        self._take: Take = lambda nudge, tries: None
        self._queue: list[Message] = []
        self._names: set[str] = set()
        self._firing: list[Nudge] = []

    def timers(self, process: Process) -> ScheduledTimers:
        """A process's timers, which remember what it armed."""
        scheduler: Any = SimpleNamespace(
            exceptions=SimpleNamespace(ConflictException=Used),
            create_schedule=lambda **params: self._ask(process, "CreateSchedule", params),
        )
        sqs: Any = SimpleNamespace(send_message=lambda **params: self._ask(process, "SendMessage", params))
        return ScheduledTimers(lambda: scheduler, lambda: sqs, SETTINGS, process)

    def consume(self, take: Take) -> None:
        """Whom messages are handed to, each in a task of its own."""
        self._take = take

    def pending(self) -> list[str]:
        """Messages that are waiting or being dealt with, and schedules that have not fired. A message that is only sent
        on until its time, which is far away, is as good as a schedule.
        """
        near = (message for message in self._queue if message.nudge.at <= self._scheduler.now + LONGEST_DELAY)
        messages = [f"message {_text(message.nudge)}, {message.received} times received" for message in near]
        return messages + [f"schedule {_text(nudge)}" for nudge in self._firing]

    # --- what is asked for ------------------------------------------------------------------------

    def _ask(self, process: Process, call: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """A call of a client: its own attempts are inside of it."""
        match = _nudge(call, params).match

        def carry_out() -> tuple[Exception | None, float]:
            fault: Fault = "schedule refused" if call == "CreateSchedule" else "message refused"
            kind = self._random.choice(("throttled", "lost before", "lost after"))
            struck = self._weather.strikes(fault, process.number, match)
            if struck and kind == "throttled":
                return _refusal(call), self._random.uniform(0, 1)
            if struck and kind == "lost before":
                return ConnectTimeoutError(endpoint_url="https://aws.test"), TIMER_LONGEST
            try:
                self._grant(process, call, params)
            except Used as error:
                return error, 0.0
            return (ReadTimeoutError(endpoint_url="https://aws.test"), TIMER_LONGEST) if struck else (None, 0.0)

        error, seconds = process.effect(call, match, carry_out)
        process.pause(seconds)
        if error is not None:
            raise error
        return {}

    def _grant(self, process: Process, call: str, params: Mapping[str, Any]) -> None:
        nudge = _nudge(call, params)
        if call == "CreateSchedule":
            fires = check_schedule(params, self._scheduler.now, SETTINGS)
            if params["Name"] in self._names:
                raise Used({"Error": {"Code": "ConflictException", "Message": "exists"}}, call)
            self._names.add(params["Name"])
            self._schedule(params["Name"], nudge, fires)
        else:
            check_message(params, SETTINGS)
            self._send(nudge, params.get("DelaySeconds", 0))
        self._trace.add(Armed(self._scheduler.now, process.number, nudge.match, nudge.alarm, nudge.at))

    # --- what becomes of it -----------------------------------------------------------------------

    def _schedule(self, name: str, nudge: Nudge, fires: float) -> None:
        at = fires + self._random.uniform(0, WINDOW)
        if self._weather.strikes("schedule late", about=nudge.match):
            at += self._random.uniform(*LATE)
        lost = self._weather.strikes("schedule lost", about=nudge.match)
        if not lost:
            self._fire_at(at, nudge)
        if self._weather.strikes("schedule twice", about=nudge.match):
            self._fire_at(at + self._random.uniform(0, WINDOW), nudge)
        self._scheduler.at(at, lambda: self._names.discard(name))

    def _fire_at(self, at: float, nudge: Nudge) -> None:
        def fire() -> None:
            self._firing.remove(nudge)
            self._put(nudge, 0)

        self._firing.append(nudge)
        self._scheduler.at(at, fire)

    def _send(self, nudge: Nudge, delay: int) -> None:
        if not self._weather.strikes("message lost", about=nudge.match):
            self._put(nudge, delay)

    def _put(self, nudge: Nudge, delay: int) -> None:
        """A message enters the queue, and comes out about a second around its time; it may do so twice."""
        now = self._scheduler.now
        out = now + max(0.0, delay + self._random.uniform(-1 if delay else 0, 1))
        if self._weather.strikes("message late", about=nudge.match):
            out += self._random.uniform(*MESSAGE_LATE)
        self._show_at(out, Message(nudge))
        if self._weather.strikes("message twice", about=nudge.match):
            self._show_at(out + self._random.uniform(0, COPY_WITHIN), Message(nudge))

    def _show_at(self, at: float, message: Message) -> None:
        self._queue.append(message)
        self._hand_at(at, message)

    def _hand_at(self, at: float, message: Message) -> None:
        self._scheduler.spawn(partial(self._hand, message), at - self._scheduler.now)

    def _hand(self, message: Message) -> None:
        """Hand a message to the function, as a batch of its own."""
        began = self._scheduler.now
        message.received += 1
        done = self._take(message.nudge, message.received)
        if done:
            self._queue.remove(message)
        elif message.received >= RECEIVES:
            self._queue.remove(message)
            self.dead.append(_text(message.nudge))
        elif done is None or self._weather.strikes("message refused", about=message.nudge.match):
            self._hand_at(max(began + VISIBILITY, self._scheduler.now), message)
        else:
            self._hand_at(self._scheduler.now + min(SOON * 2.0 ** (message.received - 1), LATEST), message)


def _nudge(call: str, params: Mapping[str, Any]) -> Nudge:
    return read_nudge(params["Target"]["Input"] if call == "CreateSchedule" else params["MessageBody"])


def _refusal(call: str) -> ClientError:
    error = {"Code": "ThrottlingException", "Message": "not now"}
    answer: Any = {"Error": error, "ResponseMetadata": {"HTTPStatusCode": 400}}
    return ClientError(answer, call)


def _text(nudge: Nudge) -> str:
    return f"{nudge.match}.{nudge.alarm} at {nudge.at:.3f}"
