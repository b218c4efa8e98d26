"""What ``make doctor`` looks at: every check, whatever became of those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

import httpx

from handler.ports import TelegramError
from infra.aws.errors import AwsTrouble, Denied, Missing, Unanswered
from infra.operator import checks_aws, checks_telegram, checks_web, function, secrets, stack
from infra.operator.account import Account, who
from infra.operator.bot import OperatorsBot
from infra.operator.findings import Finding, fine, wrong
from infra.operator.secrets import Kept
from infra.telegram_errors import BadToken, Unconnected

Check = Callable[[], Iterator[Finding]]
T = TypeVar("T")

TROUBLE: Final = (AwsTrouble, TelegramError, httpx.HTTPError)
"""What keeps a check from looking."""


def diagnosis(
    account: Account,
    name: str,
    open_bot: Callable[[str], OperatorsBot],
    token: str,
    web: httpx.Client,
    kinds: tuple[str, ...],
    now: float,
) -> Iterator[Finding]:
    """Look at everything about the stack ``name``. ``token`` is used where the stack keeps none, empty if there is none
    either; ``kinds`` are the allowed_updates that the bot wants. Raises nothing of AWS, Telegram or the network.
    """
    clock, _ = _found(lambda: list(checks_aws.clock(account, now)))
    yield from clock or []
    number, trouble = _found(lambda: who(account))
    if number is None:  # then AWS says nothing else either: one line for what is one trouble
        yield from trouble
        yield from _telegram(open_bot, token, None, None, None, kinds, now)
        return
    yield fine("account", account=number, region=account.region)

    there, trouble = _found(lambda: stack.find(account.cloudformation, name))
    yield from trouble
    if there is not None:
        yield from checks_aws.stack(there, account.region)
    elif not trouble:
        yield wrong("stack_missing", stack=name, region=account.region)
    outputs = {} if there is None else there.outputs

    running = None
    if "FunctionName" in outputs:
        running, trouble = _found(lambda: function.find(account.functions, outputs["FunctionName"]))
        yield from trouble if running is None else checks_aws.function(running)

    kept, trouble = _found(lambda: tuple(secrets.kept(account.ssm, name, each) for each in secrets.BOTH))
    yield from trouble
    kept_token, secret = kept or (None, None)
    if kept is not None and there is not None:
        yield from checks_aws.parameters(name, kept_token, secret, running)
        if kept_token is None and not token:
            yield wrong("no_token")

    yield from _telegram(open_bot, token, kept_token, secret, outputs.get("WebhookUrl"), kinds, now)
    yield from _rooms(account, outputs, secret, web, now)


def _telegram(
    open_bot: Callable[[str], OperatorsBot],
    given: str,
    kept: Kept | None,
    secret: Kept | None,
    url: str | None,
    kinds: tuple[str, ...],
    now: float,
) -> Iterator[Finding]:
    if kept is not None and given and given != kept.value:
        yield wrong("other_token") if secrets.same_bot(given, kept.value) else wrong("other_bot")
    token = given if kept is None else kept.value
    if not token:
        return
    bot = open_bot(token)
    try:
        yield from _guarded(lambda: checks_telegram.profile(bot))
        if url is not None:
            yield from _guarded(lambda: checks_telegram.delivery(bot, url, secret, kinds, now))
    finally:
        bot.close()


def _rooms(
    account: Account, outputs: Mapping[str, str], secret: Kept | None, web: httpx.Client, now: float
) -> Iterator[Finding]:
    """What the stack's outputs name: nothing of it can be looked at where there is no stack."""

    def out(name: str) -> str:
        return outputs[name]

    checks: tuple[tuple[str, Check], ...] = (
        ("HealthUrl", lambda: checks_web.health(web, out("HealthUrl"))),
        ("WebhookUrl", lambda: checks_web.admission(web, out("WebhookUrl"), secret)),
        ("TableName", lambda: checks_aws.table(account, out("TableName"))),
        ("TableName", lambda: checks_aws.overdue(account, out("TableName"), now)),
        ("DeadLetterUrl", lambda: checks_aws.queues(account, out("QueueUrl"), out("DeadLetterUrl"))),
        ("ScheduleGroupName", lambda: checks_aws.schedules(account, out("ScheduleGroupName"))),
    )
    for name, check in checks:
        if name in outputs:
            yield from _guarded(check)


def _guarded(check: Check) -> Iterator[Finding]:
    """A check's findings; what keeps it from looking is a finding too, and the next check goes on."""
    try:
        yield from check()
    except TROUBLE as trouble:
        yield _named(trouble)


def _found(look: Callable[[], T]) -> tuple[T | None, list[Finding]]:
    """What a look found, or None and what kept it from looking."""
    try:
        return look(), []
    except TROUBLE as trouble:
        return None, [_named(trouble)]


def _named(trouble: Exception) -> Finding:
    match trouble:
        case Missing():
            return wrong("aws_missing", call=trouble.call)
        case Denied():
            return wrong("aws_denied", call=trouble.call)
        case Unanswered():
            return wrong("aws_unanswered", call=trouble.call)
        case AwsTrouble():
            return wrong("aws_trouble", call=trouble.call, kind=type(trouble).__name__)
        case BadToken():
            return wrong("bad_token")
        case Unconnected():
            return wrong("telegram_offline")
        case TelegramError():
            return wrong("telegram_trouble", kind=type(trouble).__name__)
    return wrong("unreachable", kind=type(trouble).__name__)
