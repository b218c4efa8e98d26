"""Locks against leaks, as functions of a game, so that a game with a planted fault can be put in.

Each raises Leak where it finds one and otherwise returns how many comparisons it made, for its caller to see that
they were not few. Nothing in here names a game: what is secret, and who may have moved otherwise, is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.game import Game, Player, Tell

AnyGame = Game[Any, Any, Any]
Mover = Callable[[Any, Player, Random], Any]
"""From a state, a player and chance to the move the player seals, or None."""
Viewer = Player | None


class Leak(AssertionError):
    """Somebody could have learnt what they may not know."""


@dataclass(frozen=True)
class Secrets:
    """What a game keeps back, and from whom.

    ``scramble(state, viewer, random)`` gives the state with everything replaced that the viewer may not know.
    ``secret(state)`` says whether the moves of the open phase stay hidden when it closes. ``announced(facts)`` is
    what of the public facts the rules make known of hidden moves, so that what follows may differ with it.
    """

    mover: Mover
    scramble: Callable[[Any, Viewer, Random], Any]
    secret: Callable[[Any], bool]
    announced: Callable[[Iterable[Any]], Any]


def viewers(game: AnyGame) -> tuple[Viewer, ...]:
    """Everybody who looks on: the public and each player."""
    return (None, *range(game.players))


def _moves(game: AnyGame, secrets: Secrets, state: Any, random: Random) -> dict[Player, Any]:
    chosen = {player: secrets.mover(state, player, random) for player in range(game.players)}
    return {player: move for player, move in chosen.items() if move is not None}


def blind_view(game: AnyGame, secrets: Secrets, seeds: Iterable[bytes]) -> int:
    """Lock 2: a view does not change with what its viewer may not know, in any state that is reached."""
    compared = 0
    for seed in seeds:
        random = Random(seed)
        state = game.start(seed).state
        while True:
            for viewer in viewers(game):
                scrambled = secrets.scramble(state, viewer, random)
                if game.view(scrambled, viewer) != game.view(state, viewer):
                    raise Leak(f"the view of {viewer} holds a secret")
                if game.phase(scrambled) != game.phase(state):
                    raise Leak("the open phase, which is public, depends on a secret")
                compared += scrambled != state
            if game.phase(state) is None:
                break
            state = game.advance(state, _moves(game, secrets, state, random)).state
    return compared


def _heard(tells: Iterable[Tell], viewer: Viewer) -> list[Any]:
    return [tell.fact for tell in tells if tell.to is None or (viewer is not None and tell.to == viewer)]


def _shape(tells: Iterable[Tell]) -> list[tuple[str, Viewer]]:
    return [(type(tell.fact).__name__, tell.to) for tell in tells]


def knowledge(game: AnyGame, secrets: Secrets, seeds: Iterable[bytes], others: int) -> int:
    """Lock 3: whoever did and heard the same sees the same, whatever the seed and the hidden moves of the others."""
    return _side_by_side(game, secrets, seeds, others, _same_view)


def shape(game: AnyGame, secrets: Secrets, seeds: Iterable[bytes], others: int) -> int:
    """Lock 4: how many tells there are, of what kind and to whom, is the same until a rule announces a difference."""
    return _side_by_side(game, secrets, seeds, others, _same_shape)


@dataclass(frozen=True)
class _Pair:
    """Two matches that looked the same to a viewer up to the phase that has just closed in both."""

    game: AnyGame
    secrets: Secrets
    viewer: Viewer
    states: tuple[Any, Any]
    tells: tuple[tuple[Tell, ...], tuple[Tell, ...]]

    def differ(self, look: Callable[[tuple[Tell, ...]], Any]) -> bool:
        one, other = (look(tells) for tells in self.tells)
        return bool(one != other)


def _same_view(pair: _Pair) -> bool:
    """Whether the two still look the same to the viewer."""
    if pair.differ(lambda tells: _heard(tells, pair.viewer)):
        return False
    one, other = pair.states
    if pair.game.view(one, pair.viewer) != pair.game.view(other, pair.viewer):
        raise Leak(f"the view of {pair.viewer} knows more than {pair.viewer} did and heard")
    if pair.game.phase(one) != pair.game.phase(other):
        raise Leak(f"the phase tells {pair.viewer} more than {pair.viewer} did and heard")
    return True


def _same_shape(pair: _Pair) -> bool:
    """As ``_same_view``, for what the tells look like from outside."""
    if pair.differ(lambda tells: pair.secrets.announced(_heard(tells, None))):
        return False
    if pair.differ(_shape):
        raise Leak("the number, kind or address of tells depends on a secret")
    return not pair.differ(lambda tells: _heard(tells, None))


def _side_by_side(
    game: AnyGame, secrets: Secrets, seeds: Iterable[bytes], others: int, same: Callable[[_Pair], bool]
) -> int:
    compared = 0
    for seed in seeds:
        for number in range(others):
            for viewer in viewers(game):
                # Half of the matches have another seed, the others only other hidden moves.
                other_seed = seed if number % 2 else bytes(byte ^ (number + 1) for byte in seed)
                compared += _follow(game, secrets, viewer, (seed, other_seed), number, same)
    return compared


def _follow(
    game: AnyGame,
    secrets: Secrets,
    viewer: Viewer,
    seeds: tuple[bytes, bytes],
    number: int,
    same: Callable[[_Pair], bool],
) -> int:
    """Play two matches on as long as they look the same; how many phases that was."""
    random = Random(repr((seeds, viewer, number)))
    one, other = (game.start(seed).state for seed in seeds)
    compared = 0
    while game.phase(one) is not None:
        moves = _moves(game, secrets, one, random)
        elsewhere = _elsewhere(game, secrets, viewer, (one, other), moves, random)
        ahead, beside = game.advance(one, moves), game.advance(other, elsewhere)
        one, other = ahead.state, beside.state
        if not same(_Pair(game, secrets, viewer, (one, other), (ahead.tells, beside.tells))):
            break
        compared += 1
    return compared


def _elsewhere(
    game: AnyGame,
    secrets: Secrets,
    viewer: Viewer,
    states: tuple[Any, Any],
    moves: Mapping[Player, Any],
    random: Random,
) -> dict[Player, Any]:
    """The moves in the other match: those of the viewer are the same, and all are where moves are public."""
    one, other = states
    if not secrets.secret(one):
        return dict(moves)
    changed = _moves(game, secrets, other, random)
    result: dict[Player, Any] = {}
    for player in range(game.players):
        move = moves.get(player) if player == viewer or random.random() < 0.5 else changed.get(player)
        if move is None:
            continue
        refusal = game.check(game.view(other, player), move)
        if refusal is None:
            result[player] = move
        elif player == viewer:
            raise Leak(f"a refusal tells {viewer} more than {viewer} did and heard: {refusal.code}")
    return result
