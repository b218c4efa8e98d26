"""Hands and eyes at the real bot's table: to be somebody, to press, to read the buttons, at both widths."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from infra.local.scene import TITLE
from tests.browser.hands import playwright

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SOON = 1_000
"""Milliseconds in which a button that was there can be pressed."""
A_MINUTE = 20
"""Messages and edits that a group gets at most."""


class Table:
    """Hands and eyes at the page. What the bot says in an alert is taken note of whenever it is in the way."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_locator_handler(page.locator("#alert"), lambda alert: alert.get_by_role("button", name="OK").click())
        self._is_phone = page.locator("#switch").is_visible()

    def sit(self, who: str, chat: str) -> None:
        """Be somebody, and look at the group or at their private chat."""
        if self._is_phone:
            self._switch(TITLE)
        self.page.locator("#group .people").get_by_role("button", name=who, exact=True).click()
        if self._is_phone and chat == "private":
            self._switch(who)

    def press(self, chat: str, label: str | re.Pattern[str]) -> None:
        """Press the newest button that says this, and wait for the bot's answer."""
        self._key(chat, label).click()
        self._wait_for_answers()

    def try_to_press(self, chat: str, label: str | re.Pattern[str]) -> None:
        """Press a button that was there at the last look. It may be gone meanwhile."""
        with suppress(playwright.TimeoutError):
            self._key(chat, label).click(timeout=SOON)
        self._wait_for_answers()

    def wait_for(self, chat: str, label: str) -> None:
        """Until a button that says this is there."""
        self.page.locator(f"#{chat} .keyboard").get_by_role("button", name=label).first.wait_for()

    def labels(self, chat: str) -> list[str]:
        """What the newest buttons say."""
        return self._newest(chat)[1]

    def move(self, who: str) -> list[str]:
        """Do what somebody is asked to do in Gravity Pandemic, if anything but a guess. What their panel offered."""
        said, picks = self._newest("group")
        if re.search(rf"{who}\W*, your pick", said):
            self.sit(who, "group")
            self.try_to_press("group", picks[0])
        self.sit(who, "private")
        offered = self.labels("private")
        if any("Lock in" in label for label in offered):
            self.try_to_press("private", "Lock in")
        elif "No bird" in offered:
            self.try_to_press("private", "No bird")
        return offered

    def speed_up(self, times: int) -> None:
        """Let the table's clock run faster."""
        self.page.get_by_role("button", name=f"{times} times").click()

    def is_over(self) -> bool:
        """Whether the record's file has come."""
        return self.page.locator("#group .file").count() > 0

    def _key(self, chat: str, label: str | re.Pattern[str]) -> Locator:
        return self.page.locator(f"#{chat} .keyboard").last.get_by_role("button", name=label).first

    def _wait_for_answers(self) -> None:
        self.page.locator("[aria-busy]").first.wait_for(state="detached")

    def _newest(self, chat: str) -> tuple[str, list[str]]:
        """The newest message with buttons, and what they say, all at one moment; nothing where there is none."""
        text, labels = self.page.evaluate(
            """(chat) => {
                const newest = [...document.querySelectorAll(`#${chat} .message:has(.keyboard button)`)].at(-1);
                const keys = [...(newest?.querySelectorAll(".keyboard button") ?? [])];
                return [newest?.querySelector(".text").innerText ?? "", keys.map((key) => key.textContent)];
            }""",
            chat,
        )
        return text, labels

    def _switch(self, chat: str) -> None:
        self.page.locator("#switch").get_by_role("button", name=re.compile(f"^{chat}")).click()
