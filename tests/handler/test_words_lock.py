"""Lock 5 closed around the screens of Gravity Pandemic."""

from __future__ import annotations

from engine.games import GAMES
from handler.views import VIEWS
from tests.handler.words_lock import order_and_words

SEEDS = [bytes([number]) * 32 for number in range(20, 26)]


def test_order_and_words_hold() -> None:
    assert order_and_words(GAMES["gravity"], VIEWS["gravity"], SEEDS) > 1500
