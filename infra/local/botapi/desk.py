"""Where everything in the simulated Telegram is done: one lock, one transaction, one place for news."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from infra.local.botapi.events import EventLog
from infra.local.botapi.shelf import Json, Shelf
from infra.local.botapi.state import Chat, State
from infra.local.botapi.updates import FIRST_UPDATE, Outbox


class Clock(Protocol):
    """Unix seconds, UTC."""

    def now(self) -> float: ...


class Desk:
    """State, outgoing updates and visible events under one lock.

    ``clock`` dates the messages. ``network`` measures the lives of updates and button presses; it differs from
    ``clock`` only where time is sped up.
    """

    def __init__(self, path: Path | None, clock: Clock, network: Clock) -> None:
        self.clock = clock
        self.network = network
        self.lock = threading.RLock()
        self.shelf = Shelf(path)
        self.state = State(self.shelf)
        self.outbox = Outbox(self.shelf, lambda: self.state.next("update", FIRST_UPDATE))
        self.events = EventLog()
        self.queued = threading.Condition(self.lock)
        """Notified whenever an update has been queued."""

    @contextmanager
    def change(self) -> Iterator[State]:
        """One indivisible change of the state; nested ones join it."""
        with self.lock, self.shelf.change():
            yield self.state

    def date(self) -> int:
        """The date of what happens now, as in a Message."""
        return int(self.clock.now())

    def post(self, chat: Chat, content: Json, sender: Json) -> Json:
        """A new message in a chat, visible to everybody there. Returns the Message."""
        chat.last_message += 1
        self.state.save_chat(chat)
        message = {
            "message_id": chat.last_message,
            "from": sender,
            "chat": self.state.chat_json(chat),
            "date": self.date(),
            **content,
        }
        self.state.save_message(message)
        self.events.add("message", {"message": message})
        return message

    def edited(self, message: Json) -> None:
        """A message has changed."""
        self.state.save_message(message)
        self.events.add("edit", {"message": message})

    def queue(self, kind: str, content: Json) -> None:
        """An update for the bot."""
        self.outbox.add(kind, content, self.network.now())
        self.queued.notify_all()
