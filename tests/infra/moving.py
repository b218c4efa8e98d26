"""Matches open and over for ``python -m infra.move``, and what can be seen of them where they are moved to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from handler.ports import MatchStore, Place, Pointers
from infra.aws import calls
from infra.move import main
from infra.stores.dynamo import DynamoStore
from infra.stores.sqlite import SqliteStore
from tests.infra.store_contract import ENDED, GROUP, NOTHING, TOPIC, following, new

NOW = ENDED + 60.0
PEOPLE = (5, 6, 7, 2**52)
PLACES = (GROUP, TOPIC, Place(-5))

OPEN = new("b", alarm_at=NOW + 0.1, alarm=3, news=2, told=1, tell_at=NOW + 1 / 3, lease="x", lease_until=NOW + 0.7)
LOBBY = new("z", body='{"név": "Hollófi 🐦"}', alarm_at=NOW + 900)
OVER = new("a", version=70, news=9, told=9, ended_at=ENDED)
LATE = new("c", news=9, told=8, ended_at=ENDED - 5)


def fill(store: MatchStore) -> None:
    """Matches open and over; two people are in the same two matches, each in another order."""
    store.create(replace(OPEN, version=1), Pointers(take_place=GROUP, add_people=(5,)))
    store.create(LOBBY, Pointers(take_place=TOPIC, add_people=(6, 5)))
    store.commit(
        replace(OPEN, version=1), following(replace(OPEN, version=1)), Pointers(add_people=(6, 2**52)), None, 0
    )
    store.create(OVER, Pointers(add_people=(7,)))
    store.commit(OVER, following(OVER), Pointers(drop_people=(7,)), None, 0)
    store.create(LATE, NOTHING)


def everything(store: MatchStore) -> tuple[object, ...]:
    """All that the bot can see in a store."""
    return (
        [store.load(id) for id in ("a", "b", "c", "z")],
        [store.at(place) for place in PLACES],
        [list(store.of_person(user)) for user in PEOPLE],
        sorted(store.alarms()),
    )


def in_table(name: str, now: float = NOW) -> DynamoStore:
    """The table as the bot has it."""
    looks = iter(range(10**6))
    return DynamoStore(calls.dynamodb(), name, 90, lambda: now + next(looks) / 1_000)


def moved(*arguments: object, now: float = NOW) -> int:
    return main([str(argument) for argument in arguments], lambda: now)


Said = pytest.CaptureFixture[str]
Opened = Callable[[Path], SqliteStore]
