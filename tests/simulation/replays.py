"""What the rules say of each match as it is stored: whose move it is, and what each may know."""

from __future__ import annotations

from typing import Any, Final

from engine.game import BadNotation, Game, IllegalMove, Phase
from engine.games import GAMES
from tests.simulation.trace import Snapshot

ENGINES: Final[dict[str, Game[Any, Any, Any]]] = dict(GAMES)
"""The games as they are before any release of others."""


class Replays:
    """The state of each match, kept as far as it has come."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[int, Any]] = {}

    def state(self, snapshot: Snapshot) -> Any:
        """The state now; None for a lobby, and for what the rules do not admit."""
        if snapshot.seed is None:
            return None
        game = ENGINES[snapshot.game]
        count, state = self._states.get(snapshot.match, (0, None))
        if state is None:
            state = game.start(bytes.fromhex(snapshot.seed)).state
        try:
            for step in snapshot.steps[count:]:
                state = game.advance(state, {player: game.read(text) for player, text in step.items()}).state
        except (IllegalMove, BadNotation):
            return None  # the judge has something to say of that; people are at a loss
        self._states[snapshot.match] = (len(snapshot.steps), state)
        return state

    def phase(self, snapshot: Snapshot) -> Phase | None:
        """The open phase; None where there is none."""
        state = self.state(snapshot)
        return None if state is None or snapshot.stage != "playing" else ENGINES[snapshot.game].phase(state)
