"""An event loop that needs no thread: what is called for in it is done before the call returns.

The simulated Telegram answers at once, so nothing in the loop ever waits; and a thread for it would cost a run more
than the calls themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVarTuple

from infra.telegram import BotTelegram

Ts = TypeVarTuple("Ts")


class InlineLoop(asyncio.SelectorEventLoop):
    """Runs until nothing is left to do whenever another thread would let it do something."""

    _ready: Any

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        handle = self.call_soon(callback, *args, context=context)
        while self._ready:
            self.stop()
            self.run_forever()
        return handle


def without_thread(bot: BotTelegram) -> BotTelegram:
    """Let a client make its calls in the thread of whoever asks for them."""
    bot._loop.call_soon_threadsafe(bot._loop.stop)
    bot._thread.join()
    bot._loop.close()
    bot._loop = InlineLoop()
    return bot
