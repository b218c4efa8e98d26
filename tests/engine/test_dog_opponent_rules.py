"""Who meets in a Death Match, and when there is none: ruling 16."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.chance import draws
from engine.dog.choices import amend
from engine.dog.events import PLAYERS, Event, Tokens
from engine.dog.facts import (
    CandidateNamed,
    Judgement,
    NoDeathMatch,
    OpponentNamed,
    Published,
    RoundResolved,
)
from engine.dog.moves import Challenge, Decline, Move, Withdraw
from engine.dog.rules import DOG, opponent, phase
from engine.dog.state import view
from engine.game import Phase, Player
from tests.engine.dog_matches import (
    JOINT,
    SEED,
    choosing,
    close,
    code,
    finished,
    opened,
    play,
    public,
    silent,
    told,
)


def test_rule_16_the_candidate_chooses_within_5_minutes() -> None:
    state = choosing()
    assert phase(state) == Phase("choice", (3,), 300)
    assert state.board.candidate == CandidateNamed(3, False, (4, 5, 6))
    assert public(told(state, {3: Challenge(5)})) == [OpponentNamed(3, 5, "chosen")]
    over = close(state, {3: Challenge(5)})
    assert over.board.end == opponent(over) == OpponentNamed(3, 5, "chosen")
    assert phase(over) is None


def test_rule_16_only_the_candidate_and_only_among_those_without_a_token() -> None:
    state = choosing()
    assert {player for player in PLAYERS if code(state, player, Challenge(5)) is None} == {3}
    assert code(state, 4, Challenge(5)) == code(state, 0, Challenge(None)) == "not-the-candidate"
    assert {other for other in range(-1, 9) if code(state, 3, Challenge(other)) is None} == {4, 5, 6}
    assert (
        code(state, 3, Challenge(0)) == code(state, 3, Challenge(3)) == code(state, 3, Challenge(7)) == "not-eligible"
    )
    assert code(state, 3, Challenge(None)) is None
    assert code(state, 3, play("5cm")) == code(state, 3, Withdraw()) == "wrong-phase"
    assert code(opened(), 3, Challenge(5)) == code(opened(), 3, Decline()) == "wrong-phase"


def test_rule_16_whoever_lost_their_only_token_may_be_challenged() -> None:
    # All seven win one where nobody scored, and lose it; players 0 and 2 won another, and are safe.
    points = ((9, 0, 1), (1, 0, 1), (1, 0, 9), (0, 0, 2), (3, 0, 3), (4, 0, 4), (5, 0, 5))
    assert choosing(points).board.candidate == CandidateNamed(3, False, (1, 4, 5, 6))


def test_rule_16_a_choice_may_be_changed() -> None:
    assert amend(Challenge(4), Challenge(6)) == Challenge(6)
    assert amend(Challenge(4), Challenge(None)) == Challenge(None)


@pytest.mark.parametrize("moves", [{}, {3: Challenge(None)}])
def test_rule_16_silence_leaves_it_to_the_lot(moves: Mapping[Player, Move]) -> None:
    for number in range(8):
        seed = bytes([number]) * 32
        drawn = (4, 5, 6)[draws(seed, "dog/opponent")(3)]
        assert public(told(choosing(seed=seed), moves)) == [OpponentNamed(3, drawn, "lot")]


def test_rule_16_any_of_the_eligible_may_be_drawn() -> None:
    ends = [opponent(close(choosing(seed=bytes([number]) * 32))) for number in range(40)]
    assert {end.opponent for end in ends if end is not None} == {4, 5, 6}


def test_rule_16_a_house_player_leaves_it_to_the_lot() -> None:
    state = choosing()
    move = DOG.house(view(state, 3), draws(SEED, "house"))
    assert move is not None
    assert public(told(state, {3: move})) == public(told(state))


def test_rule_16_a_lot_names_one_of_joint_candidates() -> None:
    for number in range(8):
        seed = bytes([number]) * 32
        drawn = (3, 5, 6)[draws(seed, "dog/lot")(3)]
        others = tuple(player for player in (3, 4, 5, 6) if player != drawn)
        assert choosing(JOINT, seed).board.candidate == CandidateNamed(drawn, True, others)


def test_rule_16_any_of_the_joint_candidates_may_be_drawn() -> None:
    named = [choosing(JOINT, bytes([number]) * 32).board.candidate for number in range(40)]
    assert {each.candidate for each in named if each is not None} == {3, 5, 6}


def test_rule_16_the_host_may_decline() -> None:
    state = choosing()
    assert DOG.decline == Decline()
    assert DOG.hosted(Decline())
    assert not any(DOG.hosted(move) for move in (play("5cm"), Withdraw(), Challenge(5), Challenge(None)))
    assert {player for player in PLAYERS if code(state, player, Decline()) is None} == {3}
    assert public(told(state, {3: amend(Challenge(5), Decline())})) == [NoDeathMatch("declined")]
    over = close(state, {3: Decline()})
    assert over.board.end == NoDeathMatch("declined")
    assert opponent(over) is None
    assert phase(over) is None


def test_rule_16_no_candidate_no_death_match() -> None:
    # Seven silent people: all tie in all three events, and everybody keeps two of three tokens.
    state = finished(SEED, silent)
    assert state.board.judgement is not None
    assert state.board.judgement.life == (2,) * 7
    assert state.board.end == NoDeathMatch("no_candidate")
    assert opponent(state) is None
    assert state.board.candidate is None
    assert [type(fact) for fact in public(told(opened(9)))] == [RoundResolved, Judgement, NoDeathMatch, Published]
    assert public(told(opened(9)))[-2] == NoDeathMatch("no_candidate")


def test_rule_16_no_eligible_opponent_no_death_match() -> None:
    # Six tie in two events: twelve Tokens of Life won, six kept, and the seventh player alone has none.
    points = (*((9, 9, 0),) * 6, (0, 0, 0))
    state = opened(9, points=points, tokens=Tokens((2, 1, 0), Event.MEDIAN_MERIDIAN))
    assert public(told(state))[-2] == NoDeathMatch("no_opponent")
    over = close(state)
    assert over.board.judgement is not None
    assert over.board.judgement.candidates == (6,)
    assert (over.board.stage, over.board.candidate, opponent(over)) == ("over", None, None)
