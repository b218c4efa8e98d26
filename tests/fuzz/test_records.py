"""Records as the queue never gives them: each is done, dropped or named, and the rest of its batch goes on."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler import aws
from handler.ports import Nudge
from infra.timers.nudges import write_nudge
from tests.aws.events import record
from tests.aws.house import AwsFlow
from tests.aws.trouble import Trouble
from tests.fuzz.hostile import IDS, MARK, NODES, TEXTS
from tests.fuzz.scene import DROPPED, listening
from tests.fuzz.strategies import mutated

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


@pytest.mark.parametrize("records", [each for each in NODES if isinstance(each, list | str)], ids=repr)
def test_records_of_any_other_shape_come_to_nothing(bot: AwsFlow, records: Any) -> None:
    with listening(DROPPED):
        assert bot.call({"Records": records}) is None
