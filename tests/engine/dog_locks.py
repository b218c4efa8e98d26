"""What is secret in Dog's Judgement and in the episode around it, for the locks of :mod:`tests.engine.locks`.

A state of an episode is one of Dog's Judgement until the Death Match begins, so one set of secrets serves both games.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any, Final

from engine.dog import facts
from engine.dog.events import CARDS, PLAYERS, ROUNDS, VP_EVENTS, Event
from engine.dog.fields import written_movement, written_play, written_tokens
from engine.dog.moves import Move, Play
from engine.dog.notation import read
from engine.dog.state import State
from engine.episode.rules import Death
from engine.episode.view import DeathBegan, EpisodeEnded, InDeath
from engine.game import Player, Tell, Transition
from tests.engine import dog_matches, dog_oracle, test_locks
from tests.engine.locks import AnyGame, Leak, Mover, Secrets, Viewer, blind_view, knowledge, shape

SEEDS: Final = [bytes([number]) * 32 for number in range(6)]

QUIET: Final = tuple(
    Play(card, (Event.EXCHANGE_STORE, Event.BRIBING_THE_DOG), value)
    for card in CARDS
    for value in CARDS
    if abs(card - value) <= 2
)
"""Plays after which nothing is announced: a card for a card, and a bribe that moves nothing."""


# --- what a viewer may not know ---------------------------------------------------------------------


def quiet(silence: float) -> Mover:
    """Mostly plays of which nothing is announced, or none, so that two matches look alike for longer."""

    def move(state: State | Death, player: Player, random: Random) -> Any:
        if isinstance(state, Death):
            return _in_the_death_match(state, player, random)
        if state.board.stage != "round" or random.random() < 0.05:
            return busy(state, player, random)
        plays = [play for play in QUIET if play.card in state.hands[player]]
        return random.choice(plays) if plays and random.random() > silence else None

    return move


def busy(state: State | Death, player: Player, random: Random) -> Any:
    """Anything legal, silence among it."""
    if isinstance(state, Death):
        return _in_the_death_match(state, player, random)
    return dog_matches.by_chance(random)(state, player)


def _in_the_death_match(state: Death, player: Player, random: Random) -> Any:
    return test_locks.quiet(state.match, state.pair.index(player), random) if player in state.pair else None


def scramble(state: State | Death, viewer: Viewer, random: Random) -> State | Death:
    """Another seed, and other hands, VP, plays and things told of everybody but the viewer."""
    if isinstance(state, Death):
        own = state.pair.index(viewer) if viewer in state.pair else None
        main = _scrambled(state.main, None, random)
        return replace(state, main=main, match=test_locks.scramble(state.match, own, random))
    return _scrambled(state, viewer, random)


def _scrambled(state: State, viewer: Viewer, random: Random) -> State:
    hands, points, told = list(state.hands), list(state.points), list(state.told)
    plays = [list(round_) for round_ in state.plays]
    for player in PLAYERS:
        if player == viewer:
            continue
        hands[player] = tuple(sorted(random.choices(CARDS, k=random.randint(0, 7))))
        points[player] = (random.randint(0, 20), random.randint(0, 20), random.randint(0, 20))
        for round_ in plays:
            round_[player] = random.choice((None, *QUIET))
        told[player] = tuple(
            replace(fact, play=round_[player], gained=None, points=points[player], hand=hands[player])
            for fact, round_ in zip(told[player], plays, strict=True)
        )
    return replace(
        state,
        seed=random.randbytes(32),
        hands=tuple(hands),
        points=tuple(points),
        told=tuple(told),
        plays=tuple(tuple(round_) for round_ in plays),
    )


def secret(state: State | Death) -> bool:
    """Rounds and the choice are secret until they close; in the Death Match all but the draft."""
    return state.match.board.stage != "draft" if isinstance(state, Death) else True


def announced(heard: Iterable[Any]) -> Any:
    """What decides how it goes on: who is a candidate and who can be an opponent (rules 13 and 16), who meets whom; in
    the Death Match, how a period was judged. That a round brought this or that (rule 9) decides nothing.
    """
    heard = list(heard)
    inner = [fact.fact for fact in heard if isinstance(fact, InDeath)]
    return [
        (fact.candidates, fact.life) if isinstance(fact, facts.Judgement) else fact
        for fact in heard
        if isinstance(fact, facts.Judgement | facts.OpponentNamed | facts.NoDeathMatch)
    ], test_locks.announced(inner)


SILENTLY: Final = Secrets(quiet(0.9), scramble, secret, announced)
QUIETLY: Final = Secrets(quiet(0.3), scramble, secret, announced)
BUSILY: Final = Secrets(busy, scramble, secret, announced)


# --- the locks --------------------------------------------------------------------------------------

ONE_CANDIDATE: Final = (
    {**dict.fromkeys(range(5), "4xm4"), 5: "4mblcm"},
    {0: "1cr", 1: "7xc7"},
    {1: "5xc5"},
)
"""Rounds after which three players lead an event each, and the last one alone is a candidate."""


def from_the_choice(game: AnyGame) -> AnyGame:
    """The game from the choice of an opponent on, after a main match that is the same for every seed.

    The commitment to the Death Match's seed is left out of what is told: it differs, and says nothing.
    """

    def begun(seed: bytes) -> Transition[Any]:
        state = game.advance(game.start(seed).state, {}).state
        for round_ in range(ROUNDS):
            plays = ONE_CANDIDATE[round_] if round_ < len(ONE_CANDIDATE) else {}
            state = game.advance(state, {player: read(text) for player, text in plays.items()}).state
        assert state.board.candidate == facts.CandidateNamed(6, False, (2, 3, 4))
        return Transition(state, ())

    def advance(state: Any, moves: Any) -> Transition[Any]:
        after = game.advance(state, moves)
        return replace(after, tells=tuple(_unsealed(tell) for tell in after.tells))

    return replace(game, start=begun, advance=advance)


def _unsealed(tell: Tell) -> Tell:
    return replace(tell, fact=replace(tell.fact, commitment="")) if isinstance(tell.fact, DeathBegan) else tell


def lock_2(game: AnyGame) -> int:
    return blind_view(game, BUSILY, SEEDS[:3])


def lock_3(game: AnyGame) -> int:
    return knowledge(game, QUIETLY, SEEDS, others=4) + knowledge(from_the_choice(game), QUIETLY, SEEDS, others=6)


def lock_4(game: AnyGame) -> int:
    both = shape(game, QUIETLY, SEEDS, others=2) + shape(from_the_choice(game), QUIETLY, SEEDS, others=6)
    return both + sum(shape(game, secrets, SEEDS, others=3) for secrets in (SILENTLY, BUSILY))


def lock_5(game: AnyGame) -> int:
    return sum(order(game, seed) for seed in SEEDS)


# --- lock 5: order and words ------------------------------------------------------------------------


def order(game: AnyGame, seed: bytes) -> int:
    """What is told of each phase is what the rules say, in the rules' order; the oracle says what a round brought."""
    random, compared = Random(seed), 0
    state = game.start(seed).state
    while (phase := game.phase(state)) is not None:
        moves = {player: busy(state, player, random) for player in reversed(range(game.players))}
        moves = {player: move for player, move in moves.items() if move is not None and player in phase.active}
        after = game.advance(state, moves)
        problem = _in_death(after.tells) if isinstance(state, Death) else _in_main(state, moves, after.tells)
        if problem:
            raise Leak(problem)
        compared += len(after.tells)
        state = after.state
    return compared


