"""A bot with two matches: one that is under fire, and one of other people, which must never notice.

Whatever is fired, nothing may be logged that is a fault of ours, and the bot may call nothing that a correct bot does
not call (:func:`tests.flows.house.flow` looks at the latter).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from handler.ports import Item
from infra.local.botapi.transport import TOKEN
from tests.flows.house import SECRET, Flow, flow
from tests.fuzz.hostile import MARK

DROPPED: Final = frozenset(
    {
        "an event of no kind that is known here",
        "a record is none of the queue's, and is dropped",
        "a record is no nudge, and is dropped",
    }
)
"""What may be logged of an event that came from nowhere."""


class Heard(logging.Handler):
    """What was logged as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def faults(self, known: Collection[str]) -> list[str]:
        """What tells of a fault of ours: a traceback, or an error that is not one of those known."""
        return [
            logging.Formatter().format(record)
            for record in self.records
            if record.exc_info is not None or (record.levelno >= logging.ERROR and record.getMessage() not in known)
        ]


@contextmanager
def listening(known: Collection[str] = ()) -> Iterator[None]:
    """Hear everything that is logged; at the end nothing of it may be a fault, or quote what was sent. ``known`` are
    the errors that are none of ours.
    """
    heard = Heard()
    logging.getLogger().addHandler(heard)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(heard)
    assert heard.faults(known) == []
    assert not any(MARK in str(vars(record)) for record in heard.records)


@dataclass(frozen=True)
class Scene:
    """Ada and Bruno under fire, in the bot's group; Cleo and Dario elsewhere in peace. ``others`` is their match."""

    bot: Flow
    cleo: int
    dario: int
    elsewhere: int
    others: str

    def peaceful(self) -> Item | None:
        """The other match as stored."""
        return self.bot.store.load(self.others)

    def still_plays(self) -> None:
        """A genuine press in the other match counts."""
        before = self.peaceful()
        assert before is not None
        self.bot.press(self.cleo, "Hawk", self.cleo)
        after = self.peaceful()
        assert after is not None
        assert after.version > before.version
        assert self.bot.load(self.others).box.keys() == {0}


@contextmanager
def scene(stage: str = "match") -> Iterator[Scene]:
    """The two matches; the one under fire is in its lobby, or has begun. At the end the other one goes on."""
    with listening(), flow() as bot:
        cleo, dario = (bot.world.people.add(name) for name in ("Cleo", "Dario"))
        elsewhere = bot.world.groups.add("The Orchard", cleo)
        bot.world.groups.join(dario, elsewhere)
        bot.world.groups.add_bot(elsewhere, cleo)
        for person in (cleo, dario):
            bot.world.people.start(person)
        bot.deliver()
        bot.say(cleo, "/gravity", elsewhere)
        for person in (cleo, dario):
            bot.press(person, "Join", elsewhere)
        bot.press(cleo, "Start", elsewhere)
        [others] = bot.store.in_chat(elsewhere)
        bot.lobby()
        if stage == "match":
            bot.press(bot.ada, "Start")
        made = Scene(bot, cleo, dario, elsewhere, others)
        before = made.peaceful()
        yield made
        assert made.peaceful() == before
        made.still_plays()


def everything(bot: Flow) -> dict[str, Item | None]:
    """Each match as stored that the group and its people lead to."""
    return {id: bot.store.load(id) for id in bot.matches()}


def discreet(text: str, headers: Mapping[str, str]) -> None:
    """An answer says little, and nothing of what was sent or of what is kept."""
    assert len(text) < 500
    for said in (text, *headers.values()):
        assert not any(secret in said for secret in (MARK, SECRET, TOKEN, "Traceback"))
