"""One match with its deadline before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.flows.house import flow
from tests.handler.deadlines.desk import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    with flow() as bot:
        yield Desk(bot)
