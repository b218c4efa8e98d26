"""A match whose time to live has passed is absent, although DynamoDB has not deleted it yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from handler.ports import Conflict, Item, Lease, Pointers
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_items import DAY, living, written
from tests.aws.wire import Wire
from tests.infra.dynamo.clock import KEEP_DAYS, Clock
from tests.infra.store_contract import ENDED, GROUP, NOTHING, following, new


def test_a_match_is_absent_once_its_time_has_passed(store: DynamoStore, clock: Clock) -> None:
    """DynamoDB has not deleted it yet: moto never does."""
    over = new(news=1, ended_at=ENDED, alarm_at=5.0)
    store.create(over, NOTHING)
    clock.time = ENDED + KEEP_DAYS * DAY - 1
    assert store.load("m1") == over
    assert list(store.due(clock.time)) == ["m1"]
    clock.time = ENDED + KEEP_DAYS * DAY
    assert store.load("m1") is None
    assert list(store.due(clock.time)) == []
    assert list(store.alarms()) == []


def test_its_time_has_passed_from_the_very_second_on() -> None:
    over = new(ended_at=ENDED)
    attributes = written(over, KEEP_DAYS)
    assert living(attributes, int(ENDED) + KEEP_DAYS * DAY - 0.25) == over
    assert living(attributes, int(ENDED) + KEEP_DAYS * DAY) is None
    assert living(written(new(), KEEP_DAYS), 1e12) == new(), "an open match is kept"


@pytest.mark.parametrize(
    "write",
    [
        lambda store, item: store.commit(item, following(item), None, None, now=0.0),
        lambda store, item: store.commit(item, following(item), Pointers(take_place=GROUP), None, now=0.0),
        lambda store, item: store.settle(item, done=False),
        lambda store, item: store.take(item, Lease("mine", 20.0), now=0.0),
    ],
)
def test_whoever_is_too_late_for_a_match_finds_it_gone(
    store: DynamoStore, clock: Clock, write: Callable[[DynamoStore, Item], Item]
) -> None:
    over = new(ended_at=ENDED)
    store.create(over, NOTHING)
    clock.time = ENDED + KEEP_DAYS * DAY
    with pytest.raises(Conflict) as refused:
        write(store, replace(over, version=9, lease="old"))
    assert refused.value.current is None


@pytest.mark.parametrize("pointers", [NOTHING, Pointers(take_place=GROUP, add_people=(5,))])
def test_an_id_is_free_again_once_its_match_has_expired(
    store: DynamoStore, clock: Clock, wire: Wire, pointers: Pointers
) -> None:
    store.create(new(ended_at=ENDED), NOTHING)
    clock.time = ENDED + KEEP_DAYS * DAY
    wire.since()
    store.create(new(body="another"), pointers)
    assert sum(wire.since().values()) == 1
    assert store.load("m1") == new(body="another")


def test_what_expires_between_look_and_write_is_absent_too(store: DynamoStore, clock: Clock, wire: Wire) -> None:
    """A match that was still there for the condition of the write, but is over when its refusal is read."""
    store.create(new(ended_at=ENDED), NOTHING)
    clock.time = ENDED + KEEP_DAYS * DAY - 0.1

    def pass_() -> None:
        clock.time += 10

    wire.between.append(pass_)
    store.create(new(body="another"), NOTHING)
    assert store.load("m1") == new(body="another")


def test_expired_matches_do_not_stand_in_the_way_of_due_ones(store: DynamoStore, clock: Clock) -> None:
    for number in range(5):
        store.create(new(f"old{number}", news=1, ended_at=ENDED), NOTHING)
    clock.time = ENDED + KEEP_DAYS * DAY
    store.create(new("due", alarm_at=clock.time - 5), NOTHING)
    assert list(store.due(clock.time)) == ["due"]


def test_only_moments_that_have_come_are_looked_into(store: DynamoStore, clock: Clock, wire: Wire) -> None:
    """When the bot starts it lists every open match; most of their moments are still to come."""
    for number in range(5):
        store.create(new(f"m{number}", alarm_at=clock.time + 900), NOTHING)
    store.create(new("due", alarm_at=clock.time - 5), NOTHING)
    wire.since()
    assert len(store.alarms()) == 6
    assert wire.since() == {"Query": 1, "GetItem": 1}
