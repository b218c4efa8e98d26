"""Updates to a webhook, as Telegram sends them, and how long each takes to be answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from benchmarks.press_bot import SECRET
from handler.webhook import SECRET_HEADER

HEADERS = {"Content-Type": "application/json", SECRET_HEADER: SECRET}


@dataclass(frozen=True)
class Posted:
    """An update that was answered 200: when it was sent and when the whole answer was there (monotonic seconds), the
    bytes of a Bot API call that came with the answer, 0 if none did, and the id of the press, if it is one.
    """

    sent: float
    answered: float
    rode: int
    query: str | None

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.answered - self.sent


class Line:
    """One connection to a webhook, kept open, for one thread at a time. A call of the Bot API that comes with an answer
    is handed to ``carry_out`` after the answer's time has been taken: Telegram does that on its side.
    """

    def __init__(self, address: str, path: str, carry_out: Callable[[str, Mapping[str, Any]], None]) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc)
        self._path = path
        self._carry_out = carry_out

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def post(self, update: Mapping[str, Any]) -> Posted:
        """Send an update. Raises RuntimeError if it is not answered 200."""
        body = json.dumps(update).encode()
        sent = monotonic()
        self._connection.request("POST", self._path, body, HEADERS)
        response = self._connection.getresponse()
        answer = response.read()
        answered = monotonic()
        if response.status != 200:
            raise RuntimeError(f"{self._path} answered {response.status}")
        rides = response.headers.get_content_type() == "application/json"
        if rides:
            call = json.loads(answer)
            self._carry_out(call.pop("method"), call)
        query = update.get("callback_query", {}).get("id")
        return Posted(sent, answered, len(answer) if rides else 0, query)
