"""AWS for tests: moto answers the calls in this process, and here is what moto lacks, the passing of time.

moto never fires a schedule, holds messages back by the wall's clock and accepts what AWS would refuse. So the calls are
watched: what moto is lax about is asserted (:mod:`tests.aws.demands`), and what was asked for comes true on a clock
that the test moves, as late, doubled, disordered and lost as the documentation allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import md5
from heapq import heappop, heappush
from random import Random
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import boto3
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.scheduler.models import scheduler_backends
from moto.sqs.models import sqs_backends

from infra.aws import calls
from infra.aws.settings import Settings, from_environment
from tests.aws.demands import check_message, check_schedule
from tests.aws.table import make_table
from tests.flows.house import ManualClock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_sqs import SQSClient

REGION: Final = "eu-central-1"
TABLE, QUEUE, DEAD_LETTERS, GROUP = "raven-dog", "raven-dog-nudges", "raven-dog-dead-letters", "raven-dog"
ROLE_ARN: Final = f"arn:aws:iam::{DEFAULT_ACCOUNT_ID}:role/raven-dog-schedules"

WINDOW: Final = 60.0
"""A schedule fires so many seconds after its time at most."""
VISIBILITY: Final = 180.0
"""Seconds after which a message comes again that was not dealt with (the queue's VisibilityTimeout)."""
RECEIVES: Final = 8
"""How often a message is handed over before it goes to the dead letters (maxReceiveCount)."""
BATCH: Final = 1
"""Messages in one invocation at most (BatchSize)."""
SWEEP_EVERY: Final = 60.0
SWEEP_LATE: Final = 3.0
COPY_WITHIN: Final = 30.0
"""Seconds within which the second copy of a message comes."""

Consumer = Callable[[dict[str, Any]], Mapping[str, Any] | None]
"""What Lambda calls with an event of SQS records; it returns ``batchItemFailures`` (None: there were none)."""


@dataclass(frozen=True)
class Weather:
    """How often something goes wrong, from 0 to 1: a schedule never fires, a message never comes out, either of them
    comes twice.
    """

    schedules_lost: float = 0.0
    messages_lost: float = 0.0
    twice: float = 0.0


FAIR: Final = Weather()


@dataclass
class Message:
    """A message in the queue. ``received`` counts how often it was handed over."""

    id: str
    body: str
    sent: float
    received: int = 0


@dataclass(frozen=True)
class Seen:
    """What became of a nudge's text, and when: ``schedule lost``, ``message lost``, or it ``came``."""

    what: str
    body: str
    time: float


class Cloud:
    """The account, with a table, a queue and a schedule group, on a clock of its own.

    ``consumer`` gets what comes out of the queue, ``sweep`` is called every minute; a test sets both. ``dead`` are the
    dead letters, ``seen`` is what became of each nudge, ``schedules`` holds the name of every schedule there ever was.
    """

    def __init__(self, clock: ManualClock, weather: Weather, seed: int, environment: Mapping[str, str]) -> None:
        self.clock = clock
        self.weather = weather
        self.environment = environment
        self.consumer: Consumer = lambda event: None
        self.sweep: Callable[[], object] = lambda: None
        self.dead: list[Message] = []
        self.seen: list[Seen] = []
        self.schedules: set[str] = set()
        self._random = Random(seed)
        self._ahead: list[tuple[float, int, Callable[[], None]]] = []
        self._visible: list[Message] = []
        self._in_flight: dict[str, Message] = {}
        self._hidden: dict[str, float] = {}
        self._number = 0
        self._at(clock.time + self._random.uniform(0, SWEEP_EVERY), self._minute)

    @property
    def nudges(self) -> int:
        """Messages in the queue and schedules that have not fired, copies included, about."""
        return len(self._visible) + len(self._ahead)

    @property
    def tries(self) -> int:
        """How often the message that is being dealt with was handed over, this time included; 0: there is none."""
        return max((message.received for message in self._in_flight.values()), default=0)

    @property
    def settings(self) -> Settings:
        """What the function reads from its environment."""
        return from_environment(self.environment)

    # --- time -------------------------------------------------------------------------------------

    def run(self, seconds: float) -> None:
        """Let time pass, and everything happen that comes true in it."""
        until = self.clock.time + seconds
        while self._visible or self._ahead[0][0] <= until:
            self.step()
        self.clock.time = max(self.clock.time, until)

    def step(self) -> None:
        """Let time pass until the next thing has happened: an invocation, or something that leads to one."""
        if not self._visible:
            at, _, happen = heappop(self._ahead)
            self.clock.time = max(self.clock.time, at)
            happen()
        while self._ahead[0][0] <= self.clock.time:
            heappop(self._ahead)[2]()
        if self._visible:
            self._invoke()

    def sleep(self, seconds: float) -> None:
        """What a process does that waits."""
        assert 0 < seconds <= 2, "billed by the second"
        self.clock.time += seconds

    def _at(self, time: float, happen: Callable[[], None]) -> None:
        self._number += 1
        heappush(self._ahead, (time, self._number, happen))

    def _minute(self) -> None:
        now = self.clock.time
        self._at(now + SWEEP_EVERY, self._minute)
        self._at(now + self._random.uniform(0, SWEEP_LATE), self._sweep)

    def _sweep(self) -> None:
        self.sweep()

    # --- what was asked for -----------------------------------------------------------------------

    def schedule(self, params: Mapping[str, Any]) -> None:
        """CreateSchedule has succeeded."""
        fires = check_schedule(params, self.clock.time, self.settings)
        assert params["Name"] not in self.schedules, "a schedule's name is used again"
        self.schedules.add(params["Name"])
        body = params["Target"]["Input"]
        if self._random.random() < self.weather.schedules_lost:
            self._see("schedule lost", body)
            return

        def fire() -> None:
            scheduler_backends[DEFAULT_ACCOUNT_ID][REGION].delete_schedule(params["GroupName"], params["Name"])
            self._put(body, 0)

        self._at(fires + self._random.uniform(0, WINDOW), fire)
        if self._random.random() < self.weather.twice:
            self._at(fires + WINDOW + self._random.uniform(0, WINDOW), lambda: self._put(body, 0))

    def send(self, params: Mapping[str, Any]) -> None:
        """SendMessage has succeeded."""
        check_message(params, self.settings)
        # moto counts a queue's messages each time that one comes: let it count none.
        sqs_backends[DEFAULT_ACCOUNT_ID][REGION].purge_queue(QUEUE)
        body = params["MessageBody"]
        if self._random.random() < self.weather.messages_lost:
            self._see("message lost", body)
        else:
            self._put(body, params.get("DelaySeconds", 0))

    def hide(self, receipt: str, seconds: int) -> None:
        """ChangeMessageVisibility."""
        assert receipt in self._in_flight, "the receipt of a message that is not being handled"
        assert 0 <= seconds <= 12 * 3600
        self._hidden[receipt] = float(seconds)

    def _put(self, body: str, delay: int) -> None:
        """A message enters the queue, and comes out about a second around its time; it may do so twice."""
        self._number += 1
        message = Message(f"{self._number:08x}-0000-4000-8000-000000000000", body, self.clock.time)
        out = self.clock.time + max(0.0, delay + self._random.uniform(-1 if delay else 0, 1))
        self._at(out, lambda: self._visible.append(message))
        if self._random.random() < self.weather.twice:
            copy = replace(message)
            self._at(out + self._random.uniform(0, COPY_WITHIN), lambda: self._visible.append(copy))

    def _see(self, what: str, body: str) -> None:
        self.seen.append(Seen(what, body, self.clock.time))

    # --- what comes out ---------------------------------------------------------------------------

    def _invoke(self) -> None:
        """Hand some of the visible messages to the consumer, in any order."""
        self._random.shuffle(self._visible)
        batch = [self._visible.pop() for _ in range(min(BATCH, len(self._visible)))]
        records = [self._record(message) for message in batch]
        failed = {record["messageId"] for record in records}
        try:
            answer = self.consumer({"Records": records}) or {}
            failures = {failure["itemIdentifier"] for failure in answer.get("batchItemFailures", ())}
            assert failures <= failed, "Lambda takes an identifier it does not know for a failure of the whole batch"
            failed = failures
        finally:
            for record, message in zip(records, batch, strict=True):
                del self._in_flight[record["receiptHandle"]]
                hidden = self._hidden.pop(record["receiptHandle"], VISIBILITY)
                if record["messageId"] in failed:
                    self._again(message, hidden)

    def _record(self, message: Message) -> dict[str, Any]:
        """A message as it stands in Lambda's event (Lambda developer guide, Using Lambda with Amazon SQS)."""
        message.received += 1
        self._see("came", message.body)
        self._number += 1
        receipt = f"receipt-{self._number}"
        self._in_flight[receipt] = message
        return {
            "messageId": message.id,
            "receiptHandle": receipt,
            "body": message.body,
            "attributes": {
                "ApproximateReceiveCount": str(message.received),
                "SentTimestamp": str(int(message.sent * 1000)),
                "SenderId": "AIDAIENQZJOLO23YVJ4VO",
                "ApproximateFirstReceiveTimestamp": str(int(self.clock.time * 1000)),
            },
            "messageAttributes": {},
            "md5OfBody": md5(message.body.encode(), usedforsecurity=False).hexdigest(),
            "eventSource": "aws:sqs",
            "eventSourceARN": self.settings.queue_arn,
            "awsRegion": REGION,
        }

    def _again(self, message: Message, seconds: float) -> None:
        if message.received >= RECEIVES:
            self.dead.append(message)
        else:
            self._at(self.clock.time + seconds, lambda: self._visible.append(message))


@contextmanager
def cloud(clock: ManualClock, seed: int, weather: Weather = FAIR) -> Iterator[Cloud]:
    """An account with its table (empty), queues and schedule group, for as long as the context lasts. Every client that
    the function makes in it is watched.
    """
    # The cloud takes out of moto's queue what it delivers itself.
    with mock_aws(), patch.dict("os.environ", MOTO_SQS_ENFORCE_STRICT_QUEUE_PURGE_BEHAVIOUR="false"):
        dynamodb: DynamoDBClient = boto3.client("dynamodb")
        sqs: SQSClient = boto3.client("sqs")
        scheduler: EventBridgeSchedulerClient = boto3.client("scheduler")
        make_table(dynamodb, TABLE)
        scheduler.create_schedule_group(Name=GROUP)
        queues = [sqs.create_queue(QueueName=name)["QueueUrl"] for name in (QUEUE, DEAD_LETTERS)]
        arns = [sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"]) for url in queues]
        environment = {
            "TABLE_NAME": TABLE,
            "KEEP_DAYS": "90",
            "QUEUE_URL": queues[0],
            "QUEUE_ARN": arns[0]["Attributes"]["QueueArn"],
            "DEAD_LETTER_ARN": arns[1]["Attributes"]["QueueArn"],
            "SCHEDULE_GROUP": GROUP,
            "SCHEDULE_ROLE_ARN": ROLE_ARN,
            "TOKEN_PARAMETER": "/raven-dog/telegram-token",
            "SECRET_PARAMETER": "/raven-dog/webhook-secret",
        }
        made = Cloud(clock, weather, seed, environment)
        calls.session.cache_clear()
        _watch(made)
        yield made
        calls.session.cache_clear()


def _watch(cloud: Cloud) -> None:
    """Let the function's clients tell the cloud what they were granted."""

    def remember(params: Mapping[str, Any], context: dict[str, Any], **_: Any) -> None:
        context["cloud"] = params

    def watch(call: str, granted: Callable[[Mapping[str, Any]], None]) -> None:
        def after(http_response: AWSResponse, context: Mapping[str, Any], **_: Any) -> None:
            if http_response.status_code < 300:
                granted(context["cloud"])

        events.register(f"before-parameter-build.{call}", remember)
        events.register(f"after-call.{call}", after)

    def hide(context: Mapping[str, Any], **_: Any) -> tuple[AWSResponse, dict[str, Any]]:
        # moto knows no receipts, since it hands nothing over.
        cloud.hide(context["cloud"]["ReceiptHandle"], context["cloud"]["VisibilityTimeout"])
        return AWSResponse("", 200, HTTPHeaders(), None), {}

    events = calls.session().get_component("event_emitter")
    watch("scheduler.CreateSchedule", cloud.schedule)
    watch("sqs.SendMessage", cloud.send)
    events.register("before-parameter-build.sqs.ChangeMessageVisibility", remember)
    events.register("before-call.sqs.ChangeMessageVisibility", hide)
