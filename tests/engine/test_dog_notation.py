"""Moves of Dog's Judgement as texts: each text one move, each move one text, and none a move of another game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dog.events import CARDS, EVENTS, PLAYERS, VP_EVENTS, Event, Movement
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.notation import read, write
from engine.game import BadNotation
from engine.gravity import notation as gravity

STORE, CHARGE, REMOVE, MEDIAN, BRIBE = EVENTS


def moves() -> Iterator[Move]:
    """Every move that can be written down."""
    yield Withdraw()
    yield Decline()
    yield from (Challenge(player) for player in (None, *PLAYERS))
    movements = [Movement("win", *way) for way in permutations(VP_EVENTS, 2)]
    movements += [Movement("lose", *way) for way in permutations(VP_EVENTS, 2)]
    for card in CARDS:
        for pair in combinations(EVENTS, 2):
            for gain in CARDS if STORE in pair else [None]:
                yield from (Play(card, pair, gain, way) for way in [None, *(movements if BRIBE in pair else [])])


MOVES = tuple(moves())


def test_what_was_written_reads_back() -> None:
    for move in MOVES:
        assert read(write(move)) == move
        assert len(write(move).encode()) <= 48


def test_every_move_has_a_text_of_its_own() -> None:
    texts = {write(move) for move in MOVES}
    assert len(texts) == len(MOVES) == 10 + 7 * (3 + 3 * 7 + 3 * 13 + 7 * 13)


def test_no_text_is_a_move_of_both_games() -> None:
    for move in MOVES:
        with pytest.raises(BadNotation):
            gravity.read(write(move))


@given(st.text(alphabet="01234567890xcrmbwl-vsend ", max_size=8))
def test_a_text_is_canonical_or_no_move(text: str) -> None:
    try:
        move = read(text)
    except BadNotation:
        return
    assert write(move) == text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("5cm", Play(5, (CHARGE, MEDIAN))),
        ("5xr7", Play(5, (STORE, REMOVE), gain=7)),
        ("5rbwcr", Play(5, (REMOVE, BRIBE), movement=Movement("win", CHARGE, REMOVE))),
        ("7cblrm", Play(7, (CHARGE, BRIBE), movement=Movement("lose", REMOVE, MEDIAN))),
        ("5xb3-", Play(5, (STORE, BRIBE), gain=3)),
        ("1xb2wmc", Play(1, (STORE, BRIBE), 2, Movement("win", MEDIAN, CHARGE))),
        ("-", Withdraw()),
        ("vs0", Challenge(0)),
        ("vs3", Challenge(3)),
        ("vs-", Challenge(None)),
        ("end", Decline()),
    ],
)
def test_the_table_of_notations(text: str, move: Move) -> None:
    assert read(text) == move
    assert write(move) == text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "5", "5c", "5cc", "5mc", "0cm", "8cm", "5cm ", " 5cm", "5CM", "5cm3", "5cm-", "5cmwcr",
        "5xr", "5xr0", "5xr8", "5xr77", "5xr7-", "5rx7", "5rb", "5rbw", "5rbwc", "5rbwcc", "5rbwxc", "5rbwcb", "5rb3-",
        "5xb-", "5xb-3", "5xb3", "--", "vs", "vs7", "vs-1", "vs03", "End", "٥cm", "5xr٧", "\ud800",
    ],
)  # fmt: skip
def test_texts_that_are_no_move(text: str) -> None:
    with pytest.raises(BadNotation):
        read(text)


@pytest.mark.parametrize(
    "move",
    [
        Play(8, (CHARGE, MEDIAN)),
        Play(5, (MEDIAN, CHARGE)),
        Play(5, (CHARGE, CHARGE)),
        Play(5, (STORE, REMOVE)),
        Play(5, (STORE, REMOVE), gain=8),
        Play(5, (CHARGE, REMOVE), gain=5),
        Play(5, (CHARGE, REMOVE), movement=Movement("win", CHARGE, REMOVE)),
        Play(5, (CHARGE, BRIBE), movement=Movement("win", CHARGE, CHARGE)),
        Play(5, (CHARGE, BRIBE), movement=Movement("lose", CHARGE, Event.EXCHANGE_STORE)),
        Challenge(7),
    ],
)
def test_moves_that_have_no_notation(move: Move) -> None:
    with pytest.raises(BadNotation):
        write(move)
