"""Profiles and results in the DynamoDB table of the matches, for any number of processes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from handler.ports import Result
from infra.stores.dynamo_items import (
    RESULTS,
    RESULTS_INDEX,
    Attributes,
    Condition,
    Stored,
    beginning,
    demand,
    moment,
    number,
    profile_key,
    result_key,
)
from infra.stores.dynamo_reads import get, query
from infra.stores.dynamo_writes import FAILED, Changed, Clash, calling, error_code, put
from infra.stores.ordering import latest_first

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoPeople:
    """A :class:`handler.ports.PeopleStore`.

    A person's profile and results are one partition, read consistently. Those of a chat come from the index
    ``results``, which lags behind the table by a moment: results just added are missing in it, and those just deleted
    are still there. For the same reason :meth:`move` may miss what was added just before; a repeat finds it.

    What takes several writes (:meth:`add`, :meth:`move`, :meth:`forget`) is none of it undone where it comes to no end:
    each write stands for itself, and a repeat does what is left.

    Whatever DynamoDB does not do is an :class:`infra.aws.errors.AwsTrouble`. After Unanswered it may have been done;
    the same call again does no harm.
    """

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def profile(self, id: int) -> str | None:
        found = get(self._client, self._table, profile_key(id))
        return None if found is None else str(found["body"]["S"])

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        # The write's own name: boto3's second try finds by it that the first had taken effect and its answer was lost.
        write = {"S": secrets.token_urlsafe(9)}
        attributes = profile_key(id) | {"body": {"S": body}, "write": write}
        condition = _ABSENT if was is None else demand("body = :was", {":was": {"S": was}})
        refused = self._put(attributes, condition)
        return refused is None or (refused.stored is not None and refused.stored.get("write") == write)

    def add(self, results: Sequence[Result]) -> None:
        for result in results:
            self._put(written(result), _ABSENT)

    def of(self, user: int) -> Sequence[Result]:
        found = query(self._client, self._table, *beginning(f"user#{user}", RESULTS))
        return latest_first(read(each) for each in found)

    def in_chat(self, chat: int) -> Sequence[Result]:
        return latest_first(read(each) for each in self._played_in(chat))

    def move(self, old: int, new: int) -> None:
        for each in self._played_in(old):
            self._take_along(each, old, new)
        profile = self.profile(old)
        if profile is not None:
            self.keep_profile(new, profile, None)
            self._delete(profile_key(old))

    def forget(self, user: int) -> None:
        self._delete(profile_key(user))
        for each in query(self._client, self._table, *beginning(f"user#{user}", RESULTS), ProjectionExpression="sk"):
            self._delete(result_key(user, each["sk"]["S"].removeprefix(RESULTS)))

    def _played_in(self, chat: int) -> Iterator[Stored]:
        values: Attributes = {":chat": number(chat)}
        return query(self._client, self._table, "played_in = :chat", values, IndexName=RESULTS_INDEX)

    def _take_along(self, result: Stored, old: int, new: int) -> None:
        """Let a result be of chat ``new``, if it is still there and of chat ``old``."""
        with calling("UpdateItem"):
            try:
                self._client.update_item(
                    TableName=self._table,
                    Key={name: result[name] for name in ("pk", "sk")},
                    UpdateExpression="SET played_in = :new",
                    ConditionExpression="played_in = :old",
                    ExpressionAttributeValues={":old": number(old), ":new": number(new)},
                )
            except ClientError as error:
                if error_code(error) != FAILED:
                    raise

    def _delete(self, key: Attributes) -> None:
        with calling("DeleteItem"):
            self._client.delete_item(TableName=self._table, Key=key)

    def _put(self, attributes: Attributes, condition: Condition) -> Changed | None:
        """Write an item. What is stored instead, if the condition does not hold."""
        refused = put(self._client, self._table, attributes, condition)
        if isinstance(refused, Clash):
            raise refused.trouble
        return refused


def written(result: Result) -> Attributes:
    """A result as it is stored."""
    return result_key(result.user, result.match) | {
        "played_in": number(result.chat),
        "ended_at": moment(result.ended_at),
        "body": {"S": result.body},
    }


def read(stored: Stored) -> Result:
    """The result that :func:`written` gave."""
    return Result(
        match=stored["sk"]["S"].removeprefix(RESULTS),
        user=int(stored["pk"]["S"].partition("#")[2]),
        chat=int(stored["played_in"]["N"]),
        ended_at=float(stored["ended_at"]["N"]),
        body=stored["body"]["S"],
    )


_ABSENT = demand("attribute_not_exists(pk)")
