"""Gravity Pandemic as a game: which phase is open, and what follows when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.chance import SEED_BYTES, shuffled
from engine.copying import altered
from engine.game import Game, IllegalMove, Phase, Player, Tell, Transition
from engine.gravity import facts, notation
from engine.gravity.birds import BIRDS, DRAFTED, ROUNDS, Bird
from engine.gravity.choices import amend, check, options
from engine.gravity.draft import DMO, EC, PLAYERS, birds_left, drafted, drafter, first_drafter
from engine.gravity.house import house
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pick, Resign, Reveal, Target
from engine.gravity.night import Seating, resolve
from engine.gravity.score import Verdict, judge, winner
from engine.gravity.state import State, view
from engine.gravity.view import Board, View

NIGHTS: Final = 4
REVEAL_SECONDS: Final = 60
DRAFT_SECONDS: Final = 300  # rule 6: then the bot picks
ACTION_SECONDS: Final = 120
GUESS_SECONDS: Final = 60

_AWAKE: Final = Pick | Here
"""Moves by which a drafter shows that they are there (rule 6)."""

Following = Transition[State]
Told = tuple[tuple[facts.Private, ...], tuple[facts.Private, ...]]
Moves = Mapping[Player, Move]


def seating(seed: bytes, round_: int) -> Seating:
    """The seating of a round, 1 to 4, as the seed deals it."""
    return shuffled(seed, f"gravity/round/{round_}", BIRDS)


def start(seed: bytes) -> Following:
    """The first state of the match that a 32-byte seed deals."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return begin(tuple(seating(seed, round_) for round_ in range(1, ROUNDS + 1)))


def begin(deals: tuple[Seating, ...]) -> Following:
    """The first state of the match with these four seatings, wherever they come from."""
    board = Board("reveals", 1, 0, 0, (0, 0), None, (), (), (), (), (), None)
    state = State(board, deals, (Bird.PENGUIN,), (None, None), ((), ()))
    return Transition(state, (Tell(facts.RoundBegan(1, (), (0, 0))),))


def phase(state: State) -> Phase | None:
    """The open phase; the draft waits no time for a player who is idle (rule 6)."""
    match state.board.stage:
        case "reveals":
            return Phase("reveals", PLAYERS, REVEAL_SECONDS)
        case "draft":
            turn = _turn(state.board)
            return Phase("draft", (turn,), 0 if turn in state.board.idle else DRAFT_SECONDS, instant=True)
        case "actions":
            return Phase("actions", PLAYERS, ACTION_SECONDS)
        case "guesses":
            return Phase("guesses", PLAYERS, GUESS_SECONDS)
        case "over":
            return None


def advance(state: State, moves: Moves) -> Following:
    """Close the open phase with what was sealed; IllegalMove for a move that ``check`` refuses."""
    for player, move in moves.items():
        refusal = check(view(state, player), move)
        if refusal is not None:
            raise IllegalMove(player, refusal)
    return closed(state, moves)


def closed(state: State, moves: Moves) -> Following:
    """As ``advance``, for moves that ``check`` has admitted already."""
    for player in PLAYERS:
        if isinstance(moves.get(player), Resign):
            return _resigned(state, player)
    match state.board.stage:
        case "reveals":
            return _reveals_closed(state, moves)
        case "draft":
            return _pick_made(state, moves)
        case "actions":
            return _night_over(state, moves)
        case "guesses":
            return _period_over(state, moves)
        case "over":
            raise ValueError("the match is over")


def _turn(board: Board) -> Player:
    turn = drafter(board)
    assert turn is not None, "only an open draft has a turn"
    return turn


def _told(state: State, ec: facts.Private, dmo: facts.Private) -> tuple[Told, tuple[Tell, Tell]]:
    """Each player is told one private fact, whatever it holds: that it comes must say nothing. What each has been told
    this round, from now on, and the telling.
    """
    to_ec, to_dmo = state.told
    return ((*to_ec, ec), (*to_dmo, dmo)), (Tell(ec, EC), Tell(dmo, DMO))


def _resigned(state: State, player: Player) -> Following:
    """Rule 21. Nothing else that was sealed counts; of two who resign at once, the first in table order did."""
    return _ended(state, 1 - player, "resigned")


def _reveals_closed(state: State, moves: Moves) -> Following:
    """Rule 1."""
    named = (moves.get(player) for player in PLAYERS)
    ec, dmo = (move.bird if isinstance(move, Reveal) else None for move in named)
    round_, seats = state.board.round, state.seats

    def answer(bird: Bird | None) -> facts.RevealTold:
        return facts.RevealTold(round_, bird, None if bird is None else seats.index(bird) + 1)

    told, tells = _told(state, answer(ec), answer(dmo))
    board, began = _night_began(state.board)
    return Transition(altered(state, board=board, named=(ec, dmo), told=told), (*tells, began))


def _night_began(board: Board) -> tuple[Board, Tell]:
    night, first = board.night + 1, first_drafter(board.first, board.scores)
    board = altered(board, stage="draft", night=night, period=0, first=first, picks=(), idle=())
    return board, Tell(facts.NightBegan(board.round, night, first))


