"""The locks against leaks, closed around Dog's Judgement by itself and within its episode.

Faults are planted in ``tests/planted/``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from random import Random

import pytest

from engine.dog import facts
from engine.dog.rules import DOG
from engine.dog.state import State
from engine.episode.rules import EPISODE, Death
from engine.games import GAMES
from tests.engine.dog_locks import QUIET, SEEDS, busy, from_the_choice, lock_2, lock_3, lock_4, lock_5
from tests.engine.locks import AnyGame


def test_everything_in_a_state_is_either_public_or_scrambled() -> None:
    # A new field has to be thought of in ``scramble``, or this test names it.
    assert {field.name for field in fields(State)} == {"board", "seed", "hands", "points", "told", "plays"}
    assert {field.name for field in fields(Death)} == {"pair", "main", "match"}


@pytest.mark.parametrize(("lock", "least"), [(lock_2, 250), (lock_3, 700), (lock_4, 600), (lock_5, 300)])
def test_the_locks_hold_around_dogs_judgement_by_itself(lock: Callable[[AnyGame], int], least: int) -> None:
    assert lock(DOG) > least


@pytest.mark.parametrize(("lock", "least"), [(lock_2, 1500), (lock_3, 3000), (lock_4, 3000), (lock_5, 1000)])
def test_the_locks_hold_around_the_episode(lock: Callable[[AnyGame], int], least: int) -> None:
    assert GAMES["dog"] is EPISODE
    assert lock(EPISODE) > least


def test_the_locks_come_to_every_kind_of_phase_and_end() -> None:
    seen, ends = Counter[str](), Counter[str]()
    for seed in SEEDS:
        for game in (EPISODE, from_the_choice(EPISODE)):
            random, state = Random(seed), game.start(seed).state
            while (phase := game.phase(state)) is not None:
                seen[phase.name] += 1
                moves = {player: busy(state, player, random) for player in range(game.players)}
                after = game.advance(state, {player: move for player, move in moves.items() if move is not None})
                ends.update(
                    tell.fact.how if isinstance(tell.fact, facts.OpponentNamed) else tell.fact.why
                    for tell in after.tells
                    if isinstance(tell.fact, facts.OpponentNamed | facts.NoDeathMatch)
                )
                state = after.state
    assert {"pregame", "round", "choice", "reveals", "draft", "actions", "guesses"} == set(seen)
    assert ends["chosen"] > 0
    assert ends["lot"] > 0


def test_quiet_plays_announce_nothing() -> None:
    state = DOG.advance(DOG.start(SEEDS[0]).state, {}).state
    for play in QUIET:
        resolved = DOG.advance(state, {0: play}).tells[0].fact
        assert resolved == facts.RoundResolved(1, ((), (), ()), 1, None)
