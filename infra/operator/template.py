"""What template.yaml can be told. Read without a parser for YAML, which nothing else here needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

TEMPLATE: Final = Path(__file__).parents[2] / "template.yaml"

_SECTION: Final = re.compile(r"^Parameters:\n((?:[ #].*\n|\n)+)", re.MULTILINE)
_NAME: Final = re.compile(r"^  (\w+):", re.MULTILINE)


def parameters() -> tuple[str, ...]:
    """The names of the template's parameters. Those that it does not have SAM leaves out without a word."""
    section = _SECTION.search(TEMPLATE.read_text("utf-8"))
    return () if section is None else tuple(_NAME.findall(section[1]))
