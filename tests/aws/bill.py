"""What a bot asks of AWS and of Telegram, counted run by run in the units that are paid for.

Sizes and units are DynamoDB's (developer guide, "DynamoDB item sizes and formats" and "read and write operations"): an
item is as large as its names and values; a write is paid by the kilobyte of the larger of the items before and after
it, refused or not, in a transaction twice; a consistent read by four kilobytes. An index is written where what it holds
changes, and twice where its key does, for what was there is deleted first.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from time import process_time
from typing import Any, Final, Literal
from unittest.mock import patch

import httpx
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from handler import aws, logs, measures
from infra.local.botapi.transport import WorldTransport
from infra.together import OneByOne

Kind = Literal["webhook", "queue", "sweep"]
Stored = Mapping[str, Mapping[str, Any]]

INDEXES: Final[Mapping[str, tuple[tuple[str, str], bool]]] = {
    "due": (("due", "moment"), False),
    "results": (("played_in", "ended_at"), True),
}
"""The table's indexes: their keys, and whether they hold whole items or keys alone."""

LINE: Final = 26
"""Bytes that CloudWatch counts for each line of a log besides its own (API reference, PutLogEvents)."""

HEAD: Final = 350
"""Bytes of a request to the Bot API besides its body: the line, httpx's headers, and TLS around them, about."""


@dataclass
class Run:
    """One run of the function.

    ``calls`` counts by name AWS's calls and, as ``Telegram``, the Bot API's. ``read`` and ``write`` are DynamoDB's
    units, ``sent`` bytes to Telegram, ``logged`` bytes of the log. ``busy`` are seconds of processor time in all that
    is ours and our libraries', without boto3 below a client's method and without the stand-in for Telegram. ``rounds``
    are the Bot API's calls as they are waited for: how many at once each time, mostly one.
    """

    kind: Kind
    calls: Counter[str] = field(default_factory=Counter)
    read: float = 0
    write: int = 0
    sent: int = 0
    logged: int = 0
    busy: float = 0.0
    rounds: list[int] = field(default_factory=list)

    @property
    def idle(self) -> bool:
        """Whether it is a sweep that found nothing to look after."""
        return self.kind == "sweep" and self.calls == {"Query": 1}


class Bill:
    """The runs since it was opened, or since :meth:`begin`; ``current`` is the one under way."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.current: Run | None = None
        self._stored: dict[tuple[str, str], Stored] = {}

    def begin(self) -> None:
        """Forget the runs before."""
        self.runs.clear()

    def counted(self) -> Mapping[str, float]:
        """All that is paid for by number: runs by their kind, read and write units, calls by name. Sweeps that found
        nothing are not a match's.
        """
        found: defaultdict[str, float] = defaultdict(float)
        for run in self.runs:
            if not run.idle:
                units = {run.kind: 1, "read": run.read, "write": run.write, "sent": run.sent, "logged": run.logged}
                for name, number in (*units.items(), *run.calls.items(), ("rounds", len(run.rounds))):
                    found[name] += number
        return found

    # --- what is watched --------------------------------------------------------------------------

    def run(self, handler: Callable[[Any, Any], Any], event: Any, context: Any) -> Any:
        """The function runs."""
        self.current = Run("queue" if "Records" in event else "sweep" if "act" in event else "webhook")
        self.runs.append(self.current)
        begun = process_time()
        try:
            answer = handler(event, context)
            if self.current.kind == "webhook":
                self.current.sent += len(answer["body"]) + HEAD  # the edit with which a press ends is in it
            return answer
        finally:
            self.current.busy += process_time() - begun
            self.current = None

    def call(self, make: Callable[[], Any], name: str, params: Mapping[str, Any]) -> Any:
        """A client makes a call to AWS."""
        run = self.current
        if run is None:
            return make()
        run.calls[name] += 1
        begun = process_time()
        done = True
        try:
            answer = make()
        except ClientError:
            done, answer = False, {}
            raise
        finally:
            self._count(run, name, params, answer, done=done)
            run.busy -= process_time() - begun
        return answer

    def tell(self, content: bytes) -> None:
        """A request to the Bot API."""
        if self.current is not None:
            self.current.calls["Telegram"] += 1
            self.current.sent += len(content) + HEAD
            self.current.rounds.append(1)

    def spare(self, seconds: float) -> None:
        """What the stand-in for Telegram took is not the function's."""
        if self.current is not None:
            self.current.busy -= seconds

    def log(self, line: str) -> None:
        """A line of the log."""
        if self.current is not None:
            self.current.logged += len(line.encode()) + LINE

    # --- DynamoDB's units -------------------------------------------------------------------------

    def _count(self, run: Run, name: str, params: Mapping[str, Any], answer: Any, *, done: bool) -> None:
        match name:
            case "GetItem":
                run.read += max(1, ceil(size(self._stored.get(_key(params["Key"]), {})) / 4096))
            case "Query":
                read = max(1, ceil(sum(map(size, answer.get("Items", ()))) / 4096))
                run.read += read if params.get("ConsistentRead") else read / 2
            case "PutItem":
                run.write += self._write(_key(params["Item"]), params["Item"], done=done)
            case "UpdateItem":
                run.write += self._write(_key(params["Key"]), self._updated(params), done=done)
            case "DeleteItem":
                run.write += self._write(_key(params["Key"]), {}, done=done)
            case "TransactWriteItems":
                for action in params["TransactItems"]:
                    [(kind, of)] = action.items()
                    item = of["Item"] if kind == "Put" else self._updated(of) if kind == "Update" else {}
                    run.write += self._write(_key(of.get("Item") or of["Key"]), item, done=done, times=2)

    def _write(self, key: tuple[str, str], item: Stored, *, done: bool, times: int = 1) -> int:
        """The units of a write, in the table and, where it is done, in the indexes; an empty item is none."""
        before = self._stored.get(key, {})
        units = times * max(1, ceil(max(size(before), size(item)) / 1024))
        if done:
            self._stored[key] = item
            units += sum(_indexed(before, item, keys, whole=whole) for keys, whole in INDEXES.values())
        return units

    def _updated(self, params: Mapping[str, Any]) -> Stored:
        """What an update leaves, near enough: all of ours set one attribute."""
        name = params["UpdateExpression"].split()[1]
        [value] = [value for key, value in params["ExpressionAttributeValues"].items() if key in (":since", ":new")]
        return {**self._stored.get(_key(params["Key"]), params["Key"]), name: value}


