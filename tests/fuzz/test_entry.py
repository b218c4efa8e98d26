"""Events as Lambda never gets them: a request is answered, a record done, dropped or named, and nothing crashes."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler import aws
from handler.ports import Nudge
from handler.webhook import LARGEST, SECRET_HEADER
from infra.timers.nudges import write_nudge
from tests.aws.events import record, request, update_request
from tests.aws.house import AwsFlow, house
from tests.aws.trouble import Trouble
from tests.flows.house import SECRET
from tests.fuzz.hostile import IDS, MARK, NODES, TEXTS, UPDATE, sized
from tests.fuzz.requests import REQUESTS, Request
from tests.fuzz.scene import discreet, listening
from tests.fuzz.strategies import ANYTHING, TEXT, mutated

REFUSALS: Final = frozenset({400, 401, 404, 405, 413, 415})

DROPPED: Final = frozenset(
    {
        "an event of no kind that is known here",
        "a record is none of the queue's, and is dropped",
        "a record is no nudge, and is dropped",
    }
)
"""What may be logged of an event that came from nowhere."""


@pytest.fixture(scope="module")
def standing() -> Iterator[tuple[AwsFlow, Trouble]]:
    """A bot with a match, which must go on at the end, and the calls that it makes."""
    trouble = Trouble()
    with house(watch=trouble) as made:
        made.begin()
        before = made.store.load(made.match().id)
        yield made, trouble
        assert made.store.load(made.match().id) == before
        made.press(made.ada, "Hawk", made.ada)
        assert made.match().box.keys() == {0}


@pytest.fixture
def trouble(standing: tuple[AwsFlow, Trouble]) -> Trouble:
    """The calls of this test."""
    standing[1].calls.clear()
    return standing[1]


@pytest.fixture(scope="module")
def bot(standing: tuple[AwsFlow, Trouble]) -> AwsFlow:
    return standing[0]


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


# --- records --------------------------------------------------------------------------------------


RECORD: Final = record(write_nudge(Nudge("nowhere", 1, 0)))


def other(**fields: Any) -> Any:
    """A good record with other fields; Ellipsis: without them."""
    return {name: value for name, value in {**RECORD, **fields}.items() if value is not ...}


def others(field: str, *values: Any) -> list[Any]:
    """A good record with each of these values in a field."""
    return [other(**{field: value}) for value in values]


def nudges(field: str, *values: Any) -> list[Any]:
    """A good nudge with each of these values in a field."""
    return [json.dumps({"match": "m", "alarm": 1, "at": 0, field: value}) for value in values]


NO_RECORDS: Final = [
    *(None, True, 5, MARK, [], [RECORD], {}, {"eventSource": "aws:sqs"}),
    *others("body", ..., None, 5, True, [MARK], {"match": MARK}),
    *others("messageId", ..., None, 5, "", [MARK]),
    *others("receiptHandle", ..., None, 5, {}),
    *others("attributes", ..., None, [], MARK, {}, {"ApproximateReceiveCount": 1}),
    *others(
        "attributes",
        *({"ApproximateReceiveCount": count} for count in ("", "x", "-1", "1.5", "\xb2", "9" * 5_000, "\ud800")),
    ),
]
NO_NUDGES: Final = others(
    "body",
    *TEXTS,
    "[" * 200_000,
    "9" * 5_000,
    "NaN",
    *nudges("match", None, "", 5, [], {}),
    *nudges("alarm", int("9" * 400), *(id for id in IDS if type(id) is not int or id < 0)),
    *nudges("at", None, "", -1, 1e999, [], True),
    *nudges("more", MARK),
)


@pytest.mark.parametrize("odd", [NO_RECORDS, NO_NUDGES], ids=["no records", "no nudges"])
def test_what_can_never_succeed_is_dropped_and_the_rest_of_its_batch_is_done(
    bot: AwsFlow, trouble: Trouble, odd: list[Any]
) -> None:
    for each in odd:
        trouble.calls.clear()
        with listening(DROPPED):
            assert bot.call({"Records": [RECORD, each, RECORD]}) == {"batchItemFailures": []}
        assert trouble.calls == ["GetItem"] * 2


def test_of_a_batch_that_cannot_be_begun_whatever_has_a_name_comes_again(
    bot: AwsFlow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never() -> None:
        raise OSError

    monkeypatch.setattr(aws, "process", never)
    failed = bot.call({"Records": [RECORD, *NO_RECORDS, other(messageId="second")]})
    assert failed == {"batchItemFailures": [{"itemIdentifier": RECORD["messageId"]}, {"itemIdentifier": "second"}]}


@pytest.mark.parametrize("at", [0, 1e-300, 2**53, 1e15, 1e308])
@pytest.mark.parametrize("alarm", [0, 2, 2**63, 10**200])
def test_a_nudge_of_any_numbers_is_done_or_waits(bot: AwsFlow, alarm: int, at: float) -> None:
    with listening():
        nudge = other(body=json.dumps({"match": bot.match().id, "alarm": alarm, "at": at}))
        assert bot.call({"Records": [nudge]}) == {"batchItemFailures": []}


@pytest.mark.parametrize("match", ["\ud800", "x" * 5_000, "\x00"])
def test_a_nudge_of_any_match_is_done_or_left_to_the_dead_letters(bot: AwsFlow, match: str) -> None:
    bad = other(body=json.dumps({"match": match, "alarm": 1, "at": 0}), messageId="bad")
    answer = bot.call({"Records": [bad, RECORD]})
    assert answer in ({"batchItemFailures": []}, {"batchItemFailures": [{"itemIdentifier": "bad"}]})


def test_a_record_that_is_tried_for_the_noughth_time_comes_again_as_after_the_first(
    bot: AwsFlow, trouble: Trouble
) -> None:
    body = write_nudge(Nudge("nowhere", 1, 0))
    trouble.decide = lambda name, n: "throttled" if name == "GetItem" else None
    assert bot.come_again(record(body, tries=0)) == {body: 2}
    trouble.decide = None


@settings(max_examples=100)
@given(records=st.lists(mutated([RECORD, other(body=MARK)]), max_size=3))
def test_a_batch_with_something_wrong_in_it_is_answered(bot: AwsFlow, records: list[Any]) -> None:
    with listening(DROPPED):
        answer = bot.call({"Records": [RECORD, *records, RECORD]})
    assert answer == {"batchItemFailures": []}


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


@pytest.mark.parametrize("records", [each for each in NODES if isinstance(each, list | str)], ids=repr)
def test_records_of_any_other_shape_come_to_nothing(bot: AwsFlow, records: Any) -> None:
    with listening(DROPPED):
        assert bot.call({"Records": records}) is None
