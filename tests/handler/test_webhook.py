"""The webhook's own answers: who is let in, what is read, what is brought again."""

from __future__ import annotations

import gc
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup

from handler.message import Button, Message
from handler.ports import Migrated, NotSent, Place, StoreRefused, StoreUnavailable, TooFast, Uncertain, Unreachable
from handler.replies import Edit
from handler.table import Busy
from handler.updates import BadUpdate
from handler.webhook import LARGEST, SECRET_HEADER, make_app

SECRET = "a-secret_of-the-webhook"
UPDATE = {"update_id": 7}


class Taken:
    """Takes updates, or raises what it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.updates: list[Any] = []
        self.error = error

    def __call__(self, update: Any) -> None:
        self.updates.append(update)
        if self.error is not None:
            raise self.error


def client(handle: Callable[[Any], Edit | None], secret: str | None = SECRET) -> FlaskClient:
    return make_app(handle, secret).test_client()


def post(to: FlaskClient, body: bytes, *secrets: str, kind: str | None = "application/json") -> int:
    headers = [(SECRET_HEADER, secret) for secret in secrets]
    return to.post("/telegram", data=body, headers=headers, content_type=kind).status_code


def test_an_authenticated_update_is_handed_on() -> None:
    taken = Taken()
    assert post(client(taken), json.dumps(UPDATE).encode(), SECRET) == 200
    assert taken.updates == [UPDATE]


@pytest.mark.parametrize(
    "secrets",
    [(), ("",), ("wrong",), (SECRET[:-1],), (SECRET + " x",), (SECRET.upper(),), (SECRET, SECRET), ("é",)],
)
def test_without_the_one_right_secret_nothing_is_read(secrets: tuple[str, ...]) -> None:
    taken = Taken()
    assert post(client(taken), json.dumps(UPDATE).encode(), *secrets) == 401
    assert taken.updates == []


@pytest.mark.parametrize("secret", [None, ""])
@pytest.mark.parametrize("given", [(), ("",), ("None",)])
def test_with_no_secret_configured_everything_is_refused(secret: str | None, given: tuple[str, ...]) -> None:
    taken = Taken()
    assert post(client(taken, secret), json.dumps(UPDATE).encode(), *given) == 401
    assert taken.updates == []


@pytest.mark.parametrize("kind", [None, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_only_json_is_read(kind: str | None) -> None:
    taken = Taken()
    assert post(client(taken), json.dumps(UPDATE).encode(), SECRET, kind=kind) == 415
    assert taken.updates == []


def test_json_may_name_its_charset() -> None:
    assert post(client(Taken()), json.dumps(UPDATE).encode(), SECRET, kind="application/json; charset=utf-8") == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"update", b'{"update_id": 7}}', b"\xff\xfe\xfd", b'{"a": "\x80"}', b"[" * 200_000, b"9" * 5_000],
)
def test_what_is_not_json_is_refused(body: bytes) -> None:
    taken = Taken()
    assert post(client(taken), body, SECRET) == 400
    assert taken.updates == []


def test_a_body_may_have_a_mebibyte_and_no_more() -> None:
    taken = Taken()
    largest = json.dumps(UPDATE).encode().ljust(LARGEST)
    assert len(largest) == 1_048_576
    assert post(client(taken), largest, SECRET) == 200
    assert post(client(taken), largest + b" ", SECRET) == 413
    assert taken.updates == [UPDATE]


def test_a_large_body_without_the_secret_is_only_unauthorized() -> None:
    assert post(client(Taken()), b" " * (LARGEST + 1)) == 401


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_updates_are_only_posted(method: str) -> None:
    assert client(Taken()).open("/telegram", method=method, headers={SECRET_HEADER: SECRET}).status_code == 405


def test_health_and_nothing_else_is_answered_to_anybody() -> None:
    web = client(Taken(), None)
    healthy = web.get("/healthz")
    assert (healthy.status_code, healthy.text) == (200, "ok")
    assert web.post("/healthz").status_code == 405
    assert web.get("/").status_code == 404
    assert web.get("/static/x").status_code == 404


@pytest.mark.parametrize(
    "error", [Busy("m"), StoreUnavailable(), NotSent(), Uncertain(), TooFast(3.0)], ids=lambda e: type(e).__name__
)
def test_what_a_repeat_can_cure_is_brought_again(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    assert post(client(Taken(error)), json.dumps(UPDATE).encode(), SECRET) == 503
    assert [record.__dict__["update"] for record in caplog.records] == [7]


@pytest.mark.parametrize(
    "error",
    [BadUpdate("KeyError"), Unreachable(), Migrated(-5), StoreRefused(), KeyError("x")],
    ids=lambda e: type(e).__name__,
)
def test_what_no_repeat_can_cure_is_acknowledged(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    assert post(client(Taken(error)), json.dumps(UPDATE).encode(), SECRET) == 200
    assert len(caplog.records) == 1


EDIT = Edit(Place(-5, 3), 42, Message(Markup("Locked in, <b>R&amp;B</b> 🐦"), ((Button("Go", data="x:1:l"),),)))


def test_an_edit_that_is_left_goes_with_the_answer() -> None:
    answer = client(lambda update: EDIT).post("/telegram", json=UPDATE, headers={SECRET_HEADER: SECRET})
    assert (answer.status_code, answer.content_type) == (200, "application/json")
    assert answer.get_json() == {
        "method": "editMessageText",
        "chat_id": -5,
        "message_id": 42,
        "text": "Locked in, <b>R&amp;B</b> 🐦",
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
        "reply_markup": {"inline_keyboard": [[{"text": "Go", "callback_data": "x:1:l"}]]},
    }


def test_an_answer_without_an_edit_or_to_somebody_else_is_words() -> None:
    plain = client(lambda update: None).post("/telegram", json=UPDATE, headers={SECRET_HEADER: SECRET})
    assert (plain.status_code, plain.content_type, plain.text) == (200, "text/plain; charset=utf-8", "ok")
    stranger = client(lambda update: EDIT).post("/telegram", json=UPDATE, headers={SECRET_HEADER: "guessed"})
    assert (stranger.status_code, stranger.content_type, stranger.text) == (
        401,
        "text/plain; charset=utf-8",
        "unauthorized",
    )


@pytest.mark.parametrize("update", [None, 7, "update", [], [UPDATE], {}, {"update_id": "7"}, {"update_id": True}])
def test_json_of_any_shape_is_handed_on(update: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    taken = Taken(BadUpdate("KeyError"))
    assert post(client(taken), json.dumps(update).encode(), SECRET) == 200
    assert taken.updates == [update]


@pytest.mark.parametrize("number", [True, 2**63, -(10**200), "7", 7.0, None, [7]])
def test_only_an_id_is_logged_as_one(number: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert post(client(Taken(BadUpdate("ValueError"))), json.dumps({"update_id": number}).encode(), SECRET) == 200
    assert [record.__dict__["update"] for record in caplog.records] == [None]


@pytest.mark.parametrize("body", [b"{}", b"{", b"[" * 100_000, b"\xff"])
@pytest.mark.parametrize("collecting", [True, False])
def test_the_garbage_collector_is_left_as_it_was(body: bytes, collecting: bool) -> None:
    before = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        post(client(Taken()), body, SECRET)
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if before else gc.disable)()


def test_the_garbage_collector_stays_on_after_bodies_that_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread was reading when this one looked, and was done before this one began."""

    def paused_until_now() -> bool:
        gc.enable()
        return False

    with monkeypatch.context() as patched:
        patched.setattr(gc, "isenabled", paused_until_now)
        assert post(client(Taken()), b"{}", SECRET) == 200
    assert gc.isenabled()
