"""Conditional writes to the table: alone where one item changes, in a transaction where pointers change with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from handler.ports import Item, Place, Pointers, Taken
from infra.aws.errors import AwsError, AwsTrouble, Invalid, Throttled, Unanswered, named
from infra.stores.dynamo_items import (
    Attributes,
    Condition,
    Stored,
    absent,
    free_for,
    living,
    number,
    person_key,
    place_key,
    written,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

ATTEMPTS: Final = 8
"""How often a write is tried: again on a newer item, without an action that is not ours, or after a clash."""
FIRST_WAIT: Final = 0.02
"""Seconds to wait at most after a clash of transactions, and twice as many with each further try; 2.5 s in all."""

FAILED: Final = "ConditionalCheckFailedException"
"""The error's code where the condition of a single write does not hold."""
_CONDITION: Final = "ConditionalCheckFailed"
_CLASHES: Final = frozenset({"None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
"""Reasons for which a transaction is cancelled, and nothing done, that may be gone a moment later (API reference,
TransactionCanceledException). boto3 does not repeat it for them.
"""

_random = SystemRandom()


@dataclass(frozen=True)
class Changed:
    """The condition on the item itself does not hold; ``stored`` is what is there."""

    stored: Stored | None


@dataclass(frozen=True)
class Clash:
    """Something else is being done to the item at this moment. ``trouble`` if it goes on and on."""

    trouble: AwsTrouble


@dataclass(frozen=True)
class NotOurs:
    """The place to be left is another match's."""


@contextmanager
def calling(call: str) -> Iterator[None]:
    """Around a call to DynamoDB: its errors by their meaning, and nothing of their words."""
    try:
        yield
    except AwsError as error:
        raise named(error, call) from None


def put(client: DynamoDBClient, table: str, attributes: Attributes, condition: Condition) -> Changed | Clash | None:
    """Write one item whole. None if that was done. Raises AwsTrouble."""
    with calling("PutItem"):
        try:
            client.put_item(TableName=table, Item=attributes, **condition)
        except ClientError as error:
            code = error_code(error)
            if code == FAILED:
                return Changed(_answer(error).get("Item"))
            if code == "TransactionConflictException":
                return Clash(Throttled("PutItem"))
            raise
    return None


@dataclass(frozen=True)
class Writes:
    """The table's writes. ``now`` gives Unix seconds; a match is kept ``keep_days`` after its end."""

    client: DynamoDBClient
    table: str
    keep_days: int
    now: Callable[[], float]
    sleep: Callable[[float], None] = time.sleep

    def match(
        self,
        judge: Callable[[Item | None], Item],
        known: Item | None,
        unchanged: Callable[[Item], Condition],
        pointers: Pointers | None = None,
        since: Mapping[int, int] | None = None,
    ) -> Item:
        """Write what ``judge`` makes of the item as stored, believed to be ``known``, and return it. ``judge`` is asked
        again with what is really stored whenever that turns out to be something else, and raises Conflict.

        ``unchanged`` is the condition that an item is still there. ``pointers`` change in the same transaction;
        ``since`` numbers the people that are added, which orders each person's matches: otherwise the present
        nanosecond does.

        An item that is stored just as it was to be written counts as written: so it looks to boto3's second try when
        the first one had taken effect but its answer was lost. Raises Taken, AwsTrouble.
        """
        pointers = pointers or Pointers()
        wanted = judge(known)
        trouble: AwsTrouble = Throttled("PutItem")
        wait = 0.0
        for attempt in range(ATTEMPTS):
            if wait:
                self.sleep(wait)
                wait = 0.0
            condition = absent(self.now()) if known is None else unchanged(known)
            refused = self._write(wanted, condition, pointers, since or {})
            if refused is None:
                return wanted
            if isinstance(refused, Changed):
                known = living(refused.stored, self.now())
                if known == wanted:
                    return wanted
                wanted = judge(known)
            elif isinstance(refused, NotOurs):
                pointers = replace(pointers, leave_place=None)
            else:
                trouble = refused.trouble
                wait = FIRST_WAIT * 2**attempt * _random.uniform(0.5, 1)
        raise trouble

    def _write(
        self, item: Item, condition: Condition, pointers: Pointers, since: Mapping[int, int]
    ) -> Changed | Clash | NotOurs | None:
        attributes = written(item, self.keep_days)
        if pointers == Pointers():
            return put(self.client, self.table, attributes, condition)
        actions: list[TransactWriteItemTypeDef] = [{"Put": {"TableName": self.table, "Item": attributes, **condition}}]
        if pointers.take_place:
            actions.append(self._take(pointers.take_place, item.id))
        if pointers.leave_place:
            actions.append(self._leave(pointers.leave_place, item.id))
        actions += [self._drop(user, item.id) for user in pointers.drop_people]
        present = int(self.now() * 1e9)
        actions += [self._add(user, item.id, since.get(user, present)) for user in pointers.add_people]
        return self._transact(actions, pointers)

    def _transact(
        self, actions: list[TransactWriteItemTypeDef], pointers: Pointers
    ) -> Changed | Clash | NotOurs | None:
        with calling("TransactWriteItems"):
            try:
                self.client.transact_write_items(TransactItems=actions)
            except ClientError as error:
                code = error_code(error)
                if code == "TransactionCanceledException":
                    return _why(_answer(error)["CancellationReasons"], pointers)
                if code == "TransactionInProgressException":
                    return Clash(Unanswered("TransactWriteItems"))
                raise
        return None

    def _take(self, place: Place, id: str) -> TransactWriteItemTypeDef:
        attributes = place_key(place) | {"match_id": {"S": id}}
        return {"Put": {"TableName": self.table, "Item": attributes, **free_for(id)}}

    def _leave(self, place: Place, id: str) -> TransactWriteItemTypeDef:
        return {"Delete": {"TableName": self.table, "Key": place_key(place), **free_for(id)}}

    def _drop(self, user: int, id: str) -> TransactWriteItemTypeDef:
        return {"Delete": {"TableName": self.table, "Key": person_key(user, id)}}

    def _add(self, user: int, id: str, since: int) -> TransactWriteItemTypeDef:
        return {
            "Update": {
                "TableName": self.table,
                "Key": person_key(user, id),
                "UpdateExpression": "SET since = if_not_exists(since, :since)",
                "ExpressionAttributeValues": {":since": number(since)},
            }
        }


def _why(reasons: list[Any], pointers: Pointers) -> Changed | Clash | NotOurs:
    """What a cancelled transaction means, of whose actions each has a reason: the match's first, then the places'."""
    codes = [reason.get("Code", "None") for reason in reasons]
    match, *rest = reasons
    if codes[0] == _CONDITION:
        return Changed(match.get("Item"))
    if pointers.take_place and codes[1] == _CONDITION:
        raise Taken(rest[0]["Item"]["match_id"]["S"])
    if pointers.leave_place and codes[2 if pointers.take_place else 1] == _CONDITION:
        return NotOurs()
    if _CLASHES.issuperset(codes):
        return Clash(Throttled("TransactWriteItems"))
    raise Invalid("TransactWriteItems")


def error_code(error: ClientError) -> str:
    """What AWS calls the error."""
    return str(error.response.get("Error", {}).get("Code", ""))


def _answer(error: ClientError) -> Mapping[str, Any]:
    """The whole answer, of which boto3's types know only what all errors have."""
    return error.response
