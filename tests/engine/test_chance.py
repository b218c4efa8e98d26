"""Chance as the records' format describes it, checked against a plain reading of that description."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import commitment, draws, shuffled, words
from engine.gravity.birds import BIRDS
from engine.gravity.rules import seating, start

SEED = bytes(range(32))


def test_words_are_those_of_successive_hmacs() -> None:
    blocks = [hmac.new(SEED, b"gravity/round/1\x00" + struct.pack(">I", i), hashlib.sha256).digest() for i in (0, 1)]
    assert list(islice(words(SEED, "gravity/round/1"), 16)) == list(struct.unpack(">16I", b"".join(blocks)))


@given(st.binary(min_size=32, max_size=32), st.integers(2, 2**31))
def test_a_draw_takes_the_next_word_that_does_not_favour_small_numbers(seed: bytes, n: int) -> None:
    limit = 2**32 // n * n
    fair = (word for word in words(seed, "a label") if word < limit)
    draw = draws(seed, "a label")
    assert [draw(n) for _ in range(5)] == [word % n for word in islice(fair, 5)]


def test_words_are_rejected_at_all() -> None:
    n = 2**31 + 1  # almost every second word is too large
    rejected = [label for label in "abcdefgh" if next(words(SEED, label)) >= n]
    assert rejected
    assert all(draws(SEED, label)(n) != next(words(SEED, label)) % n for label in rejected)


def test_the_first_word_rejected_is_the_limit_itself() -> None:
    label = next(label for label in "abcdefgh" if next(words(SEED, label)) > 2**31)
    word = next(words(SEED, label))
    # No second multiple of a number so large fits into 2**32, so the limit is the number itself.
    following = next(later for later in islice(words(SEED, label), 1, None) if later < word)
    assert draws(SEED, label)(word) == following
    assert draws(SEED, label)(word + 1) == word


def test_a_shuffle_swaps_from_the_last_place_down() -> None:
    draw = draws(SEED, "s")
    expected = list("abcde")
    for last in (4, 3, 2, 1):
        other = draw(last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert shuffled(SEED, "s", "abcde") == tuple(expected)


def test_a_known_deal() -> None:
    deal = "hawk owl lovebird_a eagle lark lovebird_b crow robin raven penguin parrot"
    assert " ".join(seating(SEED, 1)) == deal
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_rounds_are_dealt_apart_and_every_seat_sees_every_bird() -> None:
    deals = [seating(number.to_bytes(32, "big"), round_) for number in range(200) for round_ in (1, 2, 3, 4)]
    assert all(sorted(deal) == sorted(BIRDS) for deal in deals)
    counts = Counter((seat, bird) for deal in deals for seat, bird in enumerate(deal))
    assert len(counts) == 121
    assert all(30 < count < 130 for count in counts.values())  # 73 expected, 8 the standard deviation


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32"):
        start(b"short")
