"""What a game is to the rest of the house: phases in which players seal moves, resolved together.

Nothing in here names a game. Players are numbers (0 to n-1, table order): the engine knows no people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Player = int
"""A seat at the table, 0 to n-1 in table order."""

Draw = Callable[[int], int]
"""``draw(n)`` gives a number from 0 to n-1: the chance a house player may use (see :mod:`engine.chance`)."""


@dataclass(frozen=True)
class Phase:
    """A span in which the ``active`` players each may seal one move.

    ``seconds`` is the limit at the rules' own pace; ``None`` waits for ever, 0 is due at once. In an
    ``instant`` phase a sealed move is final with the press that seals it (a turn); otherwise a player locks in.
    """

    name: str
    active: tuple[Player, ...]
    seconds: int | None
    instant: bool = False


@dataclass(frozen=True)
class Tell:
    """A fact that becomes known, to one player or (``to`` is None) to everybody."""

    fact: Any
    to: Player | None = None


@dataclass(frozen=True)
class Refusal:
    """Why a move may not be made: a stable code that the message catalogue words, e.g. ``"bird-revealed"``."""

    code: str


S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


@dataclass(frozen=True)
class Transition(Generic[S]):
    """The state that follows, and what is told on the way, in order."""

    state: S
    tells: tuple[Tell, ...]


class BadNotation(ValueError):
    """A text that is no move of this game in any position."""


class IllegalMove(ValueError):
    """A move that ``check`` refuses reached ``advance``: whoever sealed it had not asked."""

    def __init__(self, player: Player, refusal: Refusal) -> None:
        super().__init__(f"player {player}: {refusal.code}")
        self.player = player
        self.refusal = refusal


@dataclass(frozen=True)
class Game(Generic[S, V, M]):
    """One game: its key, the number of players and its pure functions.

    - ``start(seed)`` with a 32-byte seed gives the first state.
    - ``phase(state)`` is the open phase, None once the match is over.
    - ``view(state, viewer)`` is all that the viewer may know; viewer None is the public.
    - ``check(view, move)`` refuses what the rules forbid this viewer now, else None. It knows only the view, so a
      refusal cannot leak. It may admit a move of a player who is not active (it then waits in the box).
    - ``options(view)`` gives every move (or building block of one) that ``check`` admits, for menus.
    - ``amend(sealed, move)`` is what is sealed when ``move`` arrives after ``sealed`` in the same phase.
    - ``advance(state, moves)`` closes the open phase; a silent player is a missing key. The only way a state changes.
      It raises IllegalMove for a move that ``check`` refuses.
    - ``read``/``write``: a move's notation, at most 48 bytes; ``read(write(m)) == m``; ``read`` raises BadNotation.
    - ``house(view, draw)`` is the house player's move in the open phase, from its own view alone, None for none.
    - ``hosted(move)`` says whether only the host may make this move, in the name of the player who seals it; whoever
      takes a player's own press has to refuse it. The engine knows no host, so ``check`` admits it all the same.
    - ``resign`` is the move that gives the match up and closes the open phase at once, None where a game has none.
      Where ``check`` does not admit it, whoever leaves only falls silent, and nobody waits for them any more.
    - ``decline`` is the hosted move that ends the match where it stands, with what it has come to; it is sealed for
      whoever is active, and closes the open phase at once. None where a game has none, and again ``check`` says when.
    - ``playing(state)`` are the players whom the match still concerns, in table order; the others look on.
    - ``rules`` is the number of the rules' outcome; it rises when the same steps would end differently.
    """

    key: str
    players: int
    rules: int
    start: Callable[[bytes], Transition[S]]
    phase: Callable[[S], Phase | None]
    view: Callable[[S, Player | None], V]
    check: Callable[[V, M], Refusal | None]
    options: Callable[[V], Any]
    amend: Callable[[M | None, M], M]
    advance: Callable[[S, Mapping[Player, M]], Transition[S]]
    read: Callable[[str], M]
    write: Callable[[M], str]
    house: Callable[[V, Draw], M | None]
    hosted: Callable[[M], bool]
    resign: M | None
    decline: M | None
    playing: Callable[[S], tuple[Player, ...]]
