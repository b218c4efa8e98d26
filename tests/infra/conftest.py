"""AWS as moto plays it in this process, a place for a file, and asserts in the shared contract as in test modules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from tests.aws.table import make_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

pytest.register_assert_rewrite("tests.infra.people_contract", "tests.infra.store_contract")

TABLE = "matches"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty account, and credentials that are good for nothing else."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_SESSION_TOKEN": "testing",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    with mock_aws():
        yield


@pytest.fixture
def table(aws: None) -> str:
    """The name of the table, which is there and empty."""
    client: DynamoDBClient = boto3.client("dynamodb")
    make_table(client, TABLE)
    return TABLE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a file of matches may lie; there is none yet."""
    return tmp_path / "matches.sqlite"
