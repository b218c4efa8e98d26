"""Others write between read and write, and what points to a match changes with it or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from handler.ports import Conflict, Lease, Place, Pointers, Taken
from infra.aws import calls
from infra.aws.errors import AwsTrouble, Invalid, Throttled, Unanswered
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_writes import ATTEMPTS
from tests.aws.wire import Wire, refusal
from tests.infra.dynamo.clock import KEEP_DAYS
from tests.infra.store_contract import GROUP, NOTHING, following, new

# --- somebody else writes between read and write --------------------------------------------------


def test_a_telling_begun_and_ended_meanwhile_is_not_lost(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    """Version and lease are as they were, yet the second block is another."""
    seen = new(news=1)
    store.create(seen, NOTHING)

    def tell() -> None:
        held = other.take(seen, Lease("theirs", 40.0), now=20.0)
        other.settle(replace(held, telling="told"), done=True)

    wire.between.append(tell)
    wire.since()
    stored = store.commit(seen, following(seen), None, Lease("mine", 41.0), now=21.0)
    assert wire.since() == {"PutItem": 2}, "the winner's item came with the refusal"
    assert (stored.telling, stored.lease, stored.version) == ("told", "mine", 2)
    assert store.load("m1") == stored


def test_a_take_between_look_and_write_wins(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    seen = new(news=1)
    store.create(seen, NOTHING)
    wire.between.append(lambda: other.take(seen, Lease("theirs", 40.0), now=20.0))
    with pytest.raises(Conflict) as refused:
        store.take(seen, Lease("mine", 41.0), now=21.0)
    assert refused.value.current == replace(seen, lease="theirs", lease_until=40.0)


def test_a_commit_during_a_settle_stays(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    held = new(news=1, lease="mine", lease_until=40.0)
    store.create(held, NOTHING)
    wire.between.append(lambda: other.commit(held, following(held, news=2), None, None, now=20.0))
    stored = store.settle(replace(held, telling="told", told=1, lease_until=60.0), done=False)
    assert stored == following(held, news=2, telling="told", told=1, lease_until=60.0)
    assert store.load("m1") == stored


def test_a_match_created_meanwhile_wins(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    theirs = new(body="theirs")
    wire.between.append(lambda: other.create(theirs, Pointers(take_place=GROUP)))
    with pytest.raises(Conflict) as refused:
        store.create(new(), Pointers(take_place=GROUP, add_people=(5,)))
    assert refused.value.current == theirs
    assert list(store.of_person(5)) == []


def test_a_place_taken_meanwhile_is_taken(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    wire.between.append(lambda: other.create(new("m2"), Pointers(take_place=GROUP)))
    with pytest.raises(Taken) as refused:
        store.create(new(), Pointers(take_place=GROUP, add_people=(5,)))
    assert refused.value.match == "m2"
    assert store.load("m1") is None


def test_who_is_told_on_and_on_is_not_waited_for_for_ever(store: DynamoStore, other: DynamoStore, wire: Wire) -> None:
    held = new(news=1, lease="theirs", lease_until=40.0)
    store.create(held, NOTHING)
    ends = iter(range(50, 1_000))

    def tell() -> None:
        current = other.load("m1")
        assert current is not None
        other.settle(replace(current, lease_until=float(next(ends))), done=False)

    wire.between += [tell] * ATTEMPTS
    with pytest.raises(Throttled):
        store.commit(held, following(held), None, None, now=0.0)
    assert wire.between == []
    item = store.load("m1")
    assert item is not None
    assert item.version == 1
    assert store.commit(held, following(held), None, None, now=0.0).version == 2


def test_a_lease_that_ones_own_item_shows_as_held_is_looked_up(store: DynamoStore, wire: Wire) -> None:
    """The winner is shown as it is stored, not as the loser has it."""
    seen = new(lease="theirs", lease_until=40.0)
    store.create(seen, NOTHING)
    free = store.settle(replace(seen, told=0), done=True)
    with pytest.raises(Conflict) as refused:
        store.take(seen, Lease("mine", 50.0), now=30.0)
    assert refused.value.current == free


# --- places and transactions ----------------------------------------------------------------------


def test_a_place_that_is_another_matchs_is_not_left_and_the_rest_is_done(store: DynamoStore, wire: Wire) -> None:
    item = new()
    store.create(item, Pointers(take_place=Place(-5), add_people=(5,)))
    store.create(new("m2"), Pointers(take_place=GROUP))
    wire.since()
    stored = store.commit(item, following(item), Pointers(leave_place=GROUP, drop_people=(5,)), None, now=0.0)
    assert wire.since() == {"TransactWriteItems": 2}
    assert (store.at(GROUP), list(store.of_person(5)), store.load("m1")) == ("m2", [], stored)


def test_a_commit_with_nothing_left_to_point_is_a_plain_write(store: DynamoStore, wire: Wire) -> None:
    item = new()
    store.create(item, NOTHING)
    store.create(new("m2"), Pointers(take_place=GROUP))
    wire.since()
    item = store.commit(item, following(item), Pointers(leave_place=GROUP), None, now=0.0)
    assert wire.since() == {"TransactWriteItems": 1, "PutItem": 1}
    store.commit(item, following(item), NOTHING, None, now=0.0)
    assert wire.since() == {"PutItem": 1}


def test_people_who_came_in_one_instant_are_in_the_order_of_ids(store: DynamoStore, table: str) -> None:
    still = DynamoStore(calls.dynamodb(), table, KEEP_DAYS, lambda: 1_800_000_000.0)
    for id in ("z", "a", "m"):
        still.create(new(id), Pointers(add_people=(5,)))
    assert list(still.of_person(5)) == ["a", "m", "z"]


def reasons(*codes: str) -> dict[str, Any]:
    return {"CancellationReasons": [{"Code": code} for code in codes]}


@pytest.mark.parametrize("code", ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])
def test_clashing_transactions_are_tried_again(store: DynamoStore, wire: Wire, slept: list[float], code: str) -> None:
    wire.answers += [refusal("TransactionCanceledException", **reasons("None", code))] * 3
    store.create(new(), Pointers(take_place=GROUP))
    assert store.at(GROUP) == "m1"
    assert len(slept) == 3
    assert all(0.01 * 2**turn <= wait <= 0.02 * 2**turn for turn, wait in enumerate(slept)), "longer, and by chance"


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (refusal("TransactionCanceledException", **reasons("TransactionConflict", "None")), Throttled),
        (refusal("TransactionInProgressException"), Unanswered),
    ],
)
def test_transactions_that_clash_on_and_on_are_named(
    store: DynamoStore, wire: Wire, slept: list[float], answer: Any, trouble: type[AwsTrouble]
) -> None:
    wire.answers += [answer] * ATTEMPTS
    with pytest.raises(trouble) as raised:
        store.create(new(), Pointers(take_place=GROUP))
    assert raised.value.call == "TransactWriteItems"
    assert wire.answers == []
    assert len(slept) == ATTEMPTS - 1
    assert sum(slept) < 3


def test_a_write_that_clashes_with_a_transaction_is_tried_again(
    store: DynamoStore, wire: Wire, slept: list[float]
) -> None:
    store.create(new(), NOTHING)
    wire.answers.append(refusal("TransactionConflictException"))
    assert store.commit(new(), following(new()), None, None, now=0.0).version == 2
    assert len(slept) == 1
    wire.answers += [refusal("TransactionConflictException")] * ATTEMPTS
    with pytest.raises(Throttled) as raised:
        store.take(following(new()), Lease("mine", 20.0), now=0.0)
    assert raised.value.call == "PutItem"


def test_a_transaction_that_is_wrong_is_named(store: DynamoStore, wire: Wire, slept: list[float]) -> None:
    wire.answers.append(refusal("TransactionCanceledException", **reasons("TransactionConflict", "ValidationError")))
    with pytest.raises(Invalid):
        store.create(new(), Pointers(take_place=GROUP))
    assert slept == []
