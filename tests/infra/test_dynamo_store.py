"""The store in DynamoDB keeps the contract, and its word where AWS is slow, silent, busy or refuses."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handler.ports import Conflict, Item, Lease, Place, Pointers, Taken
from infra.aws import calls
from infra.aws.errors import AwsTrouble, Denied, Invalid, Missing, Throttled, Unanswered
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_items import DAY, living, read, unchanged, written
from infra.stores.dynamo_writes import ATTEMPTS
from tests.aws.table import make_table, one_at_a_time
from tests.aws.wire import Wire, impatient, refusal
from tests.infra.store_contract import ENDED, GROUP, NOTHING, TOPIC, StoreContract, at_once, following, new

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEEP_DAYS = 90


class Clock:
    """A clock that goes a little further at each look, as clocks do; a test may move it."""

    def __init__(self) -> None:
        self.time = ENDED + 60
        self._looks = count()

    def now(self) -> float:
        return self.time + next(self._looks) / 1_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(table: str) -> DynamoDBClient:
    return calls.dynamodb()


@pytest.fixture
def wire(client: DynamoDBClient) -> Wire:
    return Wire(client)


@pytest.fixture
def slept() -> list[float]:
    """For how long the store slept."""
    return []


@pytest.fixture
def store(client: DynamoDBClient, table: str, clock: Clock, slept: list[float]) -> DynamoStore:
    return DynamoStore(client, table, KEEP_DAYS, clock.now, sleep=slept.append)


@pytest.fixture
def other(table: str, clock: Clock) -> DynamoStore:
    """The store of another process."""
    return DynamoStore(calls.dynamodb(), table, KEEP_DAYS, clock.now)


class TestDynamoStore(StoreContract):
    @pytest.fixture
    def store(self, client: DynamoDBClient, table: str, clock: Clock) -> DynamoStore:
        one_at_a_time(client)
        return DynamoStore(client, table, KEEP_DAYS, clock.now)


# --- what lies in the table -----------------------------------------------------------------------


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


# --- time to live ---------------------------------------------------------------------------------


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


# --- answers that never come ----------------------------------------------------------------------

Write = Callable[[DynamoStore], object]

HELD = new(news=1, lease="mine", lease_until=20.0)
MOVE = Pointers(take_place=GROUP, leave_place=TOPIC, add_people=(6,), drop_people=(5,))

WRITES: dict[str, tuple[Item | None, Write]] = {
    "create": (None, lambda store: store.create(new(), NOTHING)),
    "create with pointers": (None, lambda store: store.create(new(), Pointers(take_place=GROUP, add_people=(6,)))),
    "commit": (new(), lambda store: store.commit(new(), following(new(), news=1), None, Lease("t", 9.0), now=0.0)),
    "commit with pointers": (new(), lambda store: store.commit(new(), following(new()), MOVE, None, now=0.0)),
    "settle": (HELD, lambda store: store.settle(replace(HELD, telling="told", lease_until=40.0), done=False)),
    "settle done": (HELD, lambda store: store.settle(replace(HELD, telling="told", told=1), done=True)),
    "take": (new(news=1), lambda store: store.take(new(news=1), Lease("mine", 20.0), now=0.0)),
}


def everything(store: DynamoStore) -> tuple[object, ...]:
    """What can be seen in the store."""
    return store.load("m1"), store.at(GROUP), store.at(TOPIC), list(store.of_person(5)), list(store.of_person(6))


def given_and_done(store: DynamoStore, name: str) -> tuple[Write, object]:
    """A write, and what stands after it, with the store as it is before it."""
    before, write = WRITES[name]
    clean = DynamoStore(store._client, "clean", KEEP_DAYS, store._now)
    for each in (clean, store):
        if before is not None:
            each.create(before, Pointers(take_place=TOPIC, add_people=(5,)))
    write(clean)
    return write, everything(clean)


@pytest.fixture
def second(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table, to see what comes of a write when nothing goes wrong; and boto3 does not wait."""
    make_table(boto3.client("dynamodb"), "clean")
    impatient(monkeypatch)


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("tries", [1, 2])
def test_a_lost_answer_is_made_good_by_boto3s_next_try(store: DynamoStore, wire: Wire, name: str, tries: int) -> None:
    """The write has taken effect: the next try finds what it wanted to write."""
    write, expected = given_and_done(store, name)
    wire.lost = tries
    write(store)
    assert wire.lost == 0
    assert everything(store) == expected


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", WRITES)
def test_a_write_never_answered_may_be_asked_for_again(store: DynamoStore, wire: Wire, name: str) -> None:
    write, expected = given_and_done(store, name)
    wire.lost = calls.ATTEMPTS
    with pytest.raises(Unanswered):
        write(store)
    assert wire.lost == 0
    assert everything(store) == expected
    write(store)
    assert everything(store) == expected


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_never_arrives_is_unanswered_and_can_be_made_later(
    store: DynamoStore, wire: Wire, name: str
) -> None:
    write, expected = given_and_done(store, name)
    before = everything(store)
    wire.unsent = calls.ATTEMPTS
    with pytest.raises(Unanswered):
        write(store)
    assert everything(store) == before
    write(store)
    assert everything(store) == expected


