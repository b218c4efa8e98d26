"""What seven people do in one phase of Dog's Judgement so that an audience hears the same in two matches, and when.

The audience is a player or (None) the group. It hears what rule 9 lists, and a player what their own play came to; of
everything else the two may differ: plays, bribers, hands, who is ready, who has left the table, who changed their mind.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.dog.choices import check, options
from engine.dog.events import PLAYERS, Tokens
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.notation import read, write
from engine.dog.rules import DOG
from engine.dog.state import State, view
from engine.dog.view import ChoiceOptions, PlayOptions
from engine.game import Player
from tests.engine.dog_matches import any_play
from tests.flows.players import pages
from tests.flows.twin_plans import Audience, Press

Moves = Mapping[Player, Move]

TRIES: Final = 400
FIRST: Final = 30
"""Nobody is ready before this second of a phase, so that every press finds a second of its own."""

ASKED: Final = ("/status", "/matches", "/start panel-{match}", "/rules dog", "m", "m5", "m5x", "m5xb9")
"""What a player writes to the bot in private, or looks up in the panel."""

HOST: Final = 0
"""Whoever opened the lobby sits first."""

LEAVING: Final = ("/resign", ":quit:yes")
"""How a player leaves the table (rule 15)."""

TO_THE_CHOICE: Final = (
    ({**dict.fromkeys(range(5), "4xm4"), 5: "4mblcm"}, {0: "1cr", 1: "7xc7"}, {1: "5xc5"}),
    ({**dict.fromkeys(range(4), "4xm4"), 5: "4mblcm"}, {0: "1cr", 1: "7xc7"}, {1: "5xc5"}),
)
"""What is played in the first rounds so that three lead an event each: then the last player is a candidate, alone or,
in the second script, together with the one who did nothing either.
"""


# --- moves ----------------------------------------------------------------------------------------


def alike(chance: Random, states: tuple[State, State], audience: Audience) -> tuple[Moves, Moves] | None:
    """Moves for the open phase of each match of which the audience hears the same; None if none were found."""
    one, other = states
    if one.board.stage == "choice":
        return _choices(chance, one, audience)
    for _ in range(TRIES):
        shared = chance.choice((0.1, 0.4, 0.8))
        mine, yours = (chance.choice((0.1, 0.5, 0.9)) for _ in states)
        plays: list[tuple[Player, Play | None, Play | None]] = []
        for player in PLAYERS:
            if player == audience or chance.random() < shared:
                same = _in_both(chance, states, player)
                plays.append((player, same, same))
            else:
                plays.append((player, _play(chance, one, player, mine), _play(chance, other, player, yours)))
        moves = _made({player: play for player, play, _ in plays}), _made({player: play for player, _, play in plays})
        if _heard(one, moves[0], audience) == _heard(other, moves[1], audience):
            return moves
    return None


def _choices(chance: Random, state: State, audience: Audience) -> tuple[Moves, Moves]:
    """The candidate's choice (rule 16). That it was left to the lot by silence is heard as if it had been chosen; only
    the candidate knows.
    """
    offered = options(view(state, candidate(state)))
    assert isinstance(offered, ChoiceOptions)
    made: list[Moves] = [{candidate(state): Challenge(player)} for player in offered.players]
    left: list[Moves] = [{}, {candidate(state): Challenge(None)}]
    if chance.random() < 0.6:
        same = chance.choice(made)
        return same, same
    one, other = chance.choice(left), chance.choice(left)
    return one, one if audience == candidate(state) else other


def candidate(state: State) -> Player:
    """Who chooses an opponent."""
    assert state.board.candidate is not None
    return state.board.candidate.candidate


def _in_both(chance: Random, states: tuple[State, State], player: Player) -> Play | None:
    """Any play that a player can make in both matches, or none."""
    one, other = (view(state, player) for state in states)
    offered = options(one)
    play = any_play(offered, chance) if isinstance(offered, PlayOptions) else None
    return None if play is None or check(other, play) is not None else play


def _play(chance: Random, state: State, player: Player, silent: float) -> Play | None:
    """None in a ``silent`` part of all cases. Else mostly a play of which nobody hears: a card for a card, or for
    nothing where somebody removes a lower one; and a bribe that moves nothing.
    """
    offered = options(view(state, player))
    if not isinstance(offered, PlayOptions) or chance.random() < silent:
        return None
    luck = chance.random()
    if luck < 0.1:
        return any_play(offered, chance)
    card = chance.choice(offered.cards)
    quiet = read(f"{card}rb-" if luck < 0.4 else f"{card}xb{chance.choice(dict(offered.values)[card])}-")
    assert isinstance(quiet, Play)
    return quiet


def _made(plays: Mapping[Player, Play | None]) -> Moves:
    return {player: play for player, play in plays.items() if play is not None}


def _heard(state: State, moves: Moves, audience: Audience) -> list[Any]:
    """What closing the phase tells the audience."""
    after = DOG.advance(state, moves)
    return [tell.fact for tell in after.tells if tell.to is None or tell.to == audience]


# --- presses --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ends:
    """How a phase ends in both matches: ``at`` this second, the last one ready, or (None) by its deadline, after
    ``seconds``.
    """

    at: int | None
    seconds: int


def timed(
    chance: Random,
    states: tuple[State, State],
    moves: tuple[Moves, Moves],
    audience: Audience,
    away: tuple[Set[Player], Set[Player]],
    ends: Ends,
) -> tuple[list[Press], list[Press]]:
    """The presses in each match; ``away`` are those who have left the table. Both phases end in the same second."""
    # The audience presses the same buttons at the same times in both matches.
    common = chance.random()
    asked = _to_decline(ends) if states[0].board.stage == "choice" else []
    one, other = (
        sorted((*_presses(chance, Random(common), state, sealed, audience, gone, ends), *asked), key=_when)
        for state, sealed, gone in zip(states, moves, away, strict=True)
    )
    return one, other


def _when(press: Press) -> tuple[int, Player]:
    return press.at, press.player


def _to_decline(ends: Ends) -> list[Press]:
    """The host asks in the group whether the match may end here, late, and thinks better of it."""
    late = (ends.at or ends.seconds) - 3
    return [
        Press(late, HOST, ":decline:ask", public=True),
        Press(late + 1, HOST, ":decline:{number}.no", public=True),
    ]


def _presses(
    chance: Random,
    common: Random,
    state: State,
    moves: Moves,
    audience: Audience,
    away: Set[Player],
    ends: Ends,
) -> list[Press]:
    active = DOG.phase(state)
    assert active is not None
    last = (chance if audience is None else common).choice(active.active)
    presses: list[Press] = []
    for player in PLAYERS:
        own = common if player == audience else chance
        back = player in away and player == last
        if player in away and not back and player not in moves and own.random() < 0.5:
            continue
        closing = _closing(own, player, last if player in active.active else None, ends)
        until = ends.at or ends.seconds
        if player != last:
            until = own.randrange(FIRST, until)
        tails = [
            *(["u"] if back else []),
            *([own.choice(ASKED)] if own.random() < 0.25 else []),
            *_refused(own, state, player),
            *_closed(own, _tails(own, state, player, moves.get(player)), closing),
        ]
        times = sorted(own.sample(range(1, until), len(tails)))
        if back:  # before anybody is ready, or nobody would be waited for
            times[0] = min(times[0], FIRST - 1)
        if closing:
            times[-1] = until
        presses += [Press(at, player, tail) for at, tail in zip(times, tails, strict=True)]
    return presses


def _closing(chance: Random, player: Player, last: Player | None, ends: Ends) -> tuple[str, ...]:
    """How a player is done with a phase: ready, gone, or not at all. It has a ``last`` one where it waits for them."""
    wild = chance.random()
    if player == last:  # closes the phase or, where the deadline shall do it, is never ready
        return () if ends.at is None else ("l",)
    if wild < 0.15:
        return LEAVING
    return ("l",) if last is not None and (wild < 0.8 or ends.at is not None) else ()


def _tails(chance: Random, state: State, player: Player, move: Move | None) -> list[str]:
    """The buttons that lead to a move, a change of mind among them; a play that is taken back leads to none."""
    offered, tails = options(view(state, player)), []
    if chance.random() < 0.3:
        match offered:
            case PlayOptions():
                tails = ["s" + write(any_play(offered, chance)), "s" + write(Withdraw())]
            case ChoiceOptions(players) if move is not None:
                tails = [f"mvs{chance.choice(players)}", f"svs{chance.choice(players)}"]
    match move:
        case Play() if chance.random() < 0.3:
            return [*tails, *pages(move), "s" + write(move)]
        case Play():
            return [*tails[:1], "s" + write(move)]
        case Challenge():
            return [*tails, "m" + write(move), "s" + write(move)]
        case _:
            return tails


def _closed(chance: Random, tails: list[str], closing: tuple[str, ...]) -> list[str]:
    """The presses with those that end them: where a move is sealed last, one may seal it and be ready at once."""
    if closing == ("l",) and tails and chance.random() < 0.5:
        return [*tails[:-1], "f" + tails[-1][1:]]
    return [*tails, *closing]


TRIED: Final = ("8cm", "5xx5", "5xr", "5rm7", "5rb", "1xb7-", "7xm1", "1rbwcc", "vs0", "vs6", "vs-", "end")
"""What the rules refuse in some places or in all of them, some of it no move at all."""


def _refused(chance: Random, state: State, player: Player) -> list[str]:
    """Presses that the rules refuse: the answer must not depend on anything hidden from whoever pressed."""
    tried = [chance.choice(TRIED), *map(write, _without_token(chance, state.board.tokens))]
    own = view(state, player)
    return ["s" + text for text in tried if _is_refused(own, text)]


def _without_token(chance: Random, tokens: Tokens) -> list[Play]:
    """A bribe with a movement that there may or may not be."""
    play = read(f"{chance.randint(1, 7)}rbw{chance.choice(('cr', 'rm', 'mc'))}")
    assert isinstance(play, Play)
    return [] if chance.random() < 0.5 or play.movement in tuple(tokens.movements()) else [play]


def _is_refused(own: Any, text: str) -> bool:
    try:
        move = read(text)
    except ValueError:
        return True
    return isinstance(move, Decline) or check(own, move) is not None
