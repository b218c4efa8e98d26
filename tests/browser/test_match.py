"""A whole match of the real bot at the local table, played by clicking as both people, on a desktop; one of seven is
played on a phone (``test_dog_match.py``).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.gravity.birds import Bird
from handler.codec import read_match
from handler.wiring import local_table
from infra.local.scene import current_group
from infra.stores.sqlite import SqliteStore
from tests.browser.conftest import DESKTOP
from tests.browser.table import A_MINUTE, Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

PEOPLE = ("Ada", "Bruno")
GUESSER = "Ada"
ROUNDS_OF_TURNS = 400
"""Looks at everybody's panel after which a match that is not over hangs."""


class Duel(Table):
    """The table, and the file that holds its match."""

    def __init__(self, page: Page, matches: Path) -> None:
        super().__init__(page)
        self._matches = matches

    def raven(self) -> int:
        """Where the Raven sits, 1-11: known to nobody at the table."""
        store = SqliteStore(self._matches)
        try:
            ((id, _),) = store.alarms()
            item = store.load(id)
            assert item is not None
            seats: list[Bird] = list(read_match(id, item.body).state.seats)
            return seats.index(Bird.RAVEN) + 1
        finally:
            store.close()


def take_turn(table: Duel, who: str) -> None:
    """Do what somebody is asked to do, if anything."""
    offered = table.move(who)
    if "No guess" in offered and who != GUESSER:
        table.try_to_press("private", "No guess")
    elif "No guess" in offered:
        table.try_to_press("private", str(table.raven()))
    elif "Raven" in offered:
        table.try_to_press("private", "Raven")
    elif "Yes, guess it" in offered:
        table.try_to_press("private", "Yes, guess it")


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_a_match_is_played_to_its_end_by_clicking(page: Page, tmp_path: Path) -> None:
    with local_table(tmp_path, 0) as local:
        page.goto(local.address)
        table = Duel(page, tmp_path / "matches.sqlite")
        table.wait_for("group", "Gravity Pandemic")
        table.press("group", "Gravity Pandemic")
        for who in PEOPLE:
            table.sit(who, "group")
            table.wait_for("group", "Join")
            table.press("group", "Join")
            page.locator("#private .message", has_text="You have a seat").wait_for()
        table.sit(GUESSER, "group")
        table.wait_for("group", "Start")
        table.press("group", "Start")
        table.speed_up(10)
        for _ in range(ROUNDS_OF_TURNS):
            if table.is_over():
                break
            for who in PEOPLE:
                take_turn(table, who)
        assert table.is_over()
        assert local.world.violations == []
        assert local.world.busiest_minute(current_group(local.world.desk.state)) <= A_MINUTE
        page.goto("about:blank")
