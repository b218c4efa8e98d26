"""The bot on AWS: several processes, each of which takes one event at a time and has its time measured out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from flask.testing import FlaskClient

from handler import aws
from handler.deadlines import nudged, sweep
from handler.logs import kind
from handler.ports import Nudge, StoreRefused, StoreUnavailable, TelegramError
from handler.rates import SharedReplies
from handler.table import Busy, Ports
from infra.timers.scheduled import ScheduledTimers
from infra.together import at_once
from tests.simulation.cloud import Cloud
from tests.simulation.delivery import Brought
from tests.simulation.moments import anything_due
from tests.simulation.premises import Premises, post, web
from tests.simulation.processes import LATENCY, Killed, Process
from tests.simulation.trace import Nudged

BOOT: Final = (0.5, 3.0)
"""Seconds that a process takes to start."""
TIMEOUT: Final = 29.0
"""Seconds of an event, after which its process is ended (template.yaml)."""
IDLE: Final = (30.0, 900.0)
"""Seconds without an event after which a process is thrown away."""
SWEEP_EVERY: Final = 60.0
SWEEP_LATE: Final = 3.0
WAITING: Final = 5
"""Requests that wait for a process at most."""
LOOK_EVERY: Final = 0.05

log = logging.getLogger(aws.__name__)

T = TypeVar("T")


@dataclass
class Warm:
    """A process with what lives from event to event. ``until``: it is thrown away then, if it is idle."""

    process: Process
    ports: Ports
    queue: ScheduledTimers
    client: FlaskClient
    busy: bool
    until: float


class Functions:
    """The function, with as many processes at once as the scenario allows."""

    def __init__(self, premises: Premises) -> None:
        self._premises = premises
        self._cloud = Cloud(premises.scheduler, premises.weather, premises.trace, premises.random)
        self._cloud.consume(self._nudge)
        self._warm: list[Warm] = []
        self._booting = 0
        self._waiting = 0
        self._down = True
        self._work: dict[int, str] = {}
        self._works = 0
        premises.scheduler.at(premises.scheduler.now + premises.random.uniform(0, SWEEP_EVERY), self._minute)

    def take(self, update: Any) -> Brought:
        """An update is brought."""
        if self._down or self._waiting >= WAITING:
            self._premises.scheduler.sleep(self._premises.random.uniform(0, LATENCY))
            return Brought(503, None)
        return self._invoke(
            f"update {update['update_id']}",
            lambda warm: post(warm.client, update, warm.process),
            lambda process: Brought(None, process.number),
        )

    def start(self) -> None:
        """Let events in."""
        self._down = False

    def stop(self, why: str) -> None:
        """End all processes and let no event in."""
        self._down = True
        for warm in self._warm:
            warm.process.end(why)
        self._warm = []

    def pending(self) -> list[str]:
        """What is being done at this moment, and what is on its way in the cloud. Schedules that fire days from now
        find nothing to do, and are not waited for.
        """
        return [*self._work.values(), *(each for each in self._cloud.pending() if not each.startswith("schedule"))]

    # --- events -----------------------------------------------------------------------------------

    def _nudge(self, nudge: Nudge, tries: int) -> bool | None:
        """A record of the queue, as ``handler.aws`` takes it in."""

        def take(warm: Warm) -> bool:
            about = {"match": nudge.match}
            try:
                nudged(warm.ports, warm.queue, nudge, warm.process.pause)
            except (Busy, StoreUnavailable, TelegramError) as error:
                log.warning("a nudge is to come again", extra={**about, **kind(error)})
                return False
            except Exception as error:
                log.exception("a nudge failed", extra={**about, **kind(error)})
                return False
            return True

        if self._down:
            return None
        return self._invoke(f"nudge of {nudge.match}, try {tries}", self._noting(nudge.match, take), lambda _: None)

    def _minute(self) -> None:
        """The minute's rule. A sweep that would find nothing is not worth its time here."""
        scheduler, weather = self._premises.scheduler, self._premises.weather
        scheduler.at(scheduler.now + SWEEP_EVERY, self._minute)
        if not self._down and anything_due(self._premises.trace, scheduler.now) and not weather.strikes("sweep lost"):
            scheduler.spawn(self._sweep, self._premises.random.uniform(0, SWEEP_LATE))

    def _sweep(self) -> None:
        def take(warm: Warm) -> bool:
            process = warm.process
            assert process.until is not None
            until = process.until
            try:
                sweep(warm.ports, warm.queue, lambda: until - process.scheduler.now)
            except (StoreUnavailable, StoreRefused) as error:
                log.error("an event came to nothing", extra=kind(error))
                return False
            except Exception as error:
                log.exception("an event came to nothing", extra=kind(error))
                return False
            return True

        if not self._down:
            self._invoke("sweep", self._noting("", take), lambda _: False)

    def _noting(self, match: str, take: Callable[[Warm], bool]) -> Callable[[Warm], bool]:
        """Tell the trace of a nudge."""

        def noting(warm: Warm) -> bool:
            trace, scheduler = self._premises.trace, self._premises.scheduler
            at, done = scheduler.now, False
            try:
                done = take(warm)
            finally:
                trace.add(Nudged(at, scheduler.now, warm.process.number, match, done))
            return done

        return noting

    # --- processes --------------------------------------------------------------------------------

    def _invoke(self, what: str, take: Callable[[Warm], T], ended: Callable[[Process], T]) -> T:
        """Let a process take an event; ``ended`` is what comes of it where the process ends instead."""
        self._works += 1
        work = self._works
        self._work[work] = what
        try:
            warm = self._free()
            process = warm.process
            try:
                process.until = self._premises.scheduler.now + TIMEOUT
                result = take(warm)
                process.pause(0)
                return result
            except Killed:
                return ended(process)
            finally:
                process.until = None
                warm.busy = False
                warm.until = self._premises.scheduler.now + self._premises.random.uniform(*IDLE)
        finally:
            del self._work[work]

    def _free(self) -> Warm:
        """A process that is busy with the caller's event from now on; waits for one if it must."""
        premises = self._premises
        self._waiting += 1
        while True:
            idle = self._idle()
            if idle:
                warm = premises.random.choice(idle)
                break
            if len(self._warm) + self._booting < premises.scenario.processes:
                warm = self._boot()
                break
            premises.scheduler.sleep(LOOK_EVERY)
        self._waiting -= 1
        warm.busy = True
        return warm

    def _idle(self) -> list[Warm]:
        """Those that are warm and have nothing to do."""
        now = self._premises.scheduler.now
        for warm in self._warm:
            if not warm.busy and warm.until <= now:
                warm.process.end("idle")
        self._warm = [warm for warm in self._warm if warm.process.alive]
        return [warm for warm in self._warm if not warm.busy]

    def _boot(self) -> Warm:
        premises = self._premises
        self._booting += 1
        premises.scheduler.sleep(premises.random.uniform(*BOOT))
        self._booting -= 1
        process = premises.process()
        if self._down:
            process.end("stopped while it started")
        store, people = premises.stores.matches(process), premises.stores.people(process)
        queue = self._cloud.timers(process)
        telegram, entropy = premises.telegram.line(process), premises.entropy(process)
        replies, draw = SharedReplies(store), premises.draw(process)
        ports = Ports(store, people, queue, telegram, process, entropy, replies, draw, process.together, at_once)
        warm = Warm(process, ports, queue, web(ports), busy=True, until=0)
        self._warm.append(warm)
        return warm