def _pick_made(state: State, moves: Moves) -> Following:
    """Rules 4 and 6."""
    board = state.board
    turn = _turn(board)
    by: facts.By
    away = board.idle
    match moves.get(turn):
        case Pick(bird):
            by = "player"
        case HostPick(bird):
            by = "host"
        case _:  # only the bot, having waited in vain, goes on picking by itself
            bird, by, away = birds_left(board)[0], "bot", (*away, turn)
    if away:
        away = tuple(player for player in PLAYERS if player in away and not isinstance(moves.get(player), _AWAKE))

    board = altered(board, picks=(*board.picks, (turn, bird, by)), idle=away)
    tells = [_picked(board)]
    if len(board.picks) == len(DRAFTED) - 1:
        (last,) = birds_left(board)  # which leaves no choice
        board = altered(board, stage="actions", picks=(*board.picks, (1 - turn, last, "bot")))
        tells.append(_picked(board))
    return Transition(altered(state, board=board), tuple(tells))


def _picked(board: Board) -> Tell:
    """The latest pick, for everybody."""
    player, bird, by = board.picks[-1]
    return Tell(facts.Picked(board.round, board.night, len(board.picks), player, bird, by))


def _night_over(state: State, moves: Moves) -> Following:
    """Rules 7 and 11 to 15."""
    board = state.board
    sent: dict[Bird, Target] = {}
    for move in moves.values():
        if isinstance(move, Actions):
            sent.update((bird, target) for bird, target in move.targets if target is not None)
    owners = {bird: player for player, bird, _ in board.picks}
    night = resolve(state.seats, state.flightless, [bird for _, bird in board.revealed], owners, sent)

    keeper = owners[Bird.ROBIN]
    board = altered(_scored(board, {keeper: night.robin}), stage="guesses", period=1)
    gain = (keeper, night.robin) if night.robin else None  # rule 15: a gain of nothing is not announced
    announced = Tell(facts.NightResolved(board.round, board.night, gain, board.scores))

    def answer(player: Player) -> facts.NightTold:
        own = drafted(board, player)
        responses = tuple([facts.Response(bird, sent.get(bird), night.responses[bird]) for bird in own])
        return facts.NightTold(board.round, board.night, responses, silent=player not in moves)

    told, tells = _told(state, answer(EC), answer(DMO))
    state = altered(state, board=board, flightless=night.flightless, told=told)
    return Transition(state, (announced, *tells))


def _scored(board: Board, deltas: Mapping[Player, int]) -> Board:
    """One scoring update; a change of nothing is none (rule 20)."""
    if not any(deltas.values()):
        return board
    ec, dmo = board.scores
    scores = (ec + deltas.get(0, 0), dmo + deltas.get(1, 0))
    return altered(board, scores=scores, updates=(*board.updates, scores))


def _period_over(state: State, moves: Moves) -> Following:
    """Rules 16 to 19."""
    board = state.board
    guesses = {player: move for player, move in moves.items() if isinstance(move, Guess)}
    verdict = judge(state.seats, guesses)
    if guesses:
        revealed = tuple(sorted({*board.revealed, *verdict.revealed}))
        board = altered(_scored(board, verdict.deltas), revealed=revealed)

    def answer(player: Player) -> facts.GuessTold:
        delta = verdict.deltas.get(player, 0)
        return facts.GuessTold(board.round, board.night, board.period, guesses.get(player), delta)

    announced = Tell(_announcement(board, guesses, verdict))
    told, tells = _told(state, answer(EC), answer(DMO))
    after = _after_period(altered(state, board=board, told=told), verdict)
    return Transition(after.state, (announced, *tells, *after.tells))


def _announcement(board: Board, guesses: Mapping[Player, Guess], verdict: Verdict) -> facts.PeriodClosed:
    """What everybody hears of a period: of a wrong guess only what it cost (rule 17)."""
    judged = tuple(
        facts.Judged(player, verdict.deltas[player], guesses[player] if verdict.deltas[player] > 0 else None)
        for player in PLAYERS
        if player in guesses
    )
    return facts.PeriodClosed(
        board.round, board.night, board.period, judged, verdict.again, verdict.raven_found, board.scores
    )


def _after_period(state: State, verdict: Verdict) -> Following:
    """Another period, the next night, the next round or the end (rule 19)."""
    board = state.board
    if verdict.again:
        return Transition(altered(state, board=altered(board, period=board.period + 1)), ())
    if verdict.raven_found or board.night == NIGHTS:
        return _round_ended(state, verdict.raven_found)
    board, began = _night_began(board)
    return Transition(altered(state, board=board), (began,))


def _round_ended(state: State, raven_found: bool) -> Following:
    """Rule 3: the birds named are announced together, so that nothing says who named which."""
    board = state.board
    named = tuple(bird for bird in BIRDS if bird in state.named)
    used = tuple(bird for bird in BIRDS if bird in (*board.used, *named))
    board = altered(board, used=used)
    ended = Tell(facts.RoundEnded(board.round, raven_found, named, board.scores))
    if board.round == ROUNDS:
        over = _ended(altered(state, board=board), *winner(board.scores, board.updates))
        return Transition(over.state, (ended, *over.tells))
    board = altered(board, stage="reveals", round=board.round + 1, night=0, period=0, picks=(), revealed=(), idle=())
    state = altered(state, board=board, flightless=(Bird.PENGUIN,), named=(None, None), told=((), ()))
    return Transition(state, (ended, Tell(facts.RoundBegan(board.round, used, board.scores))))


def _ended(state: State, won: Player, why: facts.Why) -> Following:
    board = altered(state.board, stage="over", winner=won)
    return Transition(altered(state, board=board), (Tell(facts.MatchEnded(won, why, board.scores)),))


GRAVITY: Final[Game[State, View, Move]] = Game(
    key="gravity",
    players=len(PLAYERS),
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
    hosted=lambda move: isinstance(move, HostPick),
    resign=Resign(),
    decline=None,
    playing=lambda state: PLAYERS,
)
