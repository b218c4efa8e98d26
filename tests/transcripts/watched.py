"""A group that is written down as its people see it: every message, every change of one, every press with its toast.

It is the flow tests' bot, with real updates into the real webhook, in a group of its own whose people speak a language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from handler.words import plain, speaking
from infra.local.botapi.events import EventLog
from infra.stores.memory import MemoryStore
from tests.flows.house import Flow, ManualClock

LABELLED = "inline_keyboard"


@dataclass(frozen=True)
class Seen:
    """Something that became visible: ``at`` in seconds since the start, ``kind`` and ``data`` as the stand-in for the
    Bot API has them. For an answer to a press, ``who`` pressed which ``label``. ``closely``: whether each state of a
    message counts.
    """

    at: float
    kind: str
    data: dict[str, Any]
    who: str
    label: str
    closely: bool


@dataclass
class Journal(EventLog):
    """All that has become visible, in order; it forgets nothing."""

    clock: ManualClock
    seen: list[Seen] = field(default_factory=list)
    who: str = ""
    label: str = ""
    closely: bool = True

    def __post_init__(self) -> None:
        super().__init__()
        self.start = self.clock.now()

    def add(self, kind: str, data: dict[str, Any]) -> None:
        """A change has happened."""
        super().add(kind, data)
        self.seen.append(Seen(self.clock.now() - self.start, kind, data, self.who, self.label, self.closely))


class Watched(Flow):
    """The bot, a group, and people who are called ``names``, the first of whom made the group and added the bot.

    ``group`` is that group and ``company`` are its people, in the order of their names.
    """

    def __init__(self, title: str, names: Sequence[str], seed: bytes, language: str = "en") -> None:
        super().__init__(MemoryStore(), title, seed)
        self.journal = self.world.desk.events = Journal(self.clock)
        self.language = language
        self.company = tuple(self.world.people.add(name, language=language) for name in names)
        self.ada, self.bruno, *_ = self.company
        self.group = self.world.groups.add(title, self.ada)
        for user in self.company[1:]:
            self.world.groups.join(user, self.group)
        self.world.groups.add_bot(self.group, self.ada)
        self.deliver()
        for user in self.company:
            self.world.people.start(user)
            self.deliver()

    def tap(self, user: int, key: str, chat: int | None = None, **values: str | int) -> str:
        """Somebody presses the newest button of a catalogue's text, in the group unless told where; the toast."""
        with speaking(self.language):
            label = plain(key, **values)
        return self.press(user, label, chat)

    def press_data(self, user: int, chat: int, message: int, data: str) -> str:
        """Somebody presses a button; what it is called is noted beside the answer."""
        self.journal.label = self._label(chat, message, data)
        self.journal.who = self.world.desk.state.users[user].first_name
        return super().press_data(user, chat, message, data)

    def _label(self, chat: int, message: int, data: str) -> str:
        rows = self.world.message(chat, message)["reply_markup"][LABELLED]
        return next(str(button["text"]) for row in rows for button in row if button.get("callback_data") == data)


@contextmanager
def watched(title: str, names: Sequence[str], seed: bytes, language: str = "en") -> Iterator[Watched]:
    """A watched group, which checks at its end that every call was one a correct bot makes."""
    made = Watched(title, names, seed, language)
    try:
        yield made
        assert made.world.violations == []
        assert made.world.pending() == []
    finally:
        made.telegram.close()
        made.world.close()
