"""Long polling: order, side by side, retries, confirmation and the end."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import Queue
from threading import Condition, Event, Lock
from typing import Any

import pytest

from handler.ports import NotSent, TooFast
from infra.local import polling
from infra.local.polling import Poller, Update, poll, queue_of, retry_after
from infra.telegram import BotTelegram
from infra.telegram_errors import BadToken, Contested
from tests.infra.scripted_api import TOKEN, Answer, ScriptedApi

PATIENCE = 30.0
"""Seconds after which a test that waits for something fails; one that passes waits for thread switches only."""


def message(id: int, chat: int = -1) -> Update:
    return {"update_id": id, "message": {"chat": {"id": chat}, "from": {"id": 1}, "text": "t"}}


def press(id: int, user: int) -> Update:
    return {"update_id": id, "callback_query": {"id": "q", "from": {"id": user}, "message": {"chat": {"id": -1}}}}


class Telegram:
    """What getUpdates does: keeps updates until they are confirmed by a higher offset."""

    def __init__(self, *updates: Update) -> None:
        self.pending = list(updates)
        self.offsets: list[int] = []
        self.troubles: list[Exception] = []
        self._changed = Condition()
        self._closed = False

    def get_updates(self, offset: int, wait: int) -> Sequence[Update]:
        with self._changed:
            if self.troubles:
                raise self.troubles.pop(0)
            self.offsets.append(offset)
            self.pending = [update for update in self.pending if update["update_id"] >= offset]
            self._changed.notify_all()
            if wait:
                self._changed.wait_for(lambda: self.pending or self._closed)
            return list(self.pending)

    def add(self, *updates: Update) -> None:
        with self._changed:
            self.pending += updates
            self._changed.notify_all()

    def all_confirmed(self) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self.pending, PATIENCE)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Handler:
    """Takes down what it handles. An update's failures are its first so many attempts."""

    def __init__(self, failures: dict[int, int] | None = None) -> None:
        self.attempts: list[int] = []
        self.done: Queue[int] = Queue()
        self._failures = failures or {}
        self._lock = Lock()

    def __call__(self, update: Update) -> bool:
        id = update["update_id"]
        with self._lock:
            self.attempts.append(id)
            if self._failures.get(id, 0) > 0:
                self._failures[id] -= 1
                return False
        self.done.put(id)
        return True

    def next(self, number: int = 1) -> list[int]:
        return [self.done.get(timeout=PATIENCE) for _ in range(number)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "PAUSE", 0.01)
    monkeypatch.setattr(polling, "FIRST_RETRY", 0.0)


@contextmanager
def running(telegram: Telegram, handle: Any) -> Iterator[Future[None]]:
    poller = Poller(telegram.get_updates, handle)
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(poller.run)
        try:
            yield run
        finally:
            poller.stop()
            telegram.close()


def test_updates_are_handled_once_and_confirmed() -> None:
    telegram, handler = Telegram(message(5), message(6), press(7, 1)), Handler()
    with running(telegram, handler):
        assert sorted(handler.next(3)) == [5, 6, 7]
        assert telegram.all_confirmed()
        telegram.add(message(8))
        assert handler.next() == [8]
        assert telegram.all_confirmed()
    assert sorted(handler.attempts) == [5, 6, 7, 8]


def test_one_queue_is_handled_in_order() -> None:
    telegram, handler = Telegram(*(message(id) for id in range(1, 41))), Handler({3: 2, 17: 1})
    with running(telegram, handler):
        assert handler.next(40) == list(range(1, 41))
    assert handler.attempts.count(3) == 3
    assert handler.attempts[:6] == [1, 2, 3, 3, 3, 4]


def test_queues_are_handled_side_by_side() -> None:
    met = {1: Event(), 2: Event(), 3: Event()}
    others = {1: 2, 2: 3, 3: 1}

    def handle(update: Update) -> bool:
        id = update["update_id"]
        met[id].set()
        return met[others[id]].wait(PATIENCE)

    telegram = Telegram(press(1, user=10), press(2, user=20), message(3))
    with running(telegram, handle):
        assert telegram.all_confirmed()


def test_nothing_is_confirmed_while_an_earlier_update_is_open() -> None:
    release, handler = Event(), Handler()

    def handle(update: Update) -> bool:
        if update["update_id"] == 1:
            assert release.wait(PATIENCE)
        return handler(update)

    telegram = Telegram(press(1, user=10), press(2, user=20))
    with running(telegram, handle):
        assert handler.next() == [2]
        telegram.add(press(3, user=30))
        assert handler.next() == [3]
        assert set(telegram.offsets) <= {0, 1}
        assert [update["update_id"] for update in telegram.pending] == [1, 2, 3]
        release.set()
        assert telegram.all_confirmed()
    assert sorted(handler.attempts) == [1, 2, 3]


def test_a_failing_update_holds_up_only_its_queue() -> None:
    failing, handler = Event(), Handler()
    failing.set()

    def handle(update: Update) -> bool:
        if update["update_id"] == 1 and failing.is_set():
            raise RuntimeError("the store is away")
        return handler(update)

    telegram = Telegram(message(1, chat=-1), message(2, chat=-1), message(3, chat=-3))
    with running(telegram, handle):
        assert handler.next() == [3]
        telegram.add(message(4, chat=-3), press(5, user=1))
        assert sorted(handler.next(2)) == [4, 5]
        failing.clear()
        assert handler.next(2) == [1, 2]
        assert telegram.all_confirmed()


