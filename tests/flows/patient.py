"""People who know what they want, whatever goes wrong on the way: they wait for their button and press it."""

from __future__ import annotations

from handler.match import Match
from handler.ports import MatchStore, Telegram
from tests.flows.house import Flow, ManualClock
from tests.flows.players import find


class PatientFlow(Flow):
    """A flow in which one match is played, found again when it is over.

    ``line`` is how a test itself speaks to Telegram; ``first_group`` is the group as it was before it moved.
    """

    def __init__(
        self, store: MatchStore, salt: str, seed: bytes | None = None, clock: ManualClock | None = None
    ) -> None:
        super().__init__(store, salt, seed, clock)
        self.line: Telegram = self.telegram
        self.id = ""
        self.first_group = self.group

    def last_match(self) -> Match:
        """The match that was opened last, be it over."""
        found = self.matches()
        self.id = found[-1] if found else self.id
        return self.load(self.id)

    def match(self) -> Match:
        """The match, be it over."""
        return self.last_match()

    def insist(self) -> None:
        """What people do who have waited in vain for a minute: nothing."""

    def push(self, user: int, chat: int, tail: str) -> None:
        """Press a button of the open phase as soon as it is there."""
        for _ in range(130):
            found = find(self, chat, self.match(), tail)
            if found is not None:
                self.world.people.press(user, chat, *found)
                self.deliver()
                return
            self.wait(2)
        raise AssertionError(f"{tail} is never offered")

    def push_label(self, user: int, label: str, chat: int | None = None) -> None:
        """Press a button by its label as soon as it is there: in ``chat``, else in the group, or in private, where a
        question comes that could not be asked in the group.
        """
        for turn in range(130):
            if turn % 30 == 29:
                self.insist()
            for where in (self.group, user) if chat is None else (chat,):
                try:
                    message, data = self.button(label, where)
                except AssertionError:
                    continue
                self.world.people.press(user, where, message, data)
                self.deliver()
                return
            self.wait(2)
        raise AssertionError(f"{label} is never offered")
