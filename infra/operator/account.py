"""The operator's own way into AWS: clients of one region, with whatever credentials boto3 finds.

What the function may call is listed in :mod:`infra.aws.calls`; this is what a person may who deploys it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, PartialCredentialsError, ProfileNotFound

from infra.aws.errors import AwsError, named

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient


class NoWayIn(Exception):
    """What this machine says of AWS is not enough to ask it anything."""


class NoRegion(NoWayIn):
    """Nothing says in which region of AWS the bot is to live."""


class NoSuchRegion(NoWayIn):
    """AWS has no region of that name. The message is the name."""


class NoProfile(NoWayIn):
    """AWS_PROFILE names a profile that there is not."""


class NoCredentials(NoWayIn):
    """There are none, wherever boto3 looks for them."""


class HalfCredentials(NoWayIn):
    """There is only one half of an access key."""


class UnusableFiles(NoWayIn):
    """What the files of the AWS command line say cannot be used."""


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
    """Clients for ``region``, or for the one that the environment or a profile names. Raises NoWayIn."""
    try:
        session = boto3.Session(region_name=region)
        if session.region_name is None:
            raise NoRegion
        if not _exists(session, session.region_name):
            raise NoSuchRegion(session.region_name)
        if session.get_credentials() is None:
            raise NoCredentials
        return Account(
            region=session.region_name,
            sts=session.client("sts"),
            cloudformation=session.client("cloudformation"),
            functions=session.client("lambda"),
            ssm=session.client("ssm"),
            dynamodb=session.client("dynamodb"),
            sqs=session.client("sqs"),
            scheduler=session.client("scheduler"),
        )
    except ProfileNotFound:
        raise NoProfile from None
    except PartialCredentialsError:
        raise HalfCredentials from None
    except BotoCoreError:
        raise UnusableFiles from None


def _exists(session: boto3.Session, region: str) -> bool:
    """Whether AWS has the region, or may have it by now: one that is newer than boto3 differs by its number only from
    those around it. Otherwise a slip of the pen would look like a network that is gone.
    """
    known = {
        name
        for partition in session.get_available_partitions()
        for name in session.get_available_regions("lambda", partition)
    }
    area, _, number = region.rpartition("-")
    return number.isdecimal() and area in {name.rpartition("-")[0] for name in known}


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
