"""HTTP requests of the bot, arriving in the simulated Telegram or not: what strikes there, and what the trace keeps."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import httpx
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from infra.local.botapi import errors, methods, wire
from infra.local.botapi.errors import Malformed, Refusal, bad_request, flood, forbidden
from infra.local.botapi.faults import Answer
from infra.local.botapi.methods import Upload
from infra.local.botapi.world import World
from infra.telegram import BotTelegram
from tests.drawn import legible
from tests.simulation.delivery import Brought
from tests.simulation.flood import Flood
from tests.simulation.schedule import Scheduler
from tests.simulation.trace import Call, Trace
from tests.simulation.weather import Fault, Weather

LATE_CUT: Final = 2.0
"""Seconds after which a connection is cut off at the latest."""

FORM: Final = "application/x-www-form-urlencoded"

BAD_GATEWAY: Final = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body></body></html>"

SAME_MEANING: Final[Mapping[str, Refusal]] = {
    errors.NO_TEXT_RIGHT.description: bad_request("CHAT_WRITE_FORBIDDEN"),
    errors.KICKED_SUPERGROUP.description: forbidden("bot is not a member of the supergroup chat"),
}
"""What the server may say just as well."""

SHOWN: Final = ("message_id", "date", "chat")
"""What is left of a message in an answer. The bot reads its number only, and most of a run would go into the rest."""

Json = dict[str, Any]
File = tuple[str, bytes, str]
"""Name, content and kind, as the bot's client hands a file on."""
R = TypeVar("R")


@dataclass(frozen=True)
class Response:
    """What the bot's client reads of an answer."""

    status_code: int
    content: bytes


@dataclass
class Exchange:
    """A call of the port, which may make several requests: by which process, about what, and the seconds that it has
    left and has spent.
    """

    process: int
    about: str
    left: float
    spent: float = 0.0
    failure: Exception | None = None