def test_a_lost_answer_and_then_somebody_elses_commit_is_a_conflict(
    store: DynamoStore, other: DynamoStore, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller decides anew, on an item in which its change is already."""
    impatient(monkeypatch)
    store.create(new(), NOTHING)
    wire.lost = calls.ATTEMPTS
    with pytest.raises(Unanswered):
        store.commit(new(), following(new()), None, None, now=0.0)
    winner = other.commit(following(new()), replace(following(new()), version=3), None, None, now=0.0)
    with pytest.raises(Conflict) as refused:
        store.commit(new(), following(new()), None, None, now=0.0)
    assert refused.value.current == winner


# --- AWS refuses ----------------------------------------------------------------------------------

CALLS: dict[str, Write] = {
    "GetItem": lambda store: store.load("m1"),
    "PutItem": lambda store: store.create(new(), NOTHING),
    "TransactWriteItems": lambda store: store.create(new(), Pointers(take_place=GROUP)),
    "Query": lambda store: list(store.due(0.0)),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (refusal("ThrottlingException"), Throttled),
        (refusal("ProvisionedThroughputExceededException"), Throttled),
        (refusal("AccessDeniedException"), Denied),
        (refusal("UnrecognizedClientException"), Denied),
        (refusal("ResourceNotFoundException"), Missing),
        (refusal("ValidationException"), Invalid),
        (refusal("InternalServerError", 500), Unanswered),
    ],
)
def test_each_trouble_has_a_name_and_keeps_awss_words_to_itself(
    store: DynamoStore, wire: Wire, call: str, answer: Any, trouble: type[AwsTrouble]
) -> None:
    wire.answers.append(answer)
    with pytest.raises(trouble) as raised:
        CALLS[call](store)
    assert raised.value.call == call
    assert wire.calls[call] == 1
    assert "private choice" not in "".join(traceback.format_exception(raised.value))


def test_a_table_that_is_not_there_is_missing(client: DynamoDBClient, clock: Clock) -> None:
    store = DynamoStore(client, "nowhere", KEEP_DAYS, clock.now)
    for name, call in CALLS.items():
        with pytest.raises(Missing) as raised:
            call(store)
        assert raised.value.call == name


def test_without_credentials_everything_is_denied(
    store: DynamoStore, monkeypatch: pytest.MonkeyPatch, table: str, clock: Clock
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    bare = DynamoStore(calls.dynamodb(), table, KEEP_DAYS, clock.now)
    with pytest.raises(Denied):
        bare.load("m1")


# --- replies --------------------------------------------------------------------------------------

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
