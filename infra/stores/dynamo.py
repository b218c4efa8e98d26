"""Matches in one DynamoDB table, for any number of processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from handler.ports import Conflict, Item, Lease, Place, Pointers
from infra.aws.errors import Throttled
from infra.stores.conditions import committed, held, settled, taken
from infra.stores.dynamo_items import (
    DUE,
    INDEX,
    MATCHES,
    TOPICS,
    Attributes,
    Condition,
    Stored,
    demand,
    expired,
    leased,
    living,
    match_key,
    moment,
    number,
    place_key,
    replies_key,
    unchanged,
)
from infra.stores.dynamo_writes import ATTEMPTS, Clash, Writes, calling

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

REPLIES_KEPT: Final = 60
"""Seconds for which replies are kept after the last of them has stopped to count."""


class DynamoStore:
    """A :class:`handler.ports.MatchStore` and a :class:`handler.ports.ReplyCount`.

    A match is one item, read by one GetItem and written whole by one PutItem; a transaction only where pointers change
    with it. Every write is conditional, and a failed condition brings the winner's item along. A match whose end is
    ``keep_days`` ago is absent, whether or not DynamoDB has deleted it.

    Whatever DynamoDB does not do is an :class:`infra.aws.errors.AwsTrouble`. After Unanswered it may have been done;
    the same call again does no harm.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        table: str,
        keep_days: int,
        now: Callable[[], float],
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._table = table
        self._now = now
        self._writes = Writes(client, table, keep_days, now, sleep)

    # --- matches ----------------------------------------------------------------------------------

    def load(self, id: str) -> Item | None:
        return living(self._get(match_key(id)), self._now())

    def create(self, item: Item, pointers: Pointers) -> None:
        def judge(stored: Item | None) -> Item:
            if stored is not None:
                raise Conflict(stored)
            return item

        self._writes.match(judge, None, unchanged, pointers)

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        def judge(stored: Item | None) -> Item:
            return committed(stored, before, after, lease, now)

        return self._writes.match(judge, before, unchanged, pointers)

    def settle(self, item: Item, *, done: bool) -> Item:
        def judge(stored: Item | None) -> Item:
            return settled(stored, item, done=done)

        return self._writes.match(judge, item, leased)

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        def judge(stored: Item | None) -> Item:
            return taken(stored, item, lease, now)

        if held(item, now):
            raise Conflict(self.load(item.id))
        return self._writes.match(judge, item, unchanged)

    # --- pointers ---------------------------------------------------------------------------------

    def at(self, place: Place) -> str | None:
        found = self._get(place_key(place))
        return None if found is None else str(found["match_id"]["S"])

    def in_chat(self, chat: int) -> Sequence[str]:
        found = self._query("pk = :pk AND begins_with(sk, :sk)", {":pk": {"S": f"chat#{chat}"}, ":sk": {"S": TOPICS}})
        return tuple(pointer["match_id"]["S"] for pointer in found)

    def of_person(self, user: int) -> Sequence[str]:
        found = self._query("pk = :pk AND begins_with(sk, :sk)", {":pk": {"S": f"user#{user}"}, ":sk": {"S": MATCHES}})
        since = sorted((int(pointer["since"]["N"]), pointer["sk"]["S"]) for pointer in found)
        return tuple(sk.removeprefix(MATCHES) for _, sk in since)

    # --- what is due ------------------------------------------------------------------------------

    def due(self, now: float) -> Iterator[str]:
        for id, _ in self._moments("due = :due AND moment <= :now", {":due": {"S": DUE}, ":now": moment(now)}):
            yield id

    def alarms(self) -> Sequence[tuple[str, float]]:
        return tuple(self._moments("due = :due", {":due": {"S": DUE}}))

    def _moments(self, condition: str, values: Attributes) -> Iterator[tuple[str, float]]:
        """Matches of the index with their moments, earliest first. The index lags behind the table by a moment."""
        for key in self._query(condition, values, IndexName=INDEX):
            id, at = key["pk"]["S"].removeprefix(MATCHES), float(key["moment"]["N"])
            # The index does not know when a match expires. One that is over and was never told to its end would stand
            # at its head until DynamoDB deletes it; one whose moment is still to come is found absent when it comes.
            if at > self._now() or not self._gone(id):
                yield id, at

    def _gone(self, id: str) -> bool:
        found = self._get(match_key(id), ProjectionExpression="expires")
        return found is None or expired(found, self._now())

    # --- replies ----------------------------------------------------------------------------------

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        key = replies_key(chat)
        found = self._get(key)
        for _ in range(ATTEMPTS):
            times = [float(value["N"]) for value in found["times"]["L"]] if found else []
            recent = [at for at in times if at > now - window]
            if len(recent) >= most:
                return False
            counted = key | {
                "times": {"L": [moment(at) for at in (*recent, now)]},
                "version": number(_version(found) + 1),
                "expires": number(int(max([*recent, now]) + window) + REPLIES_KEPT),
            }
            refused = self._writes.put(counted, _still(found))
            if refused is None:
                return True
            if isinstance(refused, Clash):
                raise refused.trouble
            # A reply counted twice, after a lost answer, is one reply less; that is better than one too many.
            found = refused.stored
        raise Throttled("PutItem")

    # --- requests ---------------------------------------------------------------------------------

    def _get(self, key: Attributes, **options: Any) -> Stored | None:
        with calling("GetItem"):
            return self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True, **options).get("Item")

    def _query(self, condition: str, values: Attributes, **options: Any) -> Iterator[Stored]:
        """What a Query finds, page by page; consistent in the table, where an index cannot be."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=values,
            ConsistentRead="IndexName" not in options,
            **options,
        )
        with calling("Query"):
            for page in pages:
                yield from page["Items"]


def _version(replies: Stored | None) -> int:
    return int(replies["version"]["N"]) if replies else 0


def _still(replies: Stored | None) -> Condition:
    """The condition that a group's replies are as they were read."""
    if replies is None:
        return demand("attribute_not_exists(pk)")
    return demand("version = :version", {":version": number(_version(replies))})
