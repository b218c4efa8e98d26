"""A release that plays by other rules: its number is one higher than that of the release it replaces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.record import Record
from handler import codec


class Release:
    """The program that runs now. As one of the other rules it stores a match begun in it under the higher number, and
    takes one that is stored under the lower for a match of rules that it does not know.

    The numbers are changed where matches are written and read, so that nobody but the bot plays by other rules.
    """

    def __init__(self) -> None:
        self._write, self._read = codec._record, codec._read_record
        self.other = False

    def replace(self) -> None:
        """Install the other release."""
        self.other = True
        write, read = self._write, self._read

        def written(record: Record) -> dict[str, Any]:
            return write(replace(record, setup=replace(record.setup, rules=record.setup.rules + 1)))

        codec._record = written
        codec._read_record = lambda data: read({**data, "rules": data["rules"] - 1})

    def roll_back(self) -> None:
        """Install the first one again."""
        self.other = False
        codec._record, codec._read_record = self._write, self._read
