"""What the doctor asks the bot itself, as Telegram would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import httpx

from infra.operator.findings import Finding, fine, wrong
from infra.operator.secrets import Kept

SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - a header's name, not a secret
NO_SECRET: Final = "not-the-secret"  # noqa: S105 - what it says
NO_UPDATE: Final[dict[str, str]] = {}
"""What no update looks like: it is taken in, and nothing follows from it."""


def health(web: httpx.Client, url: str) -> Iterator[Finding]:
    """GET /healthz."""
    answer = web.get(url)
    yield fine("healthy") if answer.status_code == 200 else wrong("unhealthy", status=answer.status_code)


def admission(web: httpx.Client, url: str, secret: Kept | None) -> Iterator[Finding]:
    """That the webhook takes what comes with the secret, and nothing else."""
    stranger = web.post(url, json=NO_UPDATE, headers={SECRET_HEADER: NO_SECRET})
    yield fine("stranger_refused") if stranger.status_code == 401 else wrong("stranger", status=stranger.status_code)
    if secret is not None:
        ours = web.post(url, json=NO_UPDATE, headers={SECRET_HEADER: secret.value})
        yield fine("admitted") if ours.status_code == 200 else wrong("not_admitted", status=ours.status_code)
