"""The catalogues: in no language is a key missing, surplus or unused, nor a value; and no sentence lives in code."""

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
from handler.words import (
    DEFAULT,
    LANGUAGES,
    Entry,
    UnknownKey,
    WrongValues,
    catalogue,
    plain,
    say,
    speaking,
    spoken,
    understood,
)
from tests.handler.positions import shown
from tests.shared import ROOT

OPERATORS = "operator."
"""What is said to operators, in English only, begins so."""

TOAST = 200
"""The longest toast, in characters (Bot API, answerCallbackQuery)."""

EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)

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


def test_the_operators_words_are_apart() -> None:
    assert all(not key.startswith(OPERATORS) for key in catalogue("es").entries)
    assert any(key.startswith(OPERATORS) for key in catalogue("en").entries)


@EACH_LANGUAGE
def test_each_language_says_the_same_things(language: str) -> None:
    """The same keys, with the same values, and choices by number where English has one."""

    def told(language: str) -> dict[str, tuple[bool, frozenset[str]]]:
        entries = catalogue(language).entries.items()
        return {key: (entry.counts, entry.fields) for key, entry in entries if not key.startswith(OPERATORS)}

    assert told(language) == told(DEFAULT)


@EACH_LANGUAGE
def test_a_choice_by_number_has_a_form_for_every_number(language: str) -> None:
    found = catalogue(language)
    needed = {found.form(number) for number in range(1_000)}
    for key, entry in found.entries.items():
        assert set(range(len(entry.forms))) == (needed if entry.counts else {0}), key


@EACH_LANGUAGE
def test_every_placeholder_stands_in_some_form(language: str) -> None:
    """Only the number itself may be left unsaid."""
    for key, entry in catalogue(language).entries.items():
        if entry.counts:
            said = [{name for _, name, _, _ in Formatter().parse(form) if name} for form in entry.forms]
            assert all(each | {"n"} == entry.fields for each in said), key


def plain_keys() -> set[str]:
    """The keys of texts without markup, as far as they stand as literals or patterns where they are worded."""
    keys: set[str] = set()
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "plain":
                keys |= set(keys_of(node.args[0]))
                if isinstance(node.args[0], ast.JoinedStr):
                    keys |= {key for key in catalogue("en").entries if re.fullmatch(pattern(node.args[0]), key)}
    return keys


@EACH_LANGUAGE
def test_a_plain_text_holds_no_markup(language: str) -> None:
    keys = plain_keys() & catalogue(language).entries.keys()
    assert len(keys) > 200
    for key in keys:
        assert not any(re.search("</?[a-z]|&[a-z]+;", form) for form in catalogue(language).entries[key].forms), key


@EACH_LANGUAGE
def test_what_may_be_a_toast_is_short_enough_for_one(language: str) -> None:
    """Whatever is plain, apart from what only an operator, a profile or the end of a terminal's line shows."""
    longer = ("settings.bot.description",)
    for key in plain_keys() & catalogue(language).entries.keys():
        if not key.startswith((OPERATORS, *longer)):
            assert all(len(form) <= TOAST for form in catalogue(language).entries[key].forms), key


@EACH_LANGUAGE
def test_every_text_is_html_that_telegram_takes(language: str) -> None:
    for key, entry in catalogue(language).entries.items():
        for text in entry.forms:
            assert shown(text).strip(), key
            assert not [name for _, name, spec, conversion in Formatter().parse(text) if spec or conversion], key


def test_what_telegram_shows_before_a_word_is_said_fits() -> None:
    """Bot API: setMyDescription, setMyShortDescription."""
    for language in LANGUAGES:
        with speaking(language):
            assert 1 <= len(plain("settings.bot.description")) <= 512
            assert 1 <= len(plain("settings.bot.short")) <= 120


def translated(entry: Entry) -> bool:
    """Whether words stand in a text that a translation would change; names of games and bare placeholders do not."""
    bare = re.sub(r"<[^>]*>|\{\w*\}", "", entry.forms[0])
    return len(re.findall("[A-Za-z]{3,}", bare)) >= 4


def test_spanish_is_spanish() -> None:
    english, spanish = catalogue("en").entries, catalogue("es").entries
    assert [key for key, entry in spanish.items() if translated(entry) and entry.forms == english[key].forms] == []


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


@pytest.mark.parametrize(
    ("code", "language"),
    [("es", "es"), ("es-419", "es"), ("ES-mx", "es"), ("en-GB", "en"), ("pt-br", "en"), ("", "en"), (None, "en")],
)
def test_somebody_is_understood_by_the_language_of_their_app(code: str | None, language: str) -> None:
    assert understood(code) == language


def test_a_language_is_spoken_for_as_long_as_it_is_asked_for() -> None:
    with speaking("es"):
        with speaking("en"):
            assert plain("lobby.button.join") == "Join"
        assert spoken() == "es"
        assert plain("lobby.button.join") != "Join"
    assert spoken() == DEFAULT


def test_a_plain_text_can_be_said_again_in_another_language() -> None:
    asked = plain("screens.ticked", label=plain("lobby.button.join"))
    with speaking("es"):
        assert asked.again() == plain("screens.ticked", label=plain("lobby.button.join")) != asked
    assert asked.again() == asked
