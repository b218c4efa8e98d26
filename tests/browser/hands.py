"""Hands and eyes at the page, the same at a desktop's and at a phone's width.

A single look sees what is there, and news may still be on its way: tests wait for what they expect, with ``expect`` or
:func:`until`, and look once only at what a wait before it has made sure of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from infra.local import scene
from tests.browser.conftest import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect
expect.set_options(timeout=PATIENCE)


def until(what: Locator, script: str) -> None:
    """Wait until a function of JavaScript says yes to an element, which must stay on the page."""
    what.page.wait_for_function(script, arg=what.element_handle())


@contextmanager
def held(what: Locator) -> Iterator[None]:
    """Press something down, and release it where it was pressed, after all that happens meanwhile. It must stay."""
    what.hover()
    what.page.mouse.down()
    pressed = what.element_handle()
    yield
    assert what.evaluate("(node, pressed) => node === pressed", pressed), "it was drawn anew"
    what.page.mouse.up()


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
