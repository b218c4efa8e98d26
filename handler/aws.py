"""The Lambda function's entry: what API Gateway, the queue, the minute's rule and the operator send, given to the bot.

What it needs is made with the first event, or the first timer, and kept: one Bot, one loop, one client of each service
for a process.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, Protocol

from apig_wsgi import make_lambda_handler

from handler import logs
from handler.deadlines import nudged, sweep
from handler.dispatch import handle
from handler.errands import MOST
from handler.ports import StoreRefused, StoreUnavailable, TelegramError
from handler.rates import SharedReplies
from handler.table import Busy, Ports
from handler.webhook import make_app
from infra.aws import calls
from infra.aws.connections import FreshConnections
from infra.aws.errors import AwsError, named
from infra.aws.secrets import fetch
from infra.aws.settings import MissingSetting, Settings, from_environment
from infra.clock import SystemClock
from infra.drawing import draw
from infra.entropy import SystemEntropy
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_people import DynamoPeople
from infra.telegram import BotTelegram
from infra.timers.nudges import NotANudge, read_nudge
from infra.timers.scheduled import ScheduledTimers
from infra.together import Threads, at_once

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from mypy_boto3_sqs import SQSClient

log = logging.getLogger(__name__)

RESERVE: Final = 8.0
"""The last seconds of an event's time, in which no call to Telegram lasts: what has been told is stored in them, and a
timer armed for the rest. Where neither SQS nor EventBridge answers, that takes 6 s (twice ``calls.TIMER_LONGEST``), and
2 s are left to store.
"""
SOON: Final = 2
"""Seconds after which a record that failed comes again; doubled with every try."""
LATEST: Final = 60
"""The most that they are doubled to."""

Event = dict[str, Any]


class Context(Protocol):
    """What Lambda says of an invocation."""

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda ends the process."""


class Failed(Exception):
    """An event came to nothing, which Lambda is to count as an error. Its text is the kind of what happened."""


@dataclass(frozen=True)
class Process:
    """What lives from event to event."""

    settings: Settings
    ports: Ports
    queue: ScheduledTimers
    sqs: Callable[[], SQSClient]
    telegram: BotTelegram
    web: Callable[[Event, Context], dict[str, Any]]


@dataclass(frozen=True)
class Received:
    """A record of the queue. ``tries`` counts how often it has been handed over, this time included."""

    id: str
    receipt: str
    body: str
    tries: int


@cache
def process() -> Process:
    """This process, made at the first call that succeeds. Raises MissingSetting, AwsTrouble."""
    settings = from_environment()
    clock = SystemClock()
    try:
        dynamodb, ssm = calls.dynamodb(), calls.ssm()
    except AwsError as error:
        raise named(error, "client") from None
    secrets = fetch(ssm, settings)
    telegram = BotTelegram(secrets.token, settings.telegram_api, FreshConnections())
    store = DynamoStore(dynamodb, settings.table, settings.keep_days, clock.now)
    # Made by whoever first arms a timer: a first press, for whose answer somebody waits, mostly arms none.
    scheduler, sqs = cache(calls.scheduler), cache(calls.sqs)
    timers = ScheduledTimers(scheduler, sqs, settings, clock)
    people = DynamoPeople(dynamodb, settings.table)
    replies, together = SharedReplies(store), Threads(MOST)
    ports = Ports(store, people, timers, telegram, clock, SystemEntropy(), replies, draw, together, at_once)
    web = make_lambda_handler(_checked(make_app(partial(handle, ports), secrets.webhook)))
    return Process(settings, ports, timers, sqs, telegram, web)