class Transport(httpx.AsyncBaseTransport):
    """One for all processes: they are in one thread, so that there is one exchange at a time."""

    def __init__(self, world: World, scheduler: Scheduler, weather: Weather, trace: Trace, random: Random) -> None:
        self._world = world
        self._scheduler = scheduler
        self._weather = weather
        self._trace = trace
        self._random = random
        self._flood = Flood()
        self._exchange = Exchange(0, "", 0.0)

    def exchange(self, process: int, about: str, seconds: float, make: Callable[[], R]) -> tuple[R, float]:
        """Make a call of the port, within ``seconds``. What comes of it, and the seconds that it has taken."""
        self._exchange = exchange = Exchange(process, about, seconds)
        result = make()
        if exchange.failure is not None:
            raise exchange.failure
        return result, exchange.spent

    def attach(self, bot: BotTelegram) -> None:
        """Let the calls of a bot whose transport this is come here as they are: to write them as HTTP, only to read
        them again, is a third of the work.
        """

        async def request(
            *, url: str, data: Mapping[str, str] | None, files: Mapping[str, File] | None, **more: Any
        ) -> Response:
            uploads = {name: Upload(*file) for name, file in (files or {}).items()}
            answer = self._arrive(url, wire.attached(data or {}, uploads))
            return Response(answer.status, answer.text.encode())

        bot._request._client.request = request  # type: ignore[method-assign, assignment]

    def carry(self, brought: Brought, about: str) -> None:
        """Carry out the call that an answer to an update holds, if it holds one; the bot hears nothing of that."""
        given = wire.reply(brought.content_type, brought.body)
        if given is None or brought.process is None:
            return
        method = given.pop("method")
        self._exchange = Exchange(brought.process, about, math.inf)
        if self._refusal(method, given) is not None:
            self._note(method, given, None, None, replied=True)
            return
        answer = self._world.replied(brought.content_type, brought.body)
        if answer is not None:
            self._note(method, given, self._carried_out(method, given, answer), None, replied=True)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Let a request arrive, or not. Raises httpx's errors for trouble on the line."""
        given = _params(request.headers.get("content-type", ""), await request.aread())
        answer = self._arrive(request.url.path, given)
        return httpx.Response(answer.status, content=answer.text.encode())

    def _arrive(self, path: str, given: Mapping[str, Any]) -> Answer:
        try:
            return self._answer(path.rpartition("/")[2], given)
        except httpx.TransportError:
            raise
        except Exception as error:  # python-telegram-bot would take it for trouble on the line
            self._exchange.failure = error
            raise

    def _answer(self, method: str, given: Mapping[str, Any]) -> Answer:
        if self._exchange.spent >= self._exchange.left:
            # No time is left for it. The bot's own clock is the wall's and does not know.
            raise httpx.ReadTimeout("no answer in time")
        if self._strikes("telegram connection refused"):
            raise httpx.ConnectError("connection refused")
        if self._strikes("telegram cut before"):
            self._note(method, given, None, None)
            raise self._cut()
        if self._strikes("telegram silent before"):
            self._note(method, given, None, None)
            raise self._silent()
        refusal = self._refusal(method, given)
        if refusal is not None:
            self._note(method, given, None, refusal.status, _wait(refusal))
            return refusal
        answer = self._carried_out(method, given, self._world.call(method, given))
        if self._strikes("telegram cut after"):
            self._note(method, given, answer, None)
            raise self._cut()
        if self._strikes("telegram silent after"):
            self._note(method, given, answer, None)
            raise self._silent()
        if self._strikes("telegram 500 after"):
            self._note(method, given, answer, 500)
            return _failed()
        if answer.status == 200 and self._strikes("telegram empty answer"):
            self._note(method, given, answer, 200)
            return Answer(200, "")
        result = self._note(method, given, answer, answer.status)
        return answer if result is None else _brief(result)

    # --- what strikes -----------------------------------------------------------------------------

    def _strikes(self, fault: Fault) -> bool:
        return self._weather.strikes(fault, self._exchange.process, self._exchange.about)

    def _cut(self) -> httpx.ReadError:
        self._exchange.spent += self._random.uniform(0, LATE_CUT)
        return httpx.ReadError("connection reset")

    def _silent(self) -> httpx.ReadTimeout:
        self._exchange.spent = self._exchange.left
        return httpx.ReadTimeout("no answer in time")

    def _refusal(self, method: str, given: Mapping[str, Any]) -> Answer | None:
        """What the call is answered instead of being done, if it is not."""
        if self._strikes("telegram 429"):
            seconds = self._random.choice((1, 2, 3, 5, 34, self._random.randint(30, 300)))
            return _refused(flood(seconds))
        if self._strikes("telegram 500"):
            return _failed()
        if self._strikes("telegram 502"):
            return Answer(502, BAD_GATEWAY)
        if method in ("editMessageText", "editMessageMedia") and self._strikes("telegram edit not found"):
            return _refused(self._random.choice((errors.EDIT_NOT_FOUND, errors.CANT_EDIT)))
        if method == "answerCallbackQuery" and self._strikes("telegram query too old"):
            return _refused(errors.QUERY_TOO_OLD)
        flooded = self._flood.refusal(method, given, self._scheduler.now)
        return None if flooded is None else _refused(flooded)

    # --- what is done -----------------------------------------------------------------------------

    def _carried_out(self, method: str, given: Mapping[str, Any], answer: Answer) -> Answer:
        if answer.status == 200:
            self._flood.count(method, given, self._scheduler.now)
            return answer
        same = SAME_MEANING.get(answer.body["description"])
        return answer if same is None or self._random.random() < 0.5 else _refused(same)

    def _note(
        self,
        method: str,
        given: Mapping[str, Any],
        answer: Answer | None,
        status: int | None,
        wait: float | None = None,
        *,
        replied: bool = False,
    ) -> Json | None:
        """``answer``: what Telegram would have answered, None if the call was not carried out. Returns the message that
        came of it, if one did.
        """
        try:
            params = methods.read(method, given)
        except Malformed:
            params = dict(given)
        done = answer is not None and answer.status == 200
        result = answer.body["result"] if answer is not None and done else None
        if not isinstance(result, dict) or "message_id" not in result:
            result = None
        message, text = params.get("message_id") if done else None, ""
        if result is not None:
            message = result["message_id"]
            text = result.get("text") or result.get("caption") or ""
        document = params.get("document")
        if isinstance(document, Upload) and message is not None:
            self._trace.files[message] = document.content
        params = legible(params)
        self._trace.add(
            Call(
                self._scheduler.now,
                self._exchange.process,
                method,
                params.get("chat_id"),
                params,
                done,
                status,
                message,
                text,
                wait,
                replied,
            )
        )
        return result


def _params(kind: str, body: bytes) -> dict[str, Any]:
    """The parameters of a call, as :func:`infra.local.botapi.wire.params` reads them."""
    if kind == FORM:
        return dict(parse_qsl(body.decode(), keep_blank_values=True))
    if not body:
        return {}
    return wire.params(Request(EnvironBuilder(method="POST", data=body, content_type=kind).get_environ()))


def _wait(answer: Answer) -> float | None:
    """The seconds that an answer asks to wait."""
    return answer.body["parameters"]["retry_after"] if answer.status == 429 else None


def _brief(message: Json) -> Answer:
    return Answer(200, json.dumps({"ok": True, "result": {name: message[name] for name in SHOWN}}))


def _refused(refusal: Refusal) -> Answer:
    return Answer(refusal.code, json.dumps(refusal.body()))


def _failed() -> Answer:
    return _refused(Refusal(500, "Internal Server Error"))
