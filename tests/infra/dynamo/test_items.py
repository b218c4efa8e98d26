"""The store in DynamoDB keeps the contract, and its items are what the template and the console know."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handler.ports import Lease, Place, Pointers
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_items import DAY, read, unchanged, written
from tests.aws.table import one_at_a_time
from tests.aws.wire import Wire
from tests.infra.dynamo.clock import KEEP_DAYS, Clock
from tests.infra.store_contract import ENDED, GROUP, NOTHING, TOPIC, StoreContract, following, new

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class TestDynamoStore(StoreContract):
    @pytest.fixture
    def store(self, client: DynamoDBClient, table: str, clock: Clock) -> DynamoStore:
        one_at_a_time(client)
        return DynamoStore(client, table, KEEP_DAYS, clock.now)


@given(at=st.floats(min_value=1e-100, max_value=1e100) | st.sampled_from([0, 0.0, -0.0, 1, 1764489600, 2**53]))
def test_times_come_back_exactly(at: float) -> None:
    item = new(alarm_at=at, tell_at=at, lease="x", lease_until=at, ended_at=at, news=1)
    attributes = written(item, KEEP_DAYS)
    assert read(attributes) == item
    # DynamoDB keeps the number and not its spelling, to 38 digits.
    kept = {
        name: {"N": str(Decimal(value["N"]).normalize())} if "N" in value else value
        for name, value in attributes.items()
    }
    assert all(len(Decimal(value["N"]).as_tuple().digits) <= 38 for value in kept.values() if "N" in value)
    assert read(kept) == item
    assert unchanged(read(kept)) == unchanged(item)


def test_a_whole_number_for_a_time_is_the_same_time(store: DynamoStore, wire: Wire) -> None:
    """A match is created with tell_at 0, and loaded with 0.0: no reason to think that somebody told it meanwhile."""
    store.create(new(tell_at=0, lease_until=20, lease="mine"), NOTHING)
    loaded = store.load("m1")
    assert loaded is not None
    wire.since()
    store.commit(loaded, following(loaded), None, None, now=0.0)
    assert wire.since() == {"PutItem": 1}
    created = new("m2", tell_at=0, lease="mine", lease_until=20)
    store.create(created, NOTHING)
    wire.since()
    store.settle(replace(created, told=1), done=True)
    assert wire.since() == {"PutItem": 1}


def test_attributes_are_what_the_template_and_the_console_know(store: DynamoStore, table: str) -> None:
    client = boto3.client("dynamodb")
    item = new(alarm_at=ENDED, news=1, tell_at=ENDED - 0.5, ended_at=ENDED)
    store.create(item, Pointers(take_place=TOPIC, add_people=(5,)))
    found = {(each["pk"]["S"], each["sk"]["S"]): each for each in client.scan(TableName=table)["Items"]}
    assert set(found) == {("match#m1", "match"), (f"chat#{TOPIC.chat}", "topic#7"), ("user#5", "match#m1")}
    match = found["match#m1", "match"]
    assert (match["due"], match["moment"]) == ({"S": "due"}, {"N": "1764489599.75"})
    assert match["expires"] == {"N": str(int(ENDED) + KEEP_DAYS * DAY)}
    quiet = replace(item, id="m2", alarm_at=None, news=0, ended_at=None)
    store.create(quiet, NOTHING)
    attributes = client.get_item(TableName=table, Key={"pk": {"S": "match#m2"}, "sk": {"S": "match"}})["Item"]
    assert {"due", "moment", "expires", "alarm_at", "ended_at", "lease"}.isdisjoint(attributes)


def test_the_index_stays_as_it_is_where_the_alarm_soon_follows_the_lease(store: DynamoStore) -> None:
    """It is paid for twice whenever its key changes; a dead teller is noticed no later than by the next sweep."""
    item = new(alarm_at=1.0)
    store.create(item, NOTHING)
    soon = store.commit(item, following(item, alarm_at=80.0, news=1), None, Lease("mine", 20.0), now=0.0)
    assert list(store.alarms()) == [("m1", 80.0)]
    assert list(store.due(80.0)) == ["m1"]
    item = store.settle(replace(soon, told=1), done=True)
    assert list(store.alarms()) == [("m1", 80.0)]
    late = store.commit(item, following(item, alarm_at=80.5, news=2), None, Lease("mine", 20.0), now=0.0)
    assert list(store.alarms()) == [("m1", 20.0)]
    store.settle(replace(late, told=2), done=True)
    assert list(store.alarms()) == [("m1", 80.5)]


@pytest.mark.parametrize("text", ["", "{}", json.dumps({"steps": ["0:a 1:b"] * 50})])
def test_texts_lie_packed_and_plain_ones_are_read_too(text: str) -> None:
    item = new(alarm_at=1.0)
    item = replace(item, body=text, telling=text)
    attributes = written(item, 90)
    assert ("B" in attributes["body"]) == (len(text) > 100)
    assert read(attributes) == item
    assert read({**attributes, "body": {"S": text}, "telling": {"S": text}}) == item


def test_what_can_be_read_consistently_is(store: DynamoStore, wire: Wire) -> None:
    store.create(new(alarm_at=1.0), Pointers(take_place=GROUP, add_people=(5,)))
    wire.parameters.clear()
    store.load("m1"), store.at(GROUP), store.in_chat(GROUP.chat), store.of_person(5), store.admit(-5, 0.0, 3, 66.0)
    asked = [(name, each["ConsistentRead"]) for name, each in wire.parameters if name in ("GetItem", "Query")]
    assert asked == [("GetItem", True), ("GetItem", True), ("Query", True), ("Query", True), ("GetItem", True)]
    wire.parameters.clear()
    assert list(store.due(9.0)) == ["m1"]
    [(_, query), (_, get)] = wire.parameters
    assert (query["IndexName"], query["ConsistentRead"]) == ("due", False), "an index cannot be read consistently"
    assert get["ConsistentRead"]


def test_answers_may_come_in_many_pages(store: DynamoStore, client: DynamoDBClient, wire: Wire) -> None:
    for number in range(7):
        place = Place(GROUP.chat, number)
        store.create(new(f"m{number}", alarm_at=number + 1.0), Pointers(take_place=place, add_people=(5,)))

    def two_at_a_time(params: dict[str, Any], **_: Any) -> None:
        params["Limit"] = 2

    client.meta.events.register("provide-client-params.dynamodb.Query", two_at_a_time)
    everything = [f"m{number}" for number in range(7)]
    wire.since()
    assert list(store.in_chat(GROUP.chat)) == everything
    assert wire.since() == {"Query": 4}
    assert list(store.of_person(5)) == everything
    assert [id for id, _ in store.alarms()] == everything
    assert list(store.due(4.5)) == everything[:4]
    wire.since()
    assert list(islice(store.due(99.0), 3)) == everything[:3]
    assert wire.since() == {"Query": 2, "GetItem": 3}, "no more than was asked for"
