"""The store keeps its word where an answer is lost, and names what is wrong where AWS refuses."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from handler.ports import Conflict, Item, Lease, Pointers
from infra.aws import calls
from infra.aws.errors import AwsTrouble, Denied, Invalid, Missing, Throttled, Unanswered
from infra.stores.dynamo import DynamoStore
from tests.aws.table import make_table
from tests.aws.wire import Wire, impatient, refusal
from tests.infra.dynamo.clock import KEEP_DAYS, Clock
from tests.infra.store_contract import GROUP, NOTHING, TOPIC, following, new

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


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
    calls.session.cache_clear()
    bare = DynamoStore(calls.dynamodb(), table, KEEP_DAYS, clock.now)
    with pytest.raises(Denied):
        bare.load("m1")
