"""What a seat's presses in a phase come to by the rules, laid over each other in the order in which they were made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from engine.game import BadNotation, Player
from tests.simulation.judge.buttons import MOVES, InPhase
from tests.simulation.judge.made import Press
from tests.simulation.judge.matches import EMPTY, Course, Slot

Counted = frozenset[int]
"""Presses that have counted, by update id."""


class Fold:
    """One seat in one phase, and the presses that its person made in it."""

    def __init__(self, course: Course, number: int, player: Player, presses: Sequence[Press]) -> None:
        self.course = course
        self.number = number
        self.player = player
        self.presses = tuple(presses)
        phase = course.phase(number)
        self.active = phase is not None and player in phase.active
        self.alone = phase is not None and phase.active == (player,)
        self.instant = phase is not None and phase.instant
        self._known: dict[Counted, Slot] = {frozenset(): EMPTY}

    @cached_property
    def admitted(self) -> frozenset[int]:
        """The presses, by update id, that the rules admit."""
        return frozenset(press.update for press in self.presses if self._admits(press.asks))

    def _admits(self, asks: Any) -> bool:
        if not isinstance(asks, InPhase) or asks.verb == "m":
            return False
        if asks.verb not in MOVES:
            return self.active and not self.instant
        game = self.course.game
        try:
            move = game.read(asks.arg)
        except BadNotation:
            return False
        if game.hosted(move) or move == game.resign:  # neither is a panel's
            return False
        return game.check(self.course.view(self.number, self.player), move) is None

    def slot(self, counted: Counted) -> Slot:
        """What lies in the box when these presses have counted."""
        if counted not in self._known:
            slot = EMPTY
            for press in self.presses:
                if press.update in counted and isinstance(press.asks, InPhase):
                    slot = self._with(slot, press.asks)
            self._known[counted] = slot
        return self._known[counted]

    def _with(self, slot: Slot, asks: InPhase) -> Slot:
        if asks.verb not in MOVES:
            return (slot[0], asks.verb == "l")
        game = self.course.game
        whole = game.amend(None if slot[0] is None else game.read(slot[0]), game.read(asks.arg))
        if game.check(self.course.view(self.number, self.player), whole) is not None:
            return slot
        return (game.write(whole), self.active and (self.instant or asks.verb == "f"))
