"""The catalogue: no key is missing or unused, no value is missing or surplus, and no sentence lives in code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TypeGuard

import pytest
from markupsafe import Markup

from engine.dog.events import Event
from engine.dog.refusals import CODES as DOG_CODES
from engine.gravity.birds import Bird
from engine.gravity.refusals import CODES
from handler.views.dog.rules_pages import PAGES as DOG_PAGES
from handler.views.gravity.rules_pages import PAGES
from handler.words import UnknownKey, WrongValues, catalogue, plain, say
from tests.handler.positions import shown
from tests.shared import ROOT

AREAS = {key.partition(".")[0] for key in catalogue("en").entries}
KEY = re.compile(r"[a-z]+(\.[A-Za-z0-9_-]+)+")


@cache
def sources() -> tuple[tuple[Path, ast.Module], ...]:
    return tuple((path, ast.parse(path.read_text("utf-8"))) for path in sorted((ROOT / "handler").rglob("*.py")))


def outside_docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but docstrings, a module's, a class's, a function's or an attribute's."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        yield from outside_docstrings(node)


def pattern(node: ast.JoinedStr) -> str:
    """A regular expression for the keys that an f-string can give."""
    return "".join(
        re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else r"[^.]+"
        for part in node.values
    )


def is_say(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a node is a call of ``say`` or ``plain``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"say", "plain"}


@cache
def used() -> tuple[frozenset[str], frozenset[str]]:
    """The keys that stand in the handler's code as literals, and the patterns of those that f-strings give."""
    literals, patterns = set(), set()
    for _, tree in sources():
        for node in outside_docstrings(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                if node.value.partition(".")[0] in AREAS:
                    literals.add(node.value)
            elif isinstance(node, ast.JoinedStr) and pattern(node).partition(r"\.")[0] in AREAS:
                patterns.add(pattern(node))
            elif is_say(node) and isinstance(node.args[0], ast.JoinedStr):
                patterns.add(pattern(node.args[0]))  # it may begin with a game's key
    return frozenset(literals), frozenset(patterns)


def test_every_key_is_used() -> None:
    literals, patterns = used()
    unused = [
        key
        for key in catalogue("en").entries
        if key not in literals and not any(re.fullmatch(each, key) for each in patterns)
    ]
    assert unused == []


def test_every_used_key_exists() -> None:
    literals, patterns = used()
    assert sorted(literals - catalogue("en").entries.keys()) == []
    assert [each for each in patterns if not any(re.fullmatch(each, key) for key in catalogue("en").entries)] == []


@pytest.mark.parametrize(
    ("family", "members"),
    [
        ("gravity.does", [bird.value for bird in Bird]),
        ("gravity.refused", CODES),
        ("rules.gravity.ruling", [str(number) for page in PAGES for number in page.rulings]),
        ("rules.gravity.page", [page.topic for page in PAGES]),
        ("rules.gravity.tab", [page.topic for page in PAGES]),
        ("dog.event", [event.value for event in Event]),
        ("dog.letter", [event.value for event in Event]),
        ("dog.does", [event.value for event in Event]),
        ("dog.refused", DOG_CODES),
        ("rules.dog.ruling", [str(number) for page in DOG_PAGES for number in page.rulings]),
        ("rules.dog.page", [page.topic for page in DOG_PAGES]),
        ("rules.dog.tab", [page.topic for page in DOG_PAGES]),
    ],
)
def test_a_vocabulary_is_worded_exactly(family: str, members: list[str]) -> None:
    worded = [key for key in catalogue("en").entries if key.startswith(family + ".")]
    assert sorted(worded) == sorted(f"{family}.{member}" for member in members)


def keys_of(node: ast.expr) -> list[str]:
    """The literal keys an argument can be."""
    if isinstance(node, ast.IfExp):
        return keys_of(node.body) + keys_of(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_every_call_gives_the_values_its_text_asks_for() -> None:
    compared = 0
    for path, tree in sources():
        for node in ast.walk(tree):
            if not is_say(node):
                continue
            given = {keyword.arg for keyword in node.keywords}
            for key in keys_of(node.args[0]) if None not in given else []:
                assert given == catalogue("en").entries[key].fields, f"{path.name}:{node.lineno} {key}"
                compared += 1
    assert compared > 100


def test_a_plain_text_holds_no_markup() -> None:
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "plain":
                for key in keys_of(node.args[0]):
                    assert not re.search("[<>]|&[a-z]+;", catalogue("en").entries[key].forms[-1]), (
                        f"{path.name}:{node.lineno} {key}"
                    )


def test_every_text_is_html_that_telegram_takes() -> None:
    for entry in catalogue("en").entries.values():
        for text in entry.forms:
            assert shown(text).strip()
            assert not [name for _, name, spec, conversion in Formatter().parse(text) if spec or conversion]


SPOKEN_TO_MACHINES = {"webhook.py"}
"""Modules whose words go to HTTP clients, never to a person."""


def prose(text: str) -> bool:
    """Whether words stand in a row, tags aside."""
    return bool(re.search(r"[A-Za-z’']{2,},? [a-zA-Z]{2,}", re.sub("<[^>]*>", "", text)))


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Text with words in a row, apart from docstrings, the log and the messages of exceptions.

    No exception's message ever goes to a chat. Engineers read them, and those of a few exceptions of infra, which is
    not searched here, whoever starts a program: AlreadyOpen, PortTaken and UnusableFile say what to do at the terminal.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Raise | ast.Assert) or for_engineers(node):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and prose(node.value):
            yield node.lineno, node.value
        yield from sentences(node)


def for_engineers(node: ast.AST) -> bool:
    """Whether a node is a call that logs, or one that gives an exception its message."""
    return isinstance(node, ast.Call) and bool(re.match(r"(log|logging)\.|super\(\)\.__init__", ast.unparse(node.func)))


def test_no_sentence_lives_in_code() -> None:
    found = [
        f"{path.name}:{line} {text}"
        for path, tree in sources()
        if path.name not in SPOKEN_TO_MACHINES
        for line, text in sentences(tree)
    ]
    assert found == []


def test_a_sentence_in_code_would_be_found() -> None:
    planted = [
        "def board():",
        '    """A docstring of words."""',
        '    log.info("not for players")',
        '    return f"{n} birds have flown"',
    ]
    assert list(sentences(ast.parse("\n".join(planted)))) == [(4, " birds have flown")]


def test_values_are_escaped_unless_they_are_markup() -> None:
    name = "<b>&"
    assert say("gravity.who.same", name=name, role="EC") == Markup("&lt;b&gt;&amp; (EC)")
    assert say("gravity.who.same", name=Markup("<i>x</i>"), role="EC") == Markup("<i>x</i> (EC)")
    assert plain("gravity.who.same", name=name, role="EC") == "<b>& (EC)"


def test_a_value_is_never_read_as_a_text_with_placeholders() -> None:
    assert plain("gravity.who.same", name="{role}", role="{0.__class__}") == "{role} ({0.__class__})"


def test_a_missing_key_and_wrong_values_are_errors_with_names() -> None:
    with pytest.raises(UnknownKey):
        say("gravity.no.such.text")
    with pytest.raises(WrongValues):
        say("gravity.who.same", name="Ann")
    with pytest.raises(WrongValues):
        plain("gravity.who.same", name="Ann", role="EC", other="Bob")


def test_a_text_with_plural_forms_is_a_choice_by_number() -> None:
    assert [plain("dog.tokens.win", n=number) for number in (0, 1, 2)] == [
        "0 Win Tokens",
        "1 Win Token",
        "2 Win Tokens",
    ]
