"""The locks against leaks, closed around Gravity Pandemic; and faults planted to see that each of them bites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from engine.game import Game, Player, Tell, Transition
from engine.gravity import facts
from engine.gravity.birds import BIRDS, SEATS, Bird
from engine.gravity.moves import Actions, Guess, Move
from engine.gravity.rules import GRAVITY
from engine.gravity.state import State, view
from engine.gravity.view import View
from tests.engine.locks import AnyGame, Leak, Secrets, Viewer, blind_view, knowledge, shape
from tests.engine.matches import by_chance, house_players, played

SEEDS = [bytes([number]) * 32 for number in range(8)]


def quiet(state: State, player: Player, random: Random) -> Move | None:
    """Mostly legal moves by chance; often a night without errands, so that two matches look alike for longer."""
    if state.board.stage == "actions" and random.random() < 0.7:
        return Actions()
    if state.board.stage == "guesses" and random.random() < 0.6:
        return None
    return by_chance(random)(state, player)


def scramble(state: State, viewer: Viewer, random: Random) -> State:
    """Other seatings, other birds down, other private reveals and other things told to anybody but the viewer."""
    named, told = list(state.named), list(state.told)
    for player in (0, 1):
        if player != viewer:
            named[player] = random.choice(BIRDS)
            bird = random.choice(BIRDS)
            told[player] = (facts.RevealTold(state.board.round, bird, random.choice(SEATS)),)
    return replace(
        state,
        deals=tuple(tuple(random.sample(BIRDS, len(BIRDS))) for _ in state.deals),
        flightless=tuple(random.sample(BIRDS, 5)),
        named=(named[0], named[1]),
        told=(told[0], told[1]),
    )


def announced(heard: Iterable[Any]) -> Any:
    """Rules 16 to 19: how a period was judged decides what comes next."""
    return [(fact.judged, fact.again, fact.raven_found) for fact in heard if isinstance(fact, facts.PeriodClosed)]


SECRETS = Secrets(quiet, scramble, lambda state: state.board.stage != "draft", announced)


def lock_2(game: AnyGame) -> int:
    return blind_view(game, SECRETS, SEEDS[:4])


def lock_3(game: AnyGame) -> int:
    return knowledge(game, SECRETS, SEEDS, others=6)


def lock_4(game: AnyGame) -> int:
    return shape(game, SECRETS, SEEDS, others=6)


def lock_5(game: AnyGame) -> int:
    return sum(order(game, seed) for seed in SEEDS[:4])


def test_everything_in_a_state_is_either_public_or_scrambled() -> None:
    # A new field has to be thought of in ``scramble``, or this test names it.
    assert {field.name for field in fields(State)} == {"board", "deals", "flightless", "named", "told"}


@pytest.mark.parametrize(("lock", "least"), [(lock_2, 1000), (lock_3, 1500), (lock_4, 1500), (lock_5, 500)])
def test_the_locks_hold(lock: Callable[[AnyGame], int], least: int) -> None:
    assert lock(GRAVITY) > least


# --- lock 5: order and words ------------------------------------------------------------------------


def order(game: AnyGame, seed: bytes) -> int:
    """Birds in rulebook order, players in table order, and no public word of what rules 3, 15 and 17 keep back."""
    compared = 0
    random = Random(seed)
    transition = game.start(seed)
    while True:
        for tell in transition.tells:
            problem = disorder(tell)
            if problem:
                raise Leak(problem)
            compared += 1
        if game.phase(transition.state) is None:
            return compared
        moves = {player: by_chance(random)(transition.state, player) for player in (0, 1)}
        moves = {player: moves[player] for player in (1, 0)}  # the order in which they were sealed means nothing
        transition = game.advance(transition.state, {p: move for p, move in moves.items() if move is not None})


def disorder(tell: Tell) -> str | None:
    """What is wrong with a fact's order or words, or with whom it is told."""
    match tell.fact:
        case facts.RoundBegan(used=birds) | facts.RoundEnded(named=birds):
            in_order = list(birds) == [bird for bird in BIRDS if bird in birds]
            return None if in_order and tell.to is None else "birds out of order"
        case facts.NightTold(responses=responses):
            own = [response.bird for response in responses]
            in_order = own == [bird for bird in BIRDS if bird in own]
            return None if in_order and tell.to is not None else "responses out of order"
        case facts.PeriodClosed(judged=judged):
            if [one.player for one in judged] != sorted({one.player for one in judged}):
                return "guesses out of order"
            kept_back = all((one.right is not None) == (one.delta > 0) for one in judged)
            return None if kept_back and tell.to is None else "a wrong guess is announced"
        case facts.RevealTold() | facts.GuessTold():
            return None if tell.to is not None else "a private fact is public"
        case _:
            return None if tell.to is None else "a public fact is private"


