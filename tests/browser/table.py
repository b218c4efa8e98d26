"""Hands and eyes at the real bot's table: to be somebody, to press, to read the buttons, at both widths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from infra.local.scene import TITLE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

SOON = 1_000
"""Milliseconds in which a button that was there can be pressed."""
A_MINUTE = 20
"""Messages and edits that a group gets at most."""


class Table:
    """Hands and eyes at the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._is_phone = page.locator("#switch").is_visible()

    def sit(self, who: str, chat: str) -> None:
        """Be somebody, and look at the group or at their private chat."""
        if self._is_phone:
            self._switch(TITLE)
        self.page.locator("#group .people").get_by_role("button", name=who, exact=True).click()
        if self._is_phone and chat == "private":
            self._switch(who)

    def press(self, chat: str, label: str | re.Pattern[str]) -> None:
        """Press the newest button that says this, and wait for the bot's answer. It may be gone meanwhile."""
        try:
            self._latest(chat).get_by_role("button", name=label).first.click(timeout=SOON)
        except playwright.TimeoutError:
            return
        self.page.locator("[aria-busy]").first.wait_for(state="detached")
        if self.page.locator("#alert").is_visible():
            self.page.locator("#alert").get_by_role("button", name="OK").click()

    def wait_for(self, chat: str, label: str) -> None:
        """Until a button that says this is there."""
        self.page.locator(f"#{chat} .keyboard").get_by_role("button", name=label).first.wait_for()

    def labels(self, chat: str) -> list[str]:
        """What the newest buttons say."""
        labels: list[str] = self.page.evaluate(
            """(chat) => {
                const boards = document.querySelectorAll(`#${chat} .keyboard`);
                return [...(boards[boards.length - 1]?.querySelectorAll("button") ?? [])].map((key) => key.textContent);
            }""",
            chat,
        )
        return labels

    def picks(self, who: str) -> bool:
        """Whether the board says that it is somebody's turn in a draft."""
        board = self.page.locator("#group .message:has(.keyboard) .text")
        return board.count() > 0 and re.search(rf"{who}\W*, your pick", board.last.inner_text()) is not None

    def move(self, who: str) -> list[str]:
        """Do what somebody is asked to do in Gravity Pandemic, if anything but a guess. What their panel offered."""
        if self.picks(who):
            self.sit(who, "group")
            self.press("group", self.labels("group")[0])
        self.sit(who, "private")
        offered = self.labels("private")
        if any("Lock in" in label for label in offered):
            self.press("private", "Lock in")
        elif "No bird" in offered:
            self.press("private", "No bird")
        return offered

    def speed_up(self, times: int) -> None:
        """Let the table's clock run faster."""
        self.page.get_by_role("button", name=f"{times} times").click()

    def is_over(self) -> bool:
        """Whether the record's file has come."""
        return self.page.locator("#group .file").count() > 0

    def _latest(self, chat: str) -> Locator:
        return self.page.locator(f"#{chat} .keyboard").last

    def _switch(self, chat: str) -> None:
        self.page.locator("#switch").get_by_role("button", name=re.compile(f"^{chat}")).click()
