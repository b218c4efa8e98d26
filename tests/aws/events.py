"""Lambda's events as they come, and what the function says to them."""

from __future__ import annotations

import json
import logging
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from infra.local.botapi.world import World
from tests.flows.house import SECRET

TIME_LIMIT: Final = 29.0
"""Seconds that the template gives the function."""

Headers = dict[str, str]
Call = Callable[[Any], dict[str, Any] | None]
"""The function, as Lambda calls it."""


@dataclass(frozen=True)
class Invocation:
    """A Context with its time standing still."""

    seconds: float = TIME_LIMIT

    def get_remaining_time_in_millis(self) -> int:
        return int(self.seconds * 1000)


def request(
    body: bytes, headers: Headers, *, base64: bool = False, method: str = "POST", path: str = "/telegram"
) -> Any:
    """What an HTTP API gives to a function (API Gateway developer guide, payload format 2.0). Header names come in
    lower case, the values of a repeated header as one, with commas between them.
    """
    content = b64encode(body).decode() if base64 else body.decode()
    return {
        "version": "2.0",
        "routeKey": f"{method} {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {
            "accept-encoding": "gzip, deflate",
            "content-length": str(len(body)),
            "host": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "x-amzn-trace-id": "Root=1-65a1b2c3-0123456789abcdef01234567",
            "x-forwarded-for": "149.154.167.220",
            "x-forwarded-port": "443",
            "x-forwarded-proto": "https",
            **{name.lower(): value for name, value in headers.items()},
        },
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "a1b2c3d4e5",
            "domainName": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "domainPrefix": "a1b2c3d4e5",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "149.154.167.220",
                "userAgent": "",
            },
            "requestId": "abcdEFGHijk=",
            "routeKey": f"{method} {path}",
            "stage": "$default",
            "time": "15/Jan/2027:08:00:00 +0000",
            "timeEpoch": 1800000000000,
        },
        **({"body": content} if body else {}),
        "isBase64Encoded": base64,
    }


def update_request(update: Any, *, base64: bool = False, secret: str = SECRET) -> Any:
    """An update as Telegram brings it to the webhook."""
    body = update if isinstance(update, bytes) else json.dumps(update).encode()
    headers = {"Content-Type": "application/json", "X-Telegram-Bot-Api-Secret-Token": secret}
    return request(body, headers, base64=base64)


def taken(world: World, answer: dict[str, Any]) -> int:
    """What Telegram does with what API Gateway makes of the function's answer; its HTTP status."""
    status, body = int(answer["statusCode"]), answer["body"]
    if status == 200:
        content = b64decode(body) if answer["isBase64Encoded"] else body.encode()
        world.replied(answer["headers"]["content-type"], content)
    return status


def record(body: str, *, tries: int = 1) -> dict[str, Any]:
    """A record of the queue, received so often (Lambda developer guide, Using Lambda with Amazon SQS)."""
    return {
        "messageId": f"id of {body}",
        "receiptHandle": f"receipt of {body}",
        "body": body,
        "attributes": {"ApproximateReceiveCount": str(tries)},
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:queue",
        "awsRegion": "eu-central-1",
    }


def failures(call: Call, *records: dict[str, Any]) -> list[str]:
    """The bodies of the records that are to come again."""
    answer = call({"Records": list(records)})
    assert answer is not None
    assert answer.keys() == {"batchItemFailures"}
    return [failure["itemIdentifier"].removeprefix("id of ") for failure in answer["batchItemFailures"]]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """What was logged as a warning or worse: the message, and what of the extras there is."""
    fields = ("match", "error", "call")
    return [
        (record.getMessage(), {key: vars(record)[key] for key in fields if vars(record).get(key) is not None})
        for record in caplog.records
        if record.levelno >= logging.WARNING
    ]
