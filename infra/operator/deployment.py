"""What ``make deploy`` does, step by step. Every step leaves alone what is already so, hence a deployment that died
anywhere is finished by the next one, and a second one changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from infra.aws.errors import AwsTrouble, Missing
from infra.aws.settings import Settings, from_environment
from infra.operator import function, secrets, stack, webhook
from infra.operator.account import Account, asking, who
from infra.operator.bot import Appearance, OperatorsBot
from infra.operator.findings import Finding, fine, note, wrong
from infra.operator.secrets import Secrets
from infra.operator.stack import HalfDeleted, HalfTakenBack, Sam, SamFailed, Stack

NEVER_MADE: Final = ("CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED")
"""What a first deployment that failed leaves. CloudFormation can only delete it."""


class StackBusy(Exception):
    """CloudFormation is changing or deleting the stack right now. The message is its status."""


class TableGone(Exception):
    """Somebody deleted the table, or a removal did that died before its end: CloudFormation does not make it again. The
    message is its name.
    """


@dataclass(frozen=True)
class Wish:
    """What is to be deployed. ``parameters`` are the template's, without SecretsVersion; no secret among them."""

    stack: str
    token: str = field(repr=False)
    rotate: bool
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Face:
    """How the bot shows itself in Telegram, and which updates it wants (allowed_updates)."""

    appearances: tuple[Appearance, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Means:
    """What a deployment works with.

    ``build`` makes the package and says how many bytes it has. ``move`` brings matches from elsewhere into the table,
    None if there are none to bring. ``resume`` grants time where deadlines passed while nothing ran.
    """

    account: Account
    bot: OperatorsBot
    build: Callable[[], int]
    sam: Sam
    move: Callable[[Settings], None] | None
    resume: Callable[[Settings], None]
    sleep: Callable[[float], None]


def deployment(wish: Wish, face: Face, means: Means) -> Iterator[Finding]:
    """Deploy, and say what was done. Raises AwsTrouble, TelegramError, SamFailed, StackBusy, StackStays, HalfDeleted,
    HalfTakenBack, TableGone, and what ``build`` and ``move`` raise.
    """
    account, bot = means.account, means.bot
    yield fine("account", account=who(account), region=account.region)
    username = bot.profile().username
    yield fine("bot", username=username)

    yield from _make_way(account, wish.stack)
    yield note("building")
    yield fine("built", megabytes=f"{means.build() / 1e6:.1f}")

    # As late as can be: processes that begin from now on read what Telegram does not know yet.
    kept = secrets.keep(account.ssm, wish.stack, wish.token, rotate=wish.rotate)
    yield fine("secrets_kept") if not kept.written else fine("secrets_written", which=", ".join(kept.written))
    yield note("deploying", stack=wish.stack)
    try:
        deployed = stack.deploy(means.sam, account, wish.stack, {**wish.parameters, "SecretsVersion": kept.version})
    except SamFailed:
        yield from _take_back(account, wish.stack, kept)
        raise
    yield fine("deployed", stack=wish.stack)
    if "AlarmEmail" in wish.parameters:
        yield note("alarms", email=wish.parameters["AlarmEmail"])

    yield from _take_up(means, deployed)
    yield from _introduce(bot, face, deployed.outputs["WebhookUrl"], kept)
    yield fine("ready", username=username)


def _make_way(account: Account, name: str) -> Iterator[Finding]:
    """Delete what a first deployment that failed has left, and nothing else; see that anything else can be deployed to.
    Raises StackBusy, StackStays, HalfDeleted, HalfTakenBack, TableGone.
    """
    found = stack.find(account.cloudformation, name)
    if found is None:
        return
    if found.busy:
        raise StackBusy(found.status)
    if found.status == stack.HALF_DELETED:
        raise HalfDeleted(name)
    if found.status == stack.HALF_TAKEN_BACK:
        raise HalfTakenBack(name, account.region)
    if found.status in NEVER_MADE:
        yield note("clearing", status=found.status)
        stack.delete(account.cloudformation, name)
    elif "TableName" in found.outputs:
        _look_for_table(account, found.outputs["TableName"])


def _look_for_table(account: Account, name: str) -> None:
    """See that the table is there, and stays. Raises TableGone."""
    try:
        with asking("DescribeTable"):
            table = account.dynamodb.describe_table(TableName=name)["Table"]
    except Missing:
        raise TableGone(name) from None
    if table.get("TableStatus") == "DELETING":
        raise TableGone(name)


def _take_back(account: Account, name: str, kept: Secrets) -> Iterator[Finding]:
    """Let the function have the former secret for the webhook, as Telegram still has. A token is not taken back:
    Telegram knows the new one, and hardly the former one any more.
    """
    if kept.former is None or kept.former == kept.secret:
        return
    try:
        secret = secrets.put(account.ssm, name, secrets.SECRET, kept.former.value)
        found = stack.find(account.cloudformation, name)
        if found is not None and "FunctionName" in found.outputs:
            running = function.find(account.functions, found.outputs["FunctionName"])
            # Processes that have begun since then have read the new one.
            function.renew(account.functions, running, secrets.secrets_version(kept.token, secret))
    except AwsTrouble as trouble:
        yield wrong("secret_stays", call=trouble.call)
    else:
        yield note("secret_taken_back")


def _take_up(means: Means, deployed: Stack) -> Iterator[Finding]:
    """Move matches in, if there are any to move, and let a function run again that was stopped.

    While matches are moved and deadlines that passed are put off, nothing runs that would close their phases.
    """
    functions = means.account.functions
    found = function.find(functions, deployed.outputs["FunctionName"])
    if means.move is None and not found.stopped:
        return
    settings = from_environment(found.environment)
    if means.move is not None:
        yield note("stopping", seconds=found.standstill)
        function.stop(functions, found, means.sleep)
        means.move(settings)
        yield fine("moved")
    means.resume(settings)
    function.start(functions, found)
    yield fine("resumed")


def _introduce(bot: OperatorsBot, face: Face, url: str, kept: Secrets) -> Iterator[Finding]:
    """The webhook, the menus and the descriptions. After the function: it must know a secret before Telegram uses it;
    what Telegram brings with the last one until then is refused, and brought again.
    """
    address = webhook.address(url, kept.secret)
    if webhook.as_wanted(bot.webhook(), address, face.kinds):
        yield fine("webhook_kept")
    else:
        bot.set_webhook(address, kept.secret.value, face.kinds, webhook.CONNECTIONS)
        yield fine("webhook_set")
    yield fine("face_set") if bot.show(face.appearances) else fine("face_kept")
