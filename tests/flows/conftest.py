"""The stores and the bots that flow tests are run with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from handler.ports import MatchStore
from infra.stores.memory import MemoryStore
from infra.stores.sqlite import SqliteStore
from tests.flows.frail import Frail
from tests.flows.house import Flow, flow


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MatchStore]:
    """Each kind of store, empty."""
    if request.param == "memory":
        yield MemoryStore()
        return
    with closing(SqliteStore(tmp_path / "matches.sqlite")) as sqlite:
        yield sqlite


@pytest.fixture
def bot() -> Iterator[Flow]:
    """A bot whose process goes on and on, in a group of its own."""
    with flow() as made:
        yield made


@pytest.fixture
def frail() -> Iterator[Frail]:
    """A bot with the real client, whose process may end."""
    made = Frail(short=False)
    yield made
    assert made.world.violations == []
    made.close()
