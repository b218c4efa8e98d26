"""Who may import whom, read from the source: every import of every module, wherever in the module it stands."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOMS = ("engine", "handler", "infra")

OPERATORS = ("handler.operating", "handler.deploy", "handler.doctor", "handler.remove")
"""The operator's programs, and what they have in common."""

JOINTS = ("handler.wiring", "handler.appearance", "handler.aws", "handler.host", "handler.play", *OPERATORS)
"""The modules of the handler that may know infra: the wirings, for one machine and for AWS, how the bot shows itself,
and the programs.
"""

PORTS = ("handler.ports", "handler.message", "handler.picture")
"""What infra may know of the handler."""

# fmt: off
PURE = frozenset({
    "__future__", "abc", "bisect", "collections", "copy", "dataclasses", "enum", "functools", "hashlib", "heapq",
    "hmac", "itertools", "json", "math", "operator", "re", "string", "struct", "textwrap", "types", "typing",
})
# fmt: on
"""The part of the standard library without clock, chance, files, network or processes."""

COMMAND = PURE | {"argparse", "contextlib", "io", "os", "pathlib", "sys"}
"""What the engine's command line takes besides: arguments, files and the standard streams."""

HIDDEN = ("state", "rules", "night", "score", "round", "judgement")
"""The modules of a game, and of the episode, that hold or make a state."""

EPISODE = "engine.episode"
"""What joins two games, and alone may know both."""


def modules(root: Path) -> Iterator[tuple[str, str]]:
    """Name and source of every module of the rooms under ``root``."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path.read_text(encoding="utf-8")


def imported(source: str) -> Iterator[str]:
    """Every dotted name that the source imports. ``from a import b`` gives ``a.b``: b may be a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # ruff bans relative imports; one that got past it is no name of ours and is refused as such.
            origin = "." * node.level + (node.module or "")
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def games(root: Path) -> frozenset[str]:
    """The folders of the engine that hold a game each: those that have facts to tell."""
    return frozenset(facts.parent.name for facts in (root / "engine").glob("*/facts.py"))


def offences(module: str, source: str, games: frozenset[str]) -> list[str]:
    """What ``module`` imports and may not, each with the reason."""
    return [f"{module} imports {name}: {why}" for name in imported(source) if (why := _objection(module, name, games))]


def ways_to_a_state(sources: Mapping[str, str]) -> list[str]:
    """The ways by which a view could come to a state, each as the chain of imports that leads there.

    A view may know no module that holds a state, and no module that knows one that does, however far away.
    """
    ways = []
    for view in (module for module in sources if _within(module, ("handler.views",))):
        ahead: list[tuple[str, ...]] = [(view,)]
        seen = {view}
        while ahead:
            chain = ahead.pop()
            for name in imported(sources[chain[-1]]):
                module = _module(name, sources)
                if module is None or module in seen:
                    continue
                seen.add(module)
                if _in_views(module):
                    ways.append(" > ".join((*chain, module)))
                else:
                    ahead.append((*chain, module))
    return ways


def _module(name: str, sources: Mapping[str, str]) -> str | None:
    """The module of ours that an imported name is, or is taken from."""
    return next((found for found in (name, name.rpartition(".")[0]) if found in sources), None)


def _objection(module: str, name: str, games: frozenset[str]) -> str | None:
    room, target = module.partition(".")[0], name.partition(".")[0]
    if target == "":
        return "imports are absolute"
    if room == "engine":
        return _in_engine(module, name, games)
    if room == "infra" and target == "handler" and not _within(name, PORTS):
        return "infra knows the handler's ports and messages only"
    if room == "handler" and target == "infra" and module not in JOINTS:
        return "only the wiring joins handler and infra"
    return _in_views(name) if _within(module, ("handler.views",)) else None


def _in_engine(module: str, name: str, games: frozenset[str]) -> str | None:
    target = name.partition(".")[0]
    if target == "engine":
        here, there = _game(module, games), _game(name, games)
        if here and _within(name, (EPISODE,)):
            return "a game does not know what it is joined to"
        return "games do not know each other" if here and there and here != there else None
    if target not in sys.stdlib_module_names:
        return "the engine knows the standard library only"
    return None if target in (COMMAND if module == "engine.__main__" else PURE) else "the engine is pure"


def _in_views(name: str) -> str | None:
    if name.partition(".")[0] in {"flask", "telegram"}:
        return "views make messages, they do not send them"
    if _within(name, ("engine.record", "engine.games")):
        return "a record leads to the state"
    room, *folder = name.split(".")
    return "views see no state" if room == "engine" and folder[1:] and folder[1] in HIDDEN else None


def _game(module: str, games: frozenset[str]) -> str | None:
    """The game in whose folder an engine module lies."""
    folder = module.split(".")[1:2]
    return folder[0] if folder and folder[0] in games else None


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)
