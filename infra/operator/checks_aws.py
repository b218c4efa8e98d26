"""What the doctor looks at in AWS: the stack, the secrets, the function, the table, the queues, the schedules."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any, Final

from botocore.exceptions import ClientError

from infra.aws.errors import Missing
from infra.operator import secrets
from infra.operator.account import Account, asking
from infra.operator.findings import Finding, fine, note, wrong
from infra.operator.function import Function
from infra.operator.secrets import Kept
from infra.operator.stack import HALF_DELETED, HALF_TAKEN_BACK, IN_REVIEW, Stack

SKEW: Final = 60.0
"""Seconds that this machine's clock may be off; AWS refuses requests whose time is off by more than five minutes."""

LATE: Final = 120.0
"""Seconds after which a match that is due has been missed by both timers and by the sweep."""

WAITING: Final = 20
"""Messages that may wait in the queue at a moment; the function takes them out within a second."""


def clock(account: Account, now: float) -> Iterator[Finding]:
    """This machine's clock against AWS's, which every answer shows, a refusal too."""
    with asking("GetCallerIdentity"):
        try:
            answer: Any = account.sts.get_caller_identity()
        except ClientError as error:
            answer = error.response
    date = answer["ResponseMetadata"]["HTTPHeaders"].get("date")
    if date is not None:
        off = round(now - parsedate_to_datetime(date).timestamp())
        yield fine("clock") if abs(off) <= SKEW else wrong("clock_off", seconds=abs(off))


def stack(found: Stack, region: str) -> Iterator[Finding]:
    """What CloudFormation says of the stack."""
    name, status, why = found.name, found.status, found.reason or "–"
    if found.complete:
        yield fine("stack", stack=name, status=status)
    elif found.busy:
        yield note("stack_busy", stack=name, status=status)
    elif status == IN_REVIEW:
        yield wrong("stack_in_review", stack=name, status=status)
    elif status == HALF_DELETED:
        yield wrong("stack_half_deleted", stack=name, status=status, why=why)
    elif status == HALF_TAKEN_BACK:
        yield wrong("stack_half_taken_back", stack=name, status=status, why=why, region=region)
    else:
        yield wrong("stack_failed", stack=name, status=status, why=why)


def parameters(stack: str, token: Kept | None, secret: Kept | None, function: Function | None) -> Iterator[Finding]:
    """That both secrets are kept, and that the function's processes were started since."""
    missing = [name for name, kept in ((secrets.TOKEN, token), (secrets.SECRET, secret)) if kept is None]
    for name in missing:
        yield wrong("secret_missing", name=secrets.parameter(stack, name))
    if token is None or secret is None:
        return
    yield fine("secrets")
    if function is not None:
        same = function.environment.get("SECRETS_VERSION") == secrets.secrets_version(token, secret)
        yield fine("secrets_version") if same else wrong("secrets_version_differs")


def function(found: Function) -> Iterator[Finding]:
    """That the function may run, and is not being changed."""
    if found.stopped:
        yield wrong("function_stopped")
    elif found.status in ("Successful", "Active"):
        yield fine("function")
    else:
        yield wrong("function_status", status=found.status)


def table(account: Account, name: str) -> Iterator[Finding]:
    """That the table answers, is protected and backed up, forgets what has expired, and finds what is due
    and the results of a group.
    """
    try:
        with asking("DescribeTable"):
            found = account.dynamodb.describe_table(TableName=name)["Table"]
    except Missing:
        yield wrong("table_gone", table=name)
        return
    status = found.get("TableStatus", "")
    yield fine("table", table=name) if status == "ACTIVE" else wrong("table_status", table=name, status=status)
    with asking("DescribeContinuousBackups"):
        backups = account.dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups.get("PointInTimeRecoveryDescription", {}).get("PointInTimeRecoveryStatus")
    yield fine("backups") if recovery == "ENABLED" else wrong("backups_off", table=name, region=account.region)
    with asking("DescribeTimeToLive"):
        ttl = account.dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    expires = (ttl.get("AttributeName"), ttl.get("TimeToLiveStatus", "").startswith("ENABL")) == ("expires", True)
    yield fine("ttl") if expires else wrong("ttl_off", table=name, region=account.region)
    yield (
        fine("protected")
        if found.get("DeletionProtectionEnabled")
        else wrong("unprotected", table=name, region=account.region)
    )
    indexes = {
        index.get("IndexName"): index.get("IndexStatus", "ACTIVE") for index in found.get("GlobalSecondaryIndexes", [])
    }
    yield fine("index") if indexes.get("due") == "ACTIVE" else wrong("index_missing")
    yield fine("results_index") if indexes.get("results") == "ACTIVE" else wrong("results_index_missing")


def overdue(account: Account, name: str, now: float) -> Iterator[Finding]:
    """How many matches should have been looked after two minutes ago. Of a table that is gone nothing more is said."""
    try:
        with asking("Query"):
            pages = account.dynamodb.get_paginator("query").paginate(
                TableName=name,
                IndexName="due",
                Select="COUNT",
                KeyConditionExpression="due = :due AND moment < :moment",
                ExpressionAttributeValues={":due": {"S": "due"}, ":moment": {"N": str(now - LATE)}},
            )
            late = sum(page["Count"] for page in pages)
    except Missing:
        return
    yield wrong("overdue", n=late) if late else fine("punctual")


def queues(account: Account, queue_url: str, dead_url: str) -> Iterator[Finding]:
    """How much waits in the queue of nudges, and how many of them failed."""
    queue = _attributes(account, queue_url)
    waiting = int(queue["ApproximateNumberOfMessages"])
    delayed = int(queue["ApproximateNumberOfMessagesDelayed"])
    yield wrong("queue_full", n=waiting) if waiting > WAITING else fine("queue", n=waiting, delayed=delayed)
    dead = _attributes(account, dead_url)
    count = int(dead["ApproximateNumberOfMessages"])
    if count == 0:
        yield fine("no_dead_letters")
    else:
        arns = {"dead": dead["QueueArn"], "queue": queue["QueueArn"]}
        yield wrong("dead_letters", n=count, url=dead_url, region=account.region, **arns)


def _attributes(account: Account, url: str) -> dict[str, str]:
    with asking("GetQueueAttributes"):
        found = account.sqs.get_queue_attributes(
            QueueUrl=url,
            AttributeNames=["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesDelayed", "QueueArn"],
        )
    return {str(name): value for name, value in found["Attributes"].items()}


def schedules(account: Account, group: str) -> Iterator[Finding]:
    """That the group of schedules is there, and how many deadlines wait in it."""
    try:
        with asking("GetScheduleGroup"):
            account.scheduler.get_schedule_group(Name=group)
    except Missing:
        yield wrong("schedules_missing", group=group)
        return
    with asking("ListSchedules"):
        pages = account.scheduler.get_paginator("list_schedules").paginate(GroupName=group)
        yield fine("schedules", n=sum(len(page["Schedules"]) for page in pages))
