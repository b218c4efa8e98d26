"""The local table's web page over HTTP: what it shows, what happens, and what its reader does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from infra.local import doings, scene
from infra.local.botapi.checks import PNG
from infra.local.botapi.people import NotPossible
from infra.local.botapi.shelf import Json
from infra.local.botapi.state import BOT_ID, BOT_NAME, BOT_USERNAME
from infra.local.botapi.world import World
from infra.local.clock import SPEEDS, TableClock

LOOK_EVERY = 1.0
"""Seconds after which an idle stream looks whether anybody still listens."""
SIGN_OF_LIFE = 15
"""Looks after which it says something, so that the browser notices a dead connection too."""
RECONNECT = 1_000
"""Milliseconds after which the browser connects again."""


def blueprint(world: World, clock: TableClock, closing: threading.Event) -> Blueprint:
    """The page of a world. Once ``closing`` is set, streams end."""
    page = Blueprint("page", __name__, template_folder="templates", static_folder="static")

    @page.get("/")
    def index() -> str:
        bot = {"id": BOT_ID, "name": BOT_NAME, "username": BOT_USERNAME}
        return render_template("table.html", bot=bot, speeds=SPEEDS)

    @page.get("/table/state")
    def state() -> Json:
        return {**scene.snapshot(world), "clock": doings.time(clock)}

    @page.get("/table/events")
    def events() -> Response:
        after = request.headers.get("Last-Event-ID") or request.args.get("after", "")
        gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
        stream = _stream(world, after, lambda: closing.is_set() or gone())
        return Response(stream, mimetype="text/event-stream")

    @page.get("/table/file/<id>")
    def file(id: str) -> Response:
        content = world.file(id)
        if content is None:
            abort(404)
        kind = "image/png" if content.startswith(PNG) else "application/octet-stream"
        return Response(content, mimetype=kind)

    @page.post("/table/<name>")
    def do(name: str) -> Json:
        doing = doings.DOINGS.get(name)
        if doing is None:
            abort(404)
        try:
            given = request.get_json()
        except RecursionError:
            abort(400, "A JSON object less deeply nested is expected.")
        if not isinstance(given, dict):
            abort(400, "A JSON object is expected.")
        return doing(world, clock, given)

    @page.errorhandler(NotPossible)
    def not_possible(error: NotPossible) -> tuple[Response, int]:
        return jsonify(why=str(error)), 409

    @page.errorhandler(HTTPException)
    def wrong_request(error: HTTPException) -> tuple[Response, int]:
        return jsonify(why=error.description), error.code or 500

    return page


def _stream(world: World, after: str, is_over: Callable[[], bool]) -> Iterator[str]:
    """Server-sent events from ``after`` on. An event ``lost`` means: too much was missed, fetch the state anew."""
    yield f"retry: {RECONNECT}\n\n"
    looks = 0
    while not is_over():
        events = world.events.after(after, LOOK_EVERY)
        if events is None:
            yield "event: lost\ndata: {}\n\n"
            return
        for event in events:
            yield f"id: {event.id}\nevent: {event.kind}\ndata: {json.dumps(event.data, ensure_ascii=False)}\n\n"
            after = event.id
        looks = 0 if events else looks + 1
        if looks == SIGN_OF_LIFE:
            looks = 0
            yield ": still here\n\n"
