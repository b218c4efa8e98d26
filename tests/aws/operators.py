"""An account of AWS and a Telegram for the operator's commands: moto and the stand-in, with a SAM that makes by hand
what template.yaml declares, and a process that can be killed at any call that changes something.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import boto3
import httpx
from moto import mock_aws
from moto.backends import get_backend
from werkzeug.wrappers import Response

from handler.deploy import face
from handler.webhook import make_app
from infra.aws.settings import Settings
from infra.clock import SystemClock
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.local.botapi.world import World
from infra.operator import secrets, stack
from infra.operator.account import Account, open_account
from infra.operator.bot import OperatorsBot
from infra.operator.deployment import Means, Wish, deployment
from infra.operator.findings import Finding
from infra.operator.removal import Exported, removal
from tests.aws.table import make_table

STACK = "raven-dog"
ENDPOINT = "https://abc123.execute-api.eu-central-1.amazonaws.com"
PARAMETERS = {"Runtime": "python3.13", "Architecture": "arm64"}
READS = ("Get", "Describe", "List", "Query", "Scan", "get")


def account() -> AbstractContextManager[Any]:
    """An empty account, in which functions can be invoked and do nothing."""
    return mock_aws(config={"lambda": {"use_docker": False}})


class Died(BaseException):
    """The process was killed. Nothing in it catches this."""


@dataclass
class Life:
    """Counts the moments right before and right after each call that changes something; dies at the ``last``."""

    last: int | None = None
    moments: int = 0
    changes: list[str] = field(default_factory=list)

    def call(self, name: str) -> None:
        """Right before a call."""
        if not name.startswith(READS):
            self._moment()
            self.changes.append(name)

    def done(self, name: str) -> None:
        """Right after it has taken effect."""
        if not name.startswith(READS):
            self._moment()

    def _moment(self) -> None:
        self.moments += 1
        if self.last is not None and self.moments > self.last:
            raise Died


class Mortal:
    """Whose calls are under way: that of the process that lives now, one at a time."""

    life = Life()


@cache
def clients() -> Account:
    """The clients of every process, made once: to make them takes longer than to use them."""
    account = open_account(None)
    services: tuple[Any, ...] = (
        account.cloudformation,
        account.functions,
        account.ssm,
        account.dynamodb,
        account.sqs,
        account.scheduler,
    )
    for service in services:
        service.meta.events.register("before-call", lambda model, **_: Mortal.life.call(model.name))
        service.meta.events.register("after-call", lambda model, **_: Mortal.life.done(model.name))
    return account


class MortalBot(OperatorsBot):
    """The operator's bot in a process that may die."""

    def _call(self, chat: int | None, call: Callable[[], Any], until: float | None = None, **rest: Any) -> Any:
        inner = call.func if isinstance(call, partial) else call
        name = inner.__name__
        Mortal.life.call(name)
        answer = super()._call(chat, call, until, **rest)
        Mortal.life.done(name)
        return answer


class Cloud:
    """One account and one Telegram, whatever processes come and go."""

    def __init__(self) -> None:
        self.world = World(SystemClock())
        self.deployed: dict[str, str] = {}
        """The parameters that the stack has."""
        self.sams: list[tuple[str, ...]] = []
        self.said: list[Finding] = []
        """What the latest process that deployed has said, however it ended."""
        self.sam_fails = False

    @contextmanager
    def process(self, life: Life | None = None, token: str = TOKEN) -> Iterator[OperatorsBot]:
        """A process with its bot, to its end or until it dies."""
        bot = MortalBot(token, transport=WorldTransport(self.world))
        Mortal.life = life or Life()
        try:
            yield bot
        finally:
            Mortal.life = Life()
            bot.close()

    def deploy(
        self,
        life: Life | None = None,
        *,
        rotate: bool = False,
        move: Callable[[Settings], None] | None = None,
        resume: Callable[[Settings], None] | None = None,
        token: str = TOKEN,
        build: Callable[[], int] = lambda: 2_000_000,
    ) -> list[Finding]:
        """What a process that deploys says, to its end or until it dies."""
        with self.process(life, token) as bot:
            means = Means(
                account=clients(),
                bot=bot,
                build=build,
                sam=self.sam,
                move=move,
                resume=resume or (lambda settings: None),
                sleep=lambda seconds: None,
            )
            self.said = []
            for finding in deployment(Wish(STACK, token, rotate, PARAMETERS), face(), means):
                self.said.append(finding)
            return self.said

    def remove(
        self, export: Callable[[str], Exported], life: Life | None = None, *, with_table: bool = False
    ) -> list[Finding]:
        """What a process that removes says, to its end or until it dies."""
        with self.process(life) as bot:
            found = stack.find(clients().cloudformation, STACK)
            steps = removal(clients(), found, STACK, bot, export, lambda seconds: None, with_table=with_table)
            return list(steps)

    def sam(self, arguments: tuple[str, ...]) -> int:
        """In place of ``sam``: what differs is changed, and nothing if nothing does."""
        self.sams.append(arguments)
        given = dict(
            word.removeprefix("ParameterKey=").split(",ParameterValue=", 1)
            for word in arguments
            if word.startswith("ParameterKey=")
        )
        if self.sam_fails:
            return 1
        wanted = {**self.deployed, **given}
        if wanted != self.deployed:
            life, Mortal.life = Mortal.life, Life()
            life.call("sam deploy")
            make_stack(given["SecretsVersion"])
            self.deployed = wanted
            life.done("sam deploy")
            Mortal.life = life
        return 0

    def address(self) -> httpx.WSGITransport:
        """The bot's address: its webhook as the function would answer there."""
        kept = secrets.kept(clients().ssm, STACK, secrets.SECRET)
        return httpx.WSGITransport(app=make_app(lambda update: None, kept.value if kept else None))


