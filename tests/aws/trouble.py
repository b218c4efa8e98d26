"""Trouble with AWS: what becomes of a call of the function, as the test decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

Kind = Literal["throttled", "denied", "lost before", "lost after", "invalid"]
"""Refused, for one of two reasons; or timed out, before it took effect or after; or found wrong, and so each time."""

KINDS: Final[tuple[Kind, ...]] = ("throttled", "denied", "lost before", "lost after")
"""Those that pass."""

NAMES: Final[dict[Kind, str]] = {
    "throttled": "Throttled",
    "denied": "Denied",
    "lost before": "Unanswered",
    "lost after": "Unanswered",
    "invalid": "Invalid",
}
"""What the operator reads of it."""

_CODES: Final = {
    "throttled": "ThrottlingException",
    "denied": "AccessDeniedException",
    "invalid": "ValidationException",
}

Decide = Callable[[str, int], Kind | None]
"""What becomes of the API call of this name that is the n-th of its name, counted from 1; None: all goes well."""


class Trouble:
    """To be given every client that the function makes. ``calls`` are the names of the calls so far.

    What happens, happens after boto3 has given up: its own attempts are inside of one call.
    """

    def __init__(self, decide: Decide | None = None) -> None:
        self.decide = decide
        self.calls: list[str] = []
        self.struck = 0

    def __call__(self, client: Any) -> None:
        client.meta.events.register("before-parameter-build", self._before)
        client.meta.events.register("after-call", self._after)

    def _before(self, model: Any, context: dict[str, Any], **_: Any) -> None:
        self.calls.append(model.name)
        kind = self.decide(model.name, self.calls.count(model.name)) if self.decide is not None else None
        if kind is None:
            return
        self.struck += 1
        if kind == "lost after":
            context["lost"] = True
        elif kind == "lost before":
            raise ConnectTimeoutError(endpoint_url="https://aws.test")
        else:
            error = {"Code": _CODES[kind], "Message": "not now"}
            answer: Any = {"Error": error, "ResponseMetadata": {"HTTPStatusCode": 400}}
            raise ClientError(answer, model.name)

    def _after(self, context: dict[str, Any], **_: Any) -> None:
        if context.pop("lost", False):
            raise ReadTimeoutError(endpoint_url="https://aws.test")
