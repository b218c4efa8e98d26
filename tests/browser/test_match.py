"""A whole match of the real bot at the local table, played by clicking as both people, at both widths."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.gravity.birds import Bird
from handler.codec import read_match
from handler.wiring import local_table
from infra.local.scene import current_group
from infra.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

PEOPLE = ("Ada", "Bruno")
GUESSER = "Ada"
SOON = 1_000
"""Milliseconds in which a button that was there can be pressed."""
A_MINUTE = 20
"""Messages and edits that a group gets at most."""
ROUNDS_OF_TURNS = 400
"""Looks at everybody's panel after which a match that is not over hangs."""


class Table:
    """Hands and eyes at the page."""

    def __init__(self, page: Page, matches: Path) -> None:
        self._page = page
        self._matches = matches
        self._is_phone = page.locator("#switch").is_visible()

    def sit(self, who: str, chat: str) -> None:
        """Be somebody, and look at the group or at their private chat."""
        if self._is_phone:
            self._switch("The Garden")
        self._page.locator("#group .people").get_by_role("button", name=who, exact=True).click()
        if self._is_phone and chat == "private":
            self._switch(who)

    def press(self, chat: str, label: str) -> None:
        """Press the newest button that says this, and wait for the bot's answer. It may be gone meanwhile."""
        try:
            self._latest(chat).get_by_role("button", name=label).first.click(timeout=SOON)
        except playwright.TimeoutError:
            return
        self._page.locator("[aria-busy]").first.wait_for(state="detached")
        if self._page.locator("#alert").is_visible():
            self._page.locator("#alert").get_by_role("button", name="OK").click()

    def wait_for(self, chat: str, label: str) -> None:
        """Until a button that says this is there."""
        self._page.locator(f"#{chat} .keyboard").get_by_role("button", name=label).first.wait_for()

    def labels(self, chat: str) -> list[str]:
        """What the newest buttons say."""
        labels: list[str] = self._page.evaluate(
            """(chat) => {
                const boards = document.querySelectorAll(`#${chat} .keyboard`);
                return [...(boards[boards.length - 1]?.querySelectorAll("button") ?? [])].map((key) => key.textContent);
            }""",
            chat,
        )
        return labels

    def picks(self, who: str) -> bool:
        """Whether the board says that it is somebody's turn in the draft."""
        board = self._page.locator("#group .message:has(.keyboard) .text")
        return board.count() > 0 and re.search(rf"{who}\W*, your pick", board.last.inner_text()) is not None

    def is_over(self) -> bool:
        """Whether the record's file has come."""
        return self._page.locator("#group .file").count() > 0

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

    def _latest(self, chat: str) -> Locator:
        return self._page.locator(f"#{chat} .keyboard").last

    def _switch(self, chat: str) -> None:
        self._page.locator("#switch").get_by_role("button", name=re.compile(f"^{chat}")).click()


def take_turn(table: Table, who: str) -> None:
    """Do what somebody is asked to do, if anything."""
    if table.picks(who):
        table.sit(who, "group")
        table.press("group", table.labels("group")[0])
    table.sit(who, "private")
    offered = table.labels("private")
    if any("Lock in" in label for label in offered):
        table.press("private", "Lock in")
    elif "No bird" in offered:
        table.press("private", "No bird")
    elif "No guess" in offered and who != GUESSER:
        table.press("private", "No guess")
    elif "No guess" in offered:
        table.press("private", str(table.raven()))
    elif "Raven" in offered:
        table.press("private", "Raven")
    elif "Yes, guess it" in offered:
        table.press("private", "Yes, guess it")


def test_a_match_is_played_to_its_end_by_clicking(page: Page, tmp_path: Path) -> None:
    with local_table(tmp_path, 0) as local:
        page.goto(local.address)
        table = Table(page, tmp_path / "matches.sqlite")
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
        page.get_by_role("button", name="10 times").click()
        for _ in range(ROUNDS_OF_TURNS):
            if table.is_over():
                break
            for who in PEOPLE:
                take_turn(table, who)
        assert table.is_over()
        assert local.world.violations == []
        assert local.world.busiest_minute(current_group(local.world.desk.state)) <= A_MINUTE
        page.goto("about:blank")
