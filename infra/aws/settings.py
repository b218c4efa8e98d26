"""Where the function finds its table, queue and secrets: names that the template puts into its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

DEFAULT_API: Final = "https://api.telegram.org"
"""The Bot API's address up to the token."""


class MissingSetting(Exception):
    """The environment lacks a variable, or it is not what it should be. The message is the variable's name."""


@dataclass(frozen=True)
class Settings:
    """Names and addresses, no secret among them. ``keep_days``: how long a match is kept after its end."""

    table: str
    keep_days: int
    queue_url: str
    queue_arn: str
    dead_letter_arn: str
    schedule_group: str
    schedule_role_arn: str
    token_parameter: str
    secret_parameter: str
    telegram_api: str = DEFAULT_API


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in TABLE_NAME, KEEP_DAYS, QUEUE_URL, QUEUE_ARN, DEAD_LETTER_ARN, SCHEDULE_GROUP, SCHEDULE_ROLE_ARN,
    TOKEN_PARAMETER, SECRET_PARAMETER and, if set, TELEGRAM_API. Raises MissingSetting.
    """

    def given(name: str) -> str:
        value = environment.get(name, "").strip()
        if not value:
            raise MissingSetting(name)
        return value

    days = given("KEEP_DAYS")
    if not days.isdecimal() or int(days) == 0:
        raise MissingSetting("KEEP_DAYS")
    return Settings(
        table=given("TABLE_NAME"),
        keep_days=int(days),
        queue_url=given("QUEUE_URL"),
        queue_arn=given("QUEUE_ARN"),
        dead_letter_arn=given("DEAD_LETTER_ARN"),
        schedule_group=given("SCHEDULE_GROUP"),
        schedule_role_arn=given("SCHEDULE_ROLE_ARN"),
        token_parameter=given("TOKEN_PARAMETER"),
        secret_parameter=given("SECRET_PARAMETER"),
        telegram_api=environment.get("TELEGRAM_API", "").strip() or DEFAULT_API,
    )
