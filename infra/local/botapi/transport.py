"""The stand-in as an httpx transport: python-telegram-bot talks to a World in the same process, without a socket.

Use: ``Bot(TOKEN, request=HTTPXRequest(httpx_kwargs={"transport": WorldTransport(world)}))``. Trouble on the line is
raised as httpx itself raises it.
"""

from __future__ import annotations

import httpx
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from infra.local.botapi import wire
from infra.local.botapi.errors import UNAUTHORIZED
from infra.local.botapi.world import World

TOKEN = "7000000001:stand-in-token-for-one-process"  # noqa: S105 - opens no port
"""The one token this transport knows. A table that listens has another one, new with each start."""


class WorldTransport(httpx.AsyncBaseTransport):
    """Requests to ``…/bot<TOKEN>/<method>`` become calls of a World."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request. Raises httpx.ConnectError, ReadError or ReadTimeout where a fault says so."""
        token, _, method = request.url.path.rpartition("/bot")[2].partition("/")
        if token != TOKEN:
            return httpx.Response(401, json=UNAUTHORIZED.body())
        environ = EnvironBuilder(
            method=request.method,
            query_string=request.url.query.decode(),
            data=await request.aread(),
            content_type=request.headers.get("content-type"),
        ).get_environ()
        answer = self._world.call(method, wire.params(Request(environ)))
        if answer.trouble == "refuse":
            raise httpx.ConnectError("connection refused", request=request)
        if answer.trouble == "cut":
            raise httpx.ReadError("connection reset", request=request)
        if answer.trouble == "hang":
            raise httpx.ReadTimeout("no answer in time", request=request)
        return httpx.Response(answer.status, text=answer.text)
