"""The store of people in DynamoDB keeps the contract, and its word where an answer is lost or AWS refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from handler.ports import PeopleStore, Pointers, Result
from infra.aws import calls
from infra.aws.errors import AwsTrouble, Denied, Invalid, Missing, Throttled, Unanswered
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_people import DynamoPeople
from tests.aws.table import make_table, one_at_a_time
from tests.aws.wire import Wire, impatient, refusal
from tests.infra.people_contract import ADA, BEN, GROUP, OTHER, PeopleContract, result
from tests.infra.store_contract import ENDED, new

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@pytest.fixture
def people(client: DynamoDBClient, table: str) -> DynamoPeople:
    return DynamoPeople(client, table)


class TestDynamoPeople(PeopleContract):
    @pytest.fixture
    def people(self, client: DynamoDBClient, table: str) -> DynamoPeople:
        one_at_a_time(client)
        return DynamoPeople(client, table)


def test_attributes_are_what_the_template_and_the_console_know(people: DynamoPeople, table: str) -> None:
    people.add([result()])
    people.keep_profile(ADA, "{}", None)
    people.keep_profile(GROUP, "{}", None)
    client = boto3.client("dynamodb")
    found = {(each["pk"]["S"], each["sk"]["S"]): each for each in client.scan(TableName=table)["Items"]}
    assert set(found) == {("user#5", "result#m1"), ("user#5", "profile"), (f"chat#{GROUP}", "profile")}
    kept = found["user#5", "result#m1"]
    assert (kept["played_in"], float(kept["ended_at"]["N"])) == ({"N": str(GROUP)}, ENDED)
    assert not any("expires" in each or "due" in each for each in found.values()), "they are kept for good"


def test_matches_and_people_do_not_meet(store: DynamoStore, people: DynamoPeople) -> None:
    """They lie in the same partitions, and a match that is over has a time of its end too."""
    store.create(new(ended_at=ENDED), Pointers(add_people=(ADA,)))
    people.add([result("m2")])
    people.keep_profile(ADA, "{}", None)
    assert list(store.of_person(ADA)) == ["m1"]
    assert list(people.of(ADA)) == [result("m2")]
    assert list(people.in_chat(GROUP)) == [result("m2")]
    people.forget(ADA)
    assert list(store.of_person(ADA)) == ["m1"], "the match that somebody is in is no result"


def test_what_can_be_read_consistently_is(people: DynamoPeople, wire: Wire) -> None:
    people.add([result()])
    wire.parameters.clear()
    people.profile(ADA), people.of(ADA), people.in_chat(GROUP)
    assert [(name, each["ConsistentRead"]) for name, each in wire.parameters] == [
        ("GetItem", True),
        ("Query", True),
        ("Query", False),  # an index cannot be
    ]


def test_many_pages_are_read_moved_and_forgotten(people: DynamoPeople, client: DynamoDBClient, wire: Wire) -> None:
    def two_at_a_time(params: dict[str, Any], **_: Any) -> None:
        params["Limit"] = 2

    client.meta.events.register("provide-client-params.dynamodb.Query", two_at_a_time)
    results = [result(f"m{n}", ended_at=ENDED - n) for n in range(7)]
    people.add(results)
    wire.since()
    assert list(people.of(ADA)) == results
    assert list(people.in_chat(GROUP)) == results
    assert wire.since() == {"Query": 8}
    people.move(GROUP, OTHER)
    assert wire.since() == {"Query": 4, "UpdateItem": 7, "GetItem": 1}
    assert len(people.in_chat(OTHER)) == 7
    wire.since()
    people.forget(ADA)
    assert wire.since() == {"Query": 4, "DeleteItem": 8}
    assert list(people.in_chat(OTHER)) == []


def test_who_is_forgotten_while_the_chat_moves_stays_forgotten(people: DynamoPeople, table: str, wire: Wire) -> None:
    people.add([result(), result(user=BEN)])
    other = DynamoPeople(calls.dynamodb(), table)
    wire.between += [lambda: None, lambda: other.forget(ADA)]  # after the query has shown both
    people.move(GROUP, OTHER)
    assert list(people.of(ADA)) == []
    assert list(people.in_chat(OTHER)) == [result(user=BEN, chat=OTHER)]
    assert boto3.client("dynamodb").scan(TableName=table)["Count"] == 1


# --- answers that never come ----------------------------------------------------------------------

Write = Callable[[PeopleStore], object]

WRITES: dict[str, tuple[Write, Write]] = {
    "first profile": (lambda people: None, lambda people: people.keep_profile(ADA, "new", None)),
    "next profile": (
        lambda people: people.keep_profile(ADA, "old", None),
        lambda people: people.keep_profile(ADA, "new", "old"),
    ),
    "add": (lambda people: people.add([result(body="kept")]), lambda people: people.add([result(), result(user=BEN)])),
    "move": (lambda people: people.add([result(), result("m2")]), lambda people: people.move(GROUP, OTHER)),
    "move profile": (lambda people: people.keep_profile(GROUP, "old", None), lambda people: people.move(GROUP, OTHER)),
    "forget": (lambda people: people.add([result(), result("m2")]), lambda people: people.forget(ADA)),
    "forget profile": (lambda people: people.keep_profile(ADA, "old", None), lambda people: people.forget(ADA)),
}


def everything(people: PeopleStore) -> tuple[object, ...]:
    """What can be seen in the store."""
    profiles = [people.profile(id) for id in (ADA, BEN, GROUP, OTHER)]
    results: list[list[Result]] = [list(people.of(user)) for user in (ADA, BEN)]
    return profiles, results, list(people.in_chat(GROUP)), list(people.in_chat(OTHER))


@pytest.fixture
def second(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table, to see what comes of a write when nothing goes wrong; and boto3 does not wait."""
    make_table(boto3.client("dynamodb"), "clean")
    impatient(monkeypatch)


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("tries", [1, 2])
def test_a_lost_answer_is_made_good_by_boto3s_next_try(people: DynamoPeople, wire: Wire, name: str, tries: int) -> None:
    before, write = WRITES[name]
    clean = DynamoPeople(people._client, "clean")
    for each in (clean, people):
        before(each)
    said = write(clean)
    wire.lost = tries
    assert write(people) == said
    assert wire.lost == 0
    assert everything(people) == everything(clean)


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", WRITES)
def test_what_came_to_no_end_is_done_by_a_repeat(people: DynamoPeople, wire: Wire, name: str) -> None:
    """Whichever of its calls is the one that is never answered."""
    before, write = WRITES[name]
    clean = DynamoPeople(people._client, "clean")
    for each in (clean, people):
        before(each)
    write(clean)
    for call in range(9):
        wire.between = [*[lambda: None] * call, lambda: setattr(wire, "lost", calls.ATTEMPTS)]
        try:
            write(people)
        except Unanswered:
            continue
        break
    wire.between = []
    write(people)
    assert everything(people) == everything(clean)


