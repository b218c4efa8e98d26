"""The operator's own way into AWS: clients of one region, with whatever credentials boto3 finds.

What the function may call is listed in :mod:`infra.aws.calls`; this is what a person may who deploys it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, NoRegionError

from infra.aws.errors import AwsError, named

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient


class NoRegion(Exception):
    """Nothing says in which region of AWS the bot is to live."""


class NoProfile(Exception):
    """AWS_PROFILE names no profile, or the files of the AWS command line cannot be read."""


@dataclass(frozen=True)
class Account:
    """Clients for one region. ``sts`` is boto3's client of that name, for which no types are installed."""

    region: str
    sts: Any
    cloudformation: CloudFormationClient
    functions: LambdaClient
    ssm: SSMClient
    dynamodb: DynamoDBClient
    sqs: SQSClient
    scheduler: EventBridgeSchedulerClient


def open_account(region: str | None) -> Account:
    """Clients for ``region``, or for the one that the environment or a profile names. Raises NoRegion, NoProfile."""
    try:
        session = boto3.Session(region_name=region)
        return Account(
            region=session.region_name or "",
            sts=session.client("sts"),
            cloudformation=session.client("cloudformation"),
            functions=session.client("lambda"),
            ssm=session.client("ssm"),
            dynamodb=session.client("dynamodb"),
            sqs=session.client("sqs"),
            scheduler=session.client("scheduler"),
        )
    except NoRegionError:
        raise NoRegion from None
    except BotoCoreError:
        raise NoProfile from None


@contextmanager
def asking(call: str) -> Iterator[None]:
    """Let what AWS says about ``call`` be one of :class:`infra.aws.errors.AwsTrouble`."""
    try:
        yield
    except AwsError as error:
        raise named(error, call) from None


def who(account: Account) -> str:
    """GetCallerIdentity: the number of the account that the credentials are for. Raises AwsTrouble."""
    with asking("GetCallerIdentity"):
        return str(account.sts.get_caller_identity()["Account"])
