"""The package as a running function: AWS's emulator of the runtime's interface around it, moto for AWS and the
stand-in for the Bot API both over HTTP on this machine.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import boto3
from flask import Flask
from moto.server import ThreadedMotoServer
from werkzeug.serving import make_server

from infra.clock import SystemClock
from infra.local.botapi import server
from infra.local.botapi.transport import TOKEN
from infra.local.botapi.world import World
from infra.stores.dynamo import DynamoStore
from tests.aws.cloud import REGION, cloud
from tests.aws.events import TIME_LIMIT, taken, update_request
from tests.aws.packaged import RUNTIME, emulator
from tests.flows.house import SECRET, Flow, ManualClock
from tests.ports import kept

HERE: Final = "127.0.0.1"
MEMORY: Final = 512
"""Megabytes that the function is told it has; the emulator holds it to none."""
PATIENCE: Final = 60.0
"""Seconds after which what is awaited counts as never coming; nothing here is timed."""
INVOCATIONS: Final = "/2015-03-31/functions/function/invocations"
"""Where the emulator takes events (the Lambda API's Invoke)."""


@dataclass(frozen=True)
class Invoked:
    """What one invocation took, in seconds by the clock and of the processor."""

    seconds: float
    processor: float


class Function:
    """A function in one process, which the first event starts. It takes one event at a time: two at once would crash
    the emulator. ``handler`` names what takes them, as a template would.
    """

    def __init__(
        self, task_root: Path, log: Path, environment: Mapping[str, str], handler: str = "handler.entry.handler"
    ) -> None:
        binary = emulator()
        assert binary is not None
        self.invoked: list[Invoked] = []
        self.log = log
        self.task_root, self.environment = task_root, environment
        self._kept = ExitStack()
        self._port, api = self._kept.enter_context(kept(2))
        with log.open("wb") as said:
            self._emulator = subprocess.Popen(
                [
                    *(binary, "--log-level", "warn", "--runtime-interface-emulator-address", f"{HERE}:{self._port}"),
                    *("--runtime-api-address", f"{HERE}:{api}", RUNTIME, "-m", "awslambdaric", handler),
                ],
                cwd=task_root,
                env={
                    "PATH": os.defpath,
                    "LANG": "C.UTF-8",
                    "AWS_LAMBDA_FUNCTION_TIMEOUT": str(int(TIME_LIMIT)),
                    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(MEMORY),
                    "AWS_LAMBDA_LOG_FORMAT": "JSON",
                    "AWS_LAMBDA_LOG_LEVEL": "INFO",
                    "LAMBDA_TASK_ROOT": str(task_root),
                    "PYTHONPATH": str(task_root),
                    **environment,
                },
                stdout=said,
                stderr=subprocess.STDOUT,
            )

    def invoke(self, event: Any) -> Any:
        """Hand over an event; the answer."""
        connection = HTTPConnection(HERE, self._port, timeout=PATIENCE)
        try:
            self._connect(connection)
            before, began = self._processor(), time.monotonic()
            connection.request("POST", INVOCATIONS, json.dumps(event))
            answer = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        self.invoked.append(Invoked(time.monotonic() - began, self._processor() - before))
        return answer

    @property
    def process(self) -> int | None:
        """The process id of the runtime; None before the first event."""
        children = Path(f"/proc/{self._emulator.pid}/task").glob("*/children")
        return next((int(id) for path in children for id in path.read_text().split()), None)

    @property
    def most_memory(self) -> int:
        """Bytes that the runtime has held at most."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The process stands still, as Lambda's do between events."""
        process = self.process
        assert process is not None
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)

    def close(self) -> None:
        """End both processes, whatever they are about."""
        process = self.process
        self._emulator.kill()
        self._emulator.wait(PATIENCE)
        self._kept.close()
        if process is not None:
            with suppress(ProcessLookupError):  # it ends by itself when the emulator does; this makes sure
                os.kill(process, signal.SIGKILL)

    def _connect(self, connection: HTTPConnection) -> None:
        """Connect, be the emulator still about to listen."""
        given_up = time.monotonic() + PATIENCE
        while True:
            try:
                return connection.connect()
            except ConnectionRefusedError:
                assert self._emulator.poll() is None, self.log.read_text()
                assert time.monotonic() < given_up
                time.sleep(0.01)

    def _processor(self) -> float:
        """Seconds of the processor that the runtime has taken so far."""
        process = self.process
        if process is None:
            return 0.0
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class EmulatedFlow(Flow):
    """A flow whose bot is the function, in its own process and on the wall's clock. No timer fires by itself: a test
    lets a deadline pass in the store, and hands over a record of the queue.
    """

    def __init__(self, function: Function, store: DynamoStore, serve: ExitStack, port: int) -> None:
        self.function = function
        self._serve: ExitStack | None = serve
        self._port = port
        super().__init__(store, "")

    def post(self, update: Any) -> int:
        self.clock.time = SystemClock().now()
        if self._serve is not None:  # the first update: the world is there by now
            self._serve.enter_context(_served(_bot_api(self.world), self._port))
            self._serve = None
        return taken(self.world, self.function.invoke(update_request(update)))


@contextmanager
def emulated(package: Path, folder: Path) -> Iterator[EmulatedFlow]:
    """A flow in an account of its own, its function unpacked in ``folder``. At the end every call to Telegram must have
    been one that a correct bot makes, and nothing is left running.
    """
    task_root = folder / "var task"
    with ZipFile(package) as archive:
        archive.extractall(task_root)
    with ExitStack() as stack:
        account = stack.enter_context(cloud(ManualClock(), 1))
        for name, value in {"TOKEN_PARAMETER": TOKEN, "SECRET_PARAMETER": SECRET}.items():
            boto3.client("ssm").put_parameter(Name=account.environment[name], Value=value, Type="SecureString")
        aws = ThreadedMotoServer(HERE, 0, verbose=False)
        aws.start()
        stack.callback(aws.stop)
        host, port = aws.get_host_and_port()
        [bot_api] = stack.enter_context(kept(1))
        queue = account.settings.queue_url.rpartition(".amazonaws.com")[2]
        function = Function(
            task_root,
            folder / "function.log",
            {
                **account.environment,
                "QUEUE_URL": f"http://{host}:{port}{queue}",
                "AWS_ENDPOINT_URL": f"http://{host}:{port}",
                "AWS_REGION": REGION,
                "AWS_DEFAULT_REGION": REGION,
                "AWS_ACCESS_KEY_ID": "testing",
                "AWS_SECRET_ACCESS_KEY": "testing",
                "AWS_SESSION_TOKEN": "testing",
                "TELEGRAM_API": f"http://{HERE}:{bot_api}",
            },
        )
        stack.callback(function.close)
        store = DynamoStore(boto3.client("dynamodb"), account.settings.table, 90, SystemClock().now)
        flow = EmulatedFlow(function, store, stack, bot_api)
        stack.callback(flow.world.close)
        stack.callback(flow.telegram.close)
        yield flow
        assert flow.world.violations == []
        assert flow.world.pending() == []


def _bot_api(world: World) -> Flask:
    app = Flask("tests.aws.emulated")
    app.register_blueprint(server.blueprint(world, TOKEN, threading.Event()))
    return app


@contextmanager
def _served(app: Flask, port: int) -> Iterator[None]:
    """An app over HTTP, as long as the context lasts."""
    served = make_server(HERE, port, app, threaded=True)
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        served.shutdown()
        thread.join()
        served.server_close()
