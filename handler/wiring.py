"""The one place that joins the handler with what is outside: the bot on one machine, at the local table or for real."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from werkzeug.serving import make_server

from handler.appearance import appearances
from handler.dispatch import handle, nudge
from handler.ports import Clock, StoreUnavailable
from handler.rates import GroupRates
from handler.table import Ports, free_leases, move_overdue
from handler.webhook import make_app
from handler.words import plain
from infra.drawing import draw
from infra.entropy import SystemEntropy
from infra.local.clock import TableClock
from infra.local.lock import alone
from infra.local.table import LocalTable
from infra.operator.bot import OperatorsBot
from infra.stores.schema import UnusableFile
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from infra.telegram import CONNECTIONS, BotTelegram
from infra.timers.local import LocalTimers
from infra.together import Threads


class UnwritableFolder(Exception):
    """The folder for the state cannot be made, or nothing can be written there. The message is the system's."""


STATE_TROUBLE: Final = (UnwritableFolder, UnusableFile, StoreUnavailable)
"""What keeps a bot on one machine from starting when its state is not as it should be."""


def state_folder(name: str) -> Path:
    """Where a bot on one machine keeps its state: a folder in ``var``, or in RAVEN_DOG_VAR."""
    return Path(os.environ.get("RAVEN_DOG_VAR", "var")) / name


def writable(folder: Path) -> Path:
    """The folder, made if there is none. Raises UnwritableFolder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise UnwritableFolder(error.strerror) from error


def trouble(folder: Path, error: Exception) -> str:
    """One of STATE_TROUBLE, told to whoever started the program."""
    if isinstance(error, UnwritableFolder):
        return plain("operator.state.unwritable", folder=str(folder), why=str(error))
    if isinstance(error, UnusableFile):
        return plain("operator.state.unusable", folder=str(folder), why=str(error))
    return plain("operator.state.unavailable", folder=str(folder), why=str(error))


@contextmanager
def one_machine(
    folder: Path, telegram: BotTelegram, clock: Clock, turn: Callable[[], None] = lambda: None
) -> Iterator[Ports]:
    """A bot with its state in one SQLite file and its timers in the process. ``turn`` returns when one more call to
    Telegram may begin that nobody waits for.

    Deadlines that passed while it was down are moved before anything else happens; the timers run until the end.
    Raises UnusableFile, StoreUnavailable.
    """
    store = SqliteStore(folder / "matches.sqlite")
    timers = LocalTimers(clock)
    together = Threads(CONNECTIONS, turn)
    people, entropy = SqlitePeople(store.file), SystemEntropy()
    ports = Ports(store, people, timers, telegram, clock, entropy, GroupRates(), draw, together, timers.afterwards)
    free_leases(ports)
    move_overdue(ports)
    timers.start(store, partial(nudge, ports))
    if isinstance(clock, TableClock):
        clock.on_speed(timers.wake)
    try:
        yield ports
    finally:
        together.stop()
        timers.close()
        together.close()
        telegram.close()
        store.close()


@contextmanager
def local_table(folder: Path, port: int) -> Iterator[LocalTable]:
    """The local table with the bot behind its own webhook, as real Telegram would reach it: over HTTP.

    Raises AlreadyOpen, PortTaken, UnusableFile, StoreUnavailable.
    """
    with alone(folder) as note:
        clock = TableClock(folder / "clock.sqlite")
        table = LocalTable(folder / "telegram.sqlite", port, clock)
        note(table.address)
        secret = secrets.token_urlsafe(24)
        telegram = OperatorsBot(table.token, table.address)
        with one_machine(folder, telegram, clock) as ports:
            telegram.show(appearances())
            server = make_server("127.0.0.1", 0, make_app(partial(handle, ports), secret), threaded=True)
            threading.Thread(target=server.serve_forever, name="webhook", daemon=True).start()
            table.start(f"http://127.0.0.1:{server.server_port}/telegram", secret)
            try:
                yield table
            finally:
                table.close()
                server.shutdown()
                server.server_close()
                clock.close()
