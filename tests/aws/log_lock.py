"""The lock on the function's log: whatever is said inside of it, what comes out holds nothing secret."""

from __future__ import annotations

import io
import logging
import re
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Final

import pytest

from handler import logs
from infra.stores.dynamo_items import unpacked
from tests.aws.house import AwsFlow, house
from tests.aws.trouble import KINDS, Trouble
from tests.engine.locks import Leak
from tests.flows import dog_segments
from tests.flows.frail import SEED
from tests.flows.inspection import search
from tests.flows.segments import Segment, pressed
from tests.flows.twins import TROUBLES, Twin

INSTALL: Final = logs.install_with_measures

LIBRARIES: Final = ("asyncio", "boto3", "botocore", "flask", "httpcore", "httpx", "telegram", "urllib3", "werkzeug")

CREDENTIALS: Final = ("AKIDOFTHEFUNCTION", "secret-key-of-the-function", "session-token-of-the-function")

EVERY: Final = 13
"""Each so-manieth call to AWS fails, so that failures are logged too."""


_PACKED: Final = re.compile(r'"(?:body|telling)": *{"B": *"([A-Za-z0-9+/=]+)"')


class _Said(logging.Handler):
    """Counts what libraries say."""

    def __init__(self, seed: str) -> None:
        super().__init__(logging.DEBUG)
        self._seed = seed
        self.records = 0
        self.leaks = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.records += 1
        self.leaks += any(self._seed in text for text in _texts(record.getMessage()))


def _texts(said: str) -> Iterator[str]:
    """What is said, and what is packed in it."""
    yield said
    for packed in _PACKED.findall(said):
        yield unpacked({"B": b64decode(packed)})


@contextmanager
def listening() -> Iterator[tuple[io.StringIO, _Said]]:
    """What the function's log writes as it is installed, and what is said while everything may be said at DEBUG."""
    root, heard = logging.getLogger(), logging.getLogger("handler.measures")
    before = {name: logging.getLogger(name).level for name in LIBRARIES}
    handlers, level, measures = root.handlers[:], root.level, heard.level
    written, said = io.StringIO(), _Said(SEED.hex())
    root.handlers.clear()  # pytest's, which installing would close
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", written)
        patch.setenv("MEASURES", "all")
        INSTALL()
        root.addHandler(said)
        root.setLevel(logging.DEBUG)
        try:
            yield written, said
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
            heard.setLevel(measures)
            for name, was in before.items():
                logging.getLogger(name).setLevel(was)


def function_log() -> int:
    """Play pieces of both games through the entry, with trouble on both sides. How many lines were searched."""
    return _played(pressed) + _played(dog_segments.judged)


def _played(segment: Segment) -> int:
    kinds = cycle(KINDS)
    trouble = Trouble(lambda name, n: next(kinds) if len(trouble.calls) % EVERY == 0 else None)
    with pytest.MonkeyPatch.context() as patch, listening() as (written, said):
        names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
        with house(seed=SEED, watch=trouble) as bot:
            for name, value in zip(names, CREDENTIALS, strict=True):
                patch.setenv(name, value)
            bot.end_process()
            for library in LIBRARIES:
                logging.getLogger(library).setLevel(logging.DEBUG)
            for method in ("editMessageText", "answerCallbackQuery"):
                for telegrams in TROUBLES[:5]:
                    bot.world.faults.expect(method, telegrams, 1)
            segment(bot)
            bot.wait(200)
            lines = written.getvalue().splitlines()
            assert said.leaks > 0, "without the lock it would be there to read"
            for secret in CREDENTIALS:
                if secret in written.getvalue():
                    raise Leak("a log line holds a credential")
            return search(lines, _twin(bot))


def _twin(bot: AwsFlow) -> Twin:
    match = bot.match()
    return Twin(bot, match.id, match.users, 0)
