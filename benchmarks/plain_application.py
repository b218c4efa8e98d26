"""What people would use instead: a plain python-telegram-bot Application with persistence, behind a webhook.

As in the library's example of a webhook of one's own (customwebhookbot), but the 200 comes once the update has been
handled, as the bot's does: an update that is only queued is lost with the process. The Application's event loop runs in
a thread, and the HTTP server is the same as everybody's here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from flask import Flask, request
from telegram import Message, Update
from telegram.ext import Application, CallbackQueryHandler, ContextTypes, PicklePersistence
from telegram.request import HTTPXRequest

from benchmarks.elsewhere import serve

T = TypeVar("T")


class PlainApplication:
    """A bot that counts a press, answers it and edits the message. Under ``/telegram`` what it keeps is written as the
    library does it (every minute), under ``/written`` before the 200, as the bot's store does.
    """

    def __init__(self, address: str, token: str, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, name="application", daemon=True).start()
        self._application: Application[Any, Any, Any, Any, Any, Any] = (
            Application.builder()
            .token(token)
            .base_url(f"{address}/bot")
            .request(HTTPXRequest(connection_pool_size=256, httpx_kwargs={"trust_env": False}))
            .updater(None)
            .persistence(PicklePersistence(folder / "plain.pickle"))
            .build()
        )
        self._application.add_handler(CallbackQueryHandler(_pressed))
        self._wait_for(self._application.initialize())
        self._wait_for(self._application.start())
        app = Flask("plain")
        app.post("/telegram")(self._handle)
        app.post("/written")(self._handle_and_write)
        self._address = serve(app)

    def close(self) -> None:
        """Stop the Application."""
        self._wait_for(self._application.stop())
        self._wait_for(self._application.shutdown())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def address(self) -> str:
        """Where updates are taken in."""
        return self._address

    def _handle(self) -> str:
        self._wait_for(self._application.process_update(self._update()))
        return "ok"

    def _handle_and_write(self) -> str:
        self._wait_for(self._process_and_write(self._update()))
        return "ok"

    async def _process_and_write(self, update: Update) -> None:
        await self._application.process_update(update)
        await self._application.update_persistence()

    def _update(self) -> Update:
        return Update.de_json(request.get_json(), self._application.bot)

    def _wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def _pressed(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    query, kept = update.callback_query, context.user_data
    assert query is not None
    assert kept is not None
    assert isinstance(query.message, Message)
    text = kept.setdefault("text", query.message.text)
    kept["presses"] = kept.get("presses", 0) + 1
    await query.answer("Noted.")
    await query.edit_message_text(f"{text}\n{kept['presses']}", reply_markup=query.message.reply_markup)
