"""Every call that the function makes to AWS. The template's policies grant these and nothing else, and a test derives
the one from the other; a call that is not listed here is refused before it is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient

T = TypeVar("T")

Service = Literal["dynamodb", "scheduler", "sqs", "ssm"]
Resource = Literal["table", "indexes", "queue", "schedules", "schedule role", "parameters"]
"""What of the template an action is done to."""

CONNECT, READ, ATTEMPTS = 1.0, 2.0, 3
"""Seconds that a connection and an answer may take, and how often boto3 tries in all (standard mode). Both are short: a
connection that died while the process was frozen costs one wait, and Telegram's press is still answered in time.
"""
TIMER_READ, TIMER_ATTEMPTS = 1.0, 2
"""The same for EventBridge Scheduler and SQS. A timer has two ways and the sweep behind them, so that nobody need wait
for one as long as for the table.
"""
TIMER_LONGEST: Final = max(CONNECT, TIMER_READ) * TIMER_ATTEMPTS + 1.0
"""Seconds that a call to either lasts at most where nothing answers; before the second try boto3 waits up to one."""


@dataclass(frozen=True)
class Permission:
    """An action of IAM (``dynamodb:PutItem``) and what it is done to."""

    action: str
    on: Resource


CALLS: Final[Mapping[tuple[Service, str], tuple[Permission, ...]]] = {
    ("dynamodb", "GetItem"): (Permission("dynamodb:GetItem", "table"),),
    ("dynamodb", "PutItem"): (Permission("dynamodb:PutItem", "table"),),
    ("dynamodb", "UpdateItem"): (Permission("dynamodb:UpdateItem", "table"),),
    ("dynamodb", "DeleteItem"): (Permission("dynamodb:DeleteItem", "table"),),
    ("dynamodb", "Query"): (Permission("dynamodb:Query", "table"), Permission("dynamodb:Query", "indexes")),
    # A transaction needs the permissions of what is done in it (DynamoDB developer guide, IAM for transactions).
    ("dynamodb", "TransactWriteItems"): (
        Permission("dynamodb:PutItem", "table"),
        Permission("dynamodb:UpdateItem", "table"),
        Permission("dynamodb:DeleteItem", "table"),
    ),
    ("scheduler", "CreateSchedule"): (
        Permission("scheduler:CreateSchedule", "schedules"),
        Permission("iam:PassRole", "schedule role"),
    ),
    ("sqs", "SendMessage"): (Permission("sqs:SendMessage", "queue"),),
    ("sqs", "ChangeMessageVisibility"): (Permission("sqs:ChangeMessageVisibility", "queue"),),
    ("ssm", "GetParameters"): (Permission("ssm:GetParameters", "parameters"),),
}
"""The API's calls with the permissions that each needs."""


class Unlisted(Exception):
    """A call that CALLS does not list: on AWS it would be denied."""


def dynamodb() -> DynamoDBClient:
    """A client for the table."""
    return _guarded(boto3.client("dynamodb", config=_config(READ, ATTEMPTS)))


def scheduler() -> EventBridgeSchedulerClient:
    """A client for EventBridge Scheduler."""
    return _guarded(boto3.client("scheduler", config=_config(TIMER_READ, TIMER_ATTEMPTS)))


def sqs() -> SQSClient:
    """A client for the queue."""
    return _guarded(boto3.client("sqs", config=_config(TIMER_READ, TIMER_ATTEMPTS)))


def ssm() -> SSMClient:
    """A client for the parameters that hold the secrets."""
    return _guarded(boto3.client("ssm", config=_config(READ, ATTEMPTS)))


def _config(read: float, attempts: int) -> Config:
    return Config(
        connect_timeout=CONNECT,
        read_timeout=read,
        retries={"mode": "standard", "total_max_attempts": attempts},
        tcp_keepalive=True,
    )


def _guarded(client: T) -> T:
    cast(Any, client).meta.events.register("before-parameter-build", _refuse_unlisted)
    return client


def _refuse_unlisted(model: Any, **_: Any) -> None:
    if (model.service_model.service_name, model.name) not in CALLS:
        raise Unlisted(f"{model.service_model.service_name}.{model.name}")
