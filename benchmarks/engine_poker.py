"""No-limit hold'em by pokerkit, a turn-based engine in Python: hands by chance, with the same bets each time.

A move is what a player decides: to fold, to check or call, to bet or raise. All else (blinds, dealing, the showdown,
the pot) pokerkit does by itself, as our engine does what follows when a phase closes.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from pokerkit import Automation, HandHistory, NoLimitTexasHoldem, State

STACK: Final = 200
FOLD: Final = -1
CALL: Final = 0

Script = tuple[int, ...]
"""The moves of one hand: FOLD, CALL (or check), or the amount that is bet or raised to."""


@dataclass(frozen=True)
class Hands:
    """Hands of so many players, as the moves alone and as the text that pokerkit writes of them."""

    players: int
    scripts: tuple[Script, ...]
    histories: tuple[HandHistory, ...]

    @property
    def moves(self) -> int:
        """How many moves there are in all hands together."""
        return sum(map(len, self.scripts))


def hands(players: int, number: int) -> Hands:
    """So many hands by chance."""
    chance = Random(players)  # noqa: S311 - the same bets each time
    scripts, histories = [], []
    for _ in range(number):
        state = _dealt(players)
        scripts.append(_by_chance(state, chance))
        histories.append(HandHistory.from_game_state(_game(), state))
    return Hands(players, tuple(scripts), tuple(histories))


def played(players: int, script: Script) -> State:
    """A hand from the deal to the end; which bets are legal does not depend on the cards."""
    state = _dealt(players)
    for move in script:
        _make(state, move)
    return state


def replayed(history: HandHistory) -> State:
    """The final state of a hand, from its text, every operation checked."""
    *_, last = history
    return last


def _game() -> NoLimitTexasHoldem:
    return NoLimitTexasHoldem(tuple(Automation), True, 0, (1, 2), 2)


def _dealt(players: int) -> State:
    return _game()(STACK, players)


def _by_chance(state: State, chance: Random) -> Script:
    script = []
    while state.status and state.actor_index is not None:
        move = _any(state, chance)
        _make(state, move)
        script.append(move)
    return tuple(script)


def _any(state: State, chance: Random) -> int:
    luck = chance.random()
    if luck < 0.1 and state.can_fold():
        return FOLD
    if luck < 0.4 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        assert least is not None
        assert most is not None
        return int(min(most, least * chance.randint(1, 3)))
    return CALL


def _make(state: State, move: int) -> None:
    if move == FOLD:
        state.fold()
    elif move == CALL:
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(move)
