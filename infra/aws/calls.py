"""Every call that the function makes to AWS. The template's policies grant these and nothing else, and a test derives
the one from the other; a call that is not listed here is refused before it is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from botocore.config import Config
from botocore.loaders import Loader
from botocore.session import Session

if TYPE_CHECKING:
    from botocore.client import BaseClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient

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


class OurModels(Loader):
    """What botocore knows of AWS, in which our services are all there are: by itself it looks into the folders of all
    four hundred, twice, before it makes a client (boto/botocore pull request 3687 would leave that out).
    """

    def list_available_services(self, type_name: str) -> list[str]:
        return list(get_args(Service))


@cache
def session() -> Session:
    """What all clients have in common. It is botocore's, as boto3's own adds nothing to a client, and a fifth to the
    time of its import.
    """
    made = Session()
    made.register_component("data_loader", OurModels())
    return made


def dynamodb() -> DynamoDBClient:
    """A client for the table."""
    return cast("DynamoDBClient", _client("dynamodb", READ, ATTEMPTS))


def scheduler() -> EventBridgeSchedulerClient:
    """A client for EventBridge Scheduler."""
    return cast("EventBridgeSchedulerClient", _client("scheduler", TIMER_READ, TIMER_ATTEMPTS))


def sqs() -> SQSClient:
    """A client for the queue."""
    return cast("SQSClient", _client("sqs", TIMER_READ, TIMER_ATTEMPTS))


def ssm() -> SSMClient:
    """A client for the parameters that hold the secrets."""
    return cast("SSMClient", _client("ssm", READ, ATTEMPTS))


def _client(service: Service, read: float, attempts: int) -> BaseClient:
    config = Config(
        connect_timeout=CONNECT,
        read_timeout=read,
        retries={"mode": "standard", "total_max_attempts": attempts},
        tcp_keepalive=True,
    )
    client: BaseClient = session().create_client(service, config=config)
    client.meta.events.register("before-parameter-build", _refuse_unlisted)
    return client


def _refuse_unlisted(model: Any, **_: Any) -> None:
    if (model.service_model.service_name, model.name) not in CALLS:
        raise Unlisted(f"{model.service_model.service_name}.{model.name}")
