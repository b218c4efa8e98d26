"""News change the page in place: nobody loses what they hold down, what is open, or where they have scrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from infra.local import scene
from tests.browser.conftest import PHONE
from tests.browser.hands import add_people, expect, go_to, held, text, until, write

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from infra.local.table import LocalTable


def keyboard(*rows: str) -> dict[str, Any]:
    """Buttons by what they say, separated by commas, each with data of its own."""
    return {"inline_keyboard": [[{"text": say, "callback_data": say} for say in row.split(", ")] for row in rows]}


def news_of_people(page: Page, table: LocalTable) -> None:
    """Somebody starts the bot and somebody comes, and the page knows."""
    bruno = scene.seated(table.world.desk.state)[1]
    table.world.people.start(bruno)
    scene.add_person(table.world, "Nora")
    page.locator("#group .people .chip", has_text="Nora").wait_for(state="attached")
    page.locator("#switch .chip", has_text="Bruno").locator(".badge", has_text="1").wait_for(state="attached")


def panel(page: Page, table: LocalTable, markup: dict[str, Any]) -> dict[str, Any]:
    """Ada's panel with these buttons, on the page. What an edit of it says again."""
    ada = scene.seated(table.world.desk.state)[0]
    table.world.people.start(ada)
    text(page, "private", "You said: /start").wait_for(state="attached")
    page.locator("#private .start[hidden]").wait_for(state="attached")
    asked = {"chat_id": ada, "text": "Your <tg-spoiler>turn</tg-spoiler>", "parse_mode": "HTML"}
    sent = table.world.call("sendMessage", {**asked, "reply_markup": markup}).result
    go_to(page, "Ada")
    text(page, "private", "Your turn").wait_for()
    return {**asked, "message_id": sent["message_id"]}


def button(page: Page, name: str) -> Locator:
    return page.locator("#private").get_by_role("button", name=name, exact=True)


def test_a_press_on_a_tab_counts_whatever_happens_meanwhile(chat: Page, table: LocalTable) -> None:
    with held(chat.locator("#switch:visible .chip, #private .people:visible .chip").filter(has_text="Bruno")):
        news_of_people(chat, table)
    text(chat, "private", "You said: /start").wait_for()
    expect(chat.locator("#private .pane-name p")).to_contain_text("Bruno")


def test_a_press_on_who_speaks_counts_whatever_happens_meanwhile(chat: Page, table: LocalTable) -> None:
    with held(chat.locator("#group .people").get_by_role("button", name="Bruno")):
        news_of_people(chat, table)
    expect(chat.locator("#group .people [aria-pressed='true']")).to_have_text("Bruno")


def test_a_press_on_a_command_counts_whatever_happens_meanwhile(chat: Page, table: LocalTable) -> None:
    chat.locator("#group").get_by_role("button", name="The bot's commands").click()
    with held(chat.locator("#group .commands").get_by_role("button", name="/echo Say it again")):
        news_of_people(chat, table)
    text(chat, "group", "You said: /echo").wait_for()


def test_a_press_on_a_panel_counts_whatever_happens_meanwhile(chat: Page, table: LocalTable) -> None:
    panel(chat, table, keyboard("Fog, Sun"))
    with held(button(chat, "Fog")):
        news_of_people(chat, table)
    text(chat, "private", "Pressed 1 times").wait_for()


def test_a_press_counts_where_an_edit_leaves_its_button(chat: Page, table: LocalTable) -> None:
    where = panel(chat, table, keyboard("Fog, Sun", "Lock in"))
    with held(button(chat, "Fog")):
        table.world.call("editMessageText", {**where, "text": "Sun", "reply_markup": keyboard("Fog, Sun ✓")})
        button(chat, "Sun ✓").wait_for()
    text(chat, "private", "Pressed 1 times").wait_for()


