"""Pushing updates to the bot's webhook over HTTP, as Telegram's server does it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from infra.local.botapi.setup import delivery_failed
from infra.local.botapi.updates import Pending
from infra.local.botapi.world import World

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - a header's name
ANSWER_WITHIN = 60.0
"""Seconds the bot has for an update."""
AT_ONCE = 16
"""Updates of different queues under way at the same time."""


class Delivery:
    """One thread that watches the queues, and a few that post."""

    def __init__(self, world: World, url: str, secret: str) -> None:
        self._world = world
        self._desk = world.desk
        self._url = url
        self._client = httpx.Client(timeout=ANSWER_WITHIN, headers={SECRET_HEADER: secret}, trust_env=False)
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook")
        self._under_way: set[int] = set()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="delivery", daemon=True)

    def start(self) -> None:
        """Begin to deliver."""
        self._thread.start()

    def close(self) -> None:
        """Deliver nothing any more. Waits for what is under way."""
        with self._desk.queued:
            self._closing = True
            self._desk.queued.notify_all()
        if self._thread.is_alive():
            self._thread.join()
        self._pool.shutdown()
        self._client.close()

    def _run(self) -> None:
        with self._desk.queued:
            while not self._closing:
                now = self._desk.network.now()
                with self._desk.change():
                    ready = self._desk.outbox.ready(now, frozenset(self._under_way))
                for update in ready:
                    self._under_way.add(update.id)
                    self._pool.submit(self._deliver, update)
                due = self._desk.outbox.next_at(now)
                self._desk.queued.wait(None if due is None else due - now)

    def _deliver(self, update: Pending) -> None:
        response: httpx.Response | None
        try:
            response = self._client.post(self._url, json=update.body)
            why = f"Wrong response from the webhook: {response.status_code} {response.reason_phrase}"
        except httpx.HTTPError as error:
            response, why = None, type(error).__name__
        if response is not None and response.is_success:
            self._world.replied(response.headers.get("Content-Type", ""), response.content)
        with self._desk.change():
            self._under_way.discard(update.id)
            if response is not None and response.is_success:
                self._desk.outbox.acknowledge(update.id)
            else:
                wait = None if response is None else _seconds(response.headers.get("Retry-After"))
                self._desk.outbox.fail(update.id, self._desk.network.now(), wait)
                delivery_failed(self._desk, why)
            self._desk.queued.notify_all()


def _seconds(header: str | None) -> float | None:
    return float(header) if header is not None and header.isdecimal() else None
