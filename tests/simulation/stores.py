"""The three stores, each as any number of simulated processes have it in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import boto3
from moto import mock_aws

from handler.ports import MatchStore, PeopleStore, ReplyCount
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_people import DynamoPeople
from infra.stores.memory import MemoryStore
from infra.stores.memory_people import MemoryPeople
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from tests.aws.table import make_table
from tests.simulation.distant_people import DistantPeople
from tests.simulation.processes import Process
from tests.simulation.scenario import Store
from tests.simulation.store import DistantStore
from tests.simulation.way import Way

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE: Final = "matches"
KEEP_DAYS: Final = 90


@dataclass(frozen=True)
class Stores:
    """Each gives a process its way to a store."""

    matches: Callable[[Process], DistantStore]
    people: Callable[[Process], DistantPeople]


class Replies:
    """A :class:`handler.ports.ReplyCount` for the processes of a store that has none of its own."""

    def __init__(self) -> None:
        self._times: defaultdict[int, list[float]] = defaultdict(list)

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        recent = [time for time in self._times[chat] if time > now - window]
        admitted = len(recent) < most
        self._times[chat] = [*recent, now] if admitted else recent
        return admitted


@contextmanager
def opened(kind: Store) -> Iterator[Stores]:
    """Empty stores of a kind."""
    if kind == "dynamodb":
        with _dynamo() as ways:
            yield ways
    elif kind == "sqlite":
        with TemporaryDirectory() as folder:
            file = SqliteStore(Path(folder) / "matches.sqlite")
            try:
                yield _shared(file, SqlitePeople(file.file))
            finally:
                file.close()
    else:
        yield _shared(MemoryStore(), MemoryPeople())


def _shared(store: MatchStore, people: PeopleStore) -> Stores:
    replies: ReplyCount = Replies()
    return Stores(
        lambda process: DistantStore(store, replies, process, Way(process)),
        lambda process: DistantPeople(people, process, Way(process)),
    )


@contextmanager
def _dynamo() -> Iterator[Stores]:
    with patch.dict("os.environ", _ACCOUNT), mock_aws():
        client = _client()
        make_table(client, TABLE)

        def way(process: Process) -> DistantStore:
            store = DynamoStore(client, TABLE, KEEP_DAYS, process.now, sleep=process.pause)
            return DistantStore(store, store, process, Way(process))

        people = DynamoPeople(client, TABLE)
        yield Stores(way, lambda process: DistantPeople(people, process, Way(process)))


@cache
def _client() -> DynamoDBClient:
    return boto3.Session().client("dynamodb")


_ACCOUNT: Final = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_EC2_METADATA_DISABLED": "true",
}