# --- AWS refuses ----------------------------------------------------------------------------------

CALLS: dict[str, Write] = {
    "GetItem": lambda people: people.profile(ADA),
    "PutItem": lambda people: people.add([result()]),
    "Query": lambda people: people.in_chat(GROUP),
    "DeleteItem": lambda people: people.forget(ADA),
    "UpdateItem": lambda people: people.move(GROUP, OTHER),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (refusal("ThrottlingException"), Throttled),
        (refusal("AccessDeniedException"), Denied),
        (refusal("ResourceNotFoundException"), Missing),
        (refusal("ValidationException"), Invalid),
        (refusal("InternalServerError", 500), Unanswered),
    ],
)
def test_each_trouble_has_a_name(
    people: DynamoPeople, wire: Wire, call: str, answer: Any, trouble: type[AwsTrouble]
) -> None:
    if call == "UpdateItem":  # comes after the query that finds what is to be moved
        people.add([result()])
        wire.between += [lambda: None, lambda: wire.answers.append(answer)]
    else:
        wire.answers.append(answer)
    with pytest.raises(trouble) as raised:
        CALLS[call](people)
    assert raised.value.call == call


def test_a_profile_that_something_else_is_being_done_to_is_throttled(people: DynamoPeople, wire: Wire) -> None:
    wire.answers.append(refusal("TransactionConflictException"))
    with pytest.raises(Throttled):
        people.keep_profile(ADA, "{}", None)
