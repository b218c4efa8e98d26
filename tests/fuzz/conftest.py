"""The function on AWS that takes whatever it is given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.aws.house import AwsFlow, house
from tests.aws.trouble import Trouble


@pytest.fixture(scope="module")
def standing() -> Iterator[tuple[AwsFlow, Trouble]]:
    """A bot with a match, which must go on at the end, and the calls that it makes."""
    trouble = Trouble()
    with house(watch=trouble) as made:
        made.begin()
        before = made.store.load(made.match().id)
        yield made, trouble
        assert made.store.load(made.match().id) == before
        made.press(made.ada, "Hawk", made.ada)
        assert made.match().box.keys() == {0}


@pytest.fixture
def trouble(standing: tuple[AwsFlow, Trouble]) -> Trouble:
    """The calls of this test."""
    standing[1].calls.clear()
    return standing[1]


@pytest.fixture(scope="module")
def bot(standing: tuple[AwsFlow, Trouble]) -> AwsFlow:
    return standing[0]
