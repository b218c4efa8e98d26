"""The simulated Telegram as one thing: people act in it, the bot calls it, updates wait in it to be delivered.

Nothing here needs HTTP. Thread-safe.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.local.botapi import methods, wire
from infra.local.botapi.calls import CALLS
from infra.local.botapi.desk import Clock, Desk
from infra.local.botapi.errors import Malformed, Refusal
from infra.local.botapi.events import EventLog
from infra.local.botapi.faults import Answer, Faults
from infra.local.botapi.groups import Groups
from infra.local.botapi.people import People
from infra.local.botapi.shelf import Json

NEVER_REPLIED = ("get", "setwebhook", "deletewebhook", "close", "logout")
"""How the methods begin, in lower case, that Telegram does not carry out in the webhook's answer
(``telegram-bot-api/WebhookActor.cpp``).
"""
VISIBLE = ("sendMessage", "sendPhoto", "sendDocument", "editMessageText", "editMessageMedia")
"""The methods that count for Telegram's limit per group."""


@dataclass(frozen=True)
class Call:
    """One call of the bot: when, what, and what it was answered. ``replied``: it came in the webhook's answer to an
    update, so the bot got to know nothing of that.
    """

    at: float
    method: str
    params: Mapping[str, Any]
    answer: Answer
    replied: bool = False


@dataclass(frozen=True)
class Violation:
    """A call that no correct bot makes, and why."""

    method: str
    params: Mapping[str, Any]
    why: str


class World:
    """A small Telegram with one bot, in memory or, with ``path``, in a SQLite file that survives a restart.

    ``clock`` dates the messages. ``network`` measures the lives of updates and button presses; it differs from
    ``clock`` only where time is sped up. ``memory`` is how many calls and violations are remembered, None for all.
    """

    def __init__(
        self, clock: Clock, path: Path | None = None, network: Clock | None = None, memory: int | None = None
    ) -> None:
        self.desk = Desk(path, clock, network or clock)
        self.people = People(self.desk)
        self.groups = Groups(self.desk)
        self.faults = Faults()
        self._calls: deque[Call] = deque(maxlen=memory)
        self._violations: deque[Violation] = deque(maxlen=memory)

    def call(self, method: str, params: Mapping[str, Any]) -> Answer:
        """A Bot API call: parameters as JSON values or as a form's strings, files as Upload."""
        return self._call(method, params)

    def replied(self, content_type: str, body: bytes) -> Answer | None:
        """What the webhook's 2xx answer to an update holds: a call that is now carried out, of which the bot hears no
        more. None if it holds none.
        """
        given = wire.reply(content_type, body)
        if given is None:
            return None
        method = given.pop("method")
        if method.lower().startswith(NEVER_REPLIED):
            with self.desk.lock:
                self._violations.append(Violation(method, given, "not carried out in the webhook's answer"))
            return None
        return self._call(method, given, replied=True)

    def _call(self, method: str, params: Mapping[str, Any], *, replied: bool = False) -> Answer:
        with self.desk.lock:
            fault = self.faults.take(method, params.get("chat_id"))
            given = _read(method, params)
            if fault is None:
                answer = self._carry_out(method, params, given)
            else:
                if fault.takes_effect:
                    self._carry_out(method, params, given)
                answer = fault.answer
            if method != "getUpdates":
                typed = dict(params) if isinstance(given, Malformed) else given
                self._calls.append(Call(self.desk.clock.now(), method, typed, answer, replied))
            return answer

    def pending(self) -> list[Json]:
        """The updates that the bot has not acknowledged, oldest first."""
        with self.desk.change():
            return self.desk.outbox.pending(self.desk.network.now())

    def acknowledge(self, update_id: int) -> None:
        """The bot has handled an update."""
        with self.desk.change():
            self.desk.outbox.acknowledge(update_id)

    def history(self, chat: int) -> list[Json]:
        """A chat's messages as they are now, oldest first."""
        with self.desk.lock:
            return self.desk.state.history(chat)

    def message(self, chat: int, message_id: int) -> Json:
        """One message as it is now."""
        with self.desk.lock:
            return self.desk.state.messages[chat, message_id]

    def file(self, id: str) -> bytes | None:
        """The bytes of a file that the bot sent."""
        with self.desk.lock:
            return self.desk.shelf.file(id)

    @property
    def calls(self) -> list[Call]:
        """What the bot has called, getUpdates aside, oldest first."""
        with self.desk.lock:
            return list(self._calls)

    @property
    def violations(self) -> list[Violation]:
        """What no correct bot would have called, oldest first."""
        with self.desk.lock:
            return list(self._violations)

    @property
    def events(self) -> EventLog:
        """What became visible, for a page."""
        return self.desk.events

    def busiest_minute(self, chat: int) -> int:
        """The largest number of messages and edits the bot sent to a chat within any minute."""
        times = [call.at for call in self.calls if call.method in VISIBLE and _is_for(call, chat)]
        return _most_within(times, 60.0)

    def close(self) -> None:
        """Close the database."""
        with self.desk.lock:
            self.desk.shelf.close()

    def _carry_out(self, method: str, params: Mapping[str, Any], given: dict[str, Any] | Malformed) -> Answer:
        try:
            if isinstance(given, Malformed):
                raise given
            with self.desk.change():
                result = CALLS[method](self.desk, given)
        except Refusal as refusal:
            if isinstance(refusal, Malformed):
                self._violations.append(Violation(method, dict(params), refusal.description))
            return Answer(refusal.code, json.dumps(refusal.body(), ensure_ascii=False))
        return Answer(200, json.dumps({"ok": True, "result": result}, ensure_ascii=False))


def _read(method: str, params: Mapping[str, Any]) -> dict[str, Any] | Malformed:
    """The parameters in their types, or why they cannot be read."""
    try:
        return methods.read(method, params)
    except Malformed as malformed:
        return malformed


def _is_for(call: Call, chat: int) -> bool:
    return call.params.get("chat_id") == chat and call.answer.status == 200


def _most_within(times: Sequence[float], seconds: float) -> int:
    most = first = 0
    for last, at in enumerate(times):
        while at - times[first] >= seconds:
            first += 1
        most = max(most, last - first + 1)
    return most
