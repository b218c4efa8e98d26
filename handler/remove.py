"""``python -m handler.remove``: the bot taken off AWS, after its matches were exported. It asks first.

STACK, REGION, TELEGRAM_API; YES: the stack's name, for scripts that cannot be asked; TABLE=delete: the table too.
TELEGRAM_TOKEN only where the stack keeps none any more.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from engine.record import UnknownRules
from handler.codec import read_match
from handler.exporting import record_file
from handler.operating import (
    ExportFailed,
    WrongUse,
    account,
    api_address,
    chosen,
    run,
    sentence,
    stack_name,
    told,
)
from handler.words import plain
from infra.move import KEEP_DAYS, Address, carry
from infra.operator import secrets, stack
from infra.operator.account import Account
from infra.operator.bot import OperatorsBot
from infra.operator.removal import Exported, removal
from infra.operator.stack import Stack
from infra.stores.sqlite import SqliteStore

EXPORTS: Final = Path("export")
MATCHES: Final = "matches.sqlite"
"""The copy of everything, which ``make host`` can go on with."""

RECORDS: Final = "records"


def remove() -> int:
    """Remove the stack, and say each step. The exit status. Raises WrongUse, and what a removal raises."""
    name, api = stack_name(), api_address()
    with_table = chosen("TABLE", ("", "delete"), "table") == "delete"
    clients = account("remove")
    found = _look(clients, name)
    # A folder of its own for each removal: nothing that was exported before is written over.
    folder = EXPORTS / name / f"{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}"
    _confirm(name, clients.region, folder, with_table=with_table)
    with _bot(clients, name, api) as bot, _made(folder):
        steps = removal(clients, found, name, bot, partial(export, clients, folder), time.sleep, with_table=with_table)
        for finding in steps:
            print(sentence("remove", finding), flush=True)
    if (folder / MATCHES).exists():
        print(plain("operator.remove.where", folder=str(folder)))
    return 0


def _look(clients: Account, name: str) -> Stack | None:
    """The stack, None if only secrets are left of it. Raises AwsTrouble, and WrongUse if there is nothing at all: who
    named another region is not to believe that the bot is gone.
    """
    found = stack.find(clients.cloudformation, name)
    if found is None and not any(secrets.kept(clients.ssm, name, each) for each in secrets.BOTH):
        raise WrongUse(plain("operator.wrong_use.nothing_there", stack=name, region=clients.region))
    return found


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """The folder for what is exported, made before anything else is done; it goes again if it stays empty. Raises
    WrongUse.
    """
    try:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUse(plain("operator.wrong_use.folder", folder=str(folder), why=str(error.strerror))) from None
    try:
        yield
    finally:
        with suppress(OSError):  # what is not empty stays
            for empty in (folder / RECORDS, folder, folder.parent, EXPORTS):
                empty.rmdir()


def export(clients: Account, folder: Path, table: str) -> Exported:
    """Copy what the table holds into a file of the folder, and write the record of each that is over. Raises
    ExportFailed.
    """
    source, target = Address("dynamodb", table), Address("sqlite", str(folder / MATCHES))
    if carry(source, target, lambda: clients.dynamodb, KEEP_DAYS, time.time) != 0:
        raise ExportFailed
    with closing(SqliteStore(folder / MATCHES)) as store:
        kept = store.kept()
    records = sum(_write_record(folder / RECORDS, each.item.id, each.item.body) for each in kept)
    return Exported(len(kept), records)


def _write_record(folder: Path, id: str, body: str) -> bool:
    """Write a match's record as the bot sent it. Whether there is one: while a match lasts, nobody gets it."""
    try:
        match = read_match(id, body)
        if match.record is None or match.stage == "playing":
            return False
        name, content, _ = record_file(match)
    except UnknownRules:
        print(plain("operator.remove.unknown_rules", match=id))
        return False
    (folder / name).write_bytes(content)
    return True


def _confirm(name: str, region: str, folder: Path, *, with_table: bool) -> None:
    """Say what will happen, and let whoever asked for it say so again. Raises WrongUse."""
    answer = told("YES")
    if not answer and sys.stdin.isatty():
        table = plain("operator.ask.table_goes") if with_table else plain("operator.ask.table_stays")
        answer = input(plain("operator.ask.remove", stack=name, region=region, folder=str(folder), table=table))
    if answer.strip() != name:
        raise WrongUse(plain("operator.wrong_use.confirm", stack=name))


@contextmanager
def _bot(clients: Account, name: str, api: str) -> Iterator[OperatorsBot | None]:
    """The bot with the token that the stack keeps, else with the one given; None if there is neither."""
    kept = secrets.kept(clients.ssm, name, secrets.TOKEN)
    token = told("TELEGRAM_TOKEN") if kept is None else kept.value
    if not token:
        yield None
        return
    with closing(OperatorsBot(token, api)) as bot:
        yield bot


if __name__ == "__main__":
    sys.exit(run(remove))