def test_private_facts_come_to_both_players_in_table_order() -> None:
    pairs = 0
    for seed in SEEDS[:3]:
        for _, state in played(seed, house_players(seed)):
            if state.board.stage in ("reveals", "actions", "guesses"):
                to = [tell.to for tell in GRAVITY.advance(state, {}).tells if tell.to is not None]
                assert to == [0, 1]
                pairs += 1
    assert pairs > 30


# --- planted faults ---------------------------------------------------------------------------------

Advance = Callable[[State, Mapping[Player, Move]], Transition[State]]
Planted = Game[State, View, Move]


def advancing(change: Callable[[State, Mapping[Player, Move], Transition[State]], Transition[State]]) -> Planted:
    """The game with something changed in every transition."""
    return replace(GRAVITY, advance=lambda state, moves: change(state, moves, GRAVITY.advance(state, moves)))


def sees_the_others_reveal(state: State, viewer: Player | None) -> View:
    own = view(state, viewer)
    return own if viewer is None else replace(own, named=state.named[1 - viewer])


def hears_the_others_results(state: State, viewer: Player | None) -> View:
    own = view(state, viewer)
    return own if viewer is None else replace(own, told=(*own.told, *state.told[1 - viewer]))


def public_hears_everything(state: State, viewer: Player | None) -> View:
    own = view(state, viewer)
    return own if viewer is not None else replace(own, told=state.told[0])


def wordless(state: State, moves: Mapping[Player, Move], after: Transition[State]) -> Transition[State]:
    """A player without a private reveal is told nothing."""
    tells = (tell for tell in after.tells if not (isinstance(tell.fact, facts.RevealTold) and tell.fact.bird is None))
    return Transition(after.state, tuple(tells))


def gains_first(state: State, moves: Mapping[Player, Move], after: Transition[State]) -> Transition[State]:
    """Whoever had visitors at Lovebird B is told first."""
    loud = any(
        response.bird is Bird.LOVEBIRD_B and response.text != "N/A"
        for tell in after.tells
        if isinstance(tell.fact, facts.NightTold) and tell.to == 1
        for response in tell.fact.responses
    )
    return Transition(after.state, after.tells[::-1] if loud else after.tells)


def on_the_board(state: State, moves: Mapping[Player, Move], after: Transition[State]) -> Transition[State]:
    """The board shows the birds named before the round has ended (rule 3)."""
    if after.state.board.stage != "draft":
        return after
    named = tuple(bird for bird in BIRDS if bird in after.state.named)
    return replace(after, state=replace(after.state, board=replace(after.state.board, used=named)))


def who_acted(state: State, moves: Mapping[Player, Move], after: Transition[State]) -> Transition[State]:
    """The board shows who has not submitted anything."""
    if state.board.stage != "actions":
        return after
    idle = tuple(player for player in (0, 1) if player not in moves)
    return replace(after, state=replace(after.state, board=replace(after.state.board, idle=idle)))


def aloud(state: State, moves: Mapping[Player, Move], after: Transition[State]) -> Transition[State]:
    """A wrong guess is announced with its content (rule 17)."""

    def say(tell: Tell) -> Tell:
        if not isinstance(tell.fact, facts.PeriodClosed):
            return tell
        judged = []
        for one in tell.fact.judged:
            move = moves[one.player]
            assert isinstance(move, Guess)
            judged.append(replace(one, right=move))
        return replace(tell, fact=replace(tell.fact, judged=tuple(judged)))

    return Transition(after.state, tuple(say(tell) for tell in after.tells))


def as_sealed(state: State, moves: Mapping[Player, Move], after: Transition[State]) -> Transition[State]:
    """Guesses are announced in the order in which they were sealed."""

    def say(tell: Tell) -> Tell:
        if not isinstance(tell.fact, facts.PeriodClosed):
            return tell
        return replace(tell, fact=replace(tell.fact, judged=tell.fact.judged[::-1]))

    return Transition(after.state, tuple(say(tell) for tell in after.tells))


FAULTS: list[tuple[Planted, Callable[[AnyGame], int]]] = [
    (replace(GRAVITY, view=sees_the_others_reveal), lock_2),
    (replace(GRAVITY, view=hears_the_others_results), lock_2),
    (replace(GRAVITY, view=public_hears_everything), lock_2),
    (replace(GRAVITY, view=hears_the_others_results), lock_3),
    (advancing(on_the_board), lock_3),
    (advancing(who_acted), lock_3),
    (advancing(wordless), lock_4),
    (advancing(gains_first), lock_4),
    (advancing(aloud), lock_5),
    (advancing(as_sealed), lock_5),
]


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_a_planted_fault_is_caught(number: int) -> None:
    game, lock = FAULTS[number]
    with pytest.raises(Leak):
        lock(game)


@pytest.mark.parametrize("change", [on_the_board, who_acted])
def test_a_secret_on_the_board_passes_the_blind_view(change: Any) -> None:
    # This is why there is a third lock: the board is the same board, whatever else in the state is replaced.
    assert lock_2(advancing(change)) > 1000
