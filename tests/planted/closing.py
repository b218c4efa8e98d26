"""The locks against leaks, each as something that can be closed around the program as it stands at that moment.

Each raises an AssertionError (Leak, or a failed test's) where it finds a fault, and returns how much it compared.
Games, screens and sources are looked up when a lock is closed, so that it meets whatever fault was planted.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from engine.games import GAMES
from handler.views import VIEWS
from tests import imports
from tests.engine import test_locks
from tests.engine.locks import Leak
from tests.flows.inspection import inspect, keep_quiet
from tests.flows.twins import Twin, follow
from tests.handler import test_says_no_more
from tests.handler.words_lock import order_and_words
from tests.shared import ROOT

SEEDS: Final = [bytes([number]) * 32 for number in range(30, 33)]
SCRIPTS: Final = ((6, 1), (2, None), (3, 0), (1, None))
"""Scripts of twin matches with their audience."""
PHASES: Final = 24


def types() -> int:
    """Lock 1."""
    sources = dict(imports.modules(ROOT))
    ways = imports.ways_to_a_state(sources)
    if ways:
        raise Leak(f"a view comes to a state: {ways[0]}")
    return sum(module.startswith("handler.views") for module in sources)


def blind_view() -> int:
    """Lock 2."""
    return test_locks.lock_2(GAMES["gravity"])


def knowledge() -> int:
    """Lock 3."""
    return test_locks.lock_3(GAMES["gravity"])


def shape() -> int:
    """Lock 4."""
    return test_locks.lock_4(GAMES["gravity"])


def words() -> int:
    """Lock 5, in what is told and in what is read."""
    return test_locks.lock_5(GAMES["gravity"]) + order_and_words(GAMES["gravity"], VIEWS["gravity"], SEEDS)


def rulings() -> int:
    """What is said to the right player, ruling by ruling."""
    held = 0
    for name, test in vars(test_says_no_more).items():
        if name.startswith("test_rule_"):
            for given in _examples(test):
                test(**given)
                held += 1
    return held


def whole_bot() -> int:
    """Twin matches through the webhook: what the group, a player and the log saw of each."""
    heard, count = _Heard(), Counter[str]()
    root = logging.getLogger()
    level = root.level
    root.addHandler(heard)
    root.setLevel(logging.DEBUG)
    try:
        for script, audience in SCRIPTS:
            count.update(follow(Random(script), audience, PHASES, lambda twin: _inspect(twin, heard.records)))
    finally:
        root.removeHandler(heard)
        root.setLevel(level)
    return count["public calls"] + count["private calls"]


class _Heard(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def _inspect(twin: Twin, records: list[logging.LogRecord]) -> None:
    inspect(twin)
    keep_quiet(records, twin)


def _examples(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """The arguments that pytest would give a test, one set after the other."""
    marks = getattr(test, "pytestmark", [])
    if not marks:
        yield {}
    for mark in marks:
        names, values = mark.args
        for value in values:
            yield {names: value} if isinstance(names, str) else dict(zip(names, value, strict=True))


LOCKS: Final[Mapping[str, Callable[[], int]]] = {
    "1 types": types,
    "2 blind view": blind_view,
    "3 knowledge": knowledge,
    "4 shape": shape,
    "5 order and words": words,
    "rulings": rulings,
    "whole bot": whole_bot,
}
