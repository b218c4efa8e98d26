"""What the judge reads in a text: plain words, with whoever is named shown as who they are.

The bot sets every name and every title in a bidi isolate and lets no isolate into it, so where a name begins and ends
no name can say. A person is known by the word that all of their names hold, a house player by its own name.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_NAMED: Final = re.compile("\u2068([^\u2069]*)\u2069")
_TAG: Final = re.compile(r"<[^>]*>")
_HOUSE: Final = re.compile(r"(\w+) \(house player\)")
_UNSAFE: Final = re.compile(r"[⟨⟩\n]")

Token = str
"""``⟨7⟩`` for the person with that Telegram id, ``⟨house Corvus⟩`` for a house player, ``⟨=…⟩`` for anything else."""

TOKEN: Final = r"(⟨[^⟩]*⟩)"
WHO: Final = TOKEN + r"(?: \((?:EC|DMO|seat \d)\))?"
"""Somebody, with what tells two of one name apart."""
PEOPLE: Final = r"(⟨[^⟩]*⟩(?: \(seat \d\))?(?:, ⟨[^⟩]*⟩(?: \(seat \d\))?)*)"

_WHOEVER: Final = re.compile(r"⟨[^⟩]*⟩")


@dataclass(frozen=True)
class Said:
    """Something that a text tells: what, as a tuple that begins with its kind, and from where to where in the text."""

    at: tuple[int, int]
    what: tuple[object, ...]


class Readers:
    """Reads texts with the words of one simulation's people."""

    def __init__(self, words: Mapping[int, str]) -> None:
        self._words = words
        self._known: dict[str, Token] = {}

    def read(self, text: str) -> str:
        """A text as people see it, its names and titles as tokens."""
        return _NAMED.sub(self._token, text.replace("⟨", "(").replace("⟩", ")"))

    def _token(self, found: re.Match[str]) -> Token:
        name = found[1]
        token = self._known.get(name)
        if token is None:
            token = self._known[name] = self._meant(name)
        return token

    def _meant(self, name: str) -> Token:
        for user, word in self._words.items():
            if word in name:
                return person(user)
        house = _HOUSE.fullmatch(name)
        return other(name) if house is None else house_player(house[1])


def person(user: int) -> Token:
    """A person's token."""
    return f"⟨{user}⟩"


def house_player(name: str) -> Token:
    """A house player's token."""
    return f"⟨house {name}⟩"


def other(name: str) -> Token:
    """The token of what is no player, such as a group's title."""
    return f"⟨={_UNSAFE.sub(' ', name)}⟩"


def listed(text: str) -> tuple[Token, ...]:
    """The tokens of a text in the order in which they stand there."""
    return tuple(_WHOEVER.findall(text))


def unmarked(markup: str) -> str:
    """What a reader would see of a text in Telegram's HTML."""
    return html.unescape(_TAG.sub("", markup))
