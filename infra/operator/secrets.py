"""The two secrets of a stack: SecureStrings of SSM's Parameter Store, which CloudFormation cannot make."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from infra.aws.errors import Missing
from infra.operator.account import asking

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

TOKEN: Final = "telegram-token"  # noqa: S105 - a parameter's name, not a secret
SECRET: Final = "webhook-secret"  # noqa: S105 - a parameter's name, not a secret
BOTH: Final = (TOKEN, SECRET)
SECRET_BYTES: Final = 32
MARK_LENGTH: Final = 12


@dataclass(frozen=True)
class Kept:
    """A parameter as it is kept. ``version`` rises by one with every write (SSM's Parameter.Version), and begins with 1
    again where somebody deleted the parameter: alone it does not say what was written.
    """

    value: str = field(repr=False)
    version: int

    @property
    def mark(self) -> str:
        """By which the value is known again, and not found out: the beginning of a digest, in hexadecimal digits."""
        return hashlib.sha256(f"raven-dog mark {self.value}".encode()).hexdigest()[:MARK_LENGTH]


@dataclass(frozen=True)
class Secrets:
    """Both, and which of them were written just now: ``telegram-token``, ``webhook-secret``. ``former`` is the secret
    that was kept before, the same one if it was not written.
    """

    token: Kept
    secret: Kept
    written: tuple[str, ...]
    former: Kept | None

    @property
    def version(self) -> str:
        """SecretsVersion of the template: it changes whenever one of the two does."""
        return secrets_version(self.token, self.secret)


def secrets_version(token: Kept, secret: Kept) -> str:
    """The marks and versions of both as one text. The versions tell a value that is back from one that never went:
    processes that started in between have read the other one.
    """
    return "-".join(f"{each.mark}.{each.version}" for each in (token, secret))


def same_bot(token: str, other: str) -> bool:
    """Whether two tokens are the same bot's: what stands before the colon is its user id, which it keeps for ever."""
    return token.partition(":")[0] == other.partition(":")[0]


def parameter(stack: str, name: str) -> str:
    """A parameter's name in SSM."""
    return f"/{stack}/{name}"


def kept(ssm: SSMClient, stack: str, name: str) -> Kept | None:
    """A parameter, None if there is none. Raises AwsTrouble."""
    try:
        with asking("GetParameter"):
            found = ssm.get_parameter(Name=parameter(stack, name), WithDecryption=True)["Parameter"]
    except Missing:
        return None
    return Kept(found["Value"], found["Version"])


def keep(ssm: SSMClient, stack: str, token: str, *, rotate: bool) -> Secrets:
    """Keep the token, and a secret for the webhook: made where there is none, or anew with ``rotate``.

    What is kept already is not written again. Raises AwsTrouble.
    """
    written = []
    kept_token = kept(ssm, stack, TOKEN)
    if kept_token is None or kept_token.value != token:
        kept_token = put(ssm, stack, TOKEN, token)
        written.append(TOKEN)
    former = secret = kept(ssm, stack, SECRET)
    if secret is None or rotate:
        secret = put(ssm, stack, SECRET, secrets.token_urlsafe(SECRET_BYTES))
        written.append(SECRET)
    return Secrets(kept_token, secret, tuple(written), former)


def put(ssm: SSMClient, stack: str, name: str, value: str) -> Kept:
    """PutParameter. Raises AwsTrouble."""
    with asking("PutParameter"):
        answer = ssm.put_parameter(Name=parameter(stack, name), Value=value, Type="SecureString", Overwrite=True)
    return Kept(value, answer["Version"])


def forget(ssm: SSMClient, stack: str) -> bool:
    """Delete both; one that is gone already is no trouble. Whether any was there. Raises AwsTrouble."""
    forgotten = False
    for name in BOTH:
        try:
            with asking("DeleteParameter"):
                ssm.delete_parameter(Name=parameter(stack, name))
        except Missing:
            continue
        forgotten = True
    return forgotten
