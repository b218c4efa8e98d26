"""Settings of a function that nobody deployed, for tests of what reads them."""

from __future__ import annotations

from infra.aws.settings import Settings

SETTINGS = Settings(
    table="matches",
    keep_days=90,
    queue_url="https://sqs.test/queue",
    queue_arn="arn:aws:sqs:eu-central-1:123456789012:queue",
    dead_letter_arn="arn:aws:sqs:eu-central-1:123456789012:dead",
    schedule_group="group",
    schedule_role_arn="arn:aws:iam::123456789012:role/schedules",
    token_parameter="/bot/telegram-token",
    secret_parameter="/bot/webhook-secret",
)
