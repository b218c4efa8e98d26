"""The webhook as it should be set, and whether it is.

setWebhook takes a secret that nobody can read back. Its mark can: it stands in the address, which Telegram keeps
together with the secret and gives back (getWebhookInfo). So an address that is as it should be says that the secret is
too, even if the process that made it died before it could tell Telegram. The function does not look at it.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from infra.operator.bot import Webhook
from infra.operator.secrets import Kept

CONNECTIONS: Final = 40
"""Updates that Telegram may bring at the same time, of 1-100. It is Telegram's own choice; seven people's presses in
several groups are far from it, and a new account of AWS lets 10 functions run at once: what is refused comes again.
"""


def address(url: str, secret: Kept) -> str:
    """Where Telegram is to bring updates: the stack's address, with the mark of the secret."""
    return f"{url}?{urlencode({'secret': secret.mark})}"


def as_wanted(webhook: Webhook, url: str, kinds: tuple[str, ...]) -> bool:
    """Whether the webhook is set to ``url`` as :meth:`infra.operator.bot.OperatorsBot.set_webhook` would set it."""
    return (webhook.url, sorted(webhook.kinds), webhook.connections) == (url, sorted(kinds), CONNECTIONS)
