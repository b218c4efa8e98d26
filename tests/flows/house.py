"""The whole bot in one process for flow tests: real Update JSON into the real webhook, a stand-in for the Bot API out.

Nothing waits: the clock stands still until a test moves it, and timers fire when it passes them.
"""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from handler.codec import read_match
from handler.dispatch import handle, nudge
from handler.match import Match
from handler.ports import MatchStore
from handler.rates import GroupRates
from handler.table import Ports
from handler.webhook import SECRET_HEADER, make_app
from infra.local.botapi.transport import TOKEN, WorldTransport
from infra.local.botapi.world import World
from infra.stores.memory import MemoryStore
from infra.stores.memory_people import MemoryPeople
from infra.telegram import BotTelegram
from infra.together import OneByOne, at_once
from tests.drawn import sketch

SECRET = "the-webhook's-secret"
START = 1_800_000_000.0


class ManualClock:
    """Time that a test moves."""

    speed = 1.0

    def __init__(self) -> None:
        self.time = START

    def now(self) -> float:
        """The time now."""
        return self.time


class CountingEntropy:
    """Bytes that a test can repeat; ``seed``, if given, is the seed of every match."""

    def __init__(self, salt: str = "", seed: bytes | None = None) -> None:
        self.salt = salt
        self.seed = seed
        self.drawn = 0

    def bytes(self, n: int) -> bytes:
        """The next n bytes."""
        self.drawn += 1
        if self.seed is not None and n == len(self.seed):
            return self.seed
        return hashlib.shake_256(f"{self.salt}/{self.drawn}".encode()).digest(n)


class ManualTimers:
    """Timers that fire when a test moves the clock past them."""

    def __init__(self) -> None:
        self.heap: list[tuple[float, str]] = []

    def arm(self, match: str, alarm: int, at: float) -> None:
        """Remember to nudge, once for each moment."""
        if (at, match) not in self.heap:
            heapq.heappush(self.heap, (at, match))


