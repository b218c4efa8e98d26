"""A Bot API over HTTP that answers as a test tells it, well or badly, and remembers what it was asked."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Event, Thread
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header

TOKEN = "123456:the-secret-of-the-bot"

USER = {"id": 123456, "is_bot": True, "first_name": "Raven", "username": "raven_dog_bot"}
MESSAGE = {"message_id": 77, "date": 1764489600, "chat": {"id": -5, "type": "group", "title": "G"}, "text": "t"}
RESULTS: dict[str, Any] = {
    "getMe": USER,
    "sendMessage": MESSAGE,
    "sendDocument": MESSAGE,
    "sendPhoto": MESSAGE,
    "editMessageText": MESSAGE,
    "editMessageMedia": MESSAGE,
    "getChatMember": {"status": "left", "user": {"id": 5, "is_bot": False, "first_name": "Ada"}},
    "getUpdates": [],
}


@dataclass(frozen=True)
class Answer:
    """A response, or trouble after the request was read: no response ever, none and an end, or half of one."""

    status: int = 200
    body: bytes = b""
    trouble: Literal["hang", "cut", "half"] | None = None

    @classmethod
    def error(cls, status: int, description: str, **parameters: int) -> Answer:
        body: dict[str, Any] = {"ok": False, "error_code": status, "description": description}
        if parameters:
            body["parameters"] = parameters
        return cls(status, json.dumps(body).encode())

    @classmethod
    def result(cls, result: Any) -> Answer:
        return cls(body=json.dumps({"ok": True, "result": result}).encode())


@dataclass(frozen=True)
class Call:
    method: str
    params: dict[str, str]
    files: dict[str, tuple[str | None, bytes]]


class ScriptedApi:
    """``script`` holds answers in turn for each method; without any, a call succeeds."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.script: defaultdict[str, list[Answer]] = defaultdict(list)
        self.ended = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def counts(self, method: str) -> int:
        return sum(call.method == method for call in self.calls)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                self.answer()

            def do_POST(self) -> None:
                self.answer()

            def answer(self) -> None:
                call = self.read()
                api.calls.append(call)
                script = api.script[call.method]
                answer = script.pop(0) if script else Answer.result(RESULTS.get(call.method, True))
                if answer.trouble == "hang":
                    api.ended.wait()
                if answer.trouble in ("hang", "cut"):
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer.body) + (answer.trouble == "half")))
                self.end_headers()
                self.wfile.write(answer.body)
                self.close_connection = answer.trouble == "half"

            def read(self) -> Call:
                url = urlsplit(self.path)
                root, token, method = url.path.partition(f"/bot{TOKEN}/")
                assert (root, token) == ("", f"/bot{TOKEN}/")
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                kind, options = parse_options_header(self.headers.get("Content-Type", ""))
                _, form, files = FormDataParser().parse(BytesIO(body), kind, len(body), options)
                uploads = {}
                for name, file in files.items():
                    uploads[name] = (file.filename, file.read())
                    file.close()
                return Call(method, {**dict(parse_qsl(url.query)), **form.to_dict()}, uploads)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler
