"""Updates on their way to the bot: queued, delivered, repeated and dropped as Telegram's server does it.

Source: WebhookActor of tdlib/telegram-bot-api. Messages queue per chat, button presses per user; one queue is
delivered in order, different queues at the same time; a failure comes again at once, then after 2, 4, 8 … 60 s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from infra.local.botapi.shelf import Json, Shelf

FIRST_UPDATE = 500_001
PRESS_LIFE = 150.0
OTHER_LIFE = 86_400.0
LONGEST_WAIT = 60.0
HELD_BACK_MOST = 3_600.0


@dataclass
class Pending:
    """An update that the bot has not acknowledged. Times are Unix seconds."""

    id: int
    queue: str
    body: Json
    expires: float
    not_before: float = 0.0
    failures: int = 0


class Outbox:
    """Unacknowledged updates, kept on the shelf. The caller holds the world's lock."""

    def __init__(self, shelf: Shelf, next_id: Callable[[], int]) -> None:
        self._shelf = shelf
        self._next_id = next_id
        kept = [Pending(**row) for row in shelf.rows("update").values()]
        self._pending = {update.id: update for update in sorted(kept, key=lambda update: update.id)}

    def add(self, kind: str, content: Json, now: float) -> Json:
        """Queue an update of a kind ("message", "callback_query" …). Returns the Update."""
        update: Json = {"update_id": self._next_id(), kind: content}
        life = PRESS_LIFE if kind == "callback_query" else OTHER_LIFE
        self._save(Pending(update["update_id"], _queue(kind, content), update, now + life))
        return update

    def pending(self, now: float) -> list[Json]:
        """What is waiting, oldest first, without what has expired."""
        self._expire(now)
        return [update.body for update in self._pending.values()]

    def ready(self, now: float, under_way: frozenset[int] = frozenset()) -> list[Pending]:
        """The first of each queue that may be delivered now and is not ``under_way``."""
        self._expire(now)
        seen: set[str] = set()
        ready = []
        for update in self._pending.values():
            if update.queue not in seen and update.id not in under_way and update.not_before <= now:
                ready.append(update)
            seen.add(update.queue)
        return ready

    def next_at(self, now: float) -> float | None:
        """When the next repetition that waits now is due; None without one."""
        return min((update.not_before for update in self._pending.values() if update.not_before > now), default=None)

    def acknowledge(self, id: int) -> None:
        """The bot has it (answered 2xx, or asked for later ones)."""
        if self._pending.pop(id, None) is not None:
            self._shelf.drop("update", id)

    def fail(self, id: int, now: float, retry_after: float | None = None) -> None:
        """It was not acknowledged: it comes again."""
        update = self._pending.get(id)
        if update is None:
            return
        wait = 0.0 if update.failures == 0 else min(2.0**update.failures, LONGEST_WAIT)
        if retry_after is not None:
            wait = min(max(retry_after, 0.0), HELD_BACK_MOST)
        update.failures += 1
        update.not_before = now + wait
        self._save(update)

    def clear(self) -> None:
        """Drop everything (drop_pending_updates)."""
        for id in list(self._pending):
            self.acknowledge(id)

    def _save(self, update: Pending) -> None:
        self._pending[update.id] = update
        self._shelf.save("update", update.id, vars(update))

    def _expire(self, now: float) -> None:
        for id in [update.id for update in self._pending.values() if update.expires <= now]:
            self.acknowledge(id)


def _queue(kind: str, content: dict[str, Any]) -> str:
    if kind == "callback_query":
        return f"press {content['from']['id']}"
    if kind == "my_chat_member":
        return f"my_chat_member {content['chat']['id']}"
    if kind == "chat_member":
        return f"chat_member {content['from']['id']}"
    return f"chat {content['chat']['id']}"
