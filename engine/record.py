"""A match as its record: the setup and the sealed moves of each closed phase. State is always replayed from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.game import Game, Player, Transition
from engine.games import GAMES

Step = Mapping[Player, str]
"""The moves sealed when a phase closed, in notation, by player; a silent player is absent."""


class UnknownRules(ValueError):
    """A match was begun under other rules than this program plays, so replayed here it might end differently."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(f"{setup.game} by rules number {setup.rules}; here they are {GAMES[setup.game].rules}")


@dataclass(frozen=True)
class Setup:
    """What a match starts from. ``seed`` is 64 hex digits; ``rules`` is ``Game.rules`` at the start."""

    game: str
    rules: int
    seed: str


@dataclass(frozen=True)
class Record:
    """The whole truth of a match. ``len(steps)`` is the number of the open phase."""

    setup: Setup
    steps: tuple[Step, ...] = ()

    @cached_property
    def history(self) -> tuple[Transition[Any], ...]:
        """The start and then one transition a step: ``len(steps) + 1`` of them. Raises UnknownRules."""
        self.check()
        return tuple(_transitions(GAMES[self.setup.game], self))

    @cached_property
    def latest(self) -> Transition[Any]:
        """The last of the history, which leads to the state now. Raises UnknownRules."""
        return self.history[-1]

    def check(self) -> None:
        """Raise UnknownRules if this program cannot replay the match."""
        if self.setup.rules != GAMES[self.setup.game].rules:
            raise UnknownRules(self.setup)

    @property
    def is_replayed(self) -> bool:
        """Whether the state now is known already, so that it costs no replay."""
        return not vars(self).keys().isdisjoint(("latest", "history"))

    def reaching(self, latest: Transition[Any]) -> Record:
        """The same record, of which it is known already what it leads to; the rest of its history is not."""
        known = Record(self.setup, self.steps)
        vars(known)["latest"] = latest
        return known

    def then(self, step: Step) -> Record:
        """This record with one more closed phase."""
        longer = replace(self, steps=(*self.steps, step))
        if self.is_replayed:
            # What was replayed once is not replayed again: a record only ever grows at its end.
            latest = _transition(GAMES[self.setup.game], self.latest.state, step)
            vars(longer)["latest"] = latest
            if "history" in vars(self):
                vars(longer)["history"] = (*self.history, latest)
        return longer


def _transition(game: Game[Any, Any, Any], state: Any, step: Step) -> Transition[Any]:
    """What closing the open phase of ``state`` with a step leads to."""
    return game.advance(state, {player: game.read(text) for player, text in step.items()})


def _transitions(game: Game[Any, Any, Any], record: Record) -> Iterator[Transition[Any]]:
    """The start and then one transition a step."""
    latest = game.start(bytes.fromhex(record.setup.seed))
    yield latest
    for step in record.steps:
        latest = _transition(game, latest.state, step)
        yield latest
