"""The least that a press can cost: Flask takes an update in, calls the Bot API once, and returns 200."""

from __future__ import annotations

import httpx
from flask import Flask, request

from benchmarks.elsewhere import serve
from infra.telegram import BotTelegram


class Floor:
    """A webhook that answers the press and knows nothing else: under ``/telegram`` by the bot's own client, under
    ``/plainly`` by httpx alone.
    """

    def __init__(self, address: str, token: str) -> None:
        self._telegram = BotTelegram(token, address)
        self._client = httpx.Client(trust_env=False)
        self._answer = f"{address}/bot{token}/answerCallbackQuery"
        app = Flask("floor")
        app.post("/telegram")(self._by_the_bots_client)
        app.post("/plainly")(self._by_httpx)
        self._address = serve(app)

    def close(self) -> None:
        """Close the connections to the Bot API."""
        self._telegram.close()
        self._client.close()

    def address(self) -> str:
        """Where updates are taken in."""
        return self._address

    def _by_the_bots_client(self) -> str:
        self._telegram.answer(request.get_json()["callback_query"]["id"], "Noted.")
        return "ok"

    def _by_httpx(self) -> str:
        query = request.get_json()["callback_query"]["id"]
        self._client.post(self._answer, json={"callback_query_id": query, "text": "Noted."}).raise_for_status()
        return "ok"
