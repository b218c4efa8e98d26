"""A process that was frozen for minutes, and whose connections died meanwhile without a word; over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen

import boto3
import pytest
from botocore.httpsession import URLLib3Session
from flask import Flask
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from waitress import wasyncore
from waitress.server import create_server
from waitress.trigger import trigger

from handler import aws
from infra.aws import calls
from infra.aws.connections import FreshConnections
from infra.local.botapi.server import blueprint
from infra.local.botapi.transport import TOKEN
from infra.stores.dynamo import DynamoStore
from tests.aws.cloud import GROUP, QUEUE, REGION, ROLE_ARN, TABLE
from tests.aws.events import Invocation, taken, update_request
from tests.aws.table import make_table
from tests.flows.house import SECRET, CountingEntropy
from tests.flows.patient import PatientFlow
from tests.flows.segments import heard
from tests.infra.relay import Relay

SEND = URLLib3Session.send
"""As it is where tests may leave this process."""


@contextmanager
def served(app: Any) -> Iterator[Relay]:
    """An application over HTTP by a server that keeps connections, and the way there."""
    sockets: Any = {}
    stop: Any = trigger(sockets)
    server: Any = create_server(app, sockets, host="127.0.0.1", port=0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    relay = Relay(f"http://127.0.0.1:{server.effective_port}")
    yield relay
    relay.close()
    server.task_dispatcher.shutdown()
    stop.pull_trigger(lambda: wasyncore.close_all(sockets, ignore_all=True))
    thread.join()


class FrozenFlow(PatientFlow):
    """A flow whose function speaks over sockets. It is at work only once it is :attr:`wired`."""

    wired = False
    wall = 0.0

    def post(self, update: Any) -> int:
        if not self.wired:
            return super().post(update)
        answer = aws.handler(update_request(update), Invocation())
        assert answer is not None
        return taken(self.world, answer)


@pytest.fixture
def to_aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    """The way to AWS, where an answer is not waited for as long as it really is, nor anything between two tries. A busy
    machine must still answer in that time.
    """
    monkeypatch.setattr(URLLib3Session, "send", SEND)
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda seconds: None))
    monkeypatch.setattr(calls, "READ", 1.0)
    monkeypatch.setattr(calls, "TIMER_READ", 1.0)
    with served(DomainDispatcherApplication(create_backend_app)) as relay:
        monkeypatch.setenv("AWS_ENDPOINT_URL", relay.address)
        urlopen(Request(f"{relay.address}/moto-api/reset", method="POST")).close()
        yield relay


@pytest.fixture
def bot(to_aws: Relay, monkeypatch: pytest.MonkeyPatch) -> Iterator[FrozenFlow]:
    dynamodb = boto3.client("dynamodb", endpoint_url=to_aws.behind)  # what a test reads does not freeze
    make_table(dynamodb, TABLE)
    boto3.client("scheduler").create_schedule_group(Name=GROUP)
    url = boto3.client("sqs").create_queue(QueueName=QUEUE)["QueueUrl"]
    for name, value in (("token", TOKEN), ("secret", SECRET)):
        boto3.client("ssm").put_parameter(Name=name, Value=value, Type="SecureString")
    arn = f"arn:aws:sqs:{REGION}:123456789012:{QUEUE}"
    settings = {"TABLE_NAME": TABLE, "KEEP_DAYS": "90", "QUEUE_URL": url, "QUEUE_ARN": arn, "DEAD_LETTER_ARN": arn}
    settings |= {"SCHEDULE_GROUP": GROUP, "SCHEDULE_ROLE_ARN": ROLE_ARN}
    settings |= {"TOKEN_PARAMETER": "token", "SECRET_PARAMETER": "secret"}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    flow = FrozenFlow(DynamoStore(dynamodb, TABLE, 90, lambda: 0.0), "frozen")
    monkeypatch.setattr(aws, "SystemClock", lambda: flow.clock)
    monkeypatch.setattr(aws, "SystemEntropy", lambda: CountingEntropy("frozen"))
    monkeypatch.setattr(aws, "FreshConnections", lambda: FreshConnections(lambda: flow.wall))
    monkeypatch.setattr("handler.logs.install_with_measures", lambda: None)
    flow.wired = True
    yield flow
    aws.process().telegram.close()
    aws.process.cache_clear()
    flow.telegram.close()
    flow.world.close()


def test_after_a_freeze_a_press_is_answered_and_nothing_is_said_twice(
    bot: FrozenFlow, to_aws: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Flask(__name__)
    app.register_blueprint(blueprint(bot.world, TOKEN, Event()))
    with served(app) as to_telegram:
        monkeypatch.setenv("TELEGRAM_API", to_telegram.address)
        match = bot.begin()
        before = {chat: heard(bot, chat) for chat in (bot.group, bot.ada, bot.bruno)}
        for user, tail in ((bot.ada, "s?-"), (bot.ada, "l"), (bot.bruno, "s?-"), (bot.bruno, "l")):
            lost, made = to_aws.lost, len(bot.world.calls)
            to_aws.freeze()
            to_telegram.freeze()
            bot.wall += 600
            bot.push(user, user, tail)
            assert bot.world.calls[made].method == "answerCallbackQuery"
            assert to_aws.lost > lost, "a dead connection took a request"
        assert to_telegram.lost == 0, "and none of Telegram's did"
        assert bot.load(match.id).number == 1
        for chat, told in before.items():
            after = heard(bot, chat)[len(told) :]
            assert after
            assert len(after) == len(set(after)), "once each"
        assert bot.world.violations == []
