"""``python -m infra.move FROM TO``: bring every match from one store into another, open or over, and
with them the profiles and results of people.

FROM and TO are ``sqlite:PATH`` or ``dynamodb:TABLE``; the region is AWS_REGION or what boto3 finds, as are credentials.
No bot may be running on either meanwhile: one on this machine is noticed. FROM stays as it is.

It may be run again, after whatever kept it from coming to its end: what is there already stays, and may have gone on
since. A match that is there and is another than in FROM is never overwritten, but named; a result likewise. The exit
status is 0 if everything is in TO, 1 if not, 2 if it was asked for wrongly.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Protocol

import boto3
from botocore.exceptions import BotoCoreError, NoRegionError, ProfileNotFound

from handler.ports import Conflict, Item, StoreUnavailable, Taken
from infra.aws.errors import AwsTrouble, Denied, Invalid, Missing
from infra.local.lock import LOCK, AlreadyOpen, alone
from infra.move_people import PeopleReport, WholePeople, move_people
from infra.stores.dynamo_items import expiry
from infra.stores.dynamo_kept import WholeDynamoPeople, WholeDynamoStore
from infra.stores.kept import Contents, Kept
from infra.stores.schema import UnusableFile
from infra.stores.sqlite import SqliteStore
from infra.stores.sqlite_people import SqlitePeople

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEEP_DAYS: Final = 90
"""Days for which a table keeps a match after its end, unless the template's parameter says something else."""


class Unusable(Exception):
    """A store that cannot be used. The message says which, and why."""


