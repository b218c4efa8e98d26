"""``options`` builds exactly what ``check`` admits: compared with every play there is, legal or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dog.choices import check, options
from engine.dog.events import CARDS, EVENTS, PLAYERS, VP_EVENTS, Card, Event, Movement, Token, Tokens
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.refusals import CODES
from engine.dog.state import view
from engine.dog.view import ChoiceOptions, Options, PlayOptions, View
from tests.engine.dog_matches import by_chance, opened, played

KINDS: tuple[Token, Token] = ("win", "lose")
PLACES = (*VP_EVENTS, Event.BRIBING_THE_DOG)
MOVEMENTS = tuple(Movement(token, origin, goal) for token in KINDS for origin in PLACES for goal in PLACES)
PLAYS = tuple(
    Play(card, pair, gain, movement)
    for card in (0, *CARDS)
    for pair in combinations_with_replacement(EVENTS, 2)
    for gain in (None, *CARDS)
    for movement in (None, *MOVEMENTS)
)
"""Whatever can be said of a card, two events in their order, a value and a movement."""

CHOICES = tuple(Challenge(player) for player in (*PLAYERS, 7))

TOKENS = st.builds(
    Tokens,
    st.sampled_from([(a, b, 3 - a - b) for a in range(4) for b in range(4 - a)]),
    st.sampled_from(VP_EVENTS),
)
HANDS = st.lists(st.sampled_from(CARDS), max_size=9).map(lambda hand: tuple(sorted(hand)))


def built(choice: Options) -> Iterator[Move]:
    """Everything that can be built of what is offered."""
    match choice:
        case PlayOptions(cards, events, offered, movements):
            values = dict(offered)
            for card in cards:
                for pair in combinations(events, 2):
                    for gain in values[card] if Event.EXCHANGE_STORE in pair else (None,):
                        for way in (None, *movements) if Event.BRIBING_THE_DOG in pair else (None,):
                            yield Play(card, pair, gain, way)
        case ChoiceOptions(players):
            yield from (Challenge(player) for player in players)


@settings(max_examples=12, deadline=None)
@given(HANDS, TOKENS)
def test_every_legal_play_can_be_built_and_no_other(hand: tuple[Card, ...], tokens: Tokens) -> None:
    own = view(opened(hand=hand, tokens=tokens), 0)
    plays = list(built(options(own)))
    assert {move for move in PLAYS if check(own, move) is None} == set(plays)
    assert len(set(plays)) == len(plays)


def test_every_refusal_of_a_play_occurs() -> None:
    own = view(opened(hand=(1, 4, 4), tokens=Tokens((0, 1, 2))), 0)
    refusals = (check(own, move) for move in PLAYS)
    seen = Counter(refusal.code for refusal in refusals if refusal is not None)
    elsewhere = {"not-a-player", "match-over", "wrong-phase", "not-the-candidate", "not-eligible"}
    assert set(seen) == set(CODES) - elsewhere


def test_in_every_phase_options_are_what_check_admits() -> None:
    sample = Random(1).sample(PLAYS, 150)
    seen: Counter[str] = Counter()
    views: set[View] = set()
    for seed in range(6):
        for state in played(bytes([seed]) * 32, by_chance(Random(seed))):
            views.update(view(state, viewer) for viewer in (None, *PLAYERS))
    for one in views:
        offered = set(built(options(one)))
        moves = {*sample, *CHOICES, *offered}
        assert {move for move in moves if check(one, move) is None} == offered
        seen[one.board.stage] += 1
        if one.viewer is not None:
            assert (check(one, Withdraw()) is None) == (one.board.stage == "round")
            chooses = one.board.candidate is not None and one.board.candidate.candidate == one.viewer
            for move in (Challenge(None), Decline()):
                assert (check(one, move) is None) == (chooses and one.board.stage == "choice")
    assert all(seen[stage] for stage in ("pregame", "round", "choice", "over"))


def test_menus_are_in_order() -> None:
    choice = options(view(opened(hand=(2, 5, 5, 7), tokens=Tokens((2, 0, 1), Event.REMOVE_ONE)), 0))
    charge, remove, median = VP_EVENTS
    assert choice == PlayOptions(
        (2, 5, 7),
        EVENTS,
        ((2, (1, 2, 3, 4)), (5, (3, 4, 5, 6, 7)), (7, (5, 6, 7))),
        (
            Movement("win", charge, remove),
            Movement("win", charge, median),
            Movement("win", median, charge),
            Movement("win", median, remove),
            Movement("lose", remove, charge),
            Movement("lose", remove, median),
        ),
    )
