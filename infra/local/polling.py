"""Long polling for a self-hosted bot, delivering updates as Telegram delivers them to a webhook.

Updates of one queue (a chat's messages, a person's presses) are handled one after another, those of different queues
side by side. One that fails is tried again, and meanwhile holds up its own queue only. None is confirmed before it was
handled or given up, so whatever a killed process left undone comes again.
"""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any

from handler.ports import TelegramError, TooFast
from infra.telegram_errors import BadToken, Contested

Update = dict[str, Any]

WAIT = 50
"""Seconds that Telegram keeps a request open while nothing happens."""

PAUSE = 1.0
"""Seconds until the next request while an update is still being handled: Telegram answers with that one at once."""

FIRST_RETRY, LONGEST_RETRY = 1.0, 60.0
"""Seconds until a failed update or request is tried again: doubled each time, up to the longest."""

PRESS_LIFE = 150.0
"""Seconds for which Telegram itself goes on delivering a press."""

LIFE = 300.0
"""Seconds for which anything else is tried. (Telegram's 24 h would in the end keep new updates from coming.)"""

WORKERS = 8

logger = logging.getLogger(__name__)


def queue_of(update: Update) -> Hashable:
    """The queue that an update belongs to; equal for updates that must be handled in order."""
    for kind, content in update.items():
        if isinstance(content, dict):
            of_person = kind in ("callback_query", "chat_member", "chat_join_request")
            whose = content.get("from" if of_person else "chat")
            apart = kind if of_person or kind == "my_chat_member" else "message"
            return apart, whose.get("id") if isinstance(whose, dict) else None
    return None


def retry_after(failures: int) -> float:
    """Seconds to wait after so many failures in a row."""
    return float(min(FIRST_RETRY * 2 ** (failures - 1), LONGEST_RETRY))


@dataclass
class _Task:
    """An update to be handled. ``give_up_at`` is a time of the monotonic clock."""

    id: int
    update: Update
    give_up_at: float
    failures: int = 0


class Poller:
    """Fetches updates and has them handled until it is stopped.

    ``get_updates(offset, wait)`` is :meth:`infra.telegram.BotTelegram.updates` with its kinds. ``handle`` returns
    whether the update is done with; False or an exception means that a retry can help.
    """

    def __init__(self, get_updates: Callable[[int, int], Sequence[Update]], handle: Callable[[Update], bool]) -> None:
        self._get_updates = get_updates
        self._handle = handle
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="update")
        # What is left to do in the thread of run, which alone touches what stands below. It is a SimpleQueue because a
        # signal handler may put into it whatever that thread is at.
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._requests: SimpleQueue[int] = SimpleQueue()
        self._running = True
        self._fetching = False
        self._fetch_at = 0.0
        self._next_id = 0
        self._open: dict[int, _Task] = {}
        self._done: set[int] = set()
        self._queues: dict[Hashable, deque[_Task]] = {}
        self._retries: list[tuple[float, int]] = []

    def run(self) -> None:
        """Poll until :meth:`stop`, then wait for the updates that are being handled. Raises BadToken."""
        Thread(target=self._fetch, name="getUpdates", daemon=True).start()
        try:
            while self._running:
                self._request()
                with suppress(Empty):
                    self._events.get(timeout=self._pause())()
                self._retry()
        finally:
            self._pool.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """End :meth:`run` soon. From any thread or signal handler."""
        self._events.put(self._end)

    # --- in the thread of run ---------------------------------------------------------------------

    def _request(self) -> None:
        """Ask for more, from the first unconfirmed update on."""
        if self._fetching or (self._open and monotonic() < self._fetch_at):
            return
        offset = min(self._open, default=self._next_id)
        self._done = {id for id in self._done if id >= offset}
        self._fetching = True
        self._requests.put(offset)

    def _pause(self) -> float | None:
        """Seconds until there is something to do if nothing happens; None: nothing then either."""
        times = [at for at, _ in self._retries[:1]]
        if not self._fetching:
            times.append(self._fetch_at)
        return max(0.0, min(times) - monotonic()) if times else None

    def _retry(self) -> None:
        while self._retries and self._retries[0][0] <= monotonic():
            _, id = heappop(self._retries)
            self._start(self._open[id])

    def _fetched(self, updates: Sequence[Update]) -> None:
        now = monotonic()
        self._fetching = False
        self._fetch_at = now + PAUSE
        for update in updates:
            id = int(update["update_id"])
            if id in self._open or id in self._done:
                continue
            self._next_id = id + 1
            task = _Task(id, update, now + (PRESS_LIFE if "callback_query" in update else LIFE))
            self._open[id] = task
            queue = self._queues.setdefault(queue_of(update), deque())
            queue.append(task)
            if len(queue) == 1:
                self._start(task)

    def _handled(self, task: _Task, done: bool) -> None:
        if not done:
            task.failures += 1
            again_at = monotonic() + retry_after(task.failures)
            if again_at < task.give_up_at:
                heappush(self._retries, (again_at, task.id))
                return
            logger.error("update %d is given up after %d failures", task.id, task.failures)
        del self._open[task.id]
        self._done.add(task.id)
        queue = self._queues[queue_of(task.update)]
        queue.popleft()
        if queue:
            self._start(queue[0])
        else:
            del self._queues[queue_of(task.update)]

    def _start(self, task: _Task) -> None:
        self._pool.submit(self._work, task)

    def _end(self) -> None:
        self._running = False

    def _fail(self, error: Exception) -> None:
        raise error

    # --- in other threads -------------------------------------------------------------------------

    def _work(self, task: _Task) -> None:
        try:
            done = self._handle(task.update)
        except Exception:
            logger.exception("update %d failed", task.id)
            done = False
        self._events.put(partial(self._handled, task, done))

    def _fetch(self) -> None:
        try:
            while True:
                updates = self._insist(self._requests.get())
                self._events.put(partial(self._fetched, updates))
        except Exception as error:
            self._events.put(partial(self._fail, error))

    def _insist(self, offset: int) -> Sequence[Update]:
        """The updates, however often the request must be repeated. Raises BadToken, which no repeat helps."""
        failures = 0
        while True:
            failures += 1
            pause = retry_after(failures)
            try:
                return self._get_updates(offset, WAIT)
            except BadToken:
                raise
            except Contested:
                logger.error("updates go elsewhere: a webhook is set, or another process polls with this token")
            except TooFast as error:
                pause = error.seconds
            except TelegramError as error:
                logger.warning("getUpdates failed (%s); next try in %d s", type(error).__name__, pause)
            sleep(pause)


def poll(get_updates: Callable[[int, int], Sequence[Update]], handle: Callable[[Update], bool]) -> None:
    """Run a :class:`Poller` until SIGINT or SIGTERM. For the main thread only. Raises BadToken."""
    poller = Poller(get_updates, handle)
    before = {number: signal.signal(number, lambda *_: poller.stop()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        poller.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
