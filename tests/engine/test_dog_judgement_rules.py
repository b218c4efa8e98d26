"""Rulings 10 to 13: the judgement. A test names its ruling."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.dog.events import VP_EVENTS, Points, Tokens
from engine.dog.facts import EventJudged, Judgement
from engine.dog.judgement import judge
from tests.engine.dog_matches import NOBODY

CHARGE, REMOVE, MEDIAN = VP_EVENTS

ZERO = "0 0 0 0 0 0 0"
TIED = "9 9 4 0 2 6 1"
"""Players 0 and 1 lead."""
SIXTH = "1 2 3 4 5 9 6"
"""Player 5 leads alone."""
LAST = "1 2 3 4 5 6 9"
"""Player 6 leads alone."""

Table = tuple[tuple[Points, Points, Points], ...]


def table(charge: str, remove: str, median: str) -> Table:
    """VP by player from the VP of the seven in each event."""
    rows = (tuple(int(each) for each in row.split()) for row in (charge, remove, median))
    return tuple(zip(*rows, strict=True))


def judged(
    points: Table,
    win: tuple[int, int, int] = (1, 1, 1),
    lose: int = 0,
    held: tuple[int, ...] = (0,) * 7,
) -> Judgement:
    return judge(points, Tokens(win, VP_EVENTS[lose]), held)


# --- Tokens of Life -------------------------------------------------------------------------------


def test_rule_10_a_sole_leader_wins_as_many_as_there_are_win_tokens() -> None:
    assert judged(table(TIED, SIXTH, LAST), (0, 1, 2)).won == (0, 0, 0, 0, 0, 1, 2)
    assert judged(table(TIED, SIXTH, LAST), (0, 3, 0)).won == (0, 0, 0, 0, 0, 3, 0)


def test_rule_10_an_event_without_a_win_token_gives_nothing() -> None:
    judgement = judged(table(TIED, SIXTH, LAST), (0, 3, 0))
    assert judgement.events == (EventJudged(REMOVE, 3, (5,), 9, 3),)


def test_rule_10_a_tie_for_one_win_token() -> None:
    assert judged(table(TIED, SIXTH, LAST), (1, 2, 0)).won == (1, 1, 0, 0, 0, 2, 0)


def test_rule_10_a_tie_for_two_win_tokens_is_one_each() -> None:
    judgement = judged(table(TIED, SIXTH, LAST), (2, 1, 0))
    assert judgement.won == (1, 1, 0, 0, 0, 1, 0)
    assert judgement.events[0] == EventJudged(CHARGE, 2, (0, 1), 9, 1)


def test_rule_10_a_tie_of_three_for_three_win_tokens() -> None:
    assert judged(table("5 0 5 0 5 0 0", SIXTH, LAST), (3, 0, 0)).won == (1, 0, 1, 0, 1, 0, 0)


def test_rule_10_one_player_may_win_in_several_events() -> None:
    assert judged(table(SIXTH, SIXTH, LAST)).won == (0, 0, 0, 0, 0, 2, 1)


def test_rule_10_an_event_nobody_scored_in_is_a_tie_of_all_seven_at_0() -> None:
    judgement = judged(table(SIXTH, ZERO, LAST))
    assert judgement.events[1] == EventJudged(REMOVE, 1, tuple(range(7)), 0, 1)
    assert judgement.won == (1, 1, 1, 1, 1, 2, 2)


def test_rule_11_exactly_5_tokens_are_kept() -> None:
    judgement = judged(table(TIED, "7 0 0 7 0 0 0", LAST))
    assert sum(judgement.won) == 5
    assert not judgement.all_lose
    assert judgement.life == judgement.won == (2, 1, 0, 1, 0, 0, 1)


def test_rule_11_exactly_6_tokens_and_every_player_loses_one() -> None:
    judgement = judged(table(TIED, "7 0 0 7 0 0 0", "8 0 0 0 8 0 0"))
    assert judgement.won == (3, 1, 0, 1, 1, 0, 0)
    assert judgement.all_lose
    assert judgement.life == (2, 0, 0, 0, 0, 0, 0)


def test_rule_11_more_than_6_tokens_cost_one_all_the_same() -> None:
    judgement = judged(table(SIXTH, ZERO, LAST))
    assert sum(judgement.won) == 9
    assert judgement.life == (0, 0, 0, 0, 0, 1, 1)


def test_rule_11_nobody_falls_below_zero() -> None:
    assert min(judged(table(TIED, TIED, TIED)).life) == 0


def test_rule_12_two_garnets_for_each_token_kept() -> None:
    assert judged(table(TIED, "7 0 0 7 0 0 0", LAST)).garnets == (4, 2, 0, 2, 0, 0, 2)
    assert judged(table(TIED, "7 0 0 7 0 0 0", "8 0 0 0 8 0 0")).garnets == (4, 0, 0, 0, 0, 0, 0)
    assert judged(table(TIED, SIXTH, LAST), (0, 3, 0)).garnets[5] == 6


# --- candidates -----------------------------------------------------------------------------------


def test_rule_13_the_least_vp_in_the_event_of_the_lose_token() -> None:
    for lose, (least, candidate) in enumerate(((0, 3), (1, 0), (2, 1))):
        judgement = judged(table(TIED, SIXTH, "9 2 3 4 5 6 7"), (0, 3, 0), lose)
        assert (judgement.lose, judgement.least, judgement.candidates) == (VP_EVENTS[lose], least, (candidate,))


def test_rule_13_only_of_those_without_a_token_of_life() -> None:
    # Player 0 has least where the Lose Token lies, and is saved by the token of another event.
    judgement = judged(table("9 1 2 3 4 5 6", SIXTH, LAST), lose=1)
    assert (judgement.least, judgement.candidates) == (2, (1,))


def test_rule_13_tied_they_are_joint_candidates() -> None:
    judgement = judged(table("3 8 3 7 3 4 5", SIXTH, LAST), (0, 1, 2))
    assert (judgement.least, judgement.candidates) == (3, (0, 2, 4))


def test_rule_13_joint_candidates_at_zero() -> None:
    judgement = judged(table("5 0 9 7 3 0 2", SIXTH, LAST), (2, 0, 1))
    assert (judgement.least, judgement.candidates) == (0, (1, 5))


def test_rule_13_joint_candidates_where_nobody_scored() -> None:
    # All seven tie for one token each, and lose it again.
    judgement = judged(table(ZERO, SIXTH, LAST), (3, 0, 0))
    assert judgement.life == (0,) * 7
    assert judgement.candidates == tuple(range(7))


def test_rule_13_a_token_lost_saves_nobody() -> None:
    judgement = judged(table("9 0 0 0 0 0 0", ZERO, SIXTH), (1, 1, 1))
    assert judgement.life == (1, 0, 0, 0, 0, 1, 0)
    assert judgement.candidates == (1, 2, 3, 4, 6)


def test_rule_13_every_player_holding_a_token_leaves_no_candidate() -> None:
    judgement = judged(NOBODY)
    assert judgement.won == (3,) * 7
    assert judgement.life == (2,) * 7
    assert (judgement.least, judgement.candidates) == (None, ())


def test_rule_13_a_token_from_before_the_match_counts() -> None:
    points = table(TIED, SIXTH, "9 2 3 4 5 6 7")
    judgement = judged(points, (0, 3, 0), held=(0, 0, 0, 1, 0, 0, 0))
    assert judgement.candidates == (6,)
    assert judgement.life == judged(points, (0, 3, 0)).life
    assert judgement.garnets == judged(points, (0, 3, 0)).garnets


def test_rule_13_with_everybody_held_from_before_there_is_none() -> None:
    assert judged(table(TIED, SIXTH, LAST), (0, 3, 0), held=(1,) * 7).candidates == ()


def test_rule_11_may_take_a_token_from_before_the_match() -> None:
    points = table(TIED, "7 0 0 7 0 0 0", "8 0 0 0 8 0 0")
    one = judged(points, lose=1, held=(0, 0, 1, 0, 0, 0, 0))
    two = judged(points, lose=1, held=(0, 0, 2, 0, 0, 0, 0))
    assert one.candidates == (1, 2, 4, 5, 6)
    assert two.candidates == (1, 4, 5, 6)
    # A token won and a token from before are two: one of them stays.
    assert judged(points, lose=1, held=(0, 1, 0, 0, 0, 0, 0)).candidates == (2, 4, 5, 6)
    assert one.life == two.life == (2, 0, 0, 0, 0, 0, 0)


# --- what always holds ----------------------------------------------------------------------------

POINTS = st.integers(0, 6)
TABLES = st.lists(st.tuples(POINTS, POINTS, POINTS), min_size=7, max_size=7)
WINS = st.sampled_from([(a, b, 3 - a - b) for a in range(4) for b in range(4 - a)])
HELD = st.lists(st.integers(0, 2), min_size=7, max_size=7)


@given(TABLES, st.builds(Tokens, WINS, st.sampled_from(VP_EVENTS)), HELD)
def test_what_always_holds_of_a_judgement(points: list[tuple[int, int, int]], tokens: Tokens, held: list[int]) -> None:
    judgement = judge(points, tokens, held)
    loss = sum(judgement.won) >= 6
    assert judgement.all_lose == loss
    assert sum(judgement.won) == sum(len(event.leaders) * event.each for event in judgement.events)
    assert all(kept == max(0, won - loss) for kept, won in zip(judgement.life, judgement.won, strict=True))
    assert judgement.garnets == tuple(2 * kept for kept in judgement.life)
    assert [event.event for event in judgement.events] == [event for event in VP_EVENTS if tokens.on(event)]

    place = VP_EVENTS.index(tokens.lose)
    without = {player for player in range(7) if held[player] + judgement.won[player] - loss <= 0}
    assert bool(judgement.candidates) == bool(without)
    assert list(judgement.candidates) == sorted(judgement.candidates)
    for candidate in judgement.candidates:
        assert candidate in without
        assert points[candidate][place] == judgement.least == min(points[player][place] for player in without)
    assert {points[player][place] for player in without - set(judgement.candidates)}.isdisjoint({judgement.least})
