"""Every sentence of the bot. Views and handlers name messages; the prose lives in ``en/*.toml``, one file an area.

A key is the file's name and the path inside it, ``gravity.board.draft``. A text holds ``{placeholders}``. A table of
exactly ``one`` and ``other`` is a choice by the number ``n``. Texts for :func:`say` are Telegram HTML and trusted;
texts for :func:`plain` (buttons, toasts) hold no markup.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from string import Formatter
from typing import Final

from markupsafe import Markup

Value = str | int


class UnknownKey(KeyError):
    """No text has this key."""


class WrongValues(ValueError):
    """The values given are not the ones that the text's placeholders ask for."""


class BadCatalogue(ValueError):
    """A catalogue file holds something that is neither a text, a choice by number, nor a table of those."""


@dataclass(frozen=True)
class Entry:
    """A text in its forms; both are the same where no number matters. ``fields`` are the placeholders' names."""

    one: str
    other: str
    counts: bool

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of the values that must be given, ``n`` among them if the text depends on a number."""
        found = {name for text in (self.one, self.other) for _, name, _, _ in Formatter().parse(text) if name}
        return frozenset(found | {"n"} if self.counts else found)


def entries(table: Mapping[str, object], path: str) -> Iterator[tuple[str, Entry]]:
    """All texts of a table with their keys. Raises BadCatalogue."""
    for name, value in table.items():
        key = f"{path}.{name}"
        match value:
            case str(text):
                yield key, Entry(text.strip("\n"), text.strip("\n"), counts=False)
            case {"one": str(one), "other": str(other), **rest} if not rest:
                yield key, Entry(one.strip("\n"), other.strip("\n"), counts=True)
            case dict(inner):
                yield from entries(inner, key)
            case _:
                raise BadCatalogue(key)


def load(language: str) -> dict[str, Entry]:
    """The catalogue of one language. Raises BadCatalogue, tomllib.TOMLDecodeError."""
    folder = resources.files(__package__) / language
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {
        key: entry
        for file in files
        for key, entry in entries(tomllib.loads(file.read_text("utf-8")), file.name.removesuffix(".toml"))
    }


CATALOGUE: Final = load("en")


def say(key: str, /, **values: Value) -> Markup:
    """A text in Telegram's HTML. Values are escaped unless they are Markup. Raises UnknownKey, WrongValues."""
    return Markup(_text(key, values)).format(**values)  # noqa: S704 - catalogue texts are trusted, values are escaped


def plain(key: str, /, **values: Value) -> str:
    """A text without markup, for buttons and toasts; nothing is escaped. Raises UnknownKey, WrongValues."""
    return _text(key, values).format(**values)


def _text(key: str, values: Mapping[str, Value]) -> str:
    entry = CATALOGUE.get(key)
    if entry is None:
        raise UnknownKey(key)
    if entry.fields != values.keys():
        raise WrongValues(f"{key} takes {sorted(entry.fields)}, not {sorted(values)}")
    return entry.one if entry.counts and values["n"] == 1 else entry.other
