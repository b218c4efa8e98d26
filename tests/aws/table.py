"""The table as template.yaml declares it: keys, indexes and time to live."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def make_table(client: DynamoDBClient, name: str) -> None:
    """Create the table, empty."""
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
            {"AttributeName": "due", "AttributeType": "S"},
            {"AttributeName": "moment", "AttributeType": "N"},
            {"AttributeName": "played_in", "AttributeType": "N"},
            {"AttributeName": "ended_at", "AttributeType": "N"},
        ],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "due",
                "KeySchema": [
                    {"AttributeName": "due", "KeyType": "HASH"},
                    {"AttributeName": "moment", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
            {
                "IndexName": "results",
                "KeySchema": [
                    {"AttributeName": "played_in", "KeyType": "HASH"},
                    {"AttributeName": "ended_at", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            },
        ],
    )
    client.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})


def one_at_a_time(client: Any) -> None:
    """Let the client's calls wait for each other. DynamoDB does each as one step; moto in process does not, and loses
    writes that other threads make during a transaction, which it takes back by putting back a copy of the table.
    """
    call, lock = client._make_api_call, RLock()

    def locked(*arguments: Any) -> Any:
        with lock:
            return call(*arguments)

    client._make_api_call = locked