def test_whoever_moves_off_a_button_takes_the_press_back(chat: Page) -> None:
    presses: list[Any] = []
    chat.on("request", lambda sent: presses.append(sent.post_data_json) if sent.url.endswith("/press") else None)
    with held(chat.locator("#group").get_by_role("button", name="Warn")):
        chat.locator("#group .pane-head h2").hover(force=True)
    chat.locator("#group").get_by_role("button", name="Count").click()
    text(chat, "group", "Pressed 1 times").wait_for()
    assert [press["data"] for press in presses] == ["count"]


def test_nobody_presses_a_button_that_came_under_their_finger(chat: Page, table: LocalTable) -> None:
    where = panel(chat, table, keyboard("Fog, Sun"))
    presses: list[Any] = []
    chat.on("request", lambda sent: presses.append(sent.post_data_json) if sent.url.endswith("/press") else None)
    button(chat, "Fog").hover()
    chat.mouse.down()
    fog = button(chat, "Fog").element_handle()
    table.world.call("editMessageText", {**where, "reply_markup": keyboard("Give up, Sun")})
    button(chat, "Give up").wait_for()
    assert not fog.evaluate("(node) => node.isConnected"), "it would mean something else"
    chat.mouse.up()
    button(chat, "Sun").click()
    text(chat, "private", "Pressed 1 times").wait_for()
    assert [press["data"] for press in presses] == ["Sun"]


def test_what_was_opened_stays_open_and_the_focus_with_its_button(chat: Page, table: LocalTable) -> None:
    where = panel(chat, table, keyboard("Fog, Sun, Rain"))
    chat.locator("#private .spoiler").click()
    button(chat, "Rain").focus()
    table.world.call("editMessageText", {**where, "reply_markup": keyboard("Sun, Rain")})
    button(chat, "Fog").wait_for(state="detached")
    news_of_people(chat, table)
    expect(chat.locator("#private .spoiler.shown")).to_have_count(1)
    expect(button(chat, "Rain")).to_be_focused()


def test_news_of_others_leave_the_reader_where_they_scrolled(chat: Page, table: LocalTable) -> None:
    where = panel(chat, table, keyboard("Fog"))
    for number in range(40):
        table.world.call("sendMessage", {"chat_id": where["chat_id"], "text": f"Message {number}"})
    text(chat, "private", "Message 39").wait_for()
    log = chat.locator("#private .log")
    log.evaluate("(node) => { node.scrollTop = 100; }")
    news_of_people(chat, table)
    assert log.evaluate("(node) => node.scrollTop") == 100


@pytest.mark.parametrize("page", [PHONE], ids=["phone"], indirect=True)
def test_news_of_others_leave_the_row_of_tabs_where_it_was_scrolled(chat: Page, table: LocalTable) -> None:
    add_people(chat)
    tabs = chat.locator("#switch")
    tabs.get_by_role("button", name=scene.NEWCOMERS[-1]).wait_for()
    expect(chat.get_by_role("dialog")).to_be_hidden()
    tabs.evaluate("(node) => { node.scrollLeft = 80; }")
    news_of_people(chat, table)
    assert tabs.evaluate("(node) => node.scrollLeft") == 80
    go_to(chat, "Bruno")
    chosen = tabs.locator("[aria-pressed='true']", has_text="Bruno")
    until(chosen, "(node) => node.getBoundingClientRect().left >= 0")


def test_tab_leads_to_whoever_is_played_wherever_they_were_chosen(chat: Page) -> None:
    go_to(chat, "Bruno")
    expect(chat.locator("#group .people .chip[tabindex='0']")).to_have_text("Bruno")


def test_a_button_is_busy_until_its_last_press_is_answered(chat: Page) -> None:
    count = chat.locator("#group").get_by_role("button", name="Count")
    count.evaluate("(node) => { node.click(); node.click(); }")
    text(chat, "group", "Pressed 2 times").wait_for()
    expect(count).not_to_have_attribute("aria-busy", "true")
    write(chat, "group", "/echo on")
    text(chat, "group", "You said: /echo on").wait_for()
