"""The local table: the stand-in for the Bot API and its page, served together on this machine only."""

from __future__ import annotations

import errno
import secrets
import socket
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from waitress import wasyncore
from waitress.server import create_server
from waitress.trigger import trigger

from infra.clock import SystemClock
from infra.local import page, scene
from infra.local.botapi import server
from infra.local.botapi.delivery import Delivery
from infra.local.botapi.state import BOT_ID
from infra.local.botapi.world import World
from infra.local.clock import TableClock
from infra.stores.schema import UnusableFile

ADDRESS = "127.0.0.1"
THREADS = 48
"""Each open page and each waiting call keeps one busy."""
BODY_BYTES = 8 * 1024 * 1024
CALLS_REMEMBERED = 2_000
"""Enough for a long match; a table may stand for weeks."""


class PortTaken(Exception):
    """Another program listens on the port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"Port {port} is taken by another program. Choose another one: make play PORT={port + 1}")


class LocalTable:
    """Listens from the start; delivers updates from :meth:`start` on. ``port`` 0 chooses a free one.

    ``path``: the SQLite file that keeps the simulated Telegram, None to keep nothing. ``token`` is the bot's, new with
    each start: whoever could guess it could call the Bot API from another site's page. Raises PortTaken, UnusableFile.
    """

    def __init__(self, path: Path | None, port: int, clock: TableClock) -> None:
        try:
            listening = socket.create_server((ADDRESS, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise PortTaken(port) from error
            raise
        self.port = int(listening.getsockname()[1])
        self.address = f"http://{ADDRESS}:{self.port}"
        self.token = f"{BOT_ID}:{secrets.token_urlsafe(26)}"
        try:
            self.world = World(clock, path, SystemClock(), CALLS_REMEMBERED)
        except UnusableFile:
            listening.close()
            raise
        self._closing = threading.Event()
        self.app = create_app(self.world, clock, self.token, self._closing)
        # Any: the published types of waitress describe neither its map of sockets nor its trigger as they are.
        self._sockets: Any = {}
        self._stop: Any = trigger(self._sockets)
        self._server = create_server(
            self.app,
            self._sockets,
            sockets=[listening],
            threads=THREADS,
            channel_request_lookahead=1,
            max_request_body_size=BODY_BYTES,
        )
        self._delivery: Delivery | None = None
        self._thread = threading.Thread(target=self._server.run, name="local table", daemon=True)
        self._thread.start()

    def start(self, webhook: str, secret: str) -> None:
        """Set the scene, unless it was kept, and push updates to the webhook from now on."""
        self.world.call("setWebhook", {"url": webhook, "secret_token": secret})
        scene.open_table(self.world)
        self._delivery = Delivery(self.world, webhook, secret)
        self._delivery.start()

    def close(self) -> None:
        """Stop delivering and listening; what is kept stays kept."""
        if self._delivery is not None:
            self._delivery.close()
        self._closing.set()
        self.world.events.wake()
        self._server.task_dispatcher.shutdown()
        # The server's sockets belong to its own thread: they are closed there.
        self._stop.pull_trigger(lambda: wasyncore.close_all(self._sockets, ignore_all=True))
        self._thread.join()
        self.world.close()


def create_app(world: World, clock: TableClock, token: str, closing: threading.Event) -> Flask:
    """The page and the Bot API as one Flask app that answers this machine's own browser and bot only."""
    app = Flask("infra.local")
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES
    app.register_blueprint(server.blueprint(world, token, closing))
    app.register_blueprint(page.blueprint(world, clock, closing))
    app.before_request(_only_from_here)
    app.after_request(_careful)
    return app


def _only_from_here() -> None:
    """Refuse names that another site could point at this machine, and requests that another site's page makes."""
    if _host_name() not in (ADDRESS, "localhost"):
        abort(403, "This table answers on 127.0.0.1 and localhost only.")
    origin = request.headers.get("Origin")
    from_elsewhere = origin is not None and origin != request.host_url.rstrip("/")
    # Browsers send no Origin with a picture's or a link's GET, but all say whose page asks for it.
    if from_elsewhere or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        abort(403, "This table follows no other site. Please type its address into the browser yourself.")


def _host_name() -> str | None:
    try:
        return urlsplit(f"//{request.host}").hostname
    except ValueError:  # a bracket without its other half
        return None


def _careful(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = (
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response
