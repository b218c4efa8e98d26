"""Timers on AWS: a schedule of EventBridge and, for waits it is precise enough for, a delayed message of SQS; both put
the same nudge into the same queue (``docs/timers.md``).
"""

from __future__ import annotations

import hashlib
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from math import floor
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError

from handler.ports import Clock, Nudge
from infra.aws.errors import AwsError, AwsTrouble, Unanswered, named
from infra.aws.settings import Settings
from infra.timers.nudges import write_nudge

if TYPE_CHECKING:
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_sqs import SQSClient

log = logging.getLogger(__name__)

LONGEST_DELAY: Final = 900
"""Seconds that SQS holds a message back at most (DelaySeconds)."""

WINDOW: Final = 60.0
"""Seconds within which EventBridge Scheduler invokes its target: it may come so long after the time it was given."""

SOONEST: Final = 5.0
"""Seconds that a schedule lies ahead at least, so that its time has not passed when EventBridge reads it."""

OLDEST: Final = 300
"""Seconds for which EventBridge tries to reach the queue before it gives the nudge to the dead letters; by then the
sweep has come by several times.
"""

SILENCE: Final = 30.0
"""Seconds for which a service that did not answer is not asked again: an event has time for one such wait, not for one
at each timer.
"""

REMEMBERED: Final = 64


class NotAsked(Unanswered):
    """A call that was not made, because the service did not answer the one before it."""


class ScheduledTimers:
    """A :class:`handler.ports.Timers` and a :class:`handler.ports.NudgeQueue` on AWS.

    ``scheduler`` and ``sqs`` give their client, the same each time. They are asked when there is a call to make, and
    what they raise of AWS is trouble with that call.
    """

    def __init__(
        self,
        scheduler: Callable[[], EventBridgeSchedulerClient],
        sqs: Callable[[], SQSClient],
        settings: Settings,
        clock: Clock,
    ) -> None:
        self._scheduler = scheduler
        self._sqs = sqs
        self._settings = settings
        self._clock = clock
        # Whoever loses a commit decides anew and arms again; what this process has armed need not go out twice.
        self._armed: deque[Nudge] = deque(maxlen=REMEMBERED)
        self._silent_until: dict[str, float] = {}  # by the API's name of the call

    def arm(self, match: str, alarm: int, at: float) -> None:
        """Nudge ``match`` at Unix time ``at``, by both ways where both lead there; but a reminder, whose deadline has
        been armed by both just before it, by a message alone, for should that be lost, the schedule of the deadline
        comes early and brings the reminder too. Raises nothing of AWS: what cannot be armed is logged, and the sweep
        comes by instead.
        """
        nudge = Nudge(match, alarm, at)
        if nudge in self._armed:
            return
        wait = at - self._clock.now()
        near = wait <= LONGEST_DELAY
        # The message first: should the time run out over a schedule that does not answer, the nearest nudge is armed.
        unsent = self._failure(lambda: self.put(nudge, wait)) if near else None
        if near and unsent is None and self._is_followed(nudge):
            self._armed.append(nudge)
            return
        unscheduled = self._failure(lambda: self._schedule(nudge))
        if unscheduled is not None and not near:
            # It comes too early, and whoever takes it out sends it on and on until it is time.
            unsent = self._failure(lambda: self.put(nudge, LONGEST_DELAY))
        failures = [trouble for trouble in (unsent, unscheduled) if trouble is not None]
        lost = len(failures) == 2
        for trouble in failures:
            if isinstance(trouble, NotAsked) and not lost:
                continue  # that the service did not answer is in the log
            log.log(
                logging.ERROR if lost else logging.WARNING,
                "a timer is not armed" if lost else "a timer is armed in one way only",
                extra={"match": match, "error": type(trouble).__name__, "call": trouble.call},
            )
        if not failures:
            self._armed.append(nudge)

    def _is_followed(self, nudge: Nudge) -> bool:
        """Whether what was armed last is the next alarm of the same match, a later one, and went both ways."""
        last = self._armed[-1] if self._armed else None
        return (
            last is not None
            and (last.match, last.alarm) == (nudge.match, nudge.alarm + 1)
            and nudge.at < last.at <= self._clock.now() + LONGEST_DELAY
        )

    def put(self, nudge: Nudge, seconds: float) -> None:
        """SendMessage with DelaySeconds: rounded down, because what comes early can wait. Raises AwsTrouble."""
        delay = max(0, min(floor(seconds), LONGEST_DELAY))
        with self._asking("SendMessage"):
            self._sqs().send_message(
                QueueUrl=self._settings.queue_url, MessageBody=write_nudge(nudge), DelaySeconds=delay
            )

    def _schedule(self, nudge: Nudge) -> None:
        """CreateSchedule, one window early. Raises AwsTrouble."""
        name = f"{nudge.match}.{nudge.alarm}.{floor(nudge.at * 1000)}"
        # Whole seconds, rounded down; that leaves at least four of the five in which no time may lie.
        moment = floor(max(self._clock.now() + SOONEST, nudge.at - WINDOW))
        expression = f"at({datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%S})"
        # A conflict is as good: the name says match, alarm and moment, so another process, or an earlier try, armed it.
        with self._asking("CreateSchedule"), suppress(self._scheduler().exceptions.ConflictException):
            self._scheduler().create_schedule(
                Name=name,
                GroupName=self._settings.schedule_group,
                ScheduleExpression=expression,
                ScheduleExpressionTimezone="UTC",
                FlexibleTimeWindow={"Mode": "OFF"},
                ActionAfterCompletion="DELETE",
                ClientToken=hashlib.sha256(f"{name} {expression}".encode()).hexdigest(),
                Target={
                    "Arn": self._settings.queue_arn,
                    "RoleArn": self._settings.schedule_role_arn,
                    "Input": write_nudge(nudge),
                    "DeadLetterConfig": {"Arn": self._settings.dead_letter_arn},
                    "RetryPolicy": {"MaximumEventAgeInSeconds": OLDEST},
                },
            )

    @contextmanager
    def _asking(self, call: str) -> Iterator[None]:
        """Around a call: its errors by their meaning. Raises NotAsked before it where the service is silent."""
        if self._clock.now() < self._silent_until.get(call, 0.0):
            raise NotAsked(call)
        try:
            yield
        except AwsError as error:
            trouble = named(error, call)
            if isinstance(error, BotoCoreError) and isinstance(trouble, Unanswered):  # no answer at all: it took long
                self._silent_until[call] = self._clock.now() + SILENCE
            raise trouble from error

    @staticmethod
    def _failure(call: Callable[[], None]) -> AwsTrouble | None:
        try:
            call()
        except AwsTrouble as trouble:
            return trouble
        return None
