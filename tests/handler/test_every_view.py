"""What holds of the screens of every game, in every position that matches reach."""

from __future__ import annotations

from functools import partial
from types import ModuleType

import pytest

from handler.views import VIEWS
from tests.handler import dog_positions, positions
from tests.handler.pages import reached

EACH_GAME = pytest.mark.parametrize(("game", "of"), [("gravity", positions), ("dog", dog_positions)])


@EACH_GAME
def test_a_board_is_the_same_whoever_looks(game: str, of: ModuleType) -> None:
    board, frame = VIEWS[game].board, of.framed()
    for position in of.positions():
        public = board(frame, position.public)
        assert all(board(frame, view) == public for view in position.views)


@EACH_GAME
def test_every_button_of_a_menu_leads_to_a_page_of_its_own(game: str, of: ModuleType) -> None:
    panel, frame = VIEWS[game].panel, of.framed()
    pages = 0
    for view, phase, sealed in of.choices():
        found = reached(partial(panel, frame, view, phase, sealed, False))
        assert len({message.text for message in found.values()}) == len(found)
        pages += len(found)
    assert pages > 200
