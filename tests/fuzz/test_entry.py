"""Events as Lambda never gets them: a request is answered, a record done, dropped or named, and nothing crashes."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler.webhook import LARGEST, SECRET_HEADER
from tests.aws.events import request, update_request
from tests.aws.house import AwsFlow
from tests.aws.trouble import Trouble
from tests.flows.house import SECRET
from tests.fuzz.hostile import MARK, UPDATE, sized
from tests.fuzz.requests import REQUESTS, Request
from tests.fuzz.scene import DROPPED, discreet, listening
from tests.fuzz.strategies import ANYTHING, TEXT, mutated

REFUSALS: Final = frozenset({400, 401, 404, 405, 413, 415})


def answered(bot: AwsFlow, event: Any) -> int:
    """The status of a request's answer, which says little; the match stays as it is, and nobody is told anything."""
    calls = len(bot.world.calls)
    answer = bot.call(event)
    assert answer is not None
    assert answer["isBase64Encoded"] is False
    discreet(answer["body"], answer["headers"])
    assert len(bot.world.calls) == calls
    return int(answer["statusCode"])


# --- requests -------------------------------------------------------------------------------------


def as_event(sent: Request) -> Any:
    """The event that API Gateway makes of a request."""
    path, _, query = sent.path.partition("?")
    headers: dict[str, str] = {}
    for name, value in sent.headers:
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    event = request(sent.body, headers, base64=True, method=sent.method, path=path)
    return {**event, "rawQueryString": query}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.name)
def test_each_request_gets_its_status(bot: AwsFlow, request_: Request) -> None:
    with listening():
        assert answered(bot, as_event(request_)) == request_.status


def test_a_body_that_came_in_chunks_is_whole(bot: AwsFlow) -> None:
    """Whoever took it apart on the way has put it together again."""
    headers = {"Content-Type": "application/json", SECRET_HEADER: SECRET, "Transfer-Encoding": "chunked"}
    for body, status in ((sized(LARGEST), 200), (sized(LARGEST + 1), 413), (b"{", 400)):
        assert answered(bot, request(body, headers)) == status


GOOD: Final = update_request({"update_id": 1})


def but(**fields: Any) -> Any:
    """A good event with other fields; Ellipsis: without them."""
    return {name: value for name, value in {**GOOD, **fields}.items() if value is not ...}


def http(**fields: Any) -> Any:
    """A good event with other fields about HTTP."""
    about = {name: value for name, value in {**GOOD["requestContext"]["http"], **fields}.items() if value is not ...}
    return but(requestContext={**GOOD["requestContext"], "http": about})


def headed(**headers: Any) -> Any:
    """A good event with more headers; a name's underlines stand for its hyphens."""
    return but(headers={**GOOD["headers"], **{name.replace("_", "-"): value for name, value in headers.items()}})


UNREADABLE: Final = {
    "base64 that is none": but(body="s?a", isBase64Encoded=True),
    "base64 cut off": but(body=b64encode(UPDATE).decode()[:-3], isBase64Encoded=True),
    "base64 in other letters": but(body="☃" * 4, isBase64Encoded=True),
    "nothing in base64": but(body="", isBase64Encoded=True),
    "a lone surrogate for a body": but(body='{"update_id": 1, "x": "\ud800"}'),
    "no body": but(body=...),
    "null for a body": but(body=None),
    "a number for a body": but(body=7),
    "an object for a body": but(body={"update_id": 1}),
    "a list for a body": but(body=[1]),
    "true for a body": but(body=True),
    "no headers": but(headers=...),
    "null for headers": but(headers=None),
    "a list of headers": but(headers=[["content-type", "application/json"]]),
    "a text for headers": but(headers=MARK),
    "a header of null": headed(content_type=None),
    "a header of a number": headed(content_type=5),
    "a secret of null": headed(x_telegram_bot_api_secret_token=None),
    "a secret of a number": headed(x_telegram_bot_api_secret_token=5),
    "a secret of a list": headed(x_telegram_bot_api_secret_token=[SECRET]),
    "a host of null": headed(host=None),
    "a cookie of a number": headed(cookie=1),
    "cookies of numbers": but(cookies=[1]),
    "cookies of null": but(cookies=None),
    "no path": but(rawPath=...),
    "null for a path": but(rawPath=None),
    "a number for a path": but(rawPath=5),
    "a path outside latin-1": but(rawPath="/☃"),
    "a lone surrogate in a path": but(rawPath="/telegram\ud800"),
    "no query": but(rawQueryString=...),
    "no method": http(method=...),
    "null for a method": http(method=None),
    "a number for a method": http(method=5),
    "no protocol": http(protocol=...),
    "no address": http(sourceIp=...),
}
"""What no HTTP API writes, by what is wrong: it would be no better if it were brought again."""


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_event_that_is_no_request_is_refused(bot: AwsFlow, name: str) -> None:
    with listening():
        assert answered(bot, UNREADABLE[name]) in REFUSALS


ODD: Final = {
    "a path in other letters": (but(rawPath="/\xff\xfe"), 404),
    "an empty path": (but(rawPath=""), 404),
    "a path of zeros": (but(rawPath="/\x00\x00"), 404),
    "an endless path": (but(rawPath="/" + "a" * 100_000), 404),
    "a secret that is a lone surrogate": (headed(x_telegram_bot_api_secret_token="\ud800"), 401),
    "a type that is a lone surrogate": (headed(content_type="\ud800"), 415),
    "a lone surrogate in a header": (headed(x_future="\ud800"), 200),
    "a header without a name": (but(headers={**GOOD["headers"], "": MARK}), 200),
    "a header named in other letters": (but(headers={**GOOD["headers"], "☃\ud800": MARK}), 200),
    "a port of letters": (headed(x_forwarded_port=MARK), 200),
    "a scheme of its own": (headed(x_forwarded_proto=MARK), 200),
    "a length that lies": (headed(content_length="-5"), 200),
    "a method of another language": (http(method="☃"), 405),
    "an empty method": (http(method=""), 405),
    "more fields than there are": (but(future={"x": [MARK]}), 200),
    "base64 as a word": (but(isBase64Encoded=None), 200),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_event_gets_the_status_of_its_request(bot: AwsFlow, name: str) -> None:
    event, status = ODD[name]
    with listening():
        assert answered(bot, event) == status


@settings(max_examples=100)
@given(event=mutated([GOOD, update_request({"update_id": 1}, base64=True), as_event(REQUESTS[0])]))
def test_a_request_with_something_wrong_in_it_is_answered(bot: AwsFlow, event: Any) -> None:
    with listening(DROPPED):
        answer = bot.call(event)
    match event:
        case {"version": "2.0", "requestContext": {"http": {}}}:
            assert answer is not None
            assert answer["statusCode"] in {200, *REFUSALS}
            discreet(answer["body"], answer["headers"])
        case _:
            assert answer is None


# --- and anything else ----------------------------------------------------------------------------


@settings(max_examples=100)
@given(
    event=ANYTHING | st.dictionaries(st.sampled_from(("version", "Records", "act", "requestContext")) | TEXT, ANYTHING)
)
def test_any_other_event_comes_to_nothing(standing: tuple[AwsFlow, Trouble], event: Any) -> None:
    bot, trouble = standing
    trouble.calls.clear()
    with listening(DROPPED):
        assert bot.call(event) is None
    assert trouble.calls == []
