"""Connections to the Bot API that survive a frozen process.

Between two events Lambda freezes the process, for minutes. Meanwhile a connection may die at its other end or on the
way, and what says so never arrives: what is written to it then is answered by nobody. httpx would not use a connection
again after five idle seconds, but it reads the monotonic clock, of which nobody promises that it goes on in a freeze.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import httpx

LONGEST_IDLE: Final = 5.0
"""Seconds after which a connection is not used again, by either clock. As httpx has it by itself."""


class FreshConnections(httpx.AsyncBaseTransport):
    """A transport that begins anew when, by the clock on the wall, it has been idle for too long. (That clock is right
    after a freeze: AWS refuses requests that are signed by a wrong one.) Until then connections stay warm.
    """

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        self._wall = wall
        self._context = httpx.create_ssl_context()
        self._limits = httpx.Limits(keepalive_expiry=LONGEST_IDLE)
        self._transport = self._make()
        self._used = wall()
        self._running = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        idle = self._wall() - self._used
        if not self._running and not 0 <= idle < LONGEST_IDLE:
            stale, self._transport = self._transport, self._make()
            self._used = self._wall()  # for calls that begin while the old one is closed
            await stale.aclose()
        self._running += 1
        try:
            return await self._transport.handle_async_request(request)
        finally:
            self._running -= 1
            self._used = self._wall()

    async def aclose(self) -> None:
        await self._transport.aclose()

    def _make(self) -> httpx.AsyncHTTPTransport:
        # The context is the costly part, and has nothing to do with any connection.
        return httpx.AsyncHTTPTransport(verify=self._context, limits=self._limits)
