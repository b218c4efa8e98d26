"""The locks against leaks, each as something that can be closed around the program as it stands at that moment.

Each raises an AssertionError (Leak, or a failed test's) where it finds a fault, and returns how much it compared.
Games, screens and sources are looked up when a lock is closed, so that it meets whatever fault was planted.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from types import ModuleType
from typing import Any, Final

from engine.games import GAMES
from handler.views import VIEWS
from tests import imports
from tests.aws.log_lock import function_log
from tests.engine import dog_locks, test_locks
from tests.engine.locks import Leak
from tests.flows import dog_twins, twins
from tests.flows.inspection import inspect, keep_quiet
from tests.handler import dog_words_lock, test_dog_says_no_more, test_says_no_more, words_lock
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


def rulings(tests: ModuleType) -> int:
    """What is said to the right player, ruling by ruling."""
    held = 0
    for name, test in vars(tests).items():
        if name.startswith("test_rule_"):
            for given in _examples(test):
                test(**given)
                held += 1
    return held


def _examples(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """The arguments that pytest would give a test, one set after the other."""
    marks = getattr(test, "pytestmark", [])
    if not marks:
        yield {}
    for mark in marks:
        names, values = mark.args
        for value in values:
            yield {names: value} if isinstance(names, str) else dict(zip(names, value, strict=True))


# --- the whole bot ----------------------------------------------------------------------------------


class _Heard(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def _listening() -> Iterator[Callable[[twins.Twin], None]]:
    """A look at what a match has sent, and at all that is logged meanwhile."""
    heard = _Heard()
    root = logging.getLogger()
    level = root.level

    def look(twin: twins.Twin) -> None:
        inspect(twin)
        keep_quiet(heard.records, twin)

    root.addHandler(heard)
    root.setLevel(logging.DEBUG)
    try:
        yield look
    finally:
        root.removeHandler(heard)
        root.setLevel(level)


def whole_bot() -> int:
    """Twin matches through the webhook: what the group, a player and the log saw of each."""
    count = Counter[str]()
    with _listening() as look:
        for script, audience in SCRIPTS:
            count.update(twins.follow(Random(script), audience, PHASES, look))
    return count["public calls"] + count["private calls"]


def whole_dog() -> int:
    """The same for tables of seven: the first rounds, and from the choice of an opponent on."""
    count = Counter[str]()
    with _listening() as look:
        for script in (17, 5):
            count.update(dog_twins.follow_the_choice(Random(script), None, 1, look))
        for script, audience in ((1, None), (2, 3)):
            count.update(dog_twins.follow(Random(script), audience, 4, look))
    return count["public calls"] + count["private calls"]


# --- by game ----------------------------------------------------------------------------------------


def _in_gravity() -> int:
    read = words_lock.order_and_words(GAMES["gravity"], VIEWS["gravity"], SEEDS)
    return test_locks.lock_5(GAMES["gravity"]) + read


def _in_dog() -> int:
    read = dog_words_lock.order_and_words(GAMES["dog"], VIEWS["dog"], SEEDS)
    return dog_locks.lock_5(GAMES["dog"]) + read


Locks = Mapping[str, Callable[[], int]]

LOCKS: Final[Mapping[str, Locks]] = {
    "gravity": {
        "1 types": types,
        "2 blind view": lambda: test_locks.lock_2(GAMES["gravity"]),
        "3 knowledge": lambda: test_locks.lock_3(GAMES["gravity"]),
        "4 shape": lambda: test_locks.lock_4(GAMES["gravity"]),
        "5 order and words": _in_gravity,
        "rulings": lambda: rulings(test_says_no_more),
        "whole bot": whole_bot,
    },
    "dog": {
        "1 types": types,
        "2 blind view": lambda: dog_locks.lock_2(GAMES["dog"]),
        "3 knowledge": lambda: dog_locks.lock_3(GAMES["dog"]),
        "4 shape": lambda: dog_locks.lock_4(GAMES["dog"]),
        "5 order and words": _in_dog,
        "rulings": lambda: rulings(test_dog_says_no_more),
        "whole bot": whole_dog,
    },
    "log": {"the function's log": function_log},
}
"""By game, and that of the log on AWS."""
