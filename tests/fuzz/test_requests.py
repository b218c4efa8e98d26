"""Hostile requests by Flask's test client to the webhook of the whole bot: each gets its status, and no more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.requests import REQUESTS, Request
from tests.fuzz.scene import Scene, discreet, everything, scene
from tests.fuzz.sending import by_client


@pytest.fixture(scope="module")
def stage() -> Iterator[Scene]:
    """One bot takes them all: what the first one spoils, a later one finds."""
    with scene() as made:
        yield made


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.name)
def test_each_request_gets_its_status_and_changes_nothing(stage: Scene, request_: Request) -> None:
    before, calls = everything(stage.bot), len(stage.bot.world.calls)
    answer = by_client(stage.bot.client, request_)
    assert answer.status_code == request_.status
    discreet(answer.text, dict(answer.headers))
    assert everything(stage.bot) == before
    assert len(stage.bot.world.calls) == calls


def test_no_two_requests_have_one_name() -> None:
    assert len({each.name for each in REQUESTS}) == len(REQUESTS)
