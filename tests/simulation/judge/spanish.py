"""What an answer in Spanish says in English, by the catalogues, which are read as data: the judge knows English only.

Whatever is longer than an answer to a press stays as it is: of chats in Spanish the judge reads no announcement, and
says so in ``docs/reliability.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[3] / "handler" / "words"
LONGEST: Final = 200
"""Characters of an answer (Bot API, answerCallbackQuery)."""
DEPTH: Final = 3
"""So deep the texts of the catalogues stand in one another."""

_ENTRY: Final = re.compile(r'^msgid ((?:"[^\n]*"\n)+)msgstr ((?:"[^\n]*"(?:\n|\Z))+)', re.MULTILINE)
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_VALUE: Final = re.compile(r"\\\{(\w+)\\\}")


@cache
def english(text: str) -> tuple[str, ...]:
    """What a Spanish answer may be in English; nothing if it is none."""
    return tuple(dict.fromkeys(_read(text, DEPTH)))


def _read(text: str, depth: int) -> Iterator[str]:
    """``depth``: so deep may values be texts of the catalogues themselves."""
    exact, patterns = _catalogue()
    yield from exact.get(text, ())
    for pattern, other in patterns if depth else ():
        found = pattern.fullmatch(text)
        if found is not None:
            values = {name: next(_read(value, depth - 1), value) for name, value in found.groupdict().items()}
            yield re.sub(r"\{(\w+)\}", lambda name, values=values: values.get(name[1], ""), other)  # type: ignore[misc]


@cache
def _catalogue() -> tuple[Mapping[str, tuple[str, ...]], tuple[tuple[re.Pattern[str], str], ...]]:
    """The texts without values, Spanish to English, and those with, first those that say most themselves."""
    exact: dict[str, tuple[str, ...]] = {}
    patterns: list[tuple[int, re.Pattern[str], str]] = []
    for path in sorted((FOLDER / "es").glob("*.po")):
        ours = _entries(FOLDER / "en" / path.name)
        for key, text in _entries(path).items():
            if not key or not text or key not in ours or len(text) > LONGEST:
                continue
            if "{" not in text:
                exact[text] = (*exact.get(text, ()), ours[key])
            elif text.strip("{}").isidentifier():
                continue  # it is whatever its value is
            else:
                own = len(re.sub(r"\{\w+\}", "", text))
                patterns.append((own, _pattern(text), ours[key]))
    patterns.sort(key=lambda each: -each[0])
    return exact, tuple((pattern, other) for _, pattern, other in patterns)


def _entries(path: Path) -> dict[str, str]:
    """The texts of a catalogue by their keys, without those that have plurals."""
    found = _ENTRY.finditer(path.read_text(encoding="utf-8"))
    return {_whole(entry[1]): _whole(entry[2]) for entry in found}


def _whole(lines: str) -> str:
    return "".join(_ESCAPED.sub(_unescaped, quoted) for quoted in _QUOTED.findall(lines))


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])


def _pattern(text: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def group(found: re.Match[str]) -> str:
        if found[1] in seen:
            return f"(?P={found[1]})"
        seen.add(found[1])
        return f"(?P<{found[1]}>.+)"

    return re.compile(_VALUE.sub(group, re.escape(text)), re.DOTALL)
