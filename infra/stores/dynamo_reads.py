"""Reads of the table: consistent, where there is no index between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from infra.stores.dynamo_items import Attributes, Stored
from infra.stores.dynamo_writes import calling

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def get(client: DynamoDBClient, table: str, key: Attributes, **options: Any) -> Stored | None:
    """One item. Raises AwsTrouble."""
    with calling("GetItem"):
        return client.get_item(TableName=table, Key=key, ConsistentRead=True, **options).get("Item")


def query(client: DynamoDBClient, table: str, condition: str, values: Attributes, **options: Any) -> Iterator[Stored]:
    """What a Query finds, page by page; consistent in the table, where an index cannot be. Raises AwsTrouble."""
    pages = client.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression=condition,
        ExpressionAttributeValues=values,
        ConsistentRead="IndexName" not in options,
        **options,
    )
    with calling("Query"):
        for page in pages:
            yield from page["Items"]
