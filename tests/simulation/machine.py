"""The bot on one machine: one process with threads, whose timers are lost with it, and whoever starts it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from flask.testing import FlaskClient

from handler.dispatch import nudge
from handler.ports import StoreUnavailable
from handler.rates import GroupRates
from handler.table import Ports, free_leases, move_overdue
from tests.simulation.delivery import Brought
from tests.simulation.premises import Premises, post, web
from tests.simulation.processes import LATENCY, Killed, Process
from tests.simulation.timers import VirtualTimers

BOOT: Final = (0.5, 3.0)
"""Seconds from a process's end until the next one has started."""


@dataclass(frozen=True)
class Running:
    """A process that takes updates."""

    process: Process
    client: FlaskClient
    timers: VirtualTimers


class Machine:
    """One machine."""

    def __init__(self, premises: Premises) -> None:
        self._premises = premises
        self._process: Process | None = None  # from the moment it is started
        self._running: Running | None = None  # once it takes updates
        self._starts = 0
        self._work: dict[int, str] = {}
        self._works = 0

    def take(self, update: Any) -> Brought:
        """An update is brought."""
        running = self._running
        if running is None:
            self._premises.scheduler.sleep(self._premises.random.uniform(0, LATENCY))
            return Brought(None, None)
        try:
            with self._at_work(f"update {update['update_id']}"):
                brought = post(running.client, update, running.process)
                running.process.pause(0)
        except Killed:
            self._fallen(running.process)
            return Brought(None, running.process.number)
        return brought

    def start(self) -> None:
        """Start a process, which takes its time."""
        self._starts += 1
        start = self._starts
        self._premises.scheduler.spawn(lambda: self._boot(start), self._premises.random.uniform(*BOOT))

    def stop(self, why: str) -> None:
        """End the process; no other one starts by itself."""
        self._starts += 1
        if self._process is not None:
            self._process.end(why)
        self._process = self._running = None

    def pending(self) -> list[str]:
        """What is being done at this moment."""
        return [*self._work.values(), *(["the process starts"] if self._running is None else [])]

    def _boot(self, start: int) -> None:
        if start != self._starts:
            return
        premises = self._premises
        self._process = process = premises.process()
        store, people = premises.stores.matches(process), premises.stores.people(process)
        timers = VirtualTimers(process, partial(self._carry_out, process))
        line, entropy = premises.telegram.line(process), premises.entropy(process)
        draw, afterwards = premises.draw(process), timers.afterwards
        ports = Ports(store, people, timers, line, process, entropy, GroupRates(), draw, process.together, afterwards)
        try:
            free_leases(ports)
            move_overdue(ports)
            timers.start(store, partial(nudge, ports))
        except StoreUnavailable:
            process.end("the store was not there when it started")
            self._fallen(process)
        except Killed:
            self._fallen(process)
        else:
            self._running = Running(process, web(ports), timers)

    def _carry_out(self, process: Process, what: str, work: Callable[[], None]) -> None:
        """What a thread of the process does."""
        try:
            with self._at_work(what):
                work()
        except Killed:
            self._fallen(process)

    def _fallen(self, process: Process) -> None:
        """It is no more, as some task of it notices."""
        if process is self._process:
            self._process = self._running = None
            self.start()

    @contextmanager
    def _at_work(self, what: str) -> Iterator[None]:
        self._works += 1
        work = self._works
        self._work[work] = what
        try:
            yield
        finally:
            del self._work[work]
