"""What the doctor looks at in Telegram: the token, what BotFather was told, the webhook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from infra.operator import webhook
from infra.operator.bot import OperatorsBot, Profile, Webhook
from infra.operator.findings import Finding, fine, note, wrong
from infra.operator.secrets import Kept

BACKLOG: Final = 50
"""Updates that wait without anything being wrong: a burst of presses."""

FRESH: Final = 600.0
"""Seconds for which a delivery that failed is taken for a fault that is still there."""


def profile(bot: OperatorsBot) -> Iterator[Finding]:
    """getMe: that the token is right, and what the bot may do in groups."""
    found: Profile = bot.profile()
    yield fine("token", username=found.username)
    yield fine("groups") if found.joins_groups else wrong("groups_closed")
    # With privacy mode a bot in a group gets commands, presses and what happens to itself: all that this one needs.
    yield note("privacy_off") if found.reads_all else fine("privacy")


def delivery(bot: OperatorsBot, url: str, secret: Kept | None, kinds: tuple[str, ...], now: float) -> Iterator[Finding]:
    """getWebhookInfo: where updates go, which, and whether they arrive. ``url`` is the stack's."""
    found = bot.webhook()
    if not found.url:
        yield wrong("webhook_unset")
        return
    yield _address(found, url, secret)
    yield fine("kinds") if sorted(found.kinds) == sorted(kinds) else wrong("kinds_differ", kinds=", ".join(found.kinds))
    if found.connections != webhook.CONNECTIONS:
        yield wrong("connections_differ", n=found.connections or 0)
    if found.waiting > BACKLOG:
        yield wrong("backlog", n=found.waiting)
    else:
        yield fine("waiting", n=found.waiting)
    yield _failure(found, now)


def _address(found: Webhook, url: str, secret: Kept | None) -> Finding:
    if found.url.partition("?")[0] != url:
        return wrong("webhook_elsewhere", url=found.url.partition("?")[0])
    if secret is not None and found.url != webhook.address(url, secret):
        return wrong("webhook_old_secret")
    return fine("webhook")


def _failure(found: Webhook, now: float) -> Finding:
    if found.failed_at is None:
        return fine("no_failure")
    minutes = max(0, round((now - found.failed_at) / 60))
    if now - found.failed_at > FRESH:
        return fine("old_failure", minutes=minutes, why=found.failure)
    key = "failure_secret" if "401" in found.failure else "failure"
    return wrong(key, minutes=minutes, why=found.failure)