@dataclass(frozen=True)
class Address:
    """Where matches are: ``sqlite`` and a file, or ``dynamodb`` and a table."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


Tables = Callable[[], "DynamoDBClient"]
"""The client for tables. It is not asked for where both stores are files."""


class WholeStore(Protocol):
    """A store of matches of either kind, as a whole."""

    def load(self, id: str) -> Item | None:
        """One match."""

    def kept(self) -> Sequence[Kept]:
        """Every match, the oldest first."""

    def keep(self, kept: Kept) -> None:
        """One match more. Raises Conflict, Taken."""


@dataclass(frozen=True)
class Opened:
    """What is at an address."""

    matches: WholeStore
    people: WholePeople


@dataclass
class Report:
    """How many matches were moved, how many of these are open, how many had been moved before, how many of these have
    gone on since, and how many were left out because their time has passed; and for each of the others, why it was not
    moved.
    """

    moved: int = 0
    open: int = 0
    there: int = 0
    since: int = 0
    over: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [f"Moved {_matches(self.moved)}, {self.open} of them open."]
        if self.there:
            since = f", {self.since} of them gone on since" if self.since else ""
            parts.append(f"{_matches(self.there)} had been moved before{since}.")
        if self.over:
            parts.append(f"{_matches(self.over)} left out, whose time has passed.")
        if self.wrong:
            parts.append(f"{_matches(len(self.wrong))} not moved, for the reasons above.")
        return " ".join(parts)


def main(arguments: Sequence[str] | None = None, now: Callable[[], float] = time.time) -> int:
    """Move, and say what was moved. The exit status."""
    asked = _arguments(arguments)
    region = os.environ.get("AWS_REGION") or None  # which boto3 does not look at
    tables = lambda: boto3.client("dynamodb", region_name=region)  # noqa: E731
    return carry(asked.source, asked.target, tables, asked.keep_days, now)


def carry(source: Address, target: Address, tables: Tables, keep_days: int, now: Callable[[], float]) -> int:
    """Bring everything from one store into another, and say what was moved. The exit status."""
    try:
        with unused(source, target):
            return bring(read(source, tables, now), target, tables, keep_days, now)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 1


@contextmanager
def unused(*addresses: Address) -> Iterator[None]:
    """Let no bot of this machine begin to use these files. Raises Unusable if one does already."""
    files = {Path(address.name).resolve().parent: address for address in addresses if address.kind == "sqlite"}
    with ExitStack() as held:
        for folder, address in files.items():
            # Where there is no such file, no bot has ever run, and none is made.
            if (folder / LOCK).exists():
                try:
                    held.enter_context(alone(folder))
                except AlreadyOpen:
                    raise Unusable(f"{address}: a bot is running there. Please stop it first.") from None
                except PermissionError:
                    raise Unusable(f"{address}: whether a bot is running there cannot be seen by you.") from None
                except OSError:
                    continue  # where nothing can be written (a read-only disk), no bot can run
        yield


def read(source: Address, tables: Tables, now: Callable[[], float]) -> Contents:
    """All that a store holds. Raises Unusable."""
    with _opened(source, tables, KEEP_DAYS, now, new=False) as store:
        return Contents(store.matches.kept(), store.people.kept())


def bring(contents: Contents, target: Address, tables: Tables, keep_days: int, now: Callable[[], float]) -> int:
    """Bring what a store held into another, and say what was moved. The exit status."""
    report, people, again = Report(), PeopleReport(), ""
    try:
        with _opened(target, tables, keep_days, now, new=True) as store:
            move(contents.matches, store.matches, now(), keep_days if target.kind == "dynamodb" else None, report)
            move_people(contents.people, store.people, people)
    except Unusable as error:
        print(error, file=sys.stderr)
        again = " Run it again when that is put right: it goes on from there."
    wrong = [*report.wrong, *people.wrong]
    for why in wrong:
        print(why, file=sys.stderr)
    matches = str(report) if contents.matches else "There are no matches to move."
    print(f"{matches} {people}".rstrip() + again)
    return 1 if wrong or again else 0


def move(kept: Sequence[Kept], target: WholeStore, now: float, keep_days: int | None, report: Report) -> None:
    """Bring matches into ``target``, and note in ``report`` what became of each.

    ``keep_days``: for how long after its end a table keeps a match; None for a file, which keeps all of them. Raises
    AwsTrouble, StoreUnavailable.
    """
    for each in kept:
        item = each.item
        if keep_days is not None and item.ended_at is not None and expiry(item.ended_at, keep_days) <= now:
            report.over += 1
            continue
        stored = target.load(item.id)
        try:
            if stored is None:
                target.keep(each)
                report.moved += 1
                report.open += item.ended_at is None
            elif _same_or_later(stored, item):
                report.there += 1
                report.since += stored.version > item.version
            else:
                raise Conflict(stored)
        except Conflict:
            report.wrong.append(f"Match {item.id}: it is there already, and not as it is in FROM.")
        except Taken as taken:
            report.wrong.append(f"Match {item.id}: match {taken.match} is in its place.")


def _same_or_later(stored: Item, item: Item) -> bool:
    """Whether what is stored is the match that is to be moved, or what it has become. A bot that goes on with a match
    raises its version; what it has told so far, it notes without.
    """
    if stored.version != item.version:
        return stored.version > item.version
    return _decided(stored) == _decided(item)


def _decided(item: Item) -> tuple[object, ...]:
    """What a version is of: the first block of :class:`handler.ports.Item`."""
    return item.body, item.alarm_at, item.alarm, item.news, item.ended_at


@contextmanager
def _opened(
    address: Address, tables: Tables, keep_days: int, now: Callable[[], float], *, new: bool
) -> Iterator[Opened]:
    """The store at an address; a file and its folder are made if ``new``. Whatever goes wrong meanwhile is Unusable."""
    try:
        if address.kind == "dynamodb":
            client = tables()
            yield Opened(
                WholeDynamoStore(client, address.name, keep_days, now), WholeDynamoPeople(client, address.name)
            )
            return
        path = Path(address.name)
        if path.is_dir():
            raise Unusable(f"{address}: this is a folder. Is it {address}/matches.sqlite?")
        if new:
            path.parent.mkdir(parents=True, exist_ok=True)
        with nullcontext(path) if new else _copy(address) as used, closing(SqliteStore(used)) as store:
            yield Opened(store, SqlitePeople(store.file))
    except OSError as error:
        raise Unusable(f"{address}: {error.strerror}.") from None
    except (AwsTrouble, StoreUnavailable, UnusableFile, BotoCoreError) as error:
        # SQLite's own words come with the file's name.
        raise Unusable(f"{address}: {_why(error).removeprefix(f'{Path(address.name).name}: ')}") from None


@contextmanager
def _copy(address: Address) -> Iterator[Path]:
    """A copy of a file, to be read in its place: one of an earlier release is brought up to this one when it is opened.
    Raises Unusable, OSError.
    """
    path = Path(address.name).resolve()
    if not path.is_file():
        raise Unusable(f"{address}: there is no such file.")
    if path.stat().st_size == 0:
        raise Unusable(f"{address}: the file is empty.")
    with TemporaryDirectory() as folder:
        # Beside the file is what a bot that was killed had no time to write into it (write-ahead log).
        for part in (path, path.with_name(f"{path.name}-wal")):
            if part.exists():
                copyfile(part, Path(folder) / part.name)
        yield Path(folder) / path.name


def _why(error: Exception) -> str:
    match error:
        case Missing():
            return "there is no such table in this account and region."
        case Denied():
            return "AWS does not permit this with the credentials that boto3 finds, if any, or they have expired."
        case Invalid():
            return "this is not the table of a bot."
        case AwsTrouble():
            return "AWS does not answer, or not so often."
        case NoRegionError():
            return "no region is set. Set AWS_REGION."
        case ProfileNotFound():
            return "there is no profile of the name that AWS_PROFILE says."
        case BotoCoreError():
            return "the region, the credentials or the files of the AWS command line cannot be used: aws configure list"
        case _:
            return f"{error}."


# --- arguments ------------------------------------------------------------------------------------


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m infra.move",
        description="Bring every match from one store into another, with the profiles and results of people. No bot "
        "may be running on either meanwhile. It may be run again: what is there already stays, and nothing is ever "
        "overwritten.",
    )
    where = "sqlite:PATH or dynamodb:TABLE"
    parser.add_argument("source", metavar="FROM", type=_address, help=f"where the matches are: {where}")
    parser.add_argument("target", metavar="TO", type=_address, help=f"where they are to be: {where}")
    days = f"for how many days the table keeps a match after its end, if it was not deployed with {KEEP_DAYS}"
    parser.add_argument("--keep-days", metavar="DAYS", type=_days, default=KEEP_DAYS, help=days)
    asked = parser.parse_args(arguments)
    if _store(asked.source) == _store(asked.target):
        parser.error("FROM and TO are the same")
    return asked


def _store(address: Address) -> tuple[str, str]:
    """What two addresses have in common that name the same."""
    return address.kind, str(Path(address.name).resolve()) if address.kind == "sqlite" else address.name


def _address(text: str) -> Address:
    kind, _, name = text.partition(":")
    if kind not in ("sqlite", "dynamodb") or not name:
        meant = f". Is it sqlite:{text}?" if Path(text).exists() else ""
        raise argparse.ArgumentTypeError(f"{text!r} is neither sqlite:PATH nor dynamodb:TABLE{meant}")
    return Address(kind, name)


def _days(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days")
    return int(text)


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"


if __name__ == "__main__":
    sys.exit(main())
