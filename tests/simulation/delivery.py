"""Updates on their way to the bot, as Telegram's server brings them (``botapi/webhook_delivery.json``; WebhookActor of
tdlib/telegram-bot-api), with what can go wrong on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Delivered, Dropped, Trace
from tests.simulation.weather import Weather

Json = dict[str, Any]


@dataclass(frozen=True)
class Brought:
    """What came of bringing an update: the HTTP status, None where the connection ended without one; the process's
    number, None where none was reached; and the answer's type and body.
    """

    status: int | None
    process: int | None
    content_type: str = ""
    body: bytes = b""


Take = Callable[[Json], Brought]
"""Takes in an update, and may sleep."""

Carry = Callable[[Brought, str], None]
"""Carries out what the answer to an update, whose number it is told as text, asks for."""

WAIT: Final = 60.0
"""Seconds after which the server takes a connection without an answer for ended."""
PRESS_LIFE: Final = 150.0
OTHER_LIFE: Final = 86_400.0
LONGEST_PAUSE: Final = (60.0, 120.0)
"""Seconds between which the longest pause before a repetition lies, each time anew."""
LATENCY: Final = 0.1
"""Seconds from the deed to the bot, and back, at most."""
HELD: Final = 140.0
"""Seconds for which a late press is held back at most."""
HELD_LONG: Final = 1_400.0
"""The same for anything else that is late."""
COPY_WITHIN: Final = 90.0
"""Seconds within which an update comes again that was acknowledged."""


@dataclass(eq=False)
class Waiting:
    """An update in a queue. Times are Unix seconds. ``open`` is the number of the connection that it is being brought
    on, None when there is none. ``overtaken`` is whether later ones may be brought while it waits, None if it has not
    come to that. ``copy``: it was acknowledged, and is brought again nonetheless.
    """

    id: int
    kind: str
    queue: str
    body: Json
    expires: float
    not_before: float
    failures: int = 0
    connections: int = 0
    open: int | None = None
    overtaken: bool | None = None
    copy: bool = False


class Delivery:
    """The queues. One is brought in order, different ones at the same time."""

    def __init__(self, scheduler: Scheduler, weather: Weather, trace: Trace, random: Random, carry: Carry) -> None:
        self._scheduler = scheduler
        self._weather = weather
        self._trace = trace
        self._random = random
        self._carry = carry
        self._take: Take = _nobody
        self._queues: dict[str, list[Waiting]] = {}

    def bring_to(self, take: Take) -> None:
        """To whom updates are brought from now on."""
        self._take = take

    def put(self, update: Json) -> None:
        """An update begins its life."""
        kind = next(key for key in update if key != "update_id")
        now = self._scheduler.now
        waiting = Waiting(
            id=update["update_id"],
            kind=kind,
            queue=_queue(kind, update[kind]),
            body=update,
            expires=_expires(kind, update[kind], now),
            not_before=now,
        )
        if self._weather.strikes("update late", about=str(waiting.id)):
            waiting.not_before += self._random.uniform(1, HELD if kind == "callback_query" else HELD_LONG)
        self._enqueue(waiting)

    def pending(self) -> list[str]:
        """What is neither acknowledged nor expired."""
        for name in list(self._queues):
            self._expire(name)
        return [
            f"update {waiting.id} ({waiting.kind}), {waiting.failures} times failed"
            for queue in self._queues.values()
            for waiting in queue
        ]

    def _enqueue(self, waiting: Waiting) -> None:
        self._queues.setdefault(waiting.queue, []).append(waiting)
        self._scheduler.at(waiting.not_before + self._random.uniform(0, LATENCY), partial(self._look, waiting.queue))

    def _look(self, name: str) -> None:
        """Bring what is next in a queue, if it is time."""
        self._expire(name)
        queue = self._queues.get(name)
        if not queue or any(waiting.open is not None for waiting in queue):
            return
        first = queue[0]
        chosen = first if first.not_before <= self._scheduler.now else self._overtaking(queue)
        if chosen is not None:
            self._bring(chosen)
        else:
            self._scheduler.at(min(first.not_before, first.expires), partial(self._look, name))

    def _overtaking(self, queue: list[Waiting]) -> Waiting | None:
        """Who is brought while the first waits, if anybody."""
        first = queue[0]
        later = next((waiting for waiting in queue if waiting.not_before <= self._scheduler.now), None)
        if later is None:
            return None
        if first.overtaken is None:
            first.overtaken = self._weather.strikes("update overtaken", about=str(first.id))
        return later if first.overtaken else None

    def _bring(self, waiting: Waiting) -> None:
        began = self._scheduler.now
        waiting.connections += 1
        waiting.open = connection = waiting.connections

        def end(brought: Brought) -> None:
            if waiting.open == connection:
                waiting.open = None
                self._trace.add(Delivered(began, self._scheduler.now, waiting.id, brought.process, brought.status))
                if _acknowledges(brought):
                    self._carry(brought, str(waiting.id))
                self._ended(waiting, _acknowledges(brought))

        def bring() -> None:
            brought = self._take(waiting.body)
            if _acknowledges(brought) and waiting.open == connection:
                self._scheduler.sleep(self._random.uniform(0, LATENCY))
                if self._weather.strikes("answer lost", brought.process, str(waiting.id)):
                    brought = Brought(None, brought.process)
            end(brought)

        self._scheduler.spawn(bring)
        # Whoever has not answered by then may still be at it when the update is brought again.
        self._scheduler.at(began + WAIT, lambda: end(Brought(None, None)))

    def _ended(self, waiting: Waiting, acknowledged: bool) -> None:
        now = self._scheduler.now
        if acknowledged:
            self._remove(waiting)
            if not waiting.copy and self._weather.strikes("update twice", about=str(waiting.id)):
                self._again(waiting)
        else:
            waiting.not_before = now + self._pause(waiting.failures)
            waiting.failures += 1
            waiting.overtaken = None
        self._scheduler.at(now, partial(self._look, waiting.queue))

    def _pause(self, failures: int) -> float:
        """Seconds until the next try, after so many that failed before this one."""
        if failures == 0:
            return 0.0
        return min(2.0 ** min(failures, 10), self._random.uniform(*LONGEST_PAUSE))

    def _again(self, waiting: Waiting) -> None:
        """It was acknowledged, but the server does not know so any more. It comes in no order with the others."""
        later = self._scheduler.now + self._random.uniform(0, COPY_WITHIN)
        queue = f"copy {waiting.id}"
        self._enqueue(Waiting(waiting.id, waiting.kind, queue, waiting.body, waiting.expires, later, copy=True))

    def _expire(self, name: str) -> None:
        now = self._scheduler.now
        for waiting in [waiting for waiting in self._queues.get(name, ()) if waiting.expires <= now]:
            if waiting.open is None:
                self._remove(waiting)
                if not waiting.copy:
                    self._trace.add(Dropped(now, waiting.id))

    def _remove(self, waiting: Waiting) -> None:
        queue = self._queues[waiting.queue]
        queue.remove(waiting)
        if not queue:
            del self._queues[waiting.queue]


def _nobody(update: Json) -> Brought:
    return Brought(None, None)


def _acknowledges(brought: Brought) -> bool:
    return brought.status is not None and 200 <= brought.status < 300


def _queue(kind: str, content: Json) -> str:
    """The queue that an update of a kind goes into."""
    if kind in ("callback_query", "chat_member"):
        return f"{kind} {content['from']['id']}"
    if kind == "my_chat_member":
        return f"{kind} {content['chat']['id']}"
    return f"message {content['chat']['id']}"


def _expires(kind: str, content: Json, now: float) -> float:
    if kind == "callback_query":
        return now + PRESS_LIFE
    return float(content.get("edit_date") or content["date"]) + OTHER_LIFE
