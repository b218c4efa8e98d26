"""Two stores on one table of moto's, their clock, and the wire of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from infra.aws import calls
from infra.stores.dynamo import DynamoStore
from tests.aws.wire import Wire
from tests.infra.dynamo.clock import KEEP_DAYS, Clock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


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
