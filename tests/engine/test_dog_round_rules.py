"""Rulings 1 to 8: what may be played, and what a round brings. A test names its ruling."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dog.choices import refused, values
from engine.dog.events import CARDS, EVENTS, VP_EVENTS, Card, Event, Movement, Tokens
from engine.dog.moves import Play
from engine.dog.round import BONUS, Resolved, resolve
from engine.game import Player
from tests.engine.dog_matches import play, row

STORE, CHARGE, REMOVE, MEDIAN, BRIBE = EVENTS
HAND = (1, 3, 5, 5, 7)


def resolved(plays: str, *, level: int = 1, tokens: Tokens | None = None) -> Resolved:
    """A round of the plays that ``row`` reads."""
    return resolve(level, tokens or Tokens(), row(plays))


def tower(plays: str, level: int) -> tuple[int, dict[Player, int]]:
    result = resolved(plays, level=level)
    return result.level, dict(result.scores[0])


def removed(plays: str) -> dict[Player, int]:
    return dict(resolved(plays).scores[1])


def median(plays: str) -> dict[Player, int]:
    return dict(resolved(plays).scores[2])


# --- a play ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", list(combinations(EVENTS, 2)))
def test_rule_1_a_card_of_the_hand_goes_on_any_two_different_events(pair: tuple[Event, Event]) -> None:
    assert refused(Play(5, pair, gain=4 if STORE in pair else None), HAND, Tokens()) is None


@pytest.mark.parametrize("event", EVENTS)
def test_rule_1_not_twice_on_one_event(event: Event) -> None:
    assert refused(Play(5, (event, event), gain=5 if event is STORE else None), HAND, Tokens()) == "same-event"


def test_rule_1_only_a_card_of_the_hand() -> None:
    assert {card for card in CARDS if refused(Play(card, (CHARGE, REMOVE)), HAND, Tokens()) is None} == set(HAND)
    assert refused(play("4cr"), HAND, Tokens()) == "not-in-hand"
    assert refused(play("4cr"), (), Tokens()) == "not-in-hand"


@pytest.mark.parametrize("card", [-1, 0, 8])
def test_rule_1_cards_are_1_to_7(card: Card) -> None:
    assert refused(Play(card, (CHARGE, REMOVE)), (*HAND, card), Tokens()) == "no-such-card"
    assert refused(Play(card, (CHARGE, REMOVE)), None, Tokens()) == "no-such-card"


def test_a_hand_that_is_not_known_is_not_checked() -> None:
    assert refused(play("4cr"), None, Tokens()) is None


@pytest.mark.parametrize(
    ("card", "reach"),
    [(1, (1, 2, 3)), (2, (1, 2, 3, 4)), (3, (1, 2, 3, 4, 5)), (5, (3, 4, 5, 6, 7)), (6, (4, 5, 6, 7)), (7, (5, 6, 7))],
)
def test_rule_2_the_value_wanted_is_within_2_of_the_card(card: Card, reach: tuple[Card, ...]) -> None:
    assert values(card) == reach
    for gain in range(-1, 10):
        refusal = refused(Play(card, (STORE, REMOVE), gain=gain), None, Tokens())
        assert refusal == (None if gain in reach else "value-out-of-reach")


def test_rule_2_the_store_is_told_a_value_and_no_other_event_is() -> None:
    assert refused(Play(5, (STORE, REMOVE)), HAND, Tokens()) == "no-value"
    assert refused(Play(5, (CHARGE, REMOVE), gain=5), HAND, Tokens()) == "value-without-store"


def test_rule_3_a_movement_or_explicitly_none() -> None:
    assert refused(play("5rbwcr"), HAND, Tokens()) is None
    assert refused(play("5rblcm"), HAND, Tokens()) is None
    assert refused(play("5rb-"), HAND, Tokens()) is None


@pytest.mark.parametrize("pair", [pair for pair in combinations(EVENTS, 2) if BRIBE not in pair])
def test_rule_3_only_a_bribe_moves_a_token(pair: tuple[Event, Event]) -> None:
    moving = Play(5, pair, gain=5 if STORE in pair else None, movement=Movement("win", CHARGE, REMOVE))
    assert refused(moving, HAND, Tokens()) == "movement-without-bribe"


@pytest.mark.parametrize(
    ("movement", "code"),
    [
        (Movement("win", REMOVE, CHARGE), "no-such-token"),
        (Movement("win", MEDIAN, CHARGE), None),
        (Movement("lose", CHARGE, REMOVE), "no-such-token"),
        (Movement("lose", REMOVE, CHARGE), None),
        (Movement("win", MEDIAN, MEDIAN), "same-place"),
        (Movement("lose", REMOVE, REMOVE), "same-place"),
        (Movement("win", MEDIAN, STORE), "no-tokens-there"),
        (Movement("lose", REMOVE, BRIBE), "no-tokens-there"),
        (Movement("win", BRIBE, MEDIAN), "no-tokens-there"),
    ],
)
def test_rule_3_from_where_a_token_lies_to_another_vp_event(movement: Movement, code: str | None) -> None:
    tokens = Tokens((1, 0, 2), REMOVE)
    assert refused(Play(5, (CHARGE, BRIBE), movement=movement), HAND, tokens) == code


# --- Charge Tower ---------------------------------------------------------------------------------


def test_rule_5_unique_numbers_raise_the_level_in_ascending_order() -> None:
    # 8 + 2 = 10, + 3 = 13: it is the 3 that breaks the threshold, wherever its player sits.
    assert tower("3cr 2cr", 8) == (2, {0: 5})
    assert tower("2cr 3cr", 8) == (2, {1: 5})


def test_rule_5_below_the_threshold_nobody_scores() -> None:
    assert tower("2cr 3cr", 1) == (6, {})


@pytest.mark.parametrize(("card", "level", "after"), [(1, 11, 1), (2, 11, 2), (7, 5, 1), (7, 6, 2), (7, 11, 7)])
def test_rule_5_past_11_it_wraps_and_its_player_scores_8_less_the_card(card: Card, level: int, after: int) -> None:
    assert tower(f"{card}cr", level) == (after, {0: 8 - card})


def test_rule_5_exactly_11_breaks_nothing() -> None:
    assert tower("5cr", 6) == (11, {})
    assert tower("5cr 6cr", 6) == (6, {1: 2})  # but the next card does


def test_rule_5_three_breaks_in_one_round() -> None:
    # 11 + 1 = 12 -> 1, 3, 6, 10, + 5 = 15 -> 4, 10, + 7 = 17 -> 6
    assert tower("7cr 6cr 5cr 4cr 3cr 2cr 1cr", 11) == (6, {0: 1, 2: 3, 6: 7})


def test_rule_5_equal_numbers_cancel() -> None:
    assert tower("3cr 3cr 4cr", 8) == (1, {2: 4})
    assert tower("3cr 3cm 3cb-", 8) == (8, {})


# --- Remove One -----------------------------------------------------------------------------------


def test_rule_6_the_lowest_unique_number_scores_its_value() -> None:
    assert removed("5cr 3cr 4cr") == {1: 3}
    assert removed("1cr 1xr1 4cr 6cr") == {2: 4}
    assert removed("7cr") == {0: 7}


def test_unique_is_judged_inside_one_event() -> None:
    # Both ones are unique in Remove One and in Charge Tower, which they share with nobody.
    result = resolved("1rm 1cm 2rm", level=11)
    assert dict(result.scores[0]) == {1: 7}
    assert dict(result.scores[1]) == {0: 1}


def test_nobody_competes_in_the_store() -> None:
    assert removed("5xr4 5xm4 6xm5") == {0: 5}
    assert resolved("5xb4wcr 4xb4wmr").briber == 0


# --- Median Meridian ------------------------------------------------------------------------------


def test_rule_7_a_single_median() -> None:
    assert median("2cm 7cm 4cm") == {2: 4}
    assert median("6cm") == {0: 6}


def test_rule_7_a_repeated_median_scores_for_everybody_who_played_it() -> None:
    assert median("2cm 4cm 7cm 4rm 4xm4") == {1: 4, 3: 4, 4: 4}


def test_rule_7_both_sides_of_the_mean_of_two() -> None:
    assert median("1cm 4cm 6cm 7cm") == {1: 4, 2: 6}
    assert median("3cm 4cm") == {0: 3, 1: 4}
    assert median("1cm 7cm") == {0: 1, 1: 7}


def test_rule_7_both_sides_with_repeats() -> None:
    assert median("3cm 5cm 3rm 1cm 7cm 5rm") == {0: 3, 1: 5, 2: 3, 5: 5}


def test_rule_7_the_median_is_that_of_the_set() -> None:
    assert median("2cm 2rm 2xm2 6cm 7cm") == {3: 6}  # 2 6 7, not 2 2 2 6 7


# --- Bribing the Dog ------------------------------------------------------------------------------


def test_rule_8_the_highest_unique_number_bribes_and_its_movement_is_made() -> None:
    result = resolved("7mblcr 7rb- 6mbwcm 5mbwrm")
    assert result.briber == 2
    assert result.moved == Movement("win", CHARGE, MEDIAN)
    assert result.tokens == Tokens((0, 1, 2), CHARGE)


def test_rule_8_the_lose_token_moves() -> None:
    assert resolved("7cblcm").tokens == Tokens((1, 1, 1), MEDIAN)


def test_rule_8_a_bribe_with_the_bonus_in_each_vp_event() -> None:
    assert tower("4cb-", 8) == (1, {0: 4 + BONUS})
    assert removed("4rb- 6rm") == {0: 4 + BONUS}
    assert median("2cm 4mb- 7cm 4rm") == {1: 4 + BONUS, 3: 4}
    assert BONUS == 3


def test_rule_8_a_bribe_without_the_bonus_where_the_briber_did_not_score() -> None:
    assert tower("4cb- 7cr", 1) == (1, {1: 1})
    assert removed("4rb- 3rm") == {1: 3}
    assert removed("4rb- 4rm") == {}
    assert median("7mb- 1cm 2cm") == {2: 2}


def test_rule_8_the_bonus_is_the_bribers_alone() -> None:
    assert removed("3rb- 7mb-") == {0: 3}
    assert removed("5rb- 5cb- 7mb- 7cb-") == {0: 5}  # nobody bribes


def test_rule_8_a_bribe_from_the_store_has_no_bonus() -> None:
    result = resolved("7xb7wcr 3rm")
    assert result.briber == 0
    assert [dict(scores) for scores in result.scores] == [{}, {1: 3}, {1: 3}]


def test_rule_8_a_bribe_without_movement() -> None:
    result = resolved("7mb- 6mbwcm")
    assert (result.briber, result.moved, result.tokens) == (0, None, Tokens())


def test_rule_8_three_tokens_stack() -> None:
    tokens = resolved("7mbwcm").tokens
    tokens = resolved("7mbwrm", tokens=tokens).tokens
    assert tokens == Tokens((0, 0, 3), CHARGE)
    assert resolved("7mbwmc", tokens=tokens).tokens == Tokens((1, 0, 2), CHARGE)


def test_rule_8_the_movement_does_not_touch_this_rounds_scores() -> None:
    still, moving = resolved("7mb- 3cr 4cm", level=10), resolved("7mbwmr 3cr 4cm", level=10)
    assert still.scores == moving.scores
    assert still.tokens != moving.tokens


# --- nothing to resolve ---------------------------------------------------------------------------


def test_everything_cancelled() -> None:
    result = resolved("3cr 3cr 5cr 5cr 6xb6wcr 6xb6wcm", level=7)
    assert result == Resolved(7, ({}, {}, {}), Tokens(), None, None)


@pytest.mark.parametrize("event", [CHARGE, REMOVE, MEDIAN, BRIBE])
def test_an_event_nobody_played(event: Event) -> None:
    others = [pair for pair in combinations((CHARGE, REMOVE, MEDIAN, BRIBE), 2) if event not in pair]
    plays = {player: Play(card, pair) for player, (card, pair) in enumerate(zip((3, 5, 7), others, strict=True))}
    result = resolve(8, Tokens(), plays)
    for each, scores in zip(VP_EVENTS, result.scores, strict=True):
        assert bool(scores) == (each is not event)
    assert (result.level == 8) == (event is CHARGE)
    assert (result.briber is None) == (event is BRIBE)


def test_a_round_nobody_played() -> None:
    assert resolved("", level=4) == Resolved(4, ({}, {}, {}), Tokens(), None, None)


# --- what always holds ----------------------------------------------------------------------------

TOKENS = st.builds(
    Tokens,
    st.sampled_from([(a, b, 3 - a - b) for a in range(4) for b in range(4 - a)]),
    st.sampled_from(VP_EVENTS),
)
LEVELS = st.integers(1, 11)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[int, Tokens, dict[Player, Play]]:
    """Level, tokens and legal plays, in the order in which they were sealed."""
    tokens = draw(TOKENS)
    plays = {}
    for player in draw(st.permutations(range(7)))[: draw(st.integers(0, 7))]:
        card, pair = draw(st.sampled_from(CARDS)), draw(st.sampled_from(list(combinations(EVENTS, 2))))
        gain = draw(st.sampled_from(values(card))) if STORE in pair else None
        movement = draw(st.sampled_from([None, *tokens.movements()])) if BRIBE in pair else None
        plays[player] = Play(card, pair, gain, movement)
    return draw(LEVELS), tokens, plays


@given(rounds())
def test_what_always_holds_of_a_round(given_: tuple[int, Tokens, dict[Player, Play]]) -> None:
    level, tokens, plays = given_
    result = resolve(level, tokens, plays)
    assert 1 <= result.level <= 11
    assert sum(result.tokens.win) == 3
    assert min(result.tokens.win) >= 0
    assert result.tokens.lose in VP_EVENTS
    assert (result.tokens == tokens) == (result.moved is None)
    for event, scores in zip(VP_EVENTS, result.scores, strict=True):
        assert list(scores) == sorted(scores)
        assert all(points > 0 and event in plays[player].events for player, points in scores.items())
    assert len(result.scores[1]) <= 1
    assert bool(result.scores[2]) == any(MEDIAN in each.events for each in plays.values())


@given(rounds())
def test_the_level_is_carried_by_elevens(given_: tuple[int, Tokens, dict[Player, Play]]) -> None:
    level, tokens, plays = given_
    result = resolve(level, tokens, plays)
    charged = [each.card for each in plays.values() if CHARGE in each.events]
    climbed = level + sum(card for card in charged if charged.count(card) == 1)
    assert climbed - result.level == 11 * len(result.scores[0])


@given(rounds())
def test_who_sealed_first_does_not_matter(given_: tuple[int, Tokens, dict[Player, Play]]) -> None:
    level, tokens, plays = given_
    assert resolve(level, tokens, plays) == resolve(level, tokens, dict(reversed(plays.items())))
