"""Dog's Judgement as a game: which phase is open, and what follows when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.chance import SEED_BYTES, draws
from engine.copying import altered
from engine.dog import facts, notation
from engine.dog.choices import amend, check, options
from engine.dog.events import CARDS, PLAYERS, ROUNDS, SEATS, Card, Tokens
from engine.dog.house import house
from engine.dog.judgement import judge
from engine.dog.moves import Challenge, Decline, Move, Play
from engine.dog.round import Resolved, resolve
from engine.dog.state import State, view
from engine.dog.view import Board, View
from engine.game import Game, IllegalMove, Phase, Player, Tell, Transition

PREGAME_SECONDS: Final = 600
ROUND_SECONDS: Final = 600
CHOICE_SECONDS: Final = 300

LOWEST: Final = 1
"""The tower's level at the start."""

Following = Transition[State]
Moves = Mapping[Player, Move]


def start(seed: bytes) -> Following:
    """The first state of a match with a 32-byte seed."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return begin(seed)


def begin(seed: bytes) -> Following:
    """The first state of a match whose lots follow from any bytes.

    Nothing before the lots of rule 16 is left to chance. So a record without a seed is replayed up to its judgement
    with any bytes, and whoever does so may not believe the lots.
    """
    board = Board("pregame", 0, LOWEST, Tokens())
    return Transition(State(board, seed, (CARDS,) * SEATS, ((0, 0, 0),) * SEATS, ((),) * SEATS, ()), ())


def phase(state: State) -> Phase | None:
    """The open phase. All seven are active until the judgement, those with an empty hand too."""
    board = state.board
    match board.stage:
        case "pregame":
            return Phase("pregame", PLAYERS, PREGAME_SECONDS)
        case "round":
            return Phase("round", PLAYERS, ROUND_SECONDS)
        case "choice":
            return Phase("choice", (_candidate(board).candidate,), CHOICE_SECONDS)
        case "over":
            return None


def opponent(state: State) -> facts.OpponentNamed | None:
    """The two who go on to a Death Match (rule 16), once this match is over; None without one."""
    end = state.board.end
    return end if isinstance(end, facts.OpponentNamed) else None


def advance(state: State, moves: Moves) -> Following:
    """Close the open phase with what was sealed; IllegalMove for a move that ``check`` refuses."""
    for player, move in moves.items():
        refusal = check(view(state, player), move)
        if refusal is not None:
            raise IllegalMove(player, refusal)
    return closed(state, moves)


def closed(state: State, moves: Moves) -> Following:
    """As ``advance``, for moves that ``check`` has admitted already."""
    match state.board.stage:
        case "pregame":
            return Transition(_next_round(state), ())
        case "round":
            return _round_over(state, moves)
        case "choice":
            return _chosen(state, moves)
        case "over":
            raise ValueError("the match is over")


def _next_round(state: State) -> State:
    return altered(state, board=altered(state.board, stage="round", round=state.board.round + 1))


def _round_over(state: State, moves: Moves) -> Following:
    """Rules 2 and 5 to 9."""
    board = state.board
    plays = {player: move for player, move in moves.items() if isinstance(move, Play)}
    resolved = resolve(board.level, board.tokens, plays)
    news = tuple(_told(state, player, plays.get(player), resolved) for player in PLAYERS)
    charge, remove, median = (tuple(scored) for scored in resolved.scores)
    announced = facts.RoundResolved(board.round, (charge, remove, median), resolved.level, resolved.moved)
    state = altered(
        state,
        board=altered(board, level=resolved.level, tokens=resolved.tokens, announced=(*board.announced, announced)),
        hands=tuple(new.hand for new in news),
        points=tuple(new.points for new in news),
        told=tuple((*earlier, new) for earlier, new in zip(state.told, news, strict=True)),
        plays=(*state.plays, tuple(new.play for new in news)),
    )
    tells = (Tell(announced), *(Tell(new, player) for player, new in enumerate(news)))
    if board.round < ROUNDS:
        return Transition(_next_round(state), tells)
    judged = _judged(state)
    return Transition(judged.state, (*tells, *judged.tells))


def _told(state: State, player: Player, play: Play | None, resolved: Resolved) -> facts.RoundTold:
    """What a round did for one player, whether they played or not: that it comes must say nothing."""
    charge, remove, median = [scores.get(player, 0) for scores in resolved.scores]
    had = state.points[player]
    return facts.RoundTold(
        round=state.board.round,
        play=play,
        scored=(charge, remove, median),
        gained=None if play is None else play.gain,
        points=(had[0] + charge, had[1] + remove, had[2] + median),
        hand=_hand(state.hands[player], play),
    )


def _hand(hand: tuple[Card, ...], play: Play | None) -> tuple[Card, ...]:
    """A hand after the round: the card played is gone, the one wanted from the store has joined (rules 1 and 2)."""
    cards = list(hand)
    if play is not None:
        cards.remove(play.card)
        if play.gain is not None:
            cards.append(play.gain)
    return tuple(sorted(cards))


def _judged(state: State) -> Following:
    """Rules 10 to 14, and who is to choose by rule 16. No Tokens of Life are held from before.

    The long table of rule 14 is told last, so that it does not stand between the judgement and what follows from it.
    """
    judgement = judge(state.points, state.board.tokens, (0,) * SEATS)
    after = _candidate_named(altered(state, board=altered(state.board, judgement=judgement)), judgement)
    published = facts.Published(state.points, state.plays)
    return Transition(after.state, (Tell(judgement), *after.tells, Tell(published)))


def _candidate_named(state: State, judgement: facts.Judgement) -> Following:
    """Rule 16: the joint candidates draw, and the candidate chooses if there is anybody to choose."""
    joint = judgement.candidates
    if not joint:
        return _ended(state, facts.NoDeathMatch("no_candidate"))
    lot = len(joint) > 1
    candidate = joint[draws(state.seed, "dog/lot")(len(joint))] if lot else joint[0]
    eligible = tuple(player for player in PLAYERS if player != candidate and not judgement.life[player])
    if not eligible:
        return _ended(state, facts.NoDeathMatch("no_opponent"))
    named = facts.CandidateNamed(candidate, lot, eligible)
    board = altered(state.board, stage="choice", candidate=named)
    return Transition(altered(state, board=board), (Tell(named),))


def _candidate(board: Board) -> facts.CandidateNamed:
    assert board.candidate is not None, "only an open choice has a candidate"
    return board.candidate


def _chosen(state: State, moves: Moves) -> Following:
    """Rule 16: silence leaves the opponent to the lot."""
    named = _candidate(state.board)
    match moves.get(named.candidate):
        case Decline():
            return _ended(state, facts.NoDeathMatch("declined"))
        case Challenge(int() as chosen):
            return _ended(state, facts.OpponentNamed(named.candidate, chosen, "chosen"))
        case _:
            drawn = named.eligible[draws(state.seed, "dog/opponent")(len(named.eligible))]
            return _ended(state, facts.OpponentNamed(named.candidate, drawn, "lot"))


def _ended(state: State, end: facts.OpponentNamed | facts.NoDeathMatch) -> Following:
    board = altered(state.board, stage="over", end=end)
    return Transition(altered(state, board=board), (Tell(end),))


DOG: Final[Game[State, View, Move]] = Game(
    key="dog",
    players=SEATS,
    rules=1,
    start=start,
    phase=phase,
    view=view,
    check=check,
    options=options,
    amend=amend,
    advance=advance,
    read=notation.read,
    write=notation.write,
    house=house,
    hosted=lambda move: isinstance(move, Decline),
    resign=None,  # rule 15: whoever leaves only falls silent
    decline=Decline(),
    playing=lambda state: PLAYERS,
)
