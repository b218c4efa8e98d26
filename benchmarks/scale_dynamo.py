"""What a press asks of DynamoDB while few and while many matches are open. Counted: what stands in for it is slow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

from benchmarks.rows import Goal, Row
from benchmarks.scale_house import ports
from benchmarks.scale_matches import NOW, Open, press
from handler.dispatch import handle
from infra.aws import calls
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_items import written
from infra.stores.sqlite import SqliteStore
from tests.aws.cloud import REGION, TABLE, cloud
from tests.flows.house import ManualClock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

OPEN: Final = (10, 1_000)
KEEP_DAYS: Final = 90


def rows(opened: Sequence[Open], file: SqliteStore) -> Iterator[Row]:
    """Requests of presses of the first ten matches. ``file`` is where the bot's people are, whom no press looks up."""
    with patch.dict(os.environ, AWS_DEFAULT_REGION=REGION), cloud(ManualClock(), 1):
        client = calls.dynamodb()
        asked: list[Any] = []
        client.meta.events.register("before-call.dynamodb", lambda **call: asked.append(call["model"].name))
        bot = ports(DynamoStore(client, TABLE, KEEP_DAYS, lambda: NOW), file)
        least = 0
        put = 0
        for number in OPEN:
            for each in opened[put:number]:
                _put(client, each)
            put = number
            asked.clear()
            for each in opened[: OPEN[0]]:
                handle(bot, press(each, OPEN.index(number)))
            least = least or len(asked)
            yield Row(
                f"DynamoDB requests per press, {number:,} open",
                len(asked) / OPEN[0],
                "calls",
                len(asked) / least,
                f"{OPEN[0]} open",
                Goal("ratio", "most", 1.10),
            )


def _put(client: DynamoDBClient, each: Open) -> None:
    client.put_item(TableName=TABLE, Item=written(each.item, KEEP_DAYS))
