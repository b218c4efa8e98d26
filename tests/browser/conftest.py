"""A browser, and local tables for it to look at. Where Chromium or Playwright is missing, these tests skip."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from infra.local.table import LocalTable
from tests.browser.echo_bot import table as echo_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# No sandbox: the tests may run as root. No look-ups of its maker's servers: the tests may run without a network.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = (1280, 800)
PHONE = (390, 844)
PATIENCE = 20_000
"""Milliseconds until something that does not come is a failure."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless Chromium. It goes with this package: Playwright's loop keeps others from running in this thread."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield found
        found.close()


def is_error(message: ConsoleMessage) -> bool:
    """Whether the browser reports an error other than the table's no (409) to what cannot be done."""
    return message.type == "error" and "status of 409" not in message.text


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty page of a desktop's and of a phone's width. An error in the page's script fails the test."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", timezone_id="UTC")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if is_error(message) else None)
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def table() -> Iterator[LocalTable]:
    with echo_table() as laid:
        yield laid


@pytest.fixture
def chat(table: LocalTable, page: Page) -> Page:
    """The page, with the bot's introduction on it."""
    page.goto(table.address)
    page.locator("#group").get_by_role("button", name="Count").wait_for()
    return page
