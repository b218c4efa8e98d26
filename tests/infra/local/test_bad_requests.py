"""Whatever is sent to the page's doings is done or refused with a short reason, and what is refused changes nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.botapi.people import FIRST_USER
from infra.local.botapi.transport import TOKEN
from infra.local.botapi.world import World
from infra.local.clock import SPEEDS, TableClock
from infra.local.doings import DOINGS
from infra.local.scene import open_table, seated
from infra.local.table import create_app

LONGEST_REASON = 200
FITTING = {
    "user": FIRST_USER,
    "chat": FIRST_USER,
    "message": 1,
    "text": "/a",
    "data": "x",
    "payload": "x",
    "name": "Cleo",
    "speed": SPEEDS[-1],
}
"""Fields with which Ada can do anything at a fresh table, once she has started the bot."""


@contextmanager
def laid() -> Iterator[tuple[FlaskClient, World]]:
    """The page's app without a server, at a table that is laid."""
    clock = TableClock()
    world = World(clock)
    open_table(world)
    try:
        yield create_app(world, clock, TOKEN, threading.Event()).test_client(), world
    finally:
        world.close()
        clock.close()


@pytest.fixture
def table() -> Iterator[tuple[FlaskClient, World]]:
    with laid() as made:
        yield made


def seen(client: FlaskClient) -> Any:
    """What the page shows, but for the time."""
    return {**client.get("/table/state").get_json(), "clock": None}


def refused(client: FlaskClient, name: str, body: bytes) -> int:
    """The status of a refusal that gives a short reason and changes nothing."""
    before = seen(client)
    answer = client.post(f"/table/{name}", data=body, content_type="application/json")
    assert 400 <= answer.status_code < 500
    assert 0 < len(answer.get_json()["why"]) <= LONGEST_REASON
    assert seen(client) == before
    return answer.status_code


def body(**given: Any) -> bytes:
    return json.dumps(given).encode()


@pytest.mark.parametrize("name", sorted(DOINGS))
@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"a":' * 100_000, b'{"user":' + b"9" * 5_000 + b"}"],
)
def test_a_body_that_is_no_json_object_is_refused(table: tuple[FlaskClient, World], name: str, content: bytes) -> None:
    assert refused(table[0], name, content) == 400


def test_half_characters_and_what_is_too_long_are_refused(table: tuple[FlaskClient, World]) -> None:
    client, world = table
    ada = seated(world.desk.state)[0]
    world.people.start(ada)
    message = world.call("sendMessage", {"chat_id": ada, "text": "x"}).result["message_id"]
    for text in ("\ud800", "/a \udfff", "x" * 4_097, "🐦" * 2_049):
        assert refused(client, "say", body(user=ada, chat=ada, text=text)) == 409
    for data in ("\ud800", "ä" * 33):
        assert refused(client, "press", body(user=ada, chat=ada, message=message, data=data)) == 409
    for payload in ("\ud800", "a b", "x" * 65):
        assert refused(client, "start", body(user=ada, payload=payload)) == 409
    assert refused(client, "person", body(name="\ud800")) == 409
    longest = {"user": ada, "chat": ada, "text": "🐦" * 2_048}
    assert client.post("/table/say", json=longest).status_code == 200
    assert world.history(ada)[-1]["text"] == longest["text"]


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("/table/state", {"Host": "["}, 403),
        ("/table/state", {"Host": "[::1]:8080"}, 403),
        ("/table/file/%ED%A0%80", {}, 404),
        ("/table/%ED%A0%80", {}, 405),
    ],
)
def test_odd_addresses_are_refused(
    table: tuple[FlaskClient, World], address: str, headers: dict[str, str], status: int
) -> None:
    assert table[0].get(address, headers=headers).status_code == status


@pytest.mark.parametrize("number", ["", "²", "-1", "1.0", "9" * 5_000])
def test_a_reader_who_comes_from_nowhere_is_lost(table: tuple[FlaskClient, World], number: str) -> None:
    client, world = table
    run = world.events.last.partition("-")[0]
    assert b"event: lost" in client.get("/table/events", headers={"Last-Event-ID": f"{run}-{number}".encode()}).data


words = st.text(st.characters(exclude_categories=[]))
strange = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)
spoilt = st.dictionaries(st.sampled_from(sorted(FITTING)), strange | st.text("\ud800\udfff", min_size=1), max_size=2)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(DOINGS)), spoilt), min_size=1, max_size=4))
def test_every_doing_is_done_or_refused(asked: list[tuple[str, dict[str, Any]]]) -> None:
    with laid() as (client, _):
        for name, fields in asked:
            before = seen(client)
            sent = body(**{**FITTING, **fields})
            answer = client.post(f"/table/{name}", data=sent, content_type="application/json")
            if answer.status_code != 200:
                assert 400 <= answer.status_code < 500
                assert 0 < len(answer.get_json()["why"]) <= LONGEST_REASON
                assert seen(client) == before