class SideBySide(OneByOne):
    """A :class:`handler.ports.Together` in a test's time: calls begin at the same time, and end one after another."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.ends: dict[Future[Any], float] = {}

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        """Make a call as if no time passed."""
        now = self.clock.time
        made = super().begin(call)
        self.ends[made], self.clock.time = self.clock.time, now
        return made

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        """Let time pass until the first of them ends."""
        first = min(running, key=self.ends.__getitem__)
        self.clock.time = max(self.clock.time, self.ends[first])
        done = [each for each in running if self.ends[each] <= self.clock.time]
        for each in done:
            del self.ends[each]
        return done


class Flow:
    """A group, its people, the bot, and what they do."""

    def __init__(
        self, store: MatchStore, salt: str, seed: bytes | None = None, clock: ManualClock | None = None
    ) -> None:
        self.clock = clock or ManualClock()
        self.world = World(self.clock)
        self.timers = ManualTimers()
        self.store = store
        self.people = MemoryPeople()
        self.telegram = BotTelegram(TOKEN, "http://telegram.test", WorldTransport(self.world))
        self.ports = Ports(
            store,
            self.people,
            self.timers,
            self.telegram,
            self.clock,
            CountingEntropy(salt, seed),
            GroupRates(),
            sketch,
            SideBySide(self.clock),
            at_once,
        )
        self.client: FlaskClient = make_app(partial(handle, self.ports), SECRET).test_client()
        self.ada = self.world.people.add("Ada")
        self.bruno = self.world.people.add("Bruno")
        self.group = self.world.groups.add("The Garden", self.ada)
        self.world.groups.join(self.bruno, self.group)
        self.world.groups.add_bot(self.group, self.ada)
        for person in (self.ada, self.bruno):
            self.world.people.start(person)
        self.deliver()

    # --- updates ----------------------------------------------------------------------------------

    def post(self, update: Any) -> int:
        """One update to the webhook; the HTTP status."""
        body = update if isinstance(update, bytes) else json.dumps(update).encode()
        headers = {SECRET_HEADER: SECRET, "Content-Type": "application/json"}
        return taken(self.world, self.client.post("/telegram", data=body, headers=headers))

    def deliver(self) -> None:
        """Deliver whatever waits, in order, until nothing does."""
        while waiting := self.world.pending():
            for update in waiting:
                assert self.post(update) == 200
                self.world.acknowledge(update["update_id"])

    def wait(self, seconds: float) -> None:
        """Let time pass; timers fire on the way, in order."""
        until = self.clock.time + seconds
        while self.timers.heap and self.timers.heap[0][0] <= until:
            at, match = heapq.heappop(self.timers.heap)
            self.clock.time = max(self.clock.time, at)
            nudge(self.ports, match)
        self.clock.time = until

    def step(self) -> None:
        """Let time pass until the next timer has fired."""
        at, match = heapq.heappop(self.timers.heap)
        self.clock.time = max(self.clock.time, at)
        nudge(self.ports, match)

    # --- people -----------------------------------------------------------------------------------

    def say(self, user: int, text: str, chat: int | None = None) -> None:
        """Somebody writes, in the group unless told where."""
        self.world.people.say(user, self.group if chat is None else chat, text)
        self.deliver()

    def press(self, user: int, label: str, chat: int | None = None) -> str:
        """Somebody presses the newest button whose label begins so; returns the toast."""
        where = self.group if chat is None else chat
        message, data = self.button(label, where)
        return self.press_data(user, where, message, data)

    def press_data(self, user: int, chat: int, message: int, data: str) -> str:
        """Somebody presses a button with this data, genuine or forged; returns the toast."""
        before = len(self.world.calls)
        query = self.world.people.press(user, chat, message, data)
        self.deliver()
        answers = [call for call in self.world.calls[before:] if call.method == "answerCallbackQuery"]
        [answer] = [call for call in answers if call.params["callback_query_id"] == query]
        return str(answer.params.get("url") or answer.params.get("text", ""))

    def button(self, label: str, chat: int) -> tuple[int, str]:
        """Message id and data of the newest button whose label begins so."""
        for message in reversed(self.world.history(chat)):
            for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                for button in row:
                    if button["text"].startswith(label) and "callback_data" in button:
                        return message["message_id"], button["callback_data"]
        raise AssertionError(f"no button {label!r} in chat {chat}")

    def labels(self, chat: int) -> list[str]:
        """The labels of all buttons in a chat, newest message first."""
        return [
            button["text"]
            for message in reversed(self.world.history(chat))
            for row in message.get("reply_markup", {}).get("inline_keyboard", [])
            for button in row
        ]

    def texts(self, chat: int) -> list[str]:
        """What stands in a chat, oldest first."""
        return [str(message.get("text", message.get("caption", ""))) for message in self.world.history(chat)]

    # --- the match --------------------------------------------------------------------------------

    def match(self) -> Match:
        """The only match there is."""
        [id] = self.matches()
        return self.load(id)

    def load(self, id: str) -> Match:
        """A match as stored."""
        item = self.store.load(id)
        assert item is not None
        return _read(item.id, item.body)

    def matches(self) -> list[str]:
        """Ids of the matches in the group or of its people."""
        found = [*self.store.in_chat(self.group), *self.store.of_person(self.ada), *self.store.of_person(self.bruno)]
        return list(dict.fromkeys(found))

    def lobby(self) -> None:
        """A lobby of Gravity Pandemic with Ada first and Bruno second."""
        self.say(self.ada, "/gravity")
        self.press(self.ada, "Join")
        self.press(self.bruno, "Join")

    def begin(self) -> Match:
        """A match of Ada against Bruno has begun."""
        self.lobby()
        self.press(self.ada, "Start")
        return self.match()


def taken(world: World, response: TestResponse) -> int:
    """What Telegram does with the webhook's answer; its HTTP status."""
    if response.status_code == 200:
        world.replied(response.content_type, response.data)
    return response.status_code


@lru_cache(maxsize=64)
def _read(id: str, body: str) -> Match:
    """A match is replayed from its record, which a test that looks often does not need to do each time."""
    return read_match(id, body)


@contextmanager
def flow(store: MatchStore | None = None, salt: str = "", seed: bytes | None = None) -> Iterator[Flow]:
    """A flow that checks at its end that every call was one a correct bot makes."""
    made = Flow(store or MemoryStore(), salt, seed)
    try:
        yield made
        assert made.world.violations == []
        assert made.world.pending() == []
    finally:
        made.telegram.close()
        made.world.close()
