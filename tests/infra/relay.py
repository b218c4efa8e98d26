"""A way to a server on this machine that can go dead as it does while a process is frozen: without a word."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit


class Relay:
    """Carries bytes to the server at ``address`` and back, on connections that :meth:`freeze` leaves for dead.

    A dead connection takes bytes and answers none. It is not closed, so that its client cannot know; a new one works.
    ``address`` leads through here, ``behind`` to the server itself.
    """

    def __init__(self, address: str) -> None:
        self.behind = address
        parts = urlsplit(address)
        self._server = (parts.hostname or "", parts.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._alive: list[tuple[socket.socket, socket.socket]] = []
        self._sockets: list[socket.socket] = []
        self.accepted = 0
        self.lost = 0
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads = [Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def freeze(self) -> None:
        """All connections that are open now are dead from here on."""
        self._alive.clear()

    def close(self) -> None:
        """Close everything."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._threads[0].join()
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads[1:]:
            thread.join()
        for each in self._sockets:
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            server = socket.create_connection(self._server)
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets += (client, server)
            pair = (client, server)
            self._alive.append(pair)
            for source, goal in (pair, pair[::-1]):
                thread = Thread(target=self._carry, args=(pair, source, goal), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _carry(self, pair: tuple[socket.socket, socket.socket], source: socket.socket, goal: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if pair in self._alive:
                    goal.sendall(data)
                else:
                    self.lost += 1
            if pair in self._alive:
                goal.shutdown(socket.SHUT_WR)
