"""A request of the corpus on its way: by Flask's test client, or as bytes over a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPResponse
from typing import Final
from urllib.parse import unquote_to_bytes

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server
from werkzeug.test import TestResponse

from tests.fuzz.requests import Request

PATIENCE: Final = 20.0
"""Seconds after which a server that says nothing has failed a test."""


def by_client(client: FlaskClient, request: Request) -> TestResponse:
    """The answer, and nothing between: what the server makes of a path and of a repeated header is done here."""
    path, _, query = request.path.partition("?")
    headers: dict[str, str] = {}
    for name, value in request.headers:
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    environ = {"PATH_INFO": unquote_to_bytes(path).decode("latin-1"), "QUERY_STRING": query}
    return client.open(method=request.method, data=request.body, headers=headers, environ_overrides=environ)


@dataclass(frozen=True)
class Answer:
    """What came over the socket."""

    status: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)


@contextmanager
def serving(app: Flask) -> Iterator[int]:
    """The app behind the server of the local table (:mod:`handler.wiring`), with its port."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def in_bytes(request: Request, *, counted: bool = True) -> bytes:
    """The request in HTTP/1.1; not ``counted``: without its length."""
    lines = [f"{request.method} {request.path} HTTP/1.1"]
    if not any(name == "Host" for name, _ in request.headers):
        lines.append("Host: bot.test")
    lines += [f"{name}: {value}" for name, value in request.headers]
    if counted:
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + request.body


def chunked(body: bytes, size: int = 4_096) -> bytes:
    """A body in chunks, with the last one that says that it is the last."""
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\n\r\n"


def over_socket(port: int, sent: bytes, method: str = "POST") -> Answer:
    """Send bytes, say no more, and read the answer."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        response = HTTPResponse(line, method=method)
        response.begin()
        text = response.read().decode()
        return Answer(response.status, text, dict(response.headers))
