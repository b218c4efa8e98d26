"""Whole matches by chance and by house players: what holds in each of their states."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.documents import export, replay, verify
from engine.gravity import facts
from engine.gravity.birds import BIRDS, ROUNDS, Bird
from engine.gravity.choices import check
from engine.gravity.house import house
from engine.gravity.rules import GRAVITY, NIGHTS
from engine.gravity.score import leader
from engine.gravity.state import State, view
from engine.reading import canonical, parse
from engine.record import Record, Setup, UnknownRules
from tests.engine.matches import by_chance, finished, house_players, played

SEEDS = st.binary(min_size=32, max_size=32)
NAMES = ("Ann", "Bob")


def sound(state: State) -> None:
    """What holds in every state."""
    board = state.board
    assert 1 <= board.round <= ROUNDS
    assert 0 <= board.night <= NIGHTS
    assert sorted(state.seats) == sorted(BIRDS)
    assert Bird.PENGUIN in state.flightless
    assert Bird.RAVEN not in state.flightless
    assert len(state.flightless) == 1 + 2 * max(0, board.night - (board.stage in ("draft", "actions")))
    assert all(state.seats[seat - 1] is bird for seat, bird in board.revealed)
    assert list(board.revealed) == sorted(board.revealed)
    assert len({bird for _, bird, _ in board.picks}) == len(board.picks) <= 10
    assert board.scores == (board.updates[-1] if board.updates else (0, 0))
    assert all(before != after for before, after in zip(board.updates, board.updates[1:], strict=False))
    assert (board.winner is None) == (board.stage != "over") == (GRAVITY.phase(state) is not None)


@settings(max_examples=25)
@given(SEEDS, st.integers(0))
def test_a_match_by_chance_is_sound_and_ends_as_rule_20_says(seed: bytes, luck: int) -> None:
    *before, (record, state) = played(seed, by_chance(Random(luck)))
    for _, earlier in before:
        sound(earlier)
    sound(state)
    ahead = leader(state.board.scores)
    assert ahead is None or state.board.winner == ahead
    check_documents(record, state)


@settings(max_examples=15)
@given(SEEDS)
def test_house_players_play_legally_to_the_end(seed: bytes) -> None:
    # An illegal move would have raised IllegalMove on the way.
    record, state = finished(seed, house_players(seed))
    sound(state)
    check_documents(record, state)


def picks_of(document: Any) -> list[list[Any]]:
    """Every draft entry of a document, its player as a number."""
    nights = (night for round_ in document["rounds"] for night in round_["nights"])
    return [[document["players"].index(who), *pick] for night in nights for who, *pick in night["drafts"]]


def check_documents(record: Record, state: State) -> None:
    """The match written out and read back says the same."""
    document = parse(canonical(export(record, NAMES)).encode())
    assert picks_of(document) == [
        [tell.fact.player, tell.fact.bird.value, *([] if tell.fact.by == "player" else [tell.fact.by])]
        for transition in record.history
        for tell in transition.tells
        if isinstance(tell.fact, facts.Picked)
    ]
    outcome = verify(document)
    assert outcome == replay(document)
    assert outcome["winner"] == document["players"][state.board.winner]
    assert list(outcome["scores"].values()) == list(state.board.scores)
    tells = [tell for transition in record.history for tell in transition.tells]
    nights = [tell.fact for tell in tells if isinstance(tell.fact, facts.NightResolved)]
    periods = [tell.fact for tell in tells if isinstance(tell.fact, facts.PeriodClosed)]
    steps = outcome["steps"]
    assert [step["night"] for step in steps if "night" in step] == [[fact.round, fact.night] for fact in nights]
    assert [list(step["scores"].values()) for step in steps if "night" in step] == [
        list(fact.scores) for fact in nights
    ]
    assert [step["guesses"] for step in steps if "guesses" in step] == [
        [fact.round, fact.night, fact.period] for fact in periods
    ]
    assert [list(step["scores"].values()) for step in steps if "guesses" in step] == [
        list(fact.scores) for fact in periods
    ]


@settings(max_examples=10)
@given(SEEDS, st.integers(0))
def test_a_record_replays_to_the_same_state_and_tells(seed: bytes, luck: int) -> None:
    record, state = finished(seed, by_chance(Random(luck)))
    again = Record(record.setup, record.steps)
    assert again.history[-1].state == state
    assert len(again.history) == len(record.steps) + 1
    assert again.history == Record(record.setup, record.steps).history


def test_a_record_of_other_rules_is_not_replayed() -> None:
    record, _ = finished(bytes(32), house_players(bytes(32)))
    for number in (GRAVITY.rules - 1, GRAVITY.rules + 1):
        other = Record(Setup("gravity", number, record.setup.seed), record.steps)
        with pytest.raises(UnknownRules, match=f"gravity by rules number {number}; here they are {GRAVITY.rules}"):
            _ = other.history
        with pytest.raises(UnknownRules):
            export(other, NAMES)


def test_matches_by_chance_hold_what_is_rare() -> None:
    ends, idle, hosted, many_periods = set(), 0, 0, 0
    for luck in range(40):
        for _, state in played(luck.to_bytes(32, "big"), by_chance(Random(luck))):
            idle += state.board.idle != ()
            hosted += any(by == "host" for _, _, by in state.board.picks)
            many_periods += state.board.period > 2
        ends.add(state.board.winner)
    assert ends == {0, 1}
    assert idle > 100
    assert hosted > 100
    assert many_periods > 20


def test_house_players_guess_from_what_they_were_told_and_are_often_right() -> None:
    right = wrong = 0
    for number in range(12):
        seed = bytes([number]) * 32
        record, _ = finished(seed, house_players(seed))
        for transition in record.history:
            guesses = [tell.fact for tell in transition.tells if isinstance(tell.fact, facts.GuessTold)]
            right += sum(fact.delta > 0 for fact in guesses)
            wrong += sum(fact.delta < 0 for fact in guesses)
    assert right > 20
    assert wrong > 0  # a beginner, not an oracle
    assert right > wrong / 2


def test_a_house_players_move_needs_only_its_view() -> None:
    seed = bytes(32)
    for _, state in played(seed, by_chance(Random(3))):
        phase = GRAVITY.phase(state)
        for player in phase.active if phase else ():
            own = view(state, player)
            moves = [house(own, lambda n: n - 1), house(own, lambda n: 0)]
            assert all(check(own, move) is None for move in moves)
            assert moves[0] == house(own, lambda n: n - 1)
