"""One area's texts as a file: as gettext has them (``.po``) or, in the function's package, compiled (``.json``), which
takes a tenth of the time to read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Forms = str | list[str]
"""A text, or where it is a choice by number its plural forms in order."""


class Area(NamedTuple):
    """The texts by key, and gettext's rule for the plural form of ``n``."""

    plural: str
    texts: Mapping[str, Forms]


def read(file: Traversable) -> Area:
    """The texts of a file of either kind."""
    text = file.read_text("utf-8")
    return Area(*json.loads(text)) if file.name.endswith(".json") else _parsed(text)


def compiled(area: Area) -> str:
    """The same for a ``.json``."""
    return json.dumps(area, ensure_ascii=False, separators=(",", ":"))


def _parsed(text: str) -> Area:
    import polib  # noqa: PLC0415 - what is compiled needs no parser, and a cold start no 5 ms more

    found = polib.pofile(text)
    rule = found.metadata["Plural-Forms"].partition("plural=")[2].rstrip("; ")
    return Area(rule, {each.msgid: _forms(each.msgstr, each.msgstr_plural) for each in found})


def _forms(text: str, plural: Mapping[int, str]) -> Forms:
    return [plural[at] for at in sorted(plural)] if plural else text
