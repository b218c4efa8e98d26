"""What the errors of AWS mean to the bot and to its operator.

Only kind and call are kept: what AWS says may quote what it was sent.
"""

from __future__ import annotations

from botocore import exceptions
from botocore.exceptions import BotoCoreError, ClientError

from handler.ports import StoreRefused, StoreUnavailable

AwsError = (ClientError, BotoCoreError)
"""What a client of boto3 raises, to be caught and given to :func:`named`."""


class AwsTrouble(Exception):
    """A call to AWS that did not succeed: each is a StoreUnavailable, after which a repeat may help, or a StoreRefused.
    ``call`` is the API's name for it, ``PutItem``.
    """

    def __init__(self, call: str) -> None:
        super().__init__(f"{type(self).__name__}: {call}")
        self.call = call


class Throttled(AwsTrouble, StoreUnavailable):
    """Too many requests, for the account or for the table; nothing was done."""


class Denied(AwsTrouble, StoreUnavailable):
    """No credentials, or they do not permit this: the operator has to look at the function's role."""


class Missing(AwsTrouble, StoreUnavailable):
    """The table, queue, schedule group or parameter is not there: the operator has to deploy again."""


class Invalid(AwsTrouble, StoreRefused):
    """AWS finds the call itself wrong. A repeat does not help."""


class Unanswered(AwsTrouble, StoreUnavailable):
    """No connection, no answer in time, or an error of AWS's own. It may have been done."""


_THROTTLED = frozenset(
    {
        "Throttling",
        "ThrottlingException",
        "ThrottledException",
        "TooManyRequestsException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "LimitExceededException",
        "ServiceQuotaExceededException",
    }
)
_DENIED = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredTokenException",
        "IncompleteSignature",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "KMSAccessDeniedException",
        "MissingAuthenticationToken",
        "MissingAuthenticationTokenException",
        "NotAuthorized",
        "UnrecognizedClientException",
    }
)
_MISSING = frozenset(
    {
        "AWS.SimpleQueueService.NonExistentQueue",
        "ParameterNotFound",
        "QueueDoesNotExist",
        "ResourceNotFoundException",
    }
)


_WITHOUT_CREDENTIALS = frozenset(
    {
        "CredentialRetrievalError",
        "LoginError",
        "NoCredentialsError",
        "PartialCredentialsError",
        "RefreshWithMFAUnsupportedError",
        "SSOError",
        "TokenRetrievalError",
    }
)
"""Errors of botocore before it asks AWS at all, by name: not every version that Lambda may bring has all of them."""


def named(error: ClientError | BotoCoreError, call: str) -> AwsTrouble:
    """The error of ``call`` by its meaning."""
    if isinstance(error, ClientError):
        return _refused(error, call)
    if any(kind.__name__ in _WITHOUT_CREDENTIALS for kind in type(error).__mro__):
        return Denied(call)
    if isinstance(error, exceptions.ParamValidationError | exceptions.NoRegionError):
        return Invalid(call)
    return Unanswered(call)


def _refused(error: ClientError, call: str) -> AwsTrouble:
    code = str(error.response.get("Error", {}).get("Code", ""))
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
    if code in _THROTTLED or status == 429:
        return Throttled(call)
    if code in _DENIED or status in (401, 403):
        return Denied(call)
    if code in _MISSING or status == 404:
        return Missing(call)
    return Unanswered(call) if status >= 500 else Invalid(call)
