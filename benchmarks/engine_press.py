"""Which part of a press is replay: presses in this process with SQLite, as if Telegram had been reached in no time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from benchmarks.engine_timing import Batch
from benchmarks.scale_matches import NOW, Open, copies, positions, press
from engine.record import Record
from handler.dispatch import handle
from handler.message import Message
from handler.ports import Me
from handler.rates import GroupRates
from handler.recent import RecentRecords
from handler.steps import write_step
from handler.table import Ports
from infra.entropy import SystemEntropy
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople
from infra.telegram import BotTelegram
from infra.together import OneByOne, at_once
from tests.drawn import sketch
from tests.flows.house import ManualClock, ManualTimers

PRESSES: Final = 20
"""In one batch."""


class _NoTelegram(BotTelegram):
    """A bot whose answers and edits have arrived as soon as they are made."""

    def me(self) -> Me:
        return Me(1, "raven_dog_bot")

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        return True

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        pass


@dataclass(frozen=True)
class Press:
    """Batches for one match: a press, as the process that had the match before handles it; what of it is finding the
    state again; the same where another process has closed one phase since; and where nobody has replayed the match.
    """

    name: str
    steps: int
    press: Batch
    warm: Batch
    grown: Batch
    cold: Batch


@contextmanager
def presses() -> Iterator[list[Press]]:
    """The batches for the longest match there is of each game."""
    last = positions()[-2:]
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "matches.sqlite")
        telegram = _NoTelegram("1:none", "http://127.0.0.1:9")
        clock = ManualClock()
        clock.time = NOW
        people, entropy = SqlitePeople(store.file), SystemEntropy()
        ports = Ports(
            store, people, ManualTimers(), telegram, clock, entropy, GroupRates(), sketch, OneByOne(), at_once
        )
        try:
            found = list(copies(last, len(last)))
            for each in found:
                store.create(each.item, each.pointers)
            yield [_batches(ports, each) for each in found]
        finally:
            telegram.close()
            store.close()


def _batches(ports: Ports, of: Open) -> Press:
    record = of.position.match.record
    assert record is not None
    texts = tuple(write_step(step) for step in record.steps)
    return Press(
        of.position.match.game,
        len(texts),
        press=_pressing(ports, of),
        warm=_reading(record, texts, known=len(texts)),
        grown=_reading(record, texts, known=len(texts) - 1),
        cold=_reading(record, texts, known=None),
    )


def _pressing(ports: Ports, of: Open) -> Batch:
    number = 0

    def run() -> float:
        nonlocal number
        updates = []
        for _ in range(PRESSES):
            updates.append(_numbered(press(of, number % 2), number))
            number += 1
        begun = process_time()
        for update in updates:
            handle(ports, update)
        return (process_time() - begun) / PRESSES

    return run


def _numbered(update: dict[str, Any], number: int) -> dict[str, Any]:
    """The same press made anew."""
    return {**update, "update_id": 2_000_000 + number}


def _reading(record: Record, texts: Sequence[str], known: int | None) -> Batch:
    """From the steps' texts to the state, with so many steps replayed before; None for not one."""

    def run() -> float:
        readers = [RecentRecords() for _ in range(PRESSES)]
        if known is not None:
            for reader in readers:
                reader.record(record.setup, texts[:known]).history  # noqa: B018 - to be known from then on
        begun = process_time()
        for reader in readers:
            reader.record(record.setup, texts).latest  # noqa: B018
        return (process_time() - begun) / PRESSES

    return run
