"""The whole bot on AWS for flow tests: Lambda's events in, moto's account behind it, a stand-in for the Bot API out.

Updates come as API Gateway hands them over, nudges out of the queue, the sweep every minute, all on the cloud's clock.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest

from handler import aws, codec
from handler.recent import RecentRecords
from infra.aws import calls
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.stores.dynamo import DynamoStore
from tests.aws.cloud import FAIR, REGION, Cloud, Message, Weather, cloud
from tests.aws.events import Invocation, failures, taken, update_request
from tests.flows.house import SECRET, CountingEntropy, ManualClock
from tests.flows.patient import PatientFlow


class AwsFlow(PatientFlow):
    """A flow behind the Lambda entry.

    With ``lifetime`` the process is a new one after so many events, as if Lambda had thrown the old one away. What the
    webhook does not take in comes again, as Telegram brings it; ``again`` counts how often, and acts that failed.
    """

    def __init__(self, cloud: Cloud, patch: pytest.MonkeyPatch, salt: str, seed: bytes | None) -> None:
        self.cloud = cloud
        self.salt = salt
        self.seed = seed
        self.lifetime = 0
        self.events = 0
        self.again = 0
        self.starts = 0
        self.context = Invocation()
        self.said: tuple[int, str, int | None] | None = None
        cloud.consumer = self.call
        cloud.sweep = lambda: self.act("sweep")
        patch.setattr(aws, "FreshConnections", lambda: WorldTransport(self.world))
        patch.setattr(aws, "SystemClock", lambda: cloud.clock)
        patch.setattr(aws, "SystemEntropy", self.entropy)
        patch.setattr(aws, "sleep", cloud.sleep)
        # A client of its own, so that what a test reads is nobody's call.
        store = DynamoStore(boto3.Session().client("dynamodb"), cloud.settings.table, 90, cloud.clock.now)
        super().__init__(store, salt, seed, cloud.clock)

    def call(self, event: Any) -> dict[str, Any] | None:
        """Lambda calls the function."""
        self.events += 1
        if self.lifetime and self.events % self.lifetime == 0:
            self.end_process()
        answer = aws.handler(json.loads(json.dumps(event)), self.context)
        answered: dict[str, Any] | None = json.loads(json.dumps(answer))
        return answered

    def come_again(self, *records: dict[str, Any]) -> dict[str, float]:
        """The bodies of the records that are to come again, and after how many seconds (0: when the queue likes)."""
        for each in records:
            self.cloud._in_flight[each["receiptHandle"]] = Message(each["messageId"], each["body"], self.clock.time)
        failed = failures(self.call, *records)
        hidden, self.cloud._hidden = self.cloud._hidden, {}
        return {body: hidden.get(f"receipt of {body}", 0) for body in failed}

    def act(self, act: str) -> None:
        """The minute's rule, or the operator, calls it."""
        try:
            assert self.call({"act": act}) is None
        except aws.Failed:
            self.again += 1

    def end_process(self) -> None:
        """Whatever the process knew is gone."""
        if aws.process.cache_info().currsize:
            aws.process().telegram.close()
        aws.process.cache_clear()
        codec._RECENT = RecentRecords()

    def entropy(self) -> CountingEntropy:
        """What the next process draws from."""
        self.starts += 1
        return CountingEntropy(f"{self.salt}/process {self.starts}", self.seed)

    def post(self, update: Any) -> int:
        answer = self.call(update_request(update, base64=self.events % 2 == 1))
        assert answer is not None
        return taken(self.world, answer)

    def deliver(self) -> None:
        for _ in range(100):
            waiting = self.world.pending()
            if not waiting:
                return
            for update in waiting:
                status = self.post(update)
                if status != 200:
                    assert status == 503
                    self.again += 1
                    self.cloud.run(2)
                    break
                self.world.acknowledge(update["update_id"])
        raise AssertionError("an update is never acknowledged")

    def wait(self, seconds: float) -> None:
        self.cloud.run(seconds)

    def step(self) -> None:
        self.cloud.step()

    def say(self, user: int, text: str, chat: int | None = None) -> None:
        self.said = (user, text, chat)
        super().say(user, text, chat)

    def insist(self) -> None:
        """Who gets no answer asks again: losing an answer loses nothing else."""
        if self.said is not None:
            self.say(*self.said)

    def press_data(self, user: int, chat: int, message: int, data: str) -> str:
        """As of a flow; a press that was brought again may have been answered twice."""
        before = len(self.world.calls)
        query = self.world.people.press(user, chat, message, data)
        self.deliver()
        answers = [call for call in self.world.calls[before:] if call.method == "answerCallbackQuery"]
        last = [call for call in answers if call.params["callback_query_id"] == query][-1]
        return str(last.params.get("url") or last.params.get("text", ""))


Watch = Callable[[Any], None]
"""What is done to each client that the function makes, before it is used."""


@contextmanager
def house(
    salt: str = "",
    *,
    weather: Weather = FAIR,
    chance: int = 1,
    seed: bytes | None = None,
    watch: Watch | None = None,
) -> Iterator[AwsFlow]:
    """The bot in an account of its own. At the end every call must have been one that a correct bot makes.

    ``chance`` decides what the cloud does within its ``weather``.
    """
    with pytest.MonkeyPatch.context() as patch, _nowhere(patch), cloud(ManualClock(), chance, weather) as account:
        for name, value in account.environment.items():
            patch.setenv(name, value)
        settings = account.settings
        for parameter, value in ((settings.token_parameter, TOKEN), (settings.secret_parameter, SECRET)):
            boto3.client("ssm").put_parameter(Name=parameter, Value=value, Type="SecureString")
        patch.setattr("handler.logs.install_with_measures", lambda: None)
        if watch is not None:
            for service in ("dynamodb", "scheduler", "sqs", "ssm"):
                patch.setattr(calls, service, _watched(getattr(calls, service), watch))
        flow = AwsFlow(account, patch, salt, seed)
        try:
            yield flow
            assert flow.world.violations == []
            assert flow.world.pending() == []
        finally:
            flow.end_process()
            flow.telegram.close()
            flow.world.close()


@contextmanager
def _nowhere(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """No account of anybody's; for tests that share one bot, and so begin before a fixture of each."""
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_ENDPOINT_URL"):
        patch.delenv(name, raising=False)
    patch.setenv("AWS_DEFAULT_REGION", REGION)
    patch.setenv("MOTO_SQS_ENFORCE_STRICT_QUEUE_PURGE_BEHAVIOUR", "false")
    yield


def _watched(make: Callable[[], Any], watch: Watch) -> Callable[[], Any]:
    def made() -> Any:
        client = make()
        watch(client)
        return client

    return made
