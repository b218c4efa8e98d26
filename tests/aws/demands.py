"""What AWS demands of a schedule and of a message, where moto demands nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from infra.aws.settings import Settings

MESSAGE_BYTES: Final = 256 * 1024
LONGEST_DELAY: Final = 900
AGE: Final = range(60, 86_400 + 1)
"""Seconds that MaximumEventAgeInSeconds may be."""

_NAME: Final = re.compile(r"[0-9a-zA-Z\-_.]{1,64}")
_TOKEN: Final = re.compile(r"[0-9a-zA-Z\-_]{1,64}")
_AT: Final = re.compile(r"at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)")


def check_schedule(params: Mapping[str, Any], now: float, settings: Settings) -> float:
    """CreateSchedule's parameters as EventBridge Scheduler takes them; when the schedule fires at the earliest, in Unix
    seconds.
    """
    assert _NAME.fullmatch(params["Name"])
    assert _TOKEN.fullmatch(params["ClientToken"])
    assert params["GroupName"] == settings.schedule_group
    assert params["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert params["ActionAfterCompletion"] == "DELETE"
    assert params.get("ScheduleExpressionTimezone", "UTC") == "UTC"
    given = _AT.fullmatch(params["ScheduleExpression"])
    assert given is not None
    fires = datetime.fromisoformat(given[1]).replace(tzinfo=UTC).timestamp()
    assert fires > now, "a schedule in the past"
    target = params["Target"]
    assert target["Arn"] == settings.queue_arn
    assert target["RoleArn"] == settings.schedule_role_arn
    assert target["DeadLetterConfig"] == {"Arn": settings.dead_letter_arn}
    assert target["RetryPolicy"]["MaximumEventAgeInSeconds"] in AGE
    _check_text(target["Input"])
    return fires


def check_message(params: Mapping[str, Any], settings: Settings) -> None:
    """SendMessage's parameters as SQS takes them."""
    assert params["QueueUrl"] == settings.queue_url
    delay = params.get("DelaySeconds", 0)
    assert type(delay) is int
    assert 0 <= delay <= LONGEST_DELAY
    _check_text(params["MessageBody"])


def _check_text(text: str) -> None:
    assert 0 < len(text.encode()) <= MESSAGE_BYTES
