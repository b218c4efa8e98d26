"""AWS refuses: a client's calls are answered with an error before anything is done."""

from __future__ import annotations

from typing import Any, Final

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

MISSING_GROUP: Final = (404, "ResourceNotFoundException")
THROTTLED: Final = (429, "ThrottlingException")
DENIED: Final = (403, "AccessDeniedException")
INVALID: Final = (400, "ValidationException")
BROKEN: Final = (500, "InternalServerException")
CONFLICT: Final = (409, "ConflictException")
"""HTTP status and error code (EventBridge Scheduler API reference, Common errors)."""


def refuse(client: Any, call: str, answer: tuple[int, str]) -> None:
    """Let every ``call`` (``scheduler.CreateSchedule``) of this client from now on be answered so."""
    status, code = answer

    def refused(**_: Any) -> tuple[AWSResponse, dict[str, Any]]:
        parsed = {"Error": {"Code": code, "Message": "a word of AWS's"}, "ResponseMetadata": {"HTTPStatusCode": status}}
        return AWSResponse("", status, HTTPHeaders(), None), parsed

    client.meta.events.register_first(f"before-call.{call}", refused)
