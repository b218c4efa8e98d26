"""What ``make remove`` does. The stack goes last, because it knows the names of all the rest: a removal that died
anywhere is finished by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handler.ports import TelegramError
from infra.aws.errors import Missing
from infra.operator import function, secrets, stack
from infra.operator.account import Account, asking
from infra.operator.bot import OperatorsBot
from infra.operator.deployment import StackBusy
from infra.operator.findings import Finding, fine, note
from infra.operator.stack import Stack

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass(frozen=True)
class Exported:
    """What was exported, with people's profiles and results: how many matches in all, and the records of how many
    that are over.
    """

    matches: int
    records: int


def removal(
    account: Account,
    found: Stack | None,
    name: str,
    bot: OperatorsBot | None,
    export: Callable[[str], Exported],
    sleep: Callable[[float], None],
    *,
    with_table: bool,
) -> Iterator[Finding]:
    """Remove a stack and say what was done. ``export`` takes the name of the table, from which nothing is lost as
    long as it can be read. Raises AwsTrouble, StackBusy, StackStays, and what ``export`` raises.
    """
    if found is not None and found.busy:
        raise StackBusy(found.status)
    outputs = {} if found is None else found.outputs
    if bot is not None and "WebhookUrl" in outputs:
        yield _take_webhook_away(bot, outputs["WebhookUrl"])
    if "FunctionName" in outputs:
        yield from _stop(account, outputs["FunctionName"], sleep)
    if "TableName" in outputs:
        yield from _empty(account.dynamodb, outputs["TableName"], export, with_table=with_table)
    yield fine("secrets_deleted") if secrets.forget(account.ssm, name) else note("no_secrets")
    if found is None:
        yield note("no_stack", stack=name)
        return
    yield note("deleting_stack", stack=name)
    stack.delete(account.cloudformation, name)
    yield fine("stack_deleted", stack=name)


def _take_webhook_away(bot: OperatorsBot, url: str) -> Finding:
    """deleteWebhook, unless Telegram brings updates elsewhere by now. What cannot be done does not keep the rest."""
    try:
        set_to = bot.webhook().url
        if not set_to:
            return fine("no_webhook")
        if set_to.partition("?")[0] != url:
            return note("webhook_elsewhere")
        bot.delete_webhook()
    except TelegramError:
        return note("webhook_stays")
    return fine("webhook_deleted")


def _stop(account: Account, name: str, sleep: Callable[[float], None]) -> Iterator[Finding]:
    try:
        found = function.find(account.functions, name)
    except Missing:
        return
    yield note("stopping", seconds=found.standstill)
    function.stop(account.functions, found, sleep)


def _empty(
    dynamodb: DynamoDBClient, table: str, export: Callable[[str], Exported], *, with_table: bool
) -> Iterator[Finding]:
    """Export what the table holds; then delete it, or say that it stays."""
    try:
        with asking("DescribeTable"):
            dynamodb.describe_table(TableName=table)
    except Missing:
        yield note("no_table", table=table)
        return
    exported = export(table)
    yield fine("exported", n=exported.matches, records=exported.records)
    if not with_table:
        yield note("table_stays", table=table)
        return
    with asking("UpdateTable"):
        dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
        dynamodb.get_waiter("table_exists").wait(TableName=table)  # until the change is made
    with asking("DeleteTable"):
        dynamodb.delete_table(TableName=table)
    yield fine("table_deleted", table=table)
