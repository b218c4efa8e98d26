"""The Flask app: authenticate, parse, hand on, answer.

Only a 2xx acknowledges an update to Telegram; anything else brings it again. So whatever can never succeed is
answered 200, and 503 is kept for what a retry can cure.

A 200 may carry one call to the Bot API, of which nobody hears what came of it: the edit with which a press ends. That
saves the press a way to Telegram and back.
"""

from __future__ import annotations

import gc
import hmac
import json
from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from handler.intake import take
from handler.message import inline
from handler.replies import Edit

LARGEST: Final = 1024 * 1024
"""Bytes of a body; Telegram's updates are far smaller."""
SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - a header's name, not a secret


def make_app(handle: Callable[[Any], Edit | None], secret: str | None) -> Flask:
    """The webhook. ``handle`` takes an Update as JSON, and may leave an edit to be made. Without a ``secret`` every
    update is refused (setWebhook).
    """
    app = Flask(__name__, static_folder=None)
    # One more than may be: a body that does not say how long it is gets cut off there, without a word.
    app.config["MAX_CONTENT_LENGTH"] = LARGEST + 1

    @app.get("/healthz")
    def healthz() -> Response:
        return _answer(200, "ok")

    @app.post("/telegram")
    def telegram() -> Response:
        if not _authentic(request.headers.getlist(SECRET_HEADER), secret):
            return _answer(401, "unauthorized")
        if request.mimetype != "application/json":
            return _answer(415, "json only")
        try:
            body = request.get_data(cache=False)
        except RequestEntityTooLarge:
            return _answer(413, "too large")
        if len(body) > LARGEST:
            return _answer(413, "too large")
        try:
            update = _read(body)
        except (ValueError, RecursionError):
            return _answer(400, "not json")
        taken = take(handle, update)
        if not taken.done:
            return _answer(503, "again")
        return _answer(200, "ok") if taken.edit is None else _call(taken.edit)

    return app


def _authentic(given: list[str], secret: str | None) -> bool:
    if not secret or len(given) != 1:
        return False
    return hmac.compare_digest(given[0].encode("utf-8", "replace"), secret.encode())


def _read(body: bytes) -> Any:
    """The JSON value of a body. Raises ValueError, RecursionError.

    Nothing in it can be garbage until it is whole, and to look for some again and again takes the collector longer than
    all the rest: 100 ms for a mebibyte of empty lists, read or refused. Who finds it paused, by another thread perhaps,
    leaves it alone: whoever pauses it sets it going again.
    """
    collecting = gc.isenabled()
    if collecting:
        gc.disable()
    try:
        return json.loads(body)
    finally:
        if collecting:
            gc.enable()


def _answer(status: int, text: str) -> Response:
    return Response(text, status, content_type="text/plain; charset=utf-8")


def _call(edit: Edit) -> Response:
    """200 with an edit for Telegram to make (Bot API, "Making requests when getting updates"), as
    :meth:`infra.telegram.BotTelegram.edit` words it.
    """
    call = {
        "method": "editMessageText",
        "chat_id": edit.place.chat,
        "message_id": edit.message_id,
        "text": edit.message.text,
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
        **({"reply_markup": inline(edit.message.keyboard)} if edit.message.keyboard else {}),
    }
    return Response(json.dumps(call), 200, content_type="application/json")
