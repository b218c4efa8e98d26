"""The house player of Dog's Judgement: always legal, from its own view alone, and clearly better than chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import draws
from engine.dog.choices import check
from engine.dog.events import PLAYERS, ROUNDS, Event, Movement, Tokens
from engine.dog.house import house
from engine.dog.moves import Challenge, Move, Play
from engine.dog.rules import DOG, start
from engine.dog.state import State, view
from engine.dog.view import PlayOptions
from engine.game import Player
from tests.engine.dog_matches import Mover, any_play, by_chance, finished, house_players, opened, played

SEEDS = st.binary(min_size=32, max_size=32)
LOWEST, HIGHEST = (lambda n: 0), (lambda n: n - 1)


def numbered(count: int) -> list[bytes]:
    """Fixed seeds."""
    return [number.to_bytes(32, "big") for number in range(count)]


def alone_against_chance(seed: bytes) -> Mover:
    """The first player is the house's; the others play any legal play, every round, as long as they have cards."""
    ours, random = house_players(seed), Random(seed)

    def move(state: State, player: Player) -> Move | None:
        if player == 0:
            return ours(state, player)
        offered = DOG.options(view(state, player))
        return any_play(offered, random) if isinstance(offered, PlayOptions) else None

    return move


def plays_of(state: State, player: Player) -> list[Play]:
    """What a player played over the rounds."""
    return [play for round_ in state.plays if (play := round_[player]) is not None]


@settings(max_examples=40)
@given(SEEDS, st.integers(0))
def test_its_move_is_legal_in_whatever_position_a_match_comes_to(seed: bytes, luck: int) -> None:
    for state in played(seed, by_chance(Random(luck))):
        for player in PLAYERS:
            own = view(state, player)
            for draw in (LOWEST, HIGHEST, draws(seed, "any")):
                move = house(own, draw)
                assert (move is None) == (DOG.options(own) is None)
                assert move is None or check(own, move) is None
                assert move is None or DOG.read(DOG.write(move)) == move


def test_its_move_needs_only_its_view_and_the_draw() -> None:
    random = Random(5)
    for state in played(bytes(32), by_chance(random)):
        for player in PLAYERS:
            others = replace(
                state,
                seed=random.randbytes(32),
                hands=tuple(hand if place == player else (1,) for place, hand in enumerate(state.hands)),
                points=tuple(own if place == player else (9, 9, 9) for place, own in enumerate(state.points)),
            )
            moves = [house(view(each, player), draws(bytes(32), "same")) for each in (state, others, state)]
            assert moves[0] == moves[1] == moves[2]


def test_it_has_nothing_to_seal_before_round_1_without_a_card_or_where_another_chooses() -> None:
    assert all(house(view(start(bytes(32)).state, player), LOWEST) is None for player in PLAYERS)
    assert house(view(opened(hand=()), 0), LOWEST) is None
    choosing = 0
    for seed in numbered(5):
        for state in played(seed, house_players(seed)):
            named = state.board.candidate
            if state.board.stage == "choice" and named is not None:
                moves = [house(view(state, player), HIGHEST) for player in PLAYERS]
                # Rule 16: a house player gets its opponent by lot.
                assert moves == [Challenge(None) if player == named.candidate else None for player in PLAYERS]
                choosing += 1
    assert choosing > 2


def test_over_200_matches_it_scores_far_more_than_six_who_play_anything() -> None:
    ours = others = life = candidate = 0
    for seed in numbered(200):
        state = finished(seed, alone_against_chance(seed))
        totals = [sum(points) for points in state.points]
        ours, others = ours + totals[0], others + sum(totals[1:])
        judgement = state.board.judgement
        assert judgement is not None
        life += judgement.life[0]
        candidate += 0 in judgement.candidates
    # It makes about 5/3 of their VP, and a seventh of the Tokens of Life would be some 60.
    assert ours > 1.35 * others / 6
    assert life > 150
    assert candidate < 30


def test_seven_of_them_keep_cards_use_every_event_and_bribe_with_intent() -> None:
    empty, gained, on, moved, first = Counter[int](), 0, Counter[Event](), Counter[bool](), Counter[Play]()
    for seed in numbered(60):
        *states, last = played(seed, house_players(seed))
        rounds = [state for state in states if state.board.stage == "round"]
        for state in rounds:
            empty[state.board.round] += sum(not hand for hand in state.hands)
        plays = [play for player in PLAYERS for play in plays_of(last, player)]
        gained += sum(play.gain is not None for play in plays)
        on.update(event for play in plays for event in play.events)
        moved.update(play.movement is not None for play in plays if Event.BRIBING_THE_DOG in play.events)
        first.update(play for play in last.plays[0] if play is not None)
        assert not any(play.gain for play in last.plays[ROUNDS - 1] if play)  # nothing to gain it for
    players = 60 * len(PLAYERS)
    assert sum(empty[round_] for round_ in range(1, ROUNDS)) < players / 50
    assert empty[ROUNDS] < players / 10
    assert 2 * players < gained < 4 * players
    assert all(times > players for times in on.values())
    assert set(on) == set(Event)
    assert moved[True] > 4 * moved[False]
    assert max(first.values()) < players / 5  # or they would only collide


