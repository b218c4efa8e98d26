"""The two secrets, from the parameters that ``make deploy`` keeps them in (SSM SecureString)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from infra.aws.errors import AwsError, Missing, named
from infra.aws.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient


@dataclass(frozen=True)
class Secrets:
    """The bot's token, and what Telegram proves itself with at the webhook (setWebhook's ``secret_token``)."""

    token: str = field(repr=False)
    webhook: str = field(repr=False)


def fetch(client: SSMClient, settings: Settings) -> Secrets:
    """Both, by one GetParameters. Raises AwsTrouble; Missing if either is not there, or empty."""
    names = [settings.token_parameter, settings.secret_parameter]
    try:
        answer = client.get_parameters(Names=names, WithDecryption=True)
    except AwsError as error:
        # Not chained: nobody can know what a library's error quotes.
        raise named(error, "GetParameters") from None
    found = {each.get("Name"): each.get("Value", "").strip() for each in answer["Parameters"]}
    token, webhook = (found.get(name, "") for name in names)
    if not token or not webhook:
        raise Missing("GetParameters")
    return Secrets(token, webhook)
