"""Matches in one DynamoDB table, for any number of processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

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
    beginning,
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
from infra.stores.dynamo_reads import get, query
from infra.stores.dynamo_writes import ATTEMPTS, Clash, Writes, put

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
        return living(get(self._client, self._table, match_key(id)), self._now())

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
        found = get(self._client, self._table, place_key(place))
        return None if found is None else str(found["match_id"]["S"])

    def in_chat(self, chat: int) -> Sequence[str]:
        found = self._beginning(f"chat#{chat}", TOPICS)
        return tuple(pointer["match_id"]["S"] for pointer in found)

    def of_person(self, user: int) -> Sequence[str]:
        found = self._beginning(f"user#{user}", MATCHES)
        since = sorted((int(pointer["since"]["N"]), pointer["sk"]["S"]) for pointer in found)
        return tuple(sk.removeprefix(MATCHES) for _, sk in since)

    def _beginning(self, pk: str, sk: str) -> Iterator[Stored]:
        return query(self._client, self._table, *beginning(pk, sk))

    # --- what is due ------------------------------------------------------------------------------

    def due(self, now: float) -> Iterator[str]:
        for id, _ in self._moments("due = :due AND moment <= :now", {":due": {"S": DUE}, ":now": moment(now)}):
            yield id

    def alarms(self) -> Sequence[tuple[str, float]]:
        return tuple(self._moments("due = :due", {":due": {"S": DUE}}))

    def _moments(self, condition: str, values: Attributes) -> Iterator[tuple[str, float]]:
        """Matches of the index with their moments, earliest first. The index lags behind the table by a moment."""
        for key in query(self._client, self._table, condition, values, IndexName=INDEX):
            id, at = key["pk"]["S"].removeprefix(MATCHES), float(key["moment"]["N"])
            # The index does not know when a match expires. One that is over and was never told to its end would stand
            # at its head until DynamoDB deletes it; one whose moment is still to come is found absent when it comes.
            if at > self._now() or not self._gone(id):
                yield id, at

    def _gone(self, id: str) -> bool:
        found = get(self._client, self._table, match_key(id), ProjectionExpression="expires")
        return found is None or expired(found, self._now())

    # --- replies ----------------------------------------------------------------------------------

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        key = replies_key(chat)
        found = get(self._client, self._table, key)
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
            refused = put(self._client, self._table, counted, _still(found))
            if refused is None:
                return True
            if isinstance(refused, Clash):
                raise refused.trouble
            # A reply counted twice, after a lost answer, is one reply less; that is better than one too many.
            found = refused.stored
        raise Throttled("PutItem")


def _version(replies: Stored | None) -> int:
    return int(replies["version"]["N"]) if replies else 0


def _still(replies: Stored | None) -> Condition:
    """The condition that a group's replies are as they were read."""
    if replies is None:
        return demand("attribute_not_exists(pk)")
    return demand("version = :version", {":version": number(_version(replies))})