def _checked(app: WSGIApplication) -> WSGIApplication:
    """The app behind what apig-wsgi takes for granted. Raises TypeError for an event that holds no texts where a
    request has them (PEP 3333).

    The whole body is there, and that is said: of one that was sent in chunks Flask would otherwise read nothing.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not all(isinstance(value, str) for name, value in environ.items() if name.isupper()):
            raise TypeError
        return app({**environ, "wsgi.input_terminated": True}, start_response)

    return answer


def handler(event: Event, context: Context) -> dict[str, Any] | None:
    """Take in one event. Whatever it holds stays out of the log.

    A request of an HTTP API (payload format 2.0) gets a response in the same format; records of SQS a partial batch
    response (ReportBatchItemFailures). ``{"act": "sweep"}`` gets nothing, and raises Failed where it failed. Anything
    else is logged, and nothing is done.
    """
    _listen()
    match event:
        case {"version": "2.0", "requestContext": {"http": {}}}:
            return _request(event, context)
        case {"Records": [{"eventSource": "aws:sqs"}, *_] as records}:
            return {"batchItemFailures": [{"itemIdentifier": id} for id in _records(records, context)]}
        case {"act": "sweep"}:
            _sweep(context)
        case _:
            log.error("an event of no kind that is known here")
    return None


@cache
def _listen() -> None:
    logs.install_with_measures()


def _request(event: Event, context: Context) -> dict[str, Any]:
    """An update at the webhook. One that cannot be taken in now is brought again by Telegram."""
    try:
        bot = _bot(context)
    except Exception as error:
        _note(error)
        return _answer(503, "again")
    try:
        return bot.web(event, context)
    except Exception as error:
        # The app lets nothing out, so no request can be made of this event, nor of a repeat: base64 that is none, a
        # path that is not latin-1, a header without a value.
        log.warning("an event is no request", extra=logs.kind(error))
        return _answer(400, "not a request")


def _answer(status: int, text: str) -> dict[str, Any]:
    headers = {"content-type": "text/plain; charset=utf-8"}
    return {"statusCode": status, "headers": headers, "body": text, "isBase64Encoded": False}


def _records(records: list[Any], context: Context) -> list[str]:
    """Nudges from the queue: the message ids of those that are to come again.

    What SQS would not write is dropped: it cannot be named, and without a name it would bring the whole batch again.
    """
    received = [record for record in map(_received, records) if record is not None]
    if len(received) < len(records):
        log.error("a record is none of the queue's, and is dropped")
    try:
        bot = _bot(context)
    except Exception as error:
        _note(error)
        return [record.id for record in received]
    failed = []
    for record in received:
        if _left(context) < RESERVE or not _nudge(bot, record):
            failed.append(record.id)
            _come_soon(bot, record)
    return failed


def _received(record: Any) -> Received | None:
    """A record as SQS writes it; None for anything else."""
    match record:
        case {
            "messageId": str(id),
            "receiptHandle": str(receipt),
            "body": str(body),
            "attributes": {"ApproximateReceiveCount": str(tries)},
        } if id and re.fullmatch("[0-9]{1,9}", tries):
            return Received(id, receipt, body, int(tries))
    return None


def _nudge(bot: Process, record: Received) -> bool:
    """Whether a record is done with."""
    try:
        nudge = read_nudge(record.body)
    except NotANudge:
        log.error("a record is no nudge, and is dropped")
        return True
    about = {"match": nudge.match}
    try:
        nudged(bot.ports, bot.queue, nudge, sleep)
    except (Busy, StoreUnavailable, TelegramError) as error:
        log.warning("a nudge is to come again", extra={**about, **logs.kind(error)})
        return False
    except Exception as error:
        # A fault of ours, or a StoreRefused: it goes on to the dead letters, for the operator to see.
        log.exception("a nudge failed", extra={**about, **logs.kind(error)})
        return False
    return True


def _come_soon(bot: Process, record: Received) -> None:
    """Let a record that failed come again in seconds, and not after the queue's own long time (visibility timeout)."""
    try:
        bot.sqs().change_message_visibility(
            QueueUrl=bot.settings.queue_url,
            ReceiptHandle=record.receipt,
            VisibilityTimeout=min(SOON * 2 ** min(max(record.tries - 1, 0), 10), LATEST),
        )
    except AwsError as error:
        log.warning("a record comes again late", extra=logs.kind(named(error, "ChangeMessageVisibility")))


def _sweep(context: Context) -> None:
    try:
        bot = _bot(context)
        sweep(bot.ports, bot.queue, partial(_left, context))
    except Exception as error:
        _note(error)
        # Not chained: Lambda would log the original with its words.
        raise Failed(type(error).__name__) from None


def _bot(context: Context) -> Process:
    """The process, with its time measured out."""
    bot = process()
    bot.telegram.until(monotonic() + _left(context) - RESERVE)
    return bot


def _left(context: Context) -> float:
    """Seconds until Lambda ends the process."""
    return context.get_remaining_time_in_millis() / 1000


def _note(error: Exception) -> None:
    """Log what an event came to nothing for. A missing setting is named: it is the operator's to put right."""
    if isinstance(error, MissingSetting):
        log.error("the setting %s is missing or wrong", error)
    elif isinstance(error, StoreUnavailable | StoreRefused):
        log.error("an event came to nothing", extra=logs.kind(error))
    else:
        log.exception("an event came to nothing", extra=logs.kind(error))
