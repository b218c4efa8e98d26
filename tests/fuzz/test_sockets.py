"""Hostile requests over a socket: the corpus once more, and what only bytes on a wire can say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from handler.webhook import LARGEST
from tests.fuzz.hostile import BROKEN, MARK, READABLE, UPDATE, sized
from tests.fuzz.requests import REQUESTS, RIGHT, TYPED, Request
from tests.fuzz.scene import Scene, discreet, everything, scene
from tests.fuzz.sending import Answer, chunked, in_bytes, over_socket, serving

CHUNKED = (("Transfer-Encoding", "chunked"),)


@pytest.fixture(scope="module")
def stage() -> Iterator[tuple[Scene, int]]:
    """The bot, and the port of its webhook."""
    with scene() as made, serving(made.bot.client.application) as port:
        yield made, port


def send(stage: tuple[Scene, int], sent: bytes, method: str = "POST") -> Answer:
    """The answer, which says little; nothing has changed and nobody was told anything."""
    bot, port = stage[0].bot, stage[1]
    before, calls = everything(bot), len(bot.world.calls)
    answer = over_socket(port, sent, method)
    discreet(answer.text, answer.headers)
    assert everything(bot) == before
    assert len(bot.world.calls) == calls
    return answer


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.name)
def test_each_request_gets_its_status_and_changes_nothing(stage: tuple[Scene, int], request_: Request) -> None:
    assert send(stage, in_bytes(request_), request_.method).status == request_.status


# --- a body without its length --------------------------------------------------------------------


def in_chunks(body: bytes, headers: tuple[tuple[str, str], ...] = RIGHT) -> bytes:
    return in_bytes(Request("", 0, chunked(body), (*headers, *CHUNKED)), counted=False)


@pytest.mark.parametrize("name", READABLE)
def test_a_chunked_body_is_read(stage: tuple[Scene, int], name: str) -> None:
    assert send(stage, in_chunks(READABLE[name])).status == 200


@pytest.mark.parametrize("name", BROKEN)
def test_a_chunked_body_may_be_no_json_either(stage: tuple[Scene, int], name: str) -> None:
    assert send(stage, in_chunks(BROKEN[name])).status == 400


def test_a_chunked_body_may_be_as_large_as_any(stage: tuple[Scene, int]) -> None:
    assert send(stage, in_chunks(sized(LARGEST))).status == 200
    assert send(stage, in_chunks(sized(LARGEST + 1))).status == 413
    assert send(stage, in_chunks(sized(LARGEST + 1), TYPED)).status == 401


SIZE = f"{len(UPDATE):x}".encode()
LIES = {
    "no size": MARK.encode() + b"\r\n" + UPDATE + b"\r\n0\r\n\r\n",
    "a negative size": b"-5\r\n" + UPDATE + b"\r\n0\r\n\r\n",
    "too small a size": b"5\r\n" + UPDATE + b"\r\n0\r\n\r\n",
    "too large a size": b"ffffff\r\n" + UPDATE + b"\r\n0\r\n\r\n",
    "an enormous size": b"f" * 90 + b"\r\n" + UPDATE,
    "a size that never ends": b"1" * 10_000,
    "no end of a chunk": SIZE + b"\r\n" + UPDATE + b"0\r\n\r\n",
    "half a chunk": SIZE + b"\r\n" + UPDATE[:9],
    "nothing at all": b"",
    "bytes that are no text": b"\xff\xfe\r\n\x00",
}


@pytest.mark.parametrize("name", LIES)
def test_chunks_that_lie_are_refused(stage: tuple[Scene, int], name: str) -> None:
    lying = Request("", 0, LIES[name], (*RIGHT, *CHUNKED))
    assert send(stage, in_bytes(lying, counted=False)).status in (400, 413)


@pytest.mark.parametrize("coding", ["gzip, chunked", "chunked, chunked", "CHUNKED"])
def test_other_names_for_chunks_are_no_fault(stage: tuple[Scene, int], coding: str) -> None:
    named = Request("", 0, chunked(UPDATE), (*RIGHT, ("Transfer-Encoding", coding)))
    assert send(stage, in_bytes(named, counted=False)).status in (200, 400)


def test_a_body_of_no_length_is_no_body(stage: tuple[Scene, int]) -> None:
    assert send(stage, in_bytes(Request("", 0), counted=False)).status == 400


# --- a length that lies ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (str(len(UPDATE) + 1), 400),
        (str(len(UPDATE) - 1), 400),
        ("0", 400),
        ("-1", 400),
        ("+5", 400),
        (MARK, 400),
        ("", 400),
        ("1e3", 400),
        ("0x10", 400),
        ("\xb2", 400),
        (str(LARGEST), 400),
        (str(LARGEST + 2), 413),
        ("9" * 30, 413),
        ("9" * 5_000, 400),
    ],
)
def test_a_length_that_lies_is_refused(stage: tuple[Scene, int], length: str, status: int) -> None:
    lying = Request("", 0, UPDATE, (*RIGHT, ("Content-Length", length)))
    assert send(stage, in_bytes(lying, counted=False)).status == status
    stranger = Request("", 0, UPDATE, (*TYPED, ("Content-Length", length)))
    assert send(stage, in_bytes(stranger, counted=False)).status == 401


@pytest.mark.parametrize("other", ["2", "0", str(len(UPDATE) * 2), MARK])
def test_two_lengths_are_no_fault(stage: tuple[Scene, int], other: str) -> None:
    """Which of them counts is the server's to say; nothing that follows is taken for a second request."""
    twice = Request("", 0, UPDATE, (*RIGHT, ("Content-Length", other)))
    assert send(stage, in_bytes(twice)).status in (200, 400)


def test_a_length_and_chunks_are_read_as_chunks(stage: tuple[Scene, int]) -> None:
    both = Request("", 0, chunked(UPDATE), (*RIGHT, *CHUNKED))
    assert send(stage, in_bytes(both)).status == 200


# --- whoever hangs up -----------------------------------------------------------------------------


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9, 0.999])
def test_whoever_hangs_up_halfway_changes_nothing(stage: tuple[Scene, int], part: float) -> None:
    whole = in_bytes(Request("", 0, sized(20_000)))
    assert send(stage, whole[: int(len(whole) * part)]).status == 400