def _in_main(state: State, moves: dict[Player, Move], tells: tuple[Tell, ...]) -> str | None:
    if state.board.stage == "pregame":
        return "something is told of the pre-game" if tells else None
    if state.board.stage == "choice":
        return _chosen_in_order(state, tells)
    plays = {player: move for player, move in sorted(moves.items()) if isinstance(move, Play)}
    head, tail = tells[:8], tells[8:]
    if _plain(head[0]) != (None, _by_rule_9(state, plays)):
        return f"more or less is announced than rule 9 allows, or in another order: {head[0].fact}"
    for player, tell in enumerate(head[1:]):
        fact = tell.fact
        if tell.to != player or not isinstance(fact, facts.RoundTold) or fact.play != plays.get(player):
            return "a round is not told to each player in table order, with their own play"
    if state.board.round < ROUNDS:
        return "something is told beyond the round" if tail else None
    return _judged_in_order(tail)


def _plain(tell: Tell) -> tuple[Viewer, Any]:
    """A tell with its fact taken apart, so that a field more or less is seen."""
    return tell.to, (type(tell.fact).__name__, vars(tell.fact))


def _by_rule_9(state: State, plays: dict[Player, Play]) -> tuple[str, dict[str, Any]]:
    """All that may be announced of a round, judged by the oracle."""
    board = state.board
    judged = dog_oracle.judge_round(
        {
            "charge": board.level,
            "tokens": written_tokens(board.tokens),
            "plays": {str(player): written_play(play) for player, play in plays.items()},
        }
    )
    scored = (
        tuple(player for player in PLAYERS if str(player) in judged["scores"][event.value]) for event in VP_EVENTS
    )
    movement = next((m for m in board.tokens.movements() if written_movement(m) == judged["moved"]), None)
    fields = {"round": board.round, "scored": tuple(scored), "level": judged["charge"], "moved": movement}
    return "RoundResolved", fields


def _judged_in_order(tells: tuple[Tell, ...]) -> str | None:
    """Rules 10 to 16 after the last round: the judgement, who is to choose, and everything published."""
    if any(tell.to is not None for tell in tells):
        return "the judgement is told in private"
    judged, following, published = (tell.fact for tell in tells)
    if not isinstance(judged, facts.Judgement) or not isinstance(published, facts.Published):
        return "the judgement is not told first, and what was played last"
    events = [event.event for event in judged.events]
    lists = [event.leaders for event in judged.events] + [judged.candidates]
    lists.append(following.eligible if isinstance(following, facts.CandidateNamed) else ())
    in_order = events == [event for event in Event if event in events]
    return None if in_order and all(list(each) == sorted(each) for each in lists) else "the judgement is out of order"


def _chosen_in_order(state: State, tells: tuple[Tell, ...]) -> str | None:
    """Rule 16: what came of the choice, and of the Death Match's seed its SHA-256 alone."""
    end, *following = (tell.fact for tell in tells)
    if tells[0].to is not None or not isinstance(end, facts.OpponentNamed | facts.NoDeathMatch):
        return "it is not announced what came of the choice"
    begun = [fact for fact in following if isinstance(fact, DeathBegan)]
    seed = hmac.digest(state.seed, b"dog/death" + bytes(5), "sha256")  # eight words are one block
    if any(fact.commitment != hashlib.sha256(seed).hexdigest() for fact in begun):
        return "the Death Match is not begun under the commitment to its seed"
    return _in_death(tells[1:])


def _in_death(tells: tuple[Tell, ...]) -> str | None:
    for tell in tells:
        match tell.fact:
            case InDeath(pair=pair, fact=fact):
                problem = test_locks.disorder(Tell(fact, None if tell.to is None else pair.index(tell.to)))
                if problem:
                    return problem
            case DeathBegan() | EpisodeEnded():
                if tell.to is not None:
                    return "a public fact is private"
            case _:
                return "a fact of the main match in the Death Match"
    return None
