"""What two matches do in one phase so that an audience hears the same of both, and when each press is made.

The audience is a player or (None) the group. It hears what the rules announce, and a player what their own birds were
told; of everything else the two may differ: seating, named birds, actions, wrong guesses, the order of presses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.game import IllegalMove, Player
from engine.gravity.birds import LETTERS, Bird
from engine.gravity.choices import check, options
from engine.gravity.draft import PLAYERS
from engine.gravity.moves import Actions, Guess, Move, Pass, Reveal
from engine.gravity.notation import write
from engine.gravity.rules import GRAVITY
from engine.gravity.state import State, view
from engine.gravity.view import ActionOptions, GuessOptions, RevealOptions
from tests.handler.positions import BUILDING_BLOCKS

Audience = Player | None
Moves = dict[Player, Move]

TRIES = 300
FIRST = 17
"""Nobody locks in before this second of a phase, so that every press finds a second of its own."""


ASKED = ("/status", "/matches", "/start panel-{match}", "/rules night")
"""What a player writes to the bot in private."""


@dataclass(frozen=True)
class Press:
    """A press ``at`` seconds after the phase opened; ``tail`` is what the button carries after match and phase (with a
    colon before it: after the match), or a text to write instead. ``public``: in the group, else in private.
    """

    at: int
    player: Player
    tail: str
    public: bool = False


# --- moves ----------------------------------------------------------------------------------------


def alike(chance: Random, states: tuple[State, State], audience: Audience) -> tuple[Moves, Moves] | None:
    """Moves for the open phase of each match of which the audience hears the same; None if none were found."""
    one, other = states
    for _ in range(TRIES):
        first = {player: _move(chance, one, player) for player in PLAYERS}
        second = {
            player: first[player] if player == audience else _counterpart(chance, states, first, player)
            for player in PLAYERS
        }
        moves = _made(first), _made(second)
        heard = _heard(one, moves[0], audience)
        if heard is not None and heard == _heard(other, moves[1], audience):
            return moves
    return None


def _made(moves: Mapping[Player, Move | None]) -> Moves:
    return {player: move for player, move in moves.items() if move is not None}


def _heard(state: State, moves: Moves, audience: Audience) -> list[Any] | None:
    """What closing the phase tells the audience, and the birds that the end of the round will name (rule 3)."""
    try:
        after = GRAVITY.advance(state, moves)
    except IllegalMove:
        return None
    tells = [tell.fact for tell in after.tells if tell.to is None or tell.to == audience]
    named = {bird for bird in after.state.named if bird is not None} | set(after.state.board.used)
    return [tells, named]


def _move(chance: Random, state: State, player: Player) -> Move | None:
    """A legal move or silence; a guess is right more often than chance would have it."""
    match options(view(state, player)):
        case RevealOptions(birds):
            return chance.choice((Reveal(chance.choice(birds)), Reveal(chance.choice(birds)), Reveal(None), None))
        case ActionOptions(birds):
            busy = chance.choice((0.2, 0.9))
            sent = [(bird, seats + names) for bird, seats, names in birds if chance.random() < busy]
            return (
                None if chance.random() < 0.1 else Actions(tuple((bird, chance.choice(goals)) for bird, goals in sent))
            )
        case GuessOptions(seats, birds):
            seat, wild = chance.choice(seats), chance.random()
            if wild < 0.05:
                return Guess(state.seats.index(Bird.RAVEN) + 1, Bird.RAVEN)
            bird = state.seats[seat - 1] if wild < 0.15 else chance.choice(birds)
            return Guess(seat, bird) if wild < 0.5 else chance.choice((Pass(), None))
        case _:
            return None


def _counterpart(
    chance: Random, states: tuple[State, State], first: Mapping[Player, Move | None], player: Player
) -> Move | None:
    """What a player might do in the other match that sounds the same from outside."""
    one, other = states
    move = first[player]
    match one.board.stage, move:
        case "reveals", _:  # the same birds may be named by anybody
            return chance.choice((*first.values(), Reveal(None), None))
        case "guesses", Guess(seat=seat, bird=bird):
            return move if one.seats[seat - 1] is bird else _move(chance, other, player)
        case "guesses", _:
            return chance.choice((Pass(), None))
        case _:
            return _move(chance, other, player)


# --- presses --------------------------------------------------------------------------------------


def timed(
    chance: Random, states: tuple[State, State], moves: tuple[Moves, Moves], audience: Audience, seconds: int
) -> tuple[list[Press], list[Press]]:
    """The presses in each match. Both phases end in the same second, by the last lock or by the deadline."""
    end = chance.randrange(2 * FIRST, seconds - 1) if chance.random() < 0.7 else None
    # The audience presses the same buttons at the same times in both matches.
    common = chance.random()
    one, other = (
        _presses(chance, Random(common), state, sealed, audience, (end, seconds))
        for state, sealed in zip(states, moves, strict=True)
    )
    return one, other


def _presses(
    chance: Random, common: Random, state: State, moves: Moves, audience: Audience, ends: tuple[int | None, int]
) -> list[Press]:
    end, seconds = ends
    last = (chance if audience is None else common).choice(PLAYERS)
    presses: list[Press] = []
    for player in PLAYERS:
        own = common if player == audience else chance
        if player == last:  # closes the phase or, where the deadline shall do it, never locks in
            lock = end
        else:
            sooner = own.randrange(FIRST, end or seconds)
            lock = sooner if end is not None or own.random() < 0.5 else None
        asked = own.choice((*ASKED, None, None, None))
        tails = [
            *([asked] if asked else []),
            *_refused(own, state, player),
            *_tails(own, moves.get(player), locks=lock is not None),
        ]
        until = seconds if lock is None else lock
        times = own.sample(range(1, until), len(tails))
        if lock is not None:
            times[:1] = [lock]
        presses += [Press(at, player, tail) for at, tail in zip(sorted(times), tails, strict=True)]
    return sorted(presses, key=lambda press: (press.at, press.player))


def _tails(chance: Random, move: Move | None, *, locks: bool) -> list[str]:
    """The buttons that lead to a move, menus and a change of mind among them; the last one locks in if asked to."""
    match move:
        case None:
            return ["l"] if locks else []
        case Actions(targets=targets):
            errands = chance.sample(targets, len(targets))
            sent = [tail for each in errands for tail in (f"m{LETTERS[each[0]]}", "s" + write(Actions((each,))))]
            return [*sent, "fa" if locks else "sa"]
        case Guess(seat=seat, bird=bird):
            return [f"m{seat}", f"m{seat}{LETTERS[bird]}", ("f" if locks else "s") + write(move)]
        case Pass():
            return [("f" if locks else "s") + write(move)]
        case _:
            return ["s?-", "s" + write(move), *(["l"] if locks else [])]


def _refused(chance: Random, state: State, player: Player) -> list[str]:
    """Presses that the rules refuse: the answer must not depend on anything hidden."""
    own = view(state, player)
    tried = chance.sample(BUILDING_BLOCKS, 3)
    return ["s" + write(move) for move in tried if check(own, move) is not None]
