"""Scripted failures: what the next calls meet instead of a proper answer, having taken effect or not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from infra.local.botapi.errors import Refusal

Trouble = Literal["refuse", "cut", "hang"]
"""No connection at all; the connection closed without an answer; an answer that does not come in time."""


@dataclass(frozen=True)
class Answer:
    """What comes back from a call: an HTTP status and a body, or trouble on the line."""

    status: int
    text: str
    trouble: Trouble | None = None

    @property
    def body(self) -> dict[str, Any]:
        """The body's JSON object."""
        decoded = json.loads(self.text)
        assert isinstance(decoded, dict)
        return decoded

    @property
    def result(self) -> Any:
        """The result of a successful call. Raises Refusal for any other."""
        body = self.body
        if not body["ok"]:
            raise Refusal(body["error_code"], body["description"], body.get("parameters"))
        return body["result"]


@dataclass(frozen=True)
class Fault:
    """One scripted failure. ``takes_effect``: the call is carried out before its answer is spoilt."""

    answer: Answer
    takes_effect: bool = False


def refused(refusal: Refusal) -> Fault:
    """The Bot API's own error, e.g. ``refused(flood(3))`` or ``refused(BLOCKED)``."""
    return Fault(Answer(refusal.code, json.dumps(refusal.body())))


def broken(status: int, text: str = "") -> Fault:
    """An answer that is no JSON: a gateway's page, or nothing."""
    return Fault(Answer(status, text))


def line(trouble: Trouble, *, takes_effect: bool = False) -> Fault:
    """Trouble on the line."""
    if trouble == "refuse" and takes_effect:
        raise ValueError("a call that was never sent cannot have taken effect")
    return Fault(Answer(0, "", trouble), takes_effect)


class Faults:
    """The script: faults wait for calls of their method (or "*", any), first come, first served."""

    def __init__(self) -> None:
        self._script: list[tuple[str, int | None, Fault]] = []

    def expect(self, method: str, fault: Fault, times: int = 1, *, chat: int | None = None) -> None:
        """Let the next ``times`` calls of ``method`` meet ``fault``; with ``chat``, of those to that chat."""
        self._script += [(method, chat, fault)] * times

    def take(self, method: str, chat: object = None) -> Fault | None:
        """The fault that this call meets, removed from the script; ``chat`` is its chat_id, as given."""
        for index, (wanted, where, fault) in enumerate(self._script):
            if wanted in (method, "*") and (where is None or str(where) == str(chat)):
                del self._script[index]
                return fault
        return None

    def clear(self) -> None:
        """All is well again."""
        self._script.clear()

    @property
    def left(self) -> int:
        """How many are still waiting."""
        return len(self._script)
