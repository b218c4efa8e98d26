"""The course of a match: rulings 1, 2, 4, 9, 14 and 15, phases and secrets."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import draws
from engine.dog.choices import amend
from engine.dog.events import CARDS, PLAYERS, VP_EVENTS, Movement, Tokens
from engine.dog.facts import (
    CandidateNamed,
    Judgement,
    Published,
    RoundResolved,
    RoundTold,
)
from engine.dog.moves import Challenge, Decline, Play, Withdraw
from engine.dog.rules import DOG, advance, begin, phase, start
from engine.dog.state import State, view
from engine.dog.view import Board
from engine.game import IllegalMove, Phase, Player, Refusal, Tell
from tests.engine.dog_matches import (
    LEADS,
    NOBODY,
    SEED,
    by_chance,
    choosing,
    close,
    code,
    finished,
    house_players,
    opened,
    play,
    played,
    private,
    public,
    row,
    silent,
    told,
)

CHARGE, REMOVE, MEDIAN = VP_EVENTS


def _resolved(tells: tuple[Tell, ...]) -> list[RoundResolved]:
    return [fact for fact in public(tells) if isinstance(fact, RoundResolved)]


def _own(tells: tuple[Tell, ...], player: Player) -> list[RoundTold]:
    return [fact for fact in private(tells, player) if isinstance(fact, RoundTold)]


# --- phases ---------------------------------------------------------------------------------------


def test_a_match_begins_with_a_pre_game_of_talk() -> None:
    first = start(SEED)
    assert first.tells == ()
    assert first.state.board == Board("pregame", 0, 1, Tokens((1, 1, 1), CHARGE))
    assert first.state.hands == (CARDS,) * 7
    assert first.state.points == NOBODY
    assert phase(first.state) == Phase("pregame", PLAYERS, 600)


def test_nine_rounds_of_ten_minutes_follow() -> None:
    states = list(played(SEED, silent))
    assert [state.board.round for state in states[1:-1]] == list(range(1, 10))
    assert {phase(state) for state in states[1:-1]} == {Phase("round", PLAYERS, 600)}


def test_the_pre_game_takes_no_submissions_and_tells_nothing() -> None:
    state = start(SEED).state
    for move in (play("5cm"), Withdraw(), Challenge(None), Decline()):
        assert code(state, 0, move) == "wrong-phase"
    assert DOG.options(view(state, 0)) is None
    assert told(state) == ()


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        start(seed)


def test_nothing_before_the_lots_hangs_on_the_seed() -> None:
    mover = by_chance(Random(5))
    one, other = start(SEED), begin(b"")
    while one.state.board.judgement is None:
        assert one.tells == other.tells
        sealed = {player: mover(one.state, player) for player in PLAYERS}
        moves = {player: move for player, move in sealed.items() if move is not None}
        one, other = advance(one.state, moves), advance(other.state, moves)
    *same, _, published = one.tells
    *others, _, table = other.tells
    assert (same, published) == (others, table)  # all but the candidate, or that there is none
    assert one.state.board.judgement == other.state.board.judgement


def test_after_the_end_there_is_nothing_to_do() -> None:
    state = finished(SEED, silent)
    assert phase(state) is None
    assert {code(state, 0, move) for move in (play("5cm"), Withdraw(), Challenge(None), Decline())} == {"match-over"}
    with pytest.raises(ValueError, match="over"):
        advance(state, {})


def test_what_check_refuses_does_not_get_in() -> None:
    with pytest.raises(IllegalMove) as raised:
        advance(opened(hand=(1, 2)), {3: play("5cm")})
    assert (raised.value.player, raised.value.refusal) == (3, Refusal("not-in-hand"))


def test_the_public_has_no_move() -> None:
    for state in (start(SEED).state, opened(), choosing()):
        for move in (play("5cm"), Withdraw(), Challenge(None), Decline()):
            assert code(state, None, move) == "not-a-player"


# --- hands ----------------------------------------------------------------------------------------


def test_rule_1_not_playing_is_legal_and_unplayed_cards_stay() -> None:
    state = close(opened(), {1: play("5cm"), 2: Withdraw()})
    assert state.hands == (CARDS, (1, 2, 3, 4, 6, 7), *(CARDS,) * 5)


def test_rule_1_a_played_card_is_gone() -> None:
    assert code(close(opened(), {0: play("5cm")}), 0, play("5cm")) == "not-in-hand"


def test_rule_1_one_of_two_equal_cards_is_gone() -> None:
    assert close(opened(hand=(2, 5, 5)), {0: play("5cm")}).hands[0] == (2, 5)


def test_rule_2_a_gain_joins_the_hand_at_the_end_of_the_round() -> None:
    state = opened(hand=(2, 5))
    assert code(state, 0, play("7cm")) == "not-in-hand"
    after = close(state, {0: play("5xr7")})
    assert after.hands[0] == (2, 7)
    assert code(after, 0, play("7cm")) is None


def test_a_hand_stays_ascending() -> None:
    assert close(opened(hand=(4, 5)), {0: play("5xr3")}).hands[0] == (3, 4)


def test_rule_2_duplicates_and_the_same_value_are_fine() -> None:
    assert close(opened(hand=(2, 3)), {0: play("3xr2")}).hands[0] == (2, 2)
    assert close(opened(hand=(2, 3)), {0: play("3xr3")}).hands[0] == (2, 3)


def test_rule_2_nobody_competes_in_the_store() -> None:
    state = close(opened(hand=(2, 5)), {player: play("5xm7") for player in PLAYERS})
    assert state.hands == ((2, 7),) * 7


def test_empty_hands_in_rounds_8_and_9() -> None:
    state = close(start(SEED).state)
    for card in CARDS:
        state = close(state, {player: Play(card, (CHARGE, REMOVE)) for player in PLAYERS})
    for round_ in (8, 9):
        assert (state.board.round, state.hands) == (round_, ((),) * 7)
        assert phase(state) == Phase("round", PLAYERS, 600)
        for player in PLAYERS:
            own = view(state, player)
            assert DOG.options(own) is None
            assert DOG.house(own, draws(SEED, "house")) is None
            assert {code(state, player, Play(card, (CHARGE, REMOVE))) for card in CARDS} == {"not-in-hand"}
            assert private(told(state), player) == [RoundTold(round_, None, (0, 0, 0), None, state.points[player], ())]
        state = close(state)
    assert state.board.judgement is not None


# --- replacing and withdrawing --------------------------------------------------------------------


def test_rule_4_a_play_may_be_replaced() -> None:
    assert amend(None, play("5cm")) == play("5cm")
    assert amend(play("5cm"), play("3xr4")) == play("3xr4")


def test_rule_4_a_play_may_be_withdrawn_and_made_again() -> None:
    withdrawn = amend(play("5cm"), Withdraw())
    after = close(opened(), {0: withdrawn})
    assert (after.plays, after.hands[0]) == (((None,) * 7,), CARDS)
    assert amend(withdrawn, play("5cm")) == play("5cm")
    assert code(opened(), 0, Withdraw()) is None


# --- what is announced ----------------------------------------------------------------------------


def test_rule_9_scorers_in_table_order_the_level_and_the_token_moved() -> None:
    # The tower: 10, + 2 breaks for player 6, + 7 = 8. Remove One: the 3. The median of 2, 3 and 4: again the 3.
    tells = told(opened(4, level=10), row("4cm 4cm 3rm 7cbwrm . . 2cm"))
    assert public(tells) == [RoundResolved(4, ((6,), (2,), (2,)), 8, Movement("win", REMOVE, MEDIAN))]


def test_rule_9_several_scorers_stand_in_table_order() -> None:
    [fact] = public(told(opened(level=11), row("7cr 4cm 5cr 4rm 6cr 1cr")))
    assert isinstance(fact, RoundResolved)
    # The tower: 11, + 1 breaks, + 4 and + 5 make 10, + 6 breaks, + 7 breaks.
    assert fact.scored == ((0, 4, 5), (5,), (1, 3))


def test_rule_9_no_amounts_bonus_or_not() -> None:
    with_bonus = told(opened(), row("4rb- 6rm"))
    without = told(opened(), row("4rm 6rb-"))
    assert [fact.scored[1] for tells in (with_bonus, without) for fact in _resolved(tells)] == [(0,), (0,)]
    assert [fact.scored[1] for tells in (with_bonus, without) for fact in _own(tells, 0)] == [7, 4]


def test_rule_9_no_token_moved_reads_the_same_for_every_reason() -> None:
    moved_nothing = public(told(opened(), row("4rm 6mb-")))
    nobody = public(told(opened(), row("4rm 6xm6")))
    cancelled = public(told(opened(), row("4rm 6mb- 7xb7wcm 7xb7wmr 6xb6-")))
    assert moved_nothing == nobody == cancelled == [RoundResolved(1, ((), (0,), (0, 1)), 1, None)]


def test_rule_9_the_briber_is_not_announced() -> None:
    one, other = (public(told(opened(), {player: play("7xb7wcm")})) for player in (0, 5))
    assert one == other


def test_rule_9_each_sees_their_own_play_hand_and_vp() -> None:
    points = ((1, 2, 3), *NOBODY[1:])
    tells = told(opened(2, hand=(2, 4, 5), points=points), row("5xr6 4mb- 2cm"))
    assert private(tells, 0) == [RoundTold(2, play("5xr6"), (0, 5, 0), 6, (1, 7, 3), (2, 4, 6))]
    assert private(tells, 1) == [RoundTold(2, play("4mb-"), (0, 0, 7), None, (0, 0, 7), (2, 5))]
    assert private(tells, 3) == [RoundTold(2, None, (0, 0, 0), None, (0, 0, 0), (2, 4, 5))]


def test_rule_9_everybody_is_told_of_every_round_in_table_order() -> None:
    for moves in ({}, row("5cm"), row("5cm 4cm . 3rm 2rb- 1xm1 7rb-")):
        assert [tell.to for tell in told(opened(), moves)] == [None, *PLAYERS]


def test_the_level_the_tokens_and_the_vp_carry_over() -> None:
    state = close(opened(level=10), row("3cblcm"))
    state = close(state, row("4cb-"))
    assert (state.board.round, state.board.level, state.board.tokens) == (3, 6, Tokens((1, 1, 1), MEDIAN))
    assert state.points[0] == (5 + 3, 0, 0)
    assert [fact.round for fact in state.board.announced] == [1, 2]


# --- secrets --------------------------------------------------------------------------------------


def test_the_public_sees_the_board_and_nothing_else() -> None:
    state = close(opened(), row("4rm 6mb- 1cm"))
    public_view = view(state, None)
    assert public_view.board == state.board
    assert (public_view.viewer, public_view.hand, public_view.points, public_view.told) == (None, (), (0, 0, 0), ())


def test_a_view_holds_what_is_its_players_own() -> None:
    state = close(opened(), row("4rm 6mb- 1cm"))
    for player in PLAYERS:
        own = view(state, player)
        assert (own.hand, own.points, own.told) == (state.hands[player], state.points[player], state.told[player])


def test_a_view_hangs_on_no_secret_of_others() -> None:
    state = close(opened(), row("4rm 6mb- 1cm"))
    others = replace(
        state,
        seed=bytes(32),
        hands=(state.hands[0], *((7,),) * 6),
        points=(state.points[0], *((9, 9, 9),) * 6),
        told=(state.told[0], *((),) * 6),
        plays=(),
    )
    assert view(state, 0) == view(others, 0)
    assert view(state, None) == view(others, None)
    assert {field.name for field in fields(State)} == {"board", "seed", "hands", "points", "told", "plays"}


# --- the judgement --------------------------------------------------------------------------------


def test_rule_10_the_judgement_follows_round_9_and_no_other() -> None:
    for round_ in range(1, 9):
        assert not any(isinstance(fact, Judgement) for fact in public(told(opened(round_, points=LEADS))))
    facts = public(told(opened(9, points=LEADS)))
    assert [type(fact) for fact in facts] == [RoundResolved, Judgement, CandidateNamed, Published]


def test_the_last_rounds_plays_count() -> None:
    state = close(opened(9, points=LEADS), row(". . . 7mb-"))
    assert state.board.judgement is not None
    assert state.points[3] == (2, 2, 12)
    assert state.board.judgement.life == (1, 1, 0, 1, 0, 0, 0)


def test_the_last_rounds_movement_counts() -> None:
    state = close(opened(9, points=LEADS), row("7xb7wmc"))
    assert state.board.judgement is not None
    assert state.board.judgement.won == (2, 1, 0, 0, 0, 0, 0)


def test_the_judgement_stands_on_the_board() -> None:
    state = choosing()
    judgement = state.board.judgement
    assert judgement is not None
    assert judgement.life == (1, 1, 1, 0, 0, 0, 0)
    assert (judgement.lose, judgement.least, judgement.candidates) == (CHARGE, 2, (3,))


def test_rule_14_all_plays_and_vp_are_published() -> None:
    state = close(opened(8, points=LEADS), row("4cm . 3rm"))
    tells = told(state, row(". 5cm"))
    [published] = [fact for fact in public(tells) if isinstance(fact, Published)]
    assert published.points == close(state, row(". 5cm")).points
    assert published.plays == (
        (play("4cm"), None, play("3rm"), None, None, None, None),
        (None, play("5cm"), None, None, None, None, None),
    )


def test_rule_15_leaving_is_silence_and_the_vp_stay() -> None:
    assert DOG.resign is None
    assert DOG.playing(opened()) == DOG.playing(choosing()) == DOG.playing(finished(SEED, silent)) == PLAYERS
    assert close(opened(points=LEADS)).points == LEADS


# --- whole matches --------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.randoms(use_true_random=False))
def test_what_always_holds_of_a_match(seed: bytes, random: Random) -> None:
    states = list(played(seed, by_chance(random)))
    for before, after in pairwise(states):
        assert 1 <= after.board.level <= 11
        assert sum(after.board.tokens.win) == 3
        assert min(after.board.tokens.win) >= 0
        assert after.board.tokens.lose in VP_EVENTS
        for player in PLAYERS:
            assert all(now >= then for then, now in zip(before.points[player], after.points[player], strict=True))
        if len(after.plays) == len(before.plays):
            assert (after.hands, after.points, after.told) == (before.hands, before.points, before.told)
            continue
        for player, move in enumerate(after.plays[-1]):
            spent, gained = (0, 0) if move is None else (1, int(move.gain is not None))
            assert len(after.hands[player]) == len(before.hands[player]) - spent + gained
            assert list(after.hands[player]) == sorted(after.hands[player])
            assert set(after.hands[player]) <= set(CARDS)
            assert after.told[player][-1].hand == after.hands[player]
            assert after.told[player][-1].points == after.points[player]
    last = states[-1]
    assert (len(last.plays), last.board.stage, last.board.round) == (9, "over", 9)
    assert last.board.end is not None
    assert {len(told_) for told_ in last.told} == {9}


@pytest.mark.parametrize("number", range(6))
def test_house_players_play_matches_to_the_end(number: int) -> None:
    seed = bytes([number]) * 32
    last = finished(seed, house_players(seed))
    assert last.board.stage == "over"
    assert sum(move is not None for plays in last.plays for move in plays) > 40