@pytest.mark.parametrize(("update", "life"), [(press(1, user=10), "PRESS_LIFE"), (message(1), "LIFE")])
def test_an_update_is_given_up_after_its_life(
    update: Update, life: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(polling, life, 0.0)
    follower = {**update, "update_id": 2}
    telegram, handler = Telegram(update, follower), Handler({1: 10**6})
    with running(telegram, handler):
        assert handler.next() == [2]
        assert telegram.all_confirmed()
    assert handler.attempts == [1, 2]
    assert "update 1 is given up after 1 failures" in caplog.text


def test_what_was_not_done_comes_again_after_a_restart() -> None:
    telegram, handler = Telegram(message(1), message(2, chat=-2)), Handler({1: 10**6})
    with running(telegram, handler):
        assert handler.next() == [2]
    telegram._closed = False
    second = Handler()
    with running(telegram, second):
        assert sorted(second.next(2)) == [1, 2]
        assert telegram.all_confirmed()


def test_network_errors_are_waited_out(caplog: pytest.LogCaptureFixture) -> None:
    telegram, handler = Telegram(message(1)), Handler()
    telegram.troubles = [NotSent("ConnectError"), TooFast(0.0), Contested("Conflict: terminated"), NotSent("x")]
    with running(telegram, handler):
        assert handler.next() == [1]
    assert "getUpdates failed (NotSent)" in caplog.text
    assert "a webhook is set, or another process polls with this token" in caplog.text


def test_too_many_requests_are_waited_out_as_long_as_telegram_says(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(polling, "sleep", slept.append)
    monkeypatch.setattr(polling, "FIRST_RETRY", 1.0)
    telegram, handler = Telegram(message(1)), Handler()
    telegram.troubles = [NotSent("x"), TooFast(34.0), NotSent("x")]
    with running(telegram, handler):
        assert handler.next() == [1]
    assert slept == [1.0, 34.0, 4.0]


@pytest.mark.parametrize("error", [BadToken("unknown"), ZeroDivisionError("a slip")])
def test_what_no_repeat_helps_ends_the_polling(error: Exception) -> None:
    telegram = Telegram()
    telegram.troubles = [NotSent("first"), error]
    with running(telegram, Handler()) as run, pytest.raises(type(error)):
        run.result(PATIENCE)


def test_stop_waits_for_what_is_being_handled_and_begins_no_more() -> None:
    begun, release, handled = Event(), Event(), []

    def handle(update: Update) -> bool:
        begun.set()
        assert release.wait(PATIENCE)
        handled.append(update["update_id"])
        return True

    telegram = Telegram(message(1), message(2))
    poller = Poller(telegram.get_updates, handle)
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(poller.run)
        assert begun.wait(PATIENCE)
        poller.stop()
        # However long one waits here, it cannot end before the release.
        with pytest.raises(TimeoutError):
            run.result(0.1)
        release.set()
        run.result(PATIENCE)
    telegram.close()
    assert handled == [1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_polling(number: int) -> None:
    before = signal.getsignal(number)
    telegram = Telegram(message(1))

    def handle(update: Update) -> bool:
        os.kill(os.getpid(), number)
        return True

    poll(telegram.get_updates, handle)
    telegram.close()
    assert signal.getsignal(number) is before


def test_polling_by_the_real_client() -> None:
    api, handler = ScriptedApi(), Handler()
    api.script["getUpdates"] = [
        Answer.error(502, "Bad Gateway"),
        Answer.result([message(5), press(6, user=1)]),
        Answer(trouble="hang"),
        Answer(trouble="hang"),
    ]
    bot = BotTelegram(TOKEN, api.address)
    poller = Poller(lambda offset, wait: bot.updates(offset, wait, ["message"]), handler)
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(poller.run)
        assert sorted(handler.next(2)) == [5, 6]
        poller.stop()
        run.result(PATIENCE)
    bot.close()
    api.close()


def test_failures_are_waited_out_ever_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "FIRST_RETRY", 1.0)
    assert [retry_after(failures) for failures in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (message(1, chat=-1), message(2, chat=-1), True),
        (message(1, chat=-1), message(2, chat=-2), False),
        (message(1, chat=-1), {"update_id": 2, "edited_message": {"chat": {"id": -1}}}, True),
        (message(1, chat=-1), {"update_id": 2, "my_chat_member": {"chat": {"id": -1}, "from": {"id": 1}}}, False),
        (message(1, chat=1), press(2, user=1), False),
        (press(1, user=1), press(2, user=1), True),
        (press(1, user=1), press(2, user=2), False),
        (press(1, user=1), {"update_id": 2, "chat_member": {"chat": {"id": -1}, "from": {"id": 1}}}, False),
        ({"update_id": 1}, {"update_id": 2, "poll": {"id": "x"}}, False),
        ({"update_id": 1, "message": "nonsense"}, {"update_id": 2, "callback_query": {"from": 7}}, False),
    ],
)
def test_queues(one: Update, other: Update, together: bool) -> None:
    assert (queue_of(one) == queue_of(other)) is together
