"""Replies are counted in the table, by every process together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from handler.ports import Pointers
from infra.aws.errors import AwsTrouble, Denied, Throttled
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_writes import ATTEMPTS
from tests.aws.table import one_at_a_time
from tests.aws.wire import Wire, refusal
from tests.infra.dynamo.clock import KEEP_DAYS, Clock
from tests.infra.store_contract import GROUP, at_once, new

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CHAT = GROUP.chat


def test_replies_are_counted_within_the_window(store: DynamoStore, other: DynamoStore) -> None:
    admitted = [(store, other)[turn % 2].admit(CHAT, 100.0 + turn, 3, 66.0) for turn in range(6)]
    assert admitted == [True, True, True, False, False, False]
    assert not store.admit(CHAT, 165.9, 3, 66.0)
    assert store.admit(CHAT, 166.0, 3, 66.0)
    assert not store.admit(CHAT, 166.0, 3, 66.0)
    assert store.admit(CHAT - 1, 166.0, 3, 66.0), "another group"


def test_a_reply_costs_one_read_and_one_write_and_a_refused_one_no_write(store: DynamoStore, wire: Wire) -> None:
    assert store.admit(CHAT, 100.0, 1, 66.0)
    assert wire.since() == {"GetItem": 1, "PutItem": 1}
    assert not store.admit(CHAT, 100.0, 1, 66.0)
    assert wire.since() == {"GetItem": 1}


def test_replies_are_no_match_and_are_forgotten_soon(store: DynamoStore, client: DynamoDBClient, table: str) -> None:
    store.create(new(), Pointers(take_place=GROUP))
    store.admit(CHAT, 1_800_000_000.5, 3, 66.0)
    assert list(store.in_chat(CHAT)) == ["m1"]
    key = {"pk": {"S": f"chat#{CHAT}"}, "sk": {"S": "replies"}}
    item = client.get_item(TableName=table, Key=key)["Item"]
    assert 66 <= int(item["expires"]["N"]) - 1_800_000_000 <= 300
    for turn in range(20):
        store.admit(CHAT, 1_800_000_000.5 + 70 * turn, 3, 66.0)
    assert len(client.get_item(TableName=table, Key=key)["Item"]["times"]["L"]) == 1


def test_a_reply_counted_meanwhile_counts(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    wire.between += [lambda: None, lambda: other.admit(CHAT, 100.0, 2, 66.0)]
    assert store.admit(CHAT, 100.0, 2, 66.0)
    assert not store.admit(CHAT, 100.0, 2, 66.0)
    wire.between += [lambda: None, lambda: other.admit(CHAT, 200.0, 1, 66.0)]
    wire.since()
    assert not store.admit(CHAT, 200.0, 1, 66.0)
    assert wire.since() == {"GetItem": 1, "PutItem": 1}


def test_only_so_many_of_many_replies_at_once_are_admitted(client: DynamoDBClient, table: str, clock: Clock) -> None:
    one_at_a_time(client)
    store = DynamoStore(client, table, KEEP_DAYS, clock.now)
    assert sum(at_once(lambda _: store.admit(CHAT, 100.0, 3, 66.0), 6)) == 3


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ([refusal("ConditionalCheckFailedException")] * ATTEMPTS, Throttled),
        ([refusal("TransactionConflictException")], Throttled),
        ([refusal("AccessDeniedException")], Denied),
    ],
)
def test_replies_that_cannot_be_counted_are_trouble(
    store: DynamoStore, wire: Wire, answers: list[Any], trouble: type[AwsTrouble]
) -> None:
    wire.between += [lambda: None, lambda: wire.answers.extend(answers)]
    with pytest.raises(trouble):
        store.admit(CHAT, 100.0, 3, 66.0)
    assert wire.calls == {"GetItem": 1, "PutItem": len(answers)}
