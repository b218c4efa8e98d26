"""One program at a time at a table or a bot: a lock on the folder that keeps its state."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LOCK: Final = "open.lock"
"""The file in a folder that is locked."""


class AlreadyOpen(Exception):
    """Another program has the table open."""

    def __init__(self, address: str) -> None:
        where = f" at {address}" if address else ""
        super().__init__(
            f"This table is already open{where}. Play it there, or stop that one first. "
            "For a second table: make play PORT=8090 RAVEN_DOG_VAR=another-folder"
        )


@contextmanager
def alone(folder: Path) -> Iterator[Callable[[str], None]]:
    """Hold the folder for this process. Gives what notes the address at which the others are told to look.

    The system lets go of the lock when the process ends, however it ends. Raises AlreadyOpen.
    """
    with (folder / LOCK).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise AlreadyOpen(file.read().strip()) from error
        file.truncate(0)

        def note(address: str) -> None:
            file.write(address)
            file.flush()

        yield note
