"""Matches played to the end for tests: by chance, by house players, or by a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from engine.chance import draws
from engine.game import Player, Tell
from engine.gravity import facts
from engine.gravity.birds import BIRDS, DRAFTED, SEATS, Bird
from engine.gravity.choices import check
from engine.gravity.draft import PLAYERS, birds_left, drafted, drafter
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pass, Pick, Reveal, Target
from engine.gravity.night import Seating
from engine.gravity.rules import GRAVITY, advance, begin
from engine.gravity.state import State, view
from engine.gravity.targets import NAME_BIRDS, NAME_SEATS, SENT, hidden_birds, hidden_seats
from engine.record import Record, Setup

Mover = Callable[[State, Player], Move | None]
"""What a player seals; None for silence. It is given the state, because a test may want a right guess."""


def record_of(seed: bytes) -> Record:
    """The record of a match that has just begun."""
    return Record(Setup(GRAVITY.key, GRAVITY.rules, seed.hex()))


def played(seed: bytes, mover: Mover) -> Iterator[tuple[Record, State]]:
    """Each record and state from the start of a match to its end."""
    record, state = record_of(seed), GRAVITY.start(seed).state
    yield record, state
    while state.board.stage != "over":
        sealed = {player: mover(state, player) for player in PLAYERS}
        moves = {player: move for player, move in sealed.items() if move is not None}
        record = record.then({player: GRAVITY.write(move) for player, move in moves.items()})
        state = GRAVITY.advance(state, moves).state
        yield record, state


def finished(seed: bytes, mover: Mover) -> tuple[Record, State]:
    """The record and the state at the end of a match."""
    *_, last = played(seed, mover)
    return last


def house_players(seed: bytes) -> Mover:
    """Two house players; whoever is not active says nothing."""

    def move(state: State, player: Player) -> Move | None:
        phase = GRAVITY.phase(state)
        if phase is None or player not in phase.active:
            return None
        board = state.board
        step = f"{board.round}.{board.night}.{board.period}.{len(board.picks)}"
        return GRAVITY.house(view(state, player), draws(seed, f"house/{player}/{step}"))

    return move


def by_chance(random: Random) -> Mover:
    """Legal moves of every kind, silence among them; a guess is right more often than chance would have it."""

    def move(state: State, player: Player) -> Move | None:
        chosen = _any(state, player, random)
        return None if chosen is None or check(view(state, player), chosen) is not None else chosen

    return move


def _any(state: State, player: Player, random: Random) -> Move | None:
    board = state.board
    if random.random() < 0.1:
        return None
    match board.stage:
        case "reveals":
            return Reveal(random.choice((None, *BIRDS)))
        case "draft":
            if drafter(board) != player:
                return Here()
            picked = random.choice((Pick, Pick, Pick, HostPick))
            return picked(random.choice(birds_left(board)))
        case "actions":
            own = [bird for bird in drafted(board, player) if bird in SENT and random.random() < 0.9]
            return Actions(tuple((bird, any_target(state, bird, random)) for bird in own))
        case _:
            seat = random.choice(SEATS)
            if random.random() < 0.75:
                return random.choice((Pass(), None))
            return Guess(seat, random.choice((*BIRDS, state.seats[seat - 1], state.seats[seat - 1])))


def any_target(state: State, bird: Bird, random: Random) -> Target | None:
    """A legal target of a bird, or none."""
    revealed = state.board.revealed
    seats = hidden_seats(revealed) if bird in NAME_SEATS else ()
    birds = hidden_birds(revealed) if bird in NAME_BIRDS else ()
    return random.choice((None, *seats, *birds))


# --- scripted positions -----------------------------------------------------------------------------

RING: Seating = BIRDS
"""A seating to reason about: seat 1 Hawk, 2 Penguin, ... 10 Parrot, 11 Raven."""


def opened(*deals: Seating) -> State:
    """The first state of a match with these seatings; the last of them serves the rounds left over."""
    deals = deals or (RING,)
    return begin(tuple((*deals, *[deals[-1]] * 4)[:4])).state


def close(state: State, moves: Mapping[Player, Move] | None = None) -> State:
    """The state after the open phase."""
    return advance(state, moves or {}).state


def told(state: State, moves: Mapping[Player, Move] | None = None) -> tuple[Tell, ...]:
    """What is told when the open phase closes."""
    return advance(state, moves or {}).tells


def public(tells: tuple[Tell, ...]) -> list[object]:
    """The facts told to everybody."""
    return [tell.fact for tell in tells if tell.to is None]


def draft(state: State, first: tuple[Bird, ...]) -> State:
    """The draft of a night in which the first drafter takes these five birds, in this order."""
    assert len(first) == len(DRAFTED) // 2
    second = [bird for bird in DRAFTED if bird not in first]
    for mine, yours in zip(first, second, strict=True):
        for bird in (mine, yours):
            turn = drafter(state.board)
            if turn is not None:
                state = close(state, {turn: Pick(bird)})
    assert state.board.stage == "actions"
    return state


def to_guesses(state: State) -> State:
    """On to the next guessing period, nobody doing anything."""
    while state.board.stage != "guesses":
        state = close(state)
    return state


def to_stage(state: State, round_: int, night: int, stage: str) -> State:
    """On to a phase of a later night, nobody doing anything."""
    while (state.board.round, state.board.night, state.board.stage) != (round_, night, stage):
        state = close(state)
    return state


def day_over(state: State) -> State:
    """Close an open period without a guess."""
    assert state.board.stage == "guesses"
    return close(state)


def responses(tells: tuple[Tell, ...]) -> dict[Bird, str]:
    """What every drafted bird was answered, whoever was told."""
    nights = [tell.fact for tell in tells if isinstance(tell.fact, facts.NightTold)]
    return {response.bird: response.text for night in nights for response in night.responses}
