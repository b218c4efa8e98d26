"""What every process of the bot gets, wherever it runs."""

from __future__ import annotations

import builtins
import json
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

from flask.testing import FlaskClient

from handler.dispatch import handle
from handler.picture import Drawing
from handler.ports import Draw
from handler.table import Ports
from handler.webhook import SECRET_HEADER, make_app
from tests.drawn import sketch
from tests.simulation.delivery import Brought
from tests.simulation.processes import Process
from tests.simulation.scenario import Scenario
from tests.simulation.schedule import Scheduler
from tests.simulation.stores import Stores
from tests.simulation.telegram import Telegram
from tests.simulation.trace import Trace
from tests.simulation.weather import Weather

SECRET: Final = "planted-in-the-webhook"
SKEW: Final = 1.0
"""Seconds that a clock is off at most, so that two disagree by twice as much."""


class PlannedEntropy:
    """A :class:`handler.ports.Entropy` that draws the same in every run."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def bytes(self, n: int) -> builtins.bytes:
        return self._random.randbytes(n)


@dataclass
class Premises:
    """Where processes are started. ``random`` decides what no weather does."""

    scenario: Scenario
    scheduler: Scheduler
    weather: Weather
    trace: Trace
    telegram: Telegram
    stores: Stores
    random: Random
    started: int = field(default=0, init=False)

    def process(self) -> Process:
        """One more process."""
        self.started += 1
        skew = self.random.uniform(-SKEW, SKEW)
        return Process(self.started, skew, self.scheduler, self.weather, self.trace)

    def entropy(self, process: Process) -> PlannedEntropy:
        """What a process draws from."""
        return PlannedEntropy(Random(f"{self.scenario.seed}/entropy of {process.number}"))

    def draw(self, process: Process) -> Draw:
        """What draws a process's pictures, now and then in vain."""

        def draw(drawing: Drawing) -> builtins.bytes:
            if self.weather.strikes("drawing failed", process.number):
                raise DrawingFailed
            return sketch(drawing)

        return draw


class DrawingFailed(Exception):
    """No picture comes of it."""


def web(ports: Ports) -> FlaskClient:
    """The webhook of a process."""
    return make_app(partial(handle, ports), SECRET).test_client(use_cookies=False)


def post(client: FlaskClient, update: Any, process: Process) -> Brought:
    """Bring an update to the webhook of a process."""
    headers = {SECRET_HEADER: SECRET}
    body = json.dumps(update).encode()
    answer = client.post("/telegram", data=body, content_type="application/json", headers=headers)
    return Brought(answer.status_code, process.number, answer.content_type, answer.data)