def size(item: Stored) -> int:
    """Bytes of an item as DynamoDB counts them."""
    return sum(len(name) + sum(_size(kind, value) for kind, value in typed.items()) for name, typed in item.items())


def _size(kind: str, value: Any) -> int:
    match kind:
        case "N":
            mantissa = value.partition("e")[0].replace(".", "").replace("-", "").strip("0")
            return ceil(len(mantissa) / 2) + 1
        case "B":
            return len(value)
        case "L":
            return 3 + sum(1 + _size(*one) for each in value for one in each.items())
        case _:
            return len(value.encode())


def _key(item: Mapping[str, Any]) -> tuple[str, str]:
    return item["pk"]["S"], item["sk"]["S"]


def _indexed(before: Stored, after: Stored, keys: tuple[str, str], *, whole: bool) -> int:
    """The units of what an index follows of a write."""

    def entry(item: Stored) -> Stored:
        if not all(key in item for key in keys):
            return {}
        return item if whole else {name: item[name] for name in ("pk", "sk", *keys)}

    old, new = entry(before), entry(after)
    if old == new:
        return 0
    units = [max(1, ceil(size(each) / 1024)) for each in (old, new) if each]
    moved = [old.get(key) for key in keys] != [new.get(key) for key in keys]
    return sum(units) if moved else max(units)


class _Rounds(OneByOne):
    """The function makes calls side by side. Here one by one, so that it is known what each of them takes; but what is
    begun before some are waited for is a round, if any of it is a call to the Bot API.
    """

    def __init__(self, bill: Bill) -> None:
        self._bill = bill
        self._told = 0

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        run = self._bill.current
        rounds = [] if run is None else run.rounds
        before = len(rounds)
        made = super().begin(call)
        self._told += sum(rounds[before:])
        del rounds[before:]
        return made

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        if self._bill.current is not None and self._told:
            self._bill.current.rounds.append(self._told)
        self._told = 0
        return super().wait(running)


class _Lines(logging.Handler):
    def __init__(self, bill: Bill) -> None:
        super().__init__()
        self._bill = bill

    def emit(self, record: logging.LogRecord) -> None:
        self._bill.log(self.format(record))


@contextmanager
def opened() -> Iterator[Bill]:
    """A bill for every run of the function from now on."""
    bill = Bill()
    handler, call, carry = aws.handler, BaseClient._make_api_call, WorldTransport.handle_async_request  # type: ignore[attr-defined]

    def run(event: Any, context: Any) -> Any:
        return bill.run(handler, event, context)

    def make(client: Any, name: str, params: Mapping[str, Any]) -> Any:
        return bill.call(lambda: call(client, name, params), name, params)

    async def tell(transport: WorldTransport, request: httpx.Request) -> httpx.Response:
        bill.tell(await request.aread())
        begun = process_time()
        answer = await carry(transport, request)
        bill.spare(process_time() - begun)
        return answer

    lines = _Lines(bill)
    lines.setFormatter(logs.JsonLine())
    lines.addFilter(logs._is_heard)
    numbers = logging.getLogger(measures.__name__)
    level = numbers.level
    numbers.setLevel(logging.INFO)
    logging.getLogger().addHandler(lines)
    try:
        with (
            patch.object(aws, "handler", run),
            patch.object(aws, "Threads", lambda most: _Rounds(bill)),
            patch.object(BaseClient, "_make_api_call", make),
            patch.object(WorldTransport, "handle_async_request", tell),
        ):
            yield bill
    finally:
        logging.getLogger().removeHandler(lines)
        numbers.setLevel(level)
