"""What is measured stands in a process of its own, served by the same HTTP server whatever it is."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.managers import BaseManager
from threading import Thread
from typing import Final, Protocol, TypeVar

from flask import Flask
from waitress.server import create_server

HOST: Final = "127.0.0.1"
THREADS: Final = 40
"""Of each server: as many as Telegram opens connections to a webhook (setWebhook: max_connections)."""


class Closable(Protocol):
    """Whatever has something to end."""

    def close(self) -> None: ...


T = TypeVar("T", bound=Closable)


class _Process(BaseManager):
    """A process with objects that others call."""


@contextmanager
def elsewhere(kind: Callable[..., T], *given: object) -> Iterator[T]:
    """An object in a new process, closed at the end. Its methods can be called from any thread here; what they take and
    return is pickled.
    """
    _Process.register(kind.__name__, kind)
    with _Process(ctx=get_context("spawn")) as process:
        made: T = getattr(process, kind.__name__)(*given)
        try:
            yield made
        finally:
            made.close()


def serve(app: Flask) -> str:
    """Serve an app on this machine until the process ends. Returns its address."""
    listening = socket.create_server((HOST, 0))
    server = create_server(app, sockets=[listening], threads=THREADS)
    Thread(target=server.run, name="server", daemon=True).start()
    return f"http://{HOST}:{listening.getsockname()[1]}"
