"""Every sentence of the bot, in every language it speaks. Views and handlers name messages; the prose lives in
``<language>/<area>.po``, as gettext has it, one file an area.

A message's id is a key, ``gravity.board.draft``, whose first word is the area. A text holds ``{placeholders}``. A text
with plural forms is a choice by the number ``n``. Texts for :func:`say` are Telegram HTML and trusted; texts for
:func:`plain` (buttons, toasts) hold no markup.

Which language is spoken is set around what renders (:func:`speaking`), as Flask-Babel and Django do it: so a view stays
a function of what it shows, and whoever sends knows to whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from gettext import c2py
from importlib import resources
from string import Formatter
from typing import Final

from markupsafe import Markup, escape

from handler.words.areas import Forms, read

Value = str | int

LANGUAGES: Final = ("en", "es")
"""What the bot speaks, as Telegram codes languages (IETF tags, shortened to the language)."""

DEFAULT: Final = "en"
"""What it speaks to everybody else."""


class UnknownKey(KeyError):
    """No text has this key."""


class WrongValues(ValueError):
    """The values given are not the ones that the text's placeholders ask for."""


@dataclass(frozen=True)
class Entry:
    """A text in its plural forms, in the catalogue's order; ``counts`` is False where no number matters and there is
    only one. ``fields`` are the placeholders' names.
    """

    forms: tuple[str, ...]
    counts: bool

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of the values that must be given, ``n`` among them if the text depends on a number."""
        found = {name for text in self.forms for _, name, _, _ in Formatter().parse(text) if name}
        return frozenset(found | {"n"} if self.counts else found)


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language by key, and which of its plural forms a number takes."""

    entries: Mapping[str, Entry]
    form: Callable[[int], int]


@cache
def catalogue(language: str) -> Catalogue:
    """The texts of one of LANGUAGES, read when they are first needed."""
    folder = resources.files(__package__) / language
    files = (file for file in folder.iterdir() if file.name.endswith((".po", ".json")))
    areas = [read(file) for file in sorted(files, key=lambda file: file.name)]
    entries = {key: _entry(forms) for area in areas for key, forms in area.texts.items()}
    [rule] = {area.plural for area in areas}
    return Catalogue(entries, c2py(rule))


def _entry(forms: Forms) -> Entry:
    return Entry((forms,), counts=False) if isinstance(forms, str) else Entry(tuple(forms), counts=True)


_spoken: Final[ContextVar[str]] = ContextVar("spoken", default=DEFAULT)


def spoken() -> str:
    """The language that is spoken now."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Everything that is worded inside is worded in ``language``, one of LANGUAGES."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def understood(code: str | None) -> str:
    """The language for somebody whose app is set to an IETF language tag (Bot API, User.language_code)."""
    language = (code or "").partition("-")[0].lower()
    return language if language in LANGUAGES else DEFAULT


def say(key: str, /, **values: Value) -> Markup:
    """A text in Telegram's HTML. Values are escaped unless they are Markup. Raises UnknownKey, WrongValues."""
    # Not Markup.format, which is a Formatter in Python: the placeholders have neither conversions nor formats.
    escaped = {name: escape(value) for name, value in values.items()}
    return Markup(_text(key, values).format_map(escaped))  # noqa: S704 - catalogue texts are trusted, values are escaped


class Plain(str):
    """A text without markup that knows how it was worded, so that it can be said again in another language."""

    key: str
    values: Mapping[str, Value]

    def again(self) -> Plain:
        """The same in the language that is spoken now, texts among its values too."""
        values = {name: value.again() if isinstance(value, Plain) else value for name, value in self.values.items()}
        return plain(self.key, **values)


def plain(key: str, /, **values: Value) -> Plain:
    """A text without markup, for buttons and toasts; nothing is escaped. Raises UnknownKey, WrongValues."""
    worded = Plain(_text(key, values).format_map(values))
    worded.key, worded.values = key, values
    return worded


def _text(key: str, values: Mapping[str, Value]) -> str:
    texts = catalogue(spoken())
    entry = texts.entries.get(key)
    if entry is None:
        raise UnknownKey(key)
    if entry.fields != values.keys():
        raise WrongValues(f"{key} takes {sorted(entry.fields)}, not {sorted(values)}")
    return entry.forms[texts.form(int(values["n"])) if entry.counts else 0]