def test_seven_of_them_win_tokens_in_every_event() -> None:
    won = Counter[Event]()
    for seed in numbered(60):
        judgement = finished(seed, house_players(seed)).board.judgement
        assert judgement is not None
        won.update(event.event for event in judgement.events if event.points)
    assert all(won[event] > 15 for event in (Event.CHARGE_TOWER, Event.REMOVE_ONE, Event.MEDIAN_MERIDIAN)), won


# --- what it looks at -------------------------------------------------------------------------------


def choices(state: State, times: int = 200) -> list[Play]:
    """What the first player seals with one draw and another."""
    draw = draws(bytes(32), "choices")
    moves = [house(view(state, 0), draw) for _ in range(times)]
    return [move for move in moves if isinstance(move, Play)]


def share(plays: list[Play], event: Event) -> float:
    """How many of the plays use an event."""
    return sum(event in play.events for play in plays) / len(plays)


def test_it_goes_to_the_tower_when_a_small_card_would_break_the_threshold() -> None:
    low, high = choices(opened(3, level=1)), choices(opened(3, level=11))
    assert share(high, Event.CHARGE_TOWER) > share(low, Event.CHARGE_TOWER) + 0.3
    cards = [play.card for play in high if Event.CHARGE_TOWER in play.events]
    assert sum(card <= 4 for card in cards) > len(cards) / 2


def test_it_removes_one_with_low_numbers_bribes_with_high_ones_and_meets_the_median_between() -> None:
    by_event = {event: Counter[int]() for event in Event}
    for seed in numbered(40):
        last = finished(seed, house_players(seed))
        for play in (play for player in PLAYERS for play in plays_of(last, player)):
            for event in play.events:
                by_event[event][play.card] += 1
    mean = {event: sum(card * n for card, n in cards.items()) / cards.total() for event, cards in by_event.items()}
    assert mean[Event.REMOVE_ONE] < mean[Event.MEDIAN_MERIDIAN] < mean[Event.BRIBING_THE_DOG]
    assert by_event[Event.REMOVE_ONE][1] < by_event[Event.REMOVE_ONE].total() / 4  # not always 1
    assert by_event[Event.MEDIAN_MERIDIAN].most_common(1)[0][0] in (4, 5, 6)


@pytest.mark.parametrize(("hand", "more"), [((4,), True), ((1, 2, 3, 4, 5, 6, 7), False)])
def test_it_exchanges_when_short_of_cards(hand: tuple[int, ...], more: bool) -> None:
    # Four rounds to go, this one among them.
    assert (share(choices(opened(6, hand=hand)), Event.EXCHANGE_STORE) > 0.9) == more


def test_it_exchanges_for_a_better_card() -> None:
    exchanged = [play for play in choices(opened(6, hand=(1, 2, 3))) if play.gain is not None]
    assert len(exchanged) > 20
    assert all(play.gain is not None and play.gain > play.card for play in exchanged)


def test_a_bribe_brings_a_win_token_to_its_best_event_or_the_lose_token_to_where_it_is_safe() -> None:
    # It is strong at Remove One, and weak where the Lose Token lies.
    state = opened(8, points=((0, 9, 2), *((5, 5, 5),) * 6))
    bribes = [play for play in choices(state, 600) if Event.BRIBING_THE_DOG in play.events]
    assert len(bribes) > 20
    assert {play.movement for play in bribes} == {
        Movement("win", Event.CHARGE_TOWER, Event.REMOVE_ONE),
        Movement("lose", Event.CHARGE_TOWER, Event.REMOVE_ONE),
    }


def test_a_bribe_moves_nothing_once_all_tokens_lie_well() -> None:
    state = opened(8, points=((0, 9, 2), *((5, 5, 5),) * 6), tokens=Tokens((0, 3, 0), Event.REMOVE_ONE))
    bribes = [play for play in choices(state, 600) if Event.BRIBING_THE_DOG in play.events]
    assert len(bribes) > 20
    assert {play.movement for play in bribes} == {None}
