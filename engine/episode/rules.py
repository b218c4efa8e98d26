"""An episode as one game: Dog's Judgement, and after it, in the same row of phases, the Death Match (rule 16).

Neither game knows of the other. Everything here is handed on to the one that is being played; in the Death Match its
players 0 and 1 are the pair's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from engine.chance import SEED_BYTES, commitment, words
from engine.copying import altered
from engine.dog.moves import Decline
from engine.dog.moves import Move as MainMove
from engine.dog.notation import find as find_main
from engine.dog.rules import DOG, opponent
from engine.dog.rules import closed as main_closed
from engine.dog.state import State as MainState
from engine.episode.view import DeathBegan, DeathView, EpisodeEnded, InDeath, Pair, View
from engine.game import Draw, Game, IllegalMove, Phase, Player, Refusal, Tell, Transition
from engine.gravity.moves import Move as DeathMove
from engine.gravity.moves import Resign
from engine.gravity.rules import GRAVITY
from engine.gravity.rules import closed as death_closed
from engine.gravity.state import State as GravityState

_WORD_BYTES: Final = 4

Move = MainMove | DeathMove


@dataclass(frozen=True)
class Death:
    """The Death Match being played, or over: who the two are, what the main match came to, and the match itself."""

    pair: Pair
    main: MainState
    match: GravityState


State = MainState | Death


def death_seed(seed: bytes) -> bytes:
    """The seed of the Death Match that may follow the match with this seed: the first eight words under ``dog/death``.

    So the whole episode is fixed by what was committed to at its start; and so the main match's seed, which gives this
    one away, stays secret until the Death Match is over.
    """
    source = islice(words(seed, "dog/death"), SEED_BYTES // _WORD_BYTES)
    return b"".join(word.to_bytes(_WORD_BYTES, "big") for word in source)


def start(seed: bytes) -> Transition[State]:
    """The main match's first state."""
    begun = DOG.start(seed)
    return Transition(begun.state, begun.tells)


def phase(state: State) -> Phase | None:
    """The open phase; in the Death Match its players are the pair's."""
    if not isinstance(state, Death):
        return DOG.phase(state)
    open_ = GRAVITY.phase(state.match)
    return None if open_ is None else altered(open_, active=tuple(state.pair[player] for player in open_.active))


def view(state: State, viewer: Player | None) -> View:
    """The main match's view, then the Death Match's: whoever is not of the pair looks on with the public."""
    if not isinstance(state, Death):
        return DOG.view(state, viewer)
    own = state.pair.index(viewer) if viewer in state.pair else None
    return DeathView(state.pair, GRAVITY.view(state.match, own))


def check(view: View, move: Move) -> Refusal | None:
    """As the game that is being played; a move of the other one belongs to another phase."""
    if isinstance(view, DeathView):
        return Refusal("wrong-phase") if isinstance(move, MainMove) else GRAVITY.check(view.view, move)
    return DOG.check(view, move) if isinstance(move, MainMove) else Refusal("wrong-phase")


def options(view: View) -> Any:
    """As the game that is being played."""
    return GRAVITY.options(view.view) if isinstance(view, DeathView) else DOG.options(view)


def amend(sealed: Move | None, move: Move) -> Move:
    """As the game of the move: no phase holds moves of both."""
    if isinstance(move, MainMove):
        return DOG.amend(sealed if isinstance(sealed, MainMove) else None, move)
    return GRAVITY.amend(None if isinstance(sealed, MainMove) else sealed, move)


def advance(state: State, moves: Mapping[Player, Move]) -> Transition[State]:
    """Close the open phase; IllegalMove for a move that ``check`` refuses. Once the candidate has an opponent the Death
    Match begins by itself.
    """
    for player, move in moves.items():
        refusal = check(view(state, player), move)
        if refusal is not None:
            raise IllegalMove(player, refusal)
    if isinstance(state, Death):
        pair = state.pair
        return _death_goes_on(
            state, {pair.index(player): move for player, move in moves.items() if not isinstance(move, MainMove)}
        )
    following = main_closed(state, {player: move for player, move in moves.items() if isinstance(move, MainMove)})
    met = opponent(following.state)
    if met is None:
        return Transition(following.state, following.tells)
    begun = _death_began((met.candidate, met.opponent), following.state)
    return Transition(begun.state, (*following.tells, *begun.tells))


def _death_began(pair: Pair, main: MainState) -> Transition[State]:
    seed = death_seed(main.seed)
    start = GRAVITY.start(seed)
    told = Tell(DeathBegan(pair, commitment(seed)))
    return Transition(Death(pair, main, start.state), (told, *_told(pair, start.tells)))


def _death_goes_on(state: Death, moves: Mapping[Player, DeathMove]) -> Transition[State]:
    following = death_closed(state.match, moves)
    tells = _told(state.pair, following.tells)
    winner = following.state.board.winner
    if winner is not None:
        tells = (*tells, Tell(EpisodeEnded(state.pair[1 - winner])))
    return Transition(altered(state, match=following.state), tells)


def _told(pair: Pair, tells: tuple[Tell, ...]) -> tuple[Tell, ...]:
    """What the Death Match tells, to the same two under their names at the table."""
    return tuple(Tell(InDeath(pair, tell.fact), None if tell.to is None else pair[tell.to]) for tell in tells)


def read(text: str) -> Move:
    """A move of either game: no text is one in both. Raises BadNotation."""
    move = find_main(text)
    return GRAVITY.read(text) if move is None else move


def write(move: Move) -> str:
    """As the game of the move."""
    return DOG.write(move) if isinstance(move, MainMove) else GRAVITY.write(move)


def house(view: View, draw: Draw) -> Move | None:
    """As the game that is being played."""
    return GRAVITY.house(view.view, draw) if isinstance(view, DeathView) else DOG.house(view, draw)


def playing(state: State) -> tuple[Player, ...]:
    """All seven; in the Death Match the two."""
    return tuple(sorted(state.pair)) if isinstance(state, Death) else DOG.playing(state)


EPISODE: Final[Game[State, View, Move]] = Game(
    key=DOG.key,
    players=DOG.players,
    rules=DOG.rules + GRAVITY.rules,  # so that it rises with either
    start=start,
    phase=phase,
    view=view,
    check=check,
    options=options,
    amend=amend,
    advance=advance,
    read=read,
    write=write,
    house=house,
    hosted=lambda move: DOG.hosted(move) if isinstance(move, MainMove) else GRAVITY.hosted(move),
    resign=Resign(),
    decline=Decline(),
    playing=playing,
)
