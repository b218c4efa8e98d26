"""The function's entry: what it makes of each kind of event, and what of one that comes to nothing."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from handler import aws
from handler.ports import Nudge
from infra.timers.nudges import write_nudge
from tests.aws.events import Invocation, lines, record, request, update_request
from tests.aws.house import AwsFlow, house
from tests.aws.trouble import KINDS, NAMES, Kind, Trouble
from tests.flows.house import SECRET
from tests.shared import ROOT

HEADER = "X-Telegram-Bot-Api-Secret-Token"
JSON = {"Content-Type": "application/json"}
Idle = tuple[AwsFlow, Trouble]


@pytest.fixture(scope="module")
def standing() -> Iterator[Idle]:
    """A bot that many tests ask, since one is slow to make."""
    trouble = Trouble()
    with house(watch=trouble) as made:
        yield made, trouble


@pytest.fixture
def idle(standing: Idle) -> Idle:
    """A bot without a match, and its trouble."""
    bot, trouble = standing
    bot.context = Invocation()
    trouble.decide = None
    trouble.calls.clear()
    return bot, trouble


# --- requests -------------------------------------------------------------------------------------


def test_an_update_is_answered_as_api_gateway_wants_it(idle: Idle) -> None:
    bot, _ = idle
    assert bot.call(update_request({"update_id": 1})) == {
        "statusCode": 200,
        "headers": {"content-type": "text/plain; charset=utf-8", "content-length": "2"},
        "cookies": [],
        "isBase64Encoded": False,
        "body": "ok",
    }


@pytest.mark.parametrize(
    ("event", "status", "body"),
    [
        (request(b"", {}, method="GET", path="/healthz"), 200, "ok"),
        (update_request({"update_id": 1}, base64=True), 200, "ok"),
        (update_request({"update_id": 1}, secret="guessed"), 401, "unauthorized"),
        (update_request({"update_id": 1}, secret=f"{SECRET},{SECRET}"), 401, "unauthorized"),
        (update_request({"update_id": 1}, secret=f"guessed,{SECRET}"), 401, "unauthorized"),
        (request(b"{}", JSON), 401, "unauthorized"),
        (request(b"{}", {HEADER: SECRET}), 415, "json only"),
        (update_request(b"{"), 400, "not json"),
        (update_request(b"0" * (1024 * 1024 + 1)), 413, "too large"),
        (request(b"", {}, method="GET", path="/elsewhere"), 404, None),
    ],
)
def test_each_request_gets_its_answer(idle: Idle, event: Any, status: int, body: str | None) -> None:
    """Repeated headers come as one, joined by commas: two secrets prove nothing."""
    bot, _ = idle
    answer = bot.call(event)
    assert answer is not None
    assert answer["statusCode"] == status
    assert body in (None, answer["body"])


def test_a_request_that_is_not_one_of_api_gateways_is_answered_too(
    idle: Idle, caplog: pytest.LogCaptureFixture
) -> None:
    """Brought again it would be no better, so it is not asked for again."""
    bot, _ = idle
    event = {**update_request({"update_id": 1}), "headers": None}
    assert (bot.call(event) or {})["statusCode"] == 400
    assert lines(caplog) == [("an event is no request", {"error": "AttributeError"})]


# --- records --------------------------------------------------------------------------------------


def test_a_record_that_is_no_nudge_is_dropped(idle: Idle, caplog: pytest.LogCaptureFixture) -> None:
    bot, _ = idle
    assert bot.come_again(record("s?a")) == {}
    assert lines(caplog) == [("a record is no nudge, and is dropped", {})]


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_that_failed_comes_again_soon_and_the_others_do_not(
    idle: Idle, caplog: pytest.LogCaptureFixture, kind: Kind
) -> None:
    bot, trouble = idle
    bodies = [write_nudge(Nudge(match, 1, bot.clock.now())) for match in ("first", "second", "third")]
    trouble.decide = lambda name, n: kind if (name, n) == ("GetItem", 2) else None
    assert bot.come_again(*(record(body) for body in bodies)) == {bodies[1]: 2}
    warnings = [line for line in lines(caplog) if line[0] == "a nudge is to come again"]
    assert warnings == [(warnings[0][0], {"match": "second", "error": NAMES[kind], "call": "GetItem"})]


@pytest.mark.parametrize(("tries", "seconds"), [(1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 60), (5_000, 60)])
def test_how_soon_grows_with_every_try(idle: Idle, tries: int, seconds: int) -> None:
    bot, trouble = idle
    trouble.decide = lambda name, n: "throttled" if name == "GetItem" else None
    body = write_nudge(Nudge("match", 1, 0))
    assert bot.come_again(record(body, tries=tries)) == {body: seconds}


def test_a_record_that_cannot_be_made_to_come_soon_comes_late(idle: Idle, caplog: pytest.LogCaptureFixture) -> None:
    bot, trouble = idle
    trouble.decide = lambda name, n: "denied" if name in ("GetItem", "ChangeMessageVisibility") else None
    body = write_nudge(Nudge("match", 1, 0))
    assert bot.come_again(record(body)) == {body: 0}
    assert lines(caplog)[-1] == (
        "a record comes again late",
        {"error": "Denied", "call": "ChangeMessageVisibility"},
    )


def test_a_record_without_time_for_it_is_not_begun(idle: Idle) -> None:
    bot, trouble = idle
    bot.context = Invocation(aws.RESERVE - 0.1)
    body = write_nudge(Nudge("match", 1, 0))
    assert bot.come_again(record(body)) == {body: 2}
    assert trouble.calls == ["ChangeMessageVisibility"]


# --- what AWS finds wrong each time ---------------------------------------------------------------


def test_an_update_that_the_store_refuses_for_good_is_not_brought_again(
    idle: Idle, caplog: pytest.LogCaptureFixture
) -> None:
    """For a day it would block whatever else is done in its chat."""
    bot, trouble = idle
    trouble.decide = lambda name, n: "invalid"
    update = {"update_id": 1, "my_chat_member": None, "message": said(bot)}
    assert bot.post(update) == 200
    assert lines(caplog) == [
        ("a profile was not kept", {"error": "Invalid", "call": "GetItem"}),  # for which nobody waits
        ("an update failed", {"error": "Invalid", "call": "GetItem"}),
    ]
    assert caplog.records[-1].levelno == logging.ERROR


def said(bot: AwsFlow) -> Any:
    """A message for which the store is asked."""
    who = {"id": bot.ada, "is_bot": False, "first_name": "Ada"}
    entities = [{"type": "bot_command", "offset": 0, "length": 7}]
    about = {"message_id": 1, "date": 0, "text": "/status", "entities": entities}
    return {**about, "from": who, "chat": {"id": bot.ada, "type": "private", "first_name": "Ada"}}


def test_a_nudge_that_the_store_refuses_for_good_goes_to_the_dead_letters(
    idle: Idle, caplog: pytest.LogCaptureFixture
) -> None:
    bot, trouble = idle
    trouble.decide = lambda name, n: "invalid" if name == "GetItem" else None
    body = write_nudge(Nudge("match", 1, 0))
    assert bot.come_again(record(body)) == {body: 2}
    assert lines(caplog) == [("a nudge failed", {"match": "match", "error": "Invalid", "call": "GetItem"})]
    assert caplog.records[-1].levelno == logging.ERROR


# --- the sweep ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_sweep_that_fails_is_an_error_that_lambda_counts(
    idle: Idle, caplog: pytest.LogCaptureFixture, kind: Kind
) -> None:
    bot, trouble = idle
    trouble.decide = lambda name, n: kind if name == "Query" else None
    with pytest.raises(aws.Failed, match=f"^{NAMES[kind]}$") as failed:
        bot.call({"act": "sweep"})
    assert failed.value.__suppress_context__, "Lambda would log what it came from"
    assert lines(caplog) == [("an event came to nothing", {"error": NAMES[kind], "call": "Query"})]


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"act": "s?a"},
        {"act": "resume"},
        {"version": "1.0", "httpMethod": "POST", "body": "s?a"},
        {"Records": []},
        {"Records": [{"eventSource": "aws:s3", "body": "s?a"}]},
        {"source": "aws.events", "detail": "s?a"},
        ["s?a"],
        "s?a",
        None,
    ],
)
def test_of_any_other_event_nothing_is_done_and_nothing_logged_but_that(
    idle: Idle, caplog: pytest.LogCaptureFixture, event: Any
) -> None:
    bot, trouble = idle
    caplog.set_level(logging.DEBUG)
    assert bot.call(event) is None
    assert trouble.calls == []
    assert lines(caplog) == [("an event of no kind that is known here", {})]
    assert "s?a" not in caplog.text


def test_its_imports_are_those_of_the_package() -> None:
    """Start-up is billed, and what is only for one machine is not in the package."""
    program = """
import sys
import handler.aws
local = ("infra.local", "infra.operator", "infra.move", "infra.timers.local", "handler.wiring", "handler.play",
         "handler.host", "handler.deploy", "handler.doctor", "handler.remove", "infra.stores.sqlite",
         "infra.stores.schema", "infra.stores.memory", "infra.stores.memory_people", "waitress",
         "sqlite3", "telegram.ext")
print([name for name in sys.modules if any(name == each or name.startswith(each + ".") for each in local)])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.replace("'", '"')) == []