def broken_web(status: int) -> httpx.Client:
    """An address where everything is answered with one status."""
    return httpx.Client(transport=httpx.WSGITransport(app=Response(status=status)))


def make_stack(secrets_version: str) -> None:
    """What CloudFormation would make of template.yaml, as far as the operator's commands look at it."""
    account = clients()
    try:
        account.functions.get_function_configuration(FunctionName="bot")
    except account.functions.exceptions.ResourceNotFoundException:
        _make_rooms(account)
    environment = _environment(account, secrets_version)
    account.functions.update_function_configuration(FunctionName="bot", Environment={"Variables": environment})


def _make_rooms(account: Account) -> None:
    make_table(account.dynamodb, "matches")
    account.dynamodb.update_table(TableName="matches", DeletionProtectionEnabled=True)
    account.dynamodb.update_continuous_backups(
        TableName="matches", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    urls = [account.sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("nudges", "dead-letters")]
    account.scheduler.create_schedule_group(Name="deadlines")
    account.functions.create_function(
        FunctionName="bot",
        Runtime="python3.13",
        Role=_role(),
        Handler="handler.entry.handler",
        Code={"ZipFile": _package()},
        Timeout=29,
    )
    outputs = {
        "WebhookUrl": f"{ENDPOINT}/telegram",
        "HealthUrl": f"{ENDPOINT}/healthz",
        "FunctionName": "bot",
        "TableName": "matches",
        "QueueUrl": urls[0],
        "DeadLetterUrl": urls[1],
        "ScheduleGroupName": "deadlines",
    }
    template = {
        "Resources": {"Room": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "of-the-stack"}}},
        "Outputs": {name: {"Value": value} for name, value in outputs.items()},
    }
    account.cloudformation.create_stack(StackName=STACK, TemplateBody=json.dumps(template))


def _environment(account: Account, secrets_version: str) -> dict[str, str]:
    queue_url = account.sqs.get_queue_url(QueueName="nudges")["QueueUrl"]
    return {
        "TABLE_NAME": "matches",
        "KEEP_DAYS": "90",
        "QUEUE_URL": queue_url,
        "QUEUE_ARN": "arn:aws:sqs:eu-central-1:123456789012:nudges",
        "DEAD_LETTER_ARN": "arn:aws:sqs:eu-central-1:123456789012:dead-letters",
        "SCHEDULE_GROUP": "deadlines",
        "SCHEDULE_ROLE_ARN": "arn:aws:iam::123456789012:role/schedules",
        "TOKEN_PARAMETER": f"/{STACK}/telegram-token",
        "SECRET_PARAMETER": f"/{STACK}/webhook-secret",
        "SECRETS_VERSION": secrets_version,
    }


def delete_table() -> None:
    """What somebody does by hand who should not."""
    clients().dynamodb.update_table(TableName="matches", DeletionProtectionEnabled=False)
    clients().dynamodb.delete_table(TableName="matches")


def in_status(status: str) -> None:
    """Let the stack be in a status to which moto brings none."""
    [backend] = [regions["eu-central-1"] for _, regions in get_backend("cloudformation").items()]
    backend.get_stack(STACK).status = status


@cache
def _iam() -> Any:
    return boto3.client("iam")


def _role() -> str:
    statement = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    return str(_iam().create_role(RoleName="bot", AssumeRolePolicyDocument=policy)["Role"]["Arn"])


def _package() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as package:
        package.writestr("handler/entry.py", "")
    return content.getvalue()
