"""A bot of a few lines behind a webhook, so that the page can be tested without the real one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, request
from werkzeug.serving import make_server

from infra.local.botapi.methods import Upload
from infra.local.botapi.state import BOT_USERNAME
from infra.local.botapi.world import World
from infra.local.clock import TableClock
from infra.local.table import LocalTable

SECRET = "echo"
KEYBOARD = {
    "inline_keyboard": [
        [{"text": "Count", "callback_data": "count"}, {"text": "Warn", "callback_data": "warn"}],
        [{"text": "To my chat", "callback_data": "go"}],
        [{"text": "By link", "url": f"https://t.me/{BOT_USERNAME}?start=by-link"}],
    ]
}


class EchoBot:
    """Introduces itself with buttons, counts presses in place, and repeats what it is told."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._count = 0

    def handle(self, update: dict[str, Any]) -> None:
        """Answer one update."""
        if "my_chat_member" in update:
            if update["my_chat_member"]["new_chat_member"]["status"] == "member":
                self._introduce(update["my_chat_member"]["chat"]["id"])
        elif "callback_query" in update:
            self._press(update["callback_query"])
        elif "text" in update["message"]:
            self._repeat(update["message"])

    def _introduce(self, chat: int) -> None:
        text = 'Hello, <b>garden</b>! Until <tg-time unix="1800000000" format="wDt">then</tg-time>. Try /echo.'
        sent = self._send(chat, text, reply_markup=KEYBOARD)
        self._world.call("pinChatMessage", {"chat_id": chat, "message_id": sent["message_id"]})

    def _press(self, query: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"text": f"Pressed by {query['from']['first_name']}"}
        if query["data"] == "warn":
            answer = {"text": "Careful <now>", "show_alert": True}
        elif query["data"] == "go":
            answer = {"url": f"https://t.me/{BOT_USERNAME}?start=seat"}
        else:
            self._count += 1
            where = {"chat_id": query["message"]["chat"]["id"], "message_id": query["message"]["message_id"]}
            text = f"Pressed {self._count} times"
            self._world.call("editMessageText", {**where, "text": text, "reply_markup": KEYBOARD})
        self._world.call("answerCallbackQuery", {"callback_query_id": query["id"], **answer})

    def _repeat(self, message: dict[str, Any]) -> None:
        self._send(message["chat"]["id"], f"You said: {message['text']}", parse_mode=None)
        if message["text"] == "/file":
            record = Upload("record.json", json.dumps({"birds": 10}).encode(), "application/json")
            self._world.call("sendDocument", {"chat_id": message["chat"]["id"], "document": record})

    def _send(self, chat: int, text: str, **more: Any) -> dict[str, Any]:
        given = {"chat_id": chat, "text": text, "parse_mode": "HTML", **more}
        answer = self._world.call("sendMessage", {name: value for name, value in given.items() if value is not None})
        result: dict[str, Any] = answer.result
        return result


@contextmanager
def table() -> Iterator[LocalTable]:
    """A local table with this bot at it. No call of the bot may have been a violation."""
    clock = TableClock()
    local = LocalTable(None, 0, clock)
    bot = EchoBot(local.world)
    webhook = Flask("echo")

    @webhook.post("/")
    def handle() -> str:
        bot.handle(request.get_json())
        return ""

    local.world.call("setMyCommands", {"commands": [{"command": "echo", "description": "Say it again"}]})
    server = make_server("127.0.0.1", 0, webhook, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    local.start(f"http://127.0.0.1:{server.server_port}/", SECRET)
    try:
        yield local
    finally:
        local.close()
        server.shutdown()
        thread.join()
        server.server_close()
        clock.close()
    assert local.world.violations == []
