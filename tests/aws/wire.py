"""What happens between a client of boto3 and AWS: calls counted, held up by something else, refused, or lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.awsrequest import AWSRequest
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

Answer = tuple[SimpleNamespace, dict[str, Any]]


class Wire:
    """The wire of one client. Each entry of a list counts for one call, or one try of it; the earliest comes first.

    - ``between``: done just before a call is made: somebody else's call, most likely.
    - ``answers``: what AWS answers in a call's stead, after boto3's own tries (see :func:`refusal`).
    - ``unsent``: tries for which no connection comes about.
    - ``lost``: tries that take effect, but whose answer never comes.
    """

    def __init__(self, client: Any) -> None:
        self.calls: Counter[str] = Counter()
        self.tries: Counter[str] = Counter()
        self.parameters: list[tuple[str, dict[str, Any]]] = []
        self.between: list[Callable[[], object]] = []
        self.answers: list[Answer] = []
        self.unsent = 0
        self.lost = 0
        events = client.meta.events
        events.register("provide-client-params", self._parameters)
        events.register("before-call", self._call)
        events.register_first("before-send", self._before)
        events.register_last("before-send", self._after)  # moto has done it by now

    def since(self) -> dict[str, int]:
        """The calls since last time, by their names."""
        calls = dict(self.calls)
        self.calls.clear()
        return calls

    def _parameters(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        self.parameters.append((model.name, params))

    def _call(self, model: Any, **_: Any) -> Answer | None:
        self.calls[model.name] += 1
        if self.between:
            self.between.pop(0)()
        return self.answers.pop(0) if self.answers else None

    def _before(self, request: AWSRequest, event_name: str, **_: Any) -> None:
        self.tries[event_name.rpartition(".")[2]] += 1
        if self.unsent:
            self.unsent -= 1
            raise ConnectTimeoutError(endpoint_url="https://table.example")

    def _after(self, request: AWSRequest, **_: Any) -> None:
        if self.lost:
            self.lost -= 1
            raise ReadTimeoutError(endpoint_url="https://table.example")


def refusal(code: str, status: int = 400, **more: Any) -> Answer:
    """AWS's answer that it does not do what it was asked. It quotes what it was sent, as AWS may."""
    error = {"Code": code, "Message": "ExpressionAttributeValues contains the private choice of Ada"}
    parsed = {"Error": error, "ResponseMetadata": {"HTTPStatusCode": status}, **more}
    return SimpleNamespace(status_code=status), parsed


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let boto3 try again at once."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda seconds: None))
