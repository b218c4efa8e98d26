"""A match in which nothing goes wrong, played by the flow tests' people and written down as a trace: for the judge's
own tests.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from engine.gravity.moves import Reveal
from handler.ports import Item, Lease, Pointers
from infra.local.botapi.methods import Upload
from infra.stores.memory import MemoryStore
from tests.drawn import legible
from tests.flows.house import Flow
from tests.flows.players import find, make, play, quiet
from tests.flows.seven import begin, ready
from tests.simulation.reading import snapshot
from tests.simulation.trace import Armed, Booted, Call, Delivered, Pressed, Stored, Trace, Wrote

PROCESS: Final = 1


class CalmFlow(Flow):
    """A flow that keeps a trace. Its clock stands still while the bot is at work."""

    def __init__(self, salt: str = "", seed: bytes | None = None) -> None:
        self.trace = Trace()
        self.heard = 0
        super().__init__(_Store(self), salt, seed)
        self.trace.words = {self.ada: "Ada", self.bruno: "Bruno"}
        self.trace.events.insert(0, Booted(self.clock.time, PROCESS, 0.0))
        arm = self.timers.arm

        def armed(match: str, alarm: int, at: float) -> None:
            arm(match, alarm, at)
            self.trace.add(Armed(self.clock.time, PROCESS, match, alarm, at))

        self.timers.arm = armed  # type: ignore[method-assign]

    def post(self, update: Any) -> int:
        """Bring an update, and write down that it was."""
        number, now = update["update_id"], self.clock.time
        query, message = update.get("callback_query"), update.get("message")
        if query is not None:
            where = query["message"]
            user, chat = query["from"]["id"], where["chat"]["id"]
            self.trace.add(Pressed(now, number, user, chat, where["message_id"], query["data"], query["id"]))
        elif message is not None and "text" in message:
            self.trace.add(Wrote(now, number, message["from"]["id"], message["chat"]["id"], message["text"]))
        status = super().post(update)
        self.hear()
        self.trace.add(Delivered(now, self.clock.time, number, PROCESS, status))
        return status

    def hear(self) -> None:
        """Write down what the bot has called since."""
        calls = self.world.calls
        for call in calls[self.heard :]:
            params, result = dict(call.params), call.answer.result if call.answer.status == 200 else None
            shown = result if isinstance(result, dict) else {}
            message = shown.get("message_id", params.get("message_id"))
            document = params.get("document")
            if isinstance(document, Upload) and message is not None:
                self.trace.files[message] = document.content
            text = shown.get("text") or shown.get("caption") or ""
            status, chat = call.answer.status, params.get("chat_id")
            known, done, given = None if call.replied else status, status == 200, legible(params)
            self.trace.add(
                Call(call.at, PROCESS, call.method, chat, given, done, known, message, text, replied=call.replied)
            )
        self.heard = len(calls)

    def done(self) -> Trace:
        """The trace, once everything is told."""
        self.wait(120)
        self.hear()
        self.close()
        return self.trace

    def close(self) -> None:
        """Hang up."""
        self.telegram.close()
        self.world.close()


class _Store(MemoryStore):
    def __init__(self, flow: CalmFlow) -> None:
        super().__init__()
        self._flow = flow

    def create(self, item: Item, pointers: Pointers) -> None:
        super().create(item, pointers)
        self._stored("create", None, item)

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        old = self.load(before.id)
        stored = super().commit(before, after, pointers, lease, now)
        self._stored("commit", old, stored)
        return stored

    def settle(self, item: Item, *, done: bool) -> Item:
        old = self.load(item.id)
        stored = super().settle(item, done=done)
        self._stored("settle", old, stored)
        return stored

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        old = self.load(item.id)
        stored = super().take(item, lease, now)
        self._stored("take", old, stored)
        return stored

    def _stored(self, write: str, before: Item | None, after: Item) -> None:
        self._flow.hear()
        now, old = self._flow.clock.time, None if before is None else snapshot(before)
        self._flow.trace.add(Stored(now, PROCESS, now, write, old, snapshot(after)))


@cache
def duel() -> Trace:
    """A duel in which Ada changes her mind, is refused something, and at last lets the night's first phase pass and
    resigns. Not to be changed.
    """
    flow = CalmFlow("a duel")
    match = flow.begin()
    panel, _ = _found(flow, flow.ada, "s?-")
    for tail in ("s?h", "s?w", "s?o", "l"):
        flow.press_data(flow.ada, flow.ada, panel, f"{match.id}:0:{tail}")
    make(flow, match, flow.bruno, Reveal(None))
    play(flow, match.id, quiet, until="actions")
    flow.wait(130)
    flow.say(flow.ada, "/resign")
    flow.press(flow.ada, "Yes, I resign", flow.ada)
    return flow.done()


@cache
def evening() -> Trace:
    """Ada and five house players and Bruno, who never does anything, at Dog's Judgement, until Ada cancels it. Not to
    be changed.
    """
    flow = CalmFlow("an evening")
    begin(flow, [flow.ada, flow.bruno])
    flow.wait(610)
    play(flow, flow.match().id, lambda match, player: ready(match, player) if player == 0 else None, until="round2")
    flow.say(flow.ada, "/cancel")
    for person in (flow.ada, flow.bruno):
        flow.press(person, "Yes, end it")
    return flow.done()


def _found(flow: CalmFlow, chat: int, tail: str) -> tuple[int, str]:
    found = find(flow, chat, flow.match(), tail)
    assert found is not None
    return found
