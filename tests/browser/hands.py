"""Hands and eyes at the page, the same at a desktop's and at a phone's width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from infra.local import scene

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def go_to(page: Page, chat: str) -> None:
    """Show a chat by its name: on a phone with the switch, on a desktop with the person's tab."""
    switch = page.locator("#switch")
    where = switch if switch.is_visible() else page.locator("#private .people")
    if chat != scene.TITLE or switch.is_visible():
        where.get_by_role("button", name=re.compile(f"^{re.escape(chat)}")).click()


def press(page: Page, name: str) -> None:
    page.locator("#group").get_by_role("button", name=name, exact=True).click()


def text(page: Page, where: str, words: str | re.Pattern[str]) -> Locator:
    return page.locator(f"#{where} .message").filter(has_text=words)


def add_people(page: Page, *names: str) -> None:
    """Let people come into the group: those the page suggests, or those named."""
    page.get_by_role("button", name="Add people").click()
    if names:
        page.get_by_label("Names").fill(", ".join(names))
    page.get_by_role("button", name="Add", exact=True).click()


def write(page: Page, where: str, words: str) -> None:
    page.locator(f"#{where} .composer input").fill(words)
    page.locator(f"#{where}").get_by_role("button", name="Send").click()
