"""The directions of imports: who may know whom, and that the engine stands alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.imports import games, imported, modules, offences, ways_to_a_state
from tests.shared import ROOT

GAMES = frozenset({"gravity", "dog"})
MODULES = dict(modules(ROOT))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_room_may_know(module: str) -> None:
    assert offences(module, MODULES[module], games(ROOT)) == []


def test_the_rooms_and_the_games_are_found() -> None:
    assert {"engine.game", "handler.ports", "infra.stores"} <= MODULES.keys()
    assert games(ROOT) == GAMES


@pytest.mark.parametrize(
    ("module", "source", "reason"),
    [
        ("engine.chance", "import random", "pure"),
        ("engine.chance", "from os import urandom", "pure"),
        ("engine.gravity.night", "def night():\n    import time", "pure"),
        ("engine.__main__", "import socket", "pure"),
        ("engine.game", "import flask", "standard library"),
        ("engine.game", "from handler import ports", "standard library"),
        ("engine.game", "from . import record", "absolute"),
        ("engine.dog.round", "from engine.gravity import birds", "each other"),
        ("engine.gravity.score", "import engine.dog.judgement as j", "each other"),
        ("engine.dog.house", "from engine.gravity.house import house", "each other"),
        ("engine.dog.rules", "from engine.episode.view import DeathView", "joined to"),
        ("engine.gravity.rules", "from engine import episode", "joined to"),
        ("engine.episode.rules", "from random import choice", "pure"),
        ("handler.table", "from infra.stores.sqlite import SqliteStore", "wiring"),
        ("handler.views.lobby", "import infra", "wiring"),
        ("handler.views.gravity", "from engine.gravity.state import State", "no state"),
        ("handler.views.gravity.board", "if TYPE_CHECKING:\n    from engine.gravity import score", "no state"),
        ("handler.views.dog.told", "from engine.dog.round import resolve", "no state"),
        ("handler.views.dog.judged", "from engine.dog.judgement import TOO_MANY", "no state"),
        ("handler.views.episode", "from engine.episode.rules import Death", "no state"),
        ("handler.views.gravity", "from engine.record import Record", "leads to the state"),
        ("handler.views.lobby", "from engine import games", "leads to the state"),
        ("handler.views.lobby", "from telegram import Bot", "do not send"),
        ("infra.telegram", "from handler.table import Table", "ports and messages"),
        ("infra.local.__main__", "from handler import wiring", "ports and messages"),
    ],
)
def test_a_planted_import_is_refused(module: str, source: str, reason: str) -> None:
    [offence] = offences(module, source, GAMES)
    assert reason in offence


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("engine.__main__", "import sys\nfrom pathlib import Path"),
        ("engine.gravity.view", "from engine.gravity.facts import By\nfrom engine.game import Player"),
        ("engine.games", "from engine.gravity import rules\nfrom engine.dog import rules as dog"),
        ("engine.episode.rules", "from engine.dog.rules import DOG\nfrom engine.gravity.rules import GRAVITY"),
        ("engine.dog.view", "from engine.dog.facts import RoundTold\nfrom engine.dog.events import Tokens"),
        ("handler.views.episode", "from engine.episode.view import DeathView\nfrom engine.dog import choices, view"),
        ("handler.views.gravity", "from engine.gravity import birds, choices, facts, moves, view"),
        ("handler.match", "from engine.record import Record"),
        ("handler.wiring", "from infra.stores.sqlite import SqliteStore"),
        ("infra.stores.sqlite", "from handler.ports import Item\nimport sqlite3, os"),
        ("infra.telegram", "from handler import message, ports"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert list(imported(source))
    assert offences(module, source, GAMES) == []


def test_no_view_comes_to_a_state_by_way_of_another_module() -> None:
    assert ways_to_a_state(MODULES) == []


@pytest.mark.parametrize(
    ("planted", "way"),
    [
        (
            {"handler.views.lobby": "from handler.match import PACES"},
            "handler.views.lobby > handler.match > engine.games",
        ),
        (
            {"handler.views.layout": "import handler.screening"},
            "handler.views.layout > handler.screening > handler.match > engine.games",
        ),
        (
            {
                "handler.views.gravity.terms": "from handler.words import plain",
                "handler.words": "from engine.gravity.export import export",
            },
            "handler.views.gravity.terms > handler.words > engine.gravity.export > engine.gravity.state",
        ),
        (
            {"engine.gravity.choices": "from engine.gravity.night import resolve"},
            "handler.views.gravity.panels > engine.gravity.choices > engine.gravity.night",
        ),
        (
            {"engine.dog.choices": "from engine.dog.house import house"},
            "handler.views.dog.panels > engine.dog.choices > engine.dog.house > engine.dog.round",
        ),
        (
            {"engine.episode.view": "from engine.episode.document import FORMAT"},
            "handler.views.episode > engine.episode.view > engine.episode.document > engine.episode.rules",
        ),
    ],
)
def test_a_planted_way_to_a_state_is_found(planted: dict[str, str], way: str) -> None:
    assert any(found.startswith(way) for found in ways_to_a_state({**MODULES, **planted}))


def run_bare(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python from the repository's top without site-packages: nothing third-party can be imported."""
    command = [sys.executable, "-S", "-E", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_a_bare_python_has_no_third_party_package() -> None:
    assert "No module named 'flask'" in run_bare("-c", "import flask").stderr


def test_the_adjudicator_starts_without_third_party_packages() -> None:
    done = run_bare("-m", "engine", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(command in done.stdout for command in ("adjudicate", "replay", "verify"))


def test_importing_the_whole_engine_loads_no_other_room() -> None:
    names = [module for module in MODULES if module.startswith("engine") and not module.endswith("__main__")]
    loaded = "print(*sorted({name.partition('.')[0] for name in sys.modules} & {'engine', 'handler', 'infra'}))"
    done = run_bare("-c", f"import sys, {', '.join(names)}; {loaded}")
    assert (done.stdout, done.stderr) == ("engine\n", "")
