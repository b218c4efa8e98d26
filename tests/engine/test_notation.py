"""Moves as texts: each text one move, each move one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import BadNotation
from engine.gravity.birds import BIRDS, DRAFTED, RULEBOOK, SEATS, Bird
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pass, Pick, Resign, Reveal
from engine.gravity.notation import read, write

TARGETS = st.one_of(st.none(), st.sampled_from(SEATS), st.sampled_from(BIRDS))
ACTIONS = st.dictionaries(st.sampled_from(BIRDS), TARGETS).map(
    lambda targets: Actions(tuple(sorted(targets.items(), key=lambda errand: RULEBOOK[errand[0]])))
)
MOVES: st.SearchStrategy[Move] = st.one_of(
    st.builds(Reveal, st.one_of(st.none(), st.sampled_from(BIRDS))),
    st.builds(Pick, st.sampled_from(DRAFTED)),
    st.builds(HostPick, st.sampled_from(DRAFTED)),
    st.builds(Guess, st.sampled_from(SEATS), st.sampled_from(BIRDS)),
    ACTIONS,
    st.sampled_from([Here(), Pass(), Resign()]),
)


@given(MOVES)
def test_what_was_written_reads_back(move: Move) -> None:
    text = write(move)
    assert read(text) == move
    assert len(text.encode()) <= 48


@given(st.text(alphabet="?!+-gahpcbloertv0123456789,resign ", max_size=12))
def test_a_text_is_canonical_or_no_move(text: str) -> None:
    try:
        move = read(text)
    except BadNotation:
        return
    assert write(move) == text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("?h", Reveal(Bird.HAWK)),
        ("?-", Reveal(None)),
        ("h", Pick(Bird.HAWK)),
        ("h!", HostPick(Bird.HAWK)),
        ("+", Here()),
        ("a", Actions()),
        ("ah5,c-", Actions(((Bird.HAWK, 5), (Bird.CROW, None)))),
        ("al" + "t", Actions(((Bird.LARK, Bird.PARROT),))),
        ("g5h", Guess(5, Bird.HAWK)),
        ("g11v", Guess(11, Bird.RAVEN)),
        ("g-", Pass()),
        ("resign", Resign()),
    ],
)
def test_the_table_of_notations(text: str, move: Move) -> None:
    assert read(text) == move
    assert write(move) == text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "?", "?x", "x", "H", "hh", "+ ", "a,", "ah", "ah12", "ah0", "ah05", "ac5,h5", "ah5,h6", "ah5,",
        "!", "!h", "a!", "h!!", "?h!",
        "g", "g5", "g12h", "g0h", "g05h", "gh5", "Resign", "resign ", "ah٣", "g٣h", "\ud800",
    ],
)  # fmt: skip
def test_texts_that_are_no_move(text: str) -> None:
    with pytest.raises(BadNotation):
        read(text)


@pytest.mark.parametrize(
    "move",
    [
        Pick(Bird.LOVEBIRD_A),
        HostPick(Bird.LOVEBIRD_A),
        Actions(((Bird.CROW, 5), (Bird.HAWK, 5))),
        Actions(((Bird.HAWK, 5), (Bird.HAWK, 6))),
        Actions(((Bird.HAWK, 12),)),
        Guess(12, Bird.HAWK),
    ],
)
def test_moves_that_have_no_notation(move: Move) -> None:
    with pytest.raises(BadNotation):
        write(move)
