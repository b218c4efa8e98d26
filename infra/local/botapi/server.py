"""The stand-in over HTTP: ``/bot<token>/<method>`` as a Flask blueprint."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, request

from infra.local.botapi import wire
from infra.local.botapi.errors import UNAUTHORIZED
from infra.local.botapi.world import World

LONGEST_POLL = 50.0
"""Seconds that getUpdates waits at most."""
HANG = 30.0
"""Seconds without an answer, where a fault asks for it: longer than the bot waits."""


def blueprint(world: World, token: str, closing: threading.Event) -> Blueprint:
    """The Bot API of a world, for whoever has its ``token``. Once ``closing`` is set, calls that wait come back."""
    api = Blueprint("botapi", __name__)

    @api.route("/bot<given>/<method>", methods=["GET", "POST"])
    def call(given: str, method: str) -> Response:
        if not secrets.compare_digest(given.encode(), token.encode()):
            return Response(json.dumps(UNAUTHORIZED.body()), 401, content_type="application/json")
        params = wire.params(request)
        if method == "getUpdates":
            _wait_for_updates(world, params, closing)
        answer = world.call(method, params)
        if answer.trouble == "hang":
            closing.wait(HANG)
        if answer.trouble is not None:
            # A body shorter than it says: the server closes the connection in the middle of it.
            return Response(_half(), headers={"Content-Length": "1000"})
        return Response(answer.text, answer.status, content_type="application/json")

    return api


def _wait_for_updates(world: World, params: dict[str, Any], closing: threading.Event) -> None:
    """Long polling: return when an update from ``offset`` on waits, or after ``timeout`` seconds."""
    timeout, offset = (str(params.get(name, 0)) for name in ("timeout", "offset"))
    if not timeout.isdecimal() or not offset.isdecimal():
        return
    until = time.monotonic() + min(int(timeout), LONGEST_POLL)
    with world.desk.queued:
        while not any(update["update_id"] >= int(offset) for update in world.pending()):
            left = until - time.monotonic()
            if left <= 0 or closing.is_set():
                return
            world.desk.queued.wait(min(left, 1.0))


def _half() -> Iterator[bytes]:
    yield b'{"ok":'
