"""Updates in their queues, and over HTTP to a webhook."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, Response, request
from werkzeug.serving import make_server

from infra.local.botapi.delivery import SECRET_HEADER, Delivery
from infra.local.botapi.updates import Outbox
from tests.infra.local.steps import START, Scene, scene

SECRET = "a-secret"
WAIT = 30.0


def press(at: Scene, user: int, message: int) -> int:
    """A press, and its update's id."""
    at.world.people.press(user, at.group, message, "x")
    return int(at.world.pending()[-1]["update_id"])


def ready(outbox: Outbox, now: float, *under_way: int) -> list[int]:
    return [update.id for update in outbox.ready(now, frozenset(under_way))]


def two_people() -> tuple[Scene, int, int]:
    """A scene with another person in it, and a message to press on."""
    at = scene()
    bruno = at.world.people.add("Bruno")
    at.world.groups.join(bruno, at.group)
    at.forget()
    return at, bruno, at.send(at.group)["message_id"]


def test_presses_queue_per_person_and_messages_per_chat() -> None:
    at, bruno, message = two_people()
    first, second, other = (press(at, user, message) for user in (at.ada, at.ada, bruno))
    at.world.people.say(at.ada, at.group, "/a")
    said = at.world.pending()[-1]["update_id"]
    at.world.people.say(bruno, at.group, "/b")
    outbox = at.world.desk.outbox
    assert ready(outbox, START) == [first, other, said]
    assert ready(outbox, START, first) == [other, said]
    at.world.acknowledge(first)
    assert ready(outbox, START) == [second, other, said]


def test_a_failure_comes_again_at_once_then_ever_later_and_holds_its_queue() -> None:
    at = scene()
    at.world.people.say(at.ada, at.group, "/a")
    at.world.people.say(at.ada, at.group, "/b")
    first = at.world.pending()[0]["update_id"]
    outbox = at.world.desk.outbox
    now, waits = START, []
    for _ in range(8):
        with at.world.desk.change():
            outbox.fail(first, now)
            due = outbox.next_at(now) or now
            assert ready(outbox, due - 0.5) == []
            assert ready(outbox, due) == [first]
        waits.append(due - now)
        now = due
    assert waits == [0, 2, 4, 8, 16, 32, 60, 60]


def test_retry_after_is_obeyed() -> None:
    at = scene()
    at.world.people.say(at.ada, at.group, "/a")
    (update,) = at.world.pending()
    with at.world.desk.change():
        at.world.desk.outbox.fail(update["update_id"], START, 100)
    assert at.world.desk.outbox.next_at(START) == START + 100


def test_presses_live_150_seconds_and_messages_a_day() -> None:
    at, _, message = two_people()
    press(at, at.ada, message)
    at.world.people.say(at.ada, at.group, "/a")
    at.clock.go(149)
    assert len(at.world.pending()) == 2
    at.clock.go(1)
    (left,) = at.world.pending()
    assert "message" in left
    at.clock.go(86_400 - 150)
    assert at.world.pending() == []


class Webhook:
    """Answers what it is told to, and remembers what came."""

    def __init__(self, *answers: Response) -> None:
        self._answers = list(answers)
        self._came = threading.Condition()
        self.updates: list[Any] = []
        self.app = Flask("webhook")
        self.app.post("/")(self._take)

    def _take(self) -> Response:
        assert request.headers[SECRET_HEADER] == SECRET
        with self._came:
            self.updates.append(request.get_json()["message"]["text"])
            self._came.notify_all()
            return self._answers.pop(0) if self._answers else Response()

    def wait_for(self, count: int) -> None:
        """Until ``count`` updates have come."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.updates) >= count, WAIT)


@contextmanager
def delivering(at: Scene, webhook: Webhook) -> Iterator[None]:
    server = make_server("127.0.0.1", 0, webhook.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    delivery = Delivery(at.world, f"http://127.0.0.1:{server.server_port}/", SECRET)
    delivery.start()
    try:
        yield
    finally:
        delivery.close()
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_webhook_gets_each_update_until_it_says_yes() -> None:
    at = scene()
    webhook = Webhook(Response(status=500))
    with delivering(at, webhook):
        at.world.people.say(at.ada, at.group, "/a")
        at.world.people.say(at.ada, at.group, "/b")
        webhook.wait_for(3)
    assert webhook.updates == ["/a", "/a", "/b"]
    assert at.world.pending() == []
    info = at.world.call("getWebhookInfo", {}).result
    assert info["last_error_message"].startswith("Wrong response from the webhook: 500 ")
    assert info["last_error_date"] == int(at.clock.now())


def test_a_call_in_the_answer_is_carried_out_if_the_webhook_says_yes() -> None:
    at = scene()
    messages = [at.send(at.group)["message_id"] for _ in range(2)]
    refused, taken = (
        {"method": "editMessageText", "chat_id": at.group, "message_id": message, "text": "edited"}
        for message in messages
    )
    answers = [
        Response(json.dumps(call), status, mimetype="application/json")
        for call, status in ((refused, 503), (taken, 200))
    ]
    webhook = Webhook(*answers)
    with delivering(at, webhook):
        at.world.people.say(at.ada, at.group, "/a")
        webhook.wait_for(2)
    assert [at.world.message(at.group, message)["text"] for message in messages] == ["hello", "edited"]
    assert at.world.pending() == []
