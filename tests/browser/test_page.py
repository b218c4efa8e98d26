"""The local table's page in a real browser, with a bot of a few lines: at a desktop's and at a phone's width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from infra.local import scene
from tests.browser.hands import add_people, expect, go_to, press, text, until, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from infra.local.table import LocalTable

NASTY = "<script>alert(1)</script>"


def test_a_press_edits_in_place_and_shows_a_toast(chat: Page) -> None:
    press(chat, "Count")
    text(chat, "group", "Pressed 1 times").wait_for()
    chat.locator("#group .toast.shown", has_text="Pressed by Ada").wait_for()
    expect(text(chat, "group", "Pressed 1 times").locator(".stamp")).to_contain_text("edited")
    expect(chat.locator("#group .keyboard")).to_have_count(1)
    expect(chat.locator("#group .pinned-text")).to_have_text("Pressed 1 times")


def test_whoever_is_played_presses(chat: Page) -> None:
    chat.locator("#group .people").get_by_role("button", name="Bruno").click()
    press(chat, "Count")
    toast = chat.locator("#group .toast.shown", has_text="Pressed by Bruno")
    toast.wait_for()
    # At once, and not only when the toast's time is over.
    others = "(node) => { node.click(); return document.querySelector('#group .toast.shown') === null; }"
    assert chat.locator("#group .people").get_by_role("button", name="Ada").evaluate(others)


def test_an_alert_waits_for_its_ok(chat: Page) -> None:
    press(chat, "Warn")
    alert = chat.get_by_role("dialog")
    alert.wait_for()
    expect(alert).to_contain_text("Careful <now>")
    alert.get_by_role("button", name="OK").click()
    alert.wait_for(state="hidden")


@pytest.mark.parametrize(("button", "payload"), [("To my chat", "seat"), ("By link", "by-link")])
def test_a_deep_link_opens_the_private_chat_and_starts_the_bot(chat: Page, button: str, payload: str) -> None:
    press(chat, button)
    text(chat, "private", f"You said: /start {payload}").wait_for()


def test_a_private_chat_begins_with_start_and_each_person_has_their_own(chat: Page) -> None:
    go_to(chat, "Bruno")
    chat.locator("#private").get_by_role("button", name="START").click()
    text(chat, "private", "You said: /start").wait_for()
    write(chat, "private", "only Bruno's")
    text(chat, "private", "You said: only Bruno's").wait_for()
    go_to(chat, "Ada")
    chat.locator("#private").get_by_role("button", name="START").wait_for()
    expect(chat.locator("#private .message")).to_have_count(0)


def test_what_was_missed_is_counted_on_the_tab(chat: Page, table: LocalTable) -> None:
    bruno = scene.seated(table.world.desk.state)[1]
    go_to(chat, "Ada")
    table.world.people.start(bruno)
    chat.locator(".chip", has_text="Bruno").locator(".badge:visible", has_text="1").first.wait_for()
    go_to(chat, "Bruno")
    text(chat, "private", "You said: /start").wait_for()
    expect(chat.locator(".badge:visible")).to_have_count(0)


def test_commands_are_offered_in_a_menu_and_in_the_text(chat: Page) -> None:
    chat.locator("#group").get_by_role("button", name="The bot's commands").click()
    chat.locator("#group .commands").get_by_role("button", name="/echo Say it again").click()
    text(chat, "group", "You said: /echo").wait_for()
    chat.locator("#group .message").first.get_by_role("button", name="/echo").click()
    text(chat, "group", "You said: /echo").nth(1).wait_for()


def test_names_and_texts_are_never_markup(chat: Page) -> None:
    add_people(chat, NASTY)
    chat.locator("#group .service", has_text=f"{NASTY} joined").wait_for()
    expect(chat.locator("#group .people [aria-pressed='true']")).to_have_text(NASTY)
    press(chat, "Count")
    chat.locator("#group .toast.shown", has_text=f"Pressed by {NASTY}").wait_for()
    write(chat, "group", f"/echo {NASTY}")
    text(chat, "group", f"You said: /echo {NASTY}").wait_for()


def test_a_document_can_be_looked_into_and_downloaded(chat: Page) -> None:
    go_to(chat, "Ada")
    chat.locator("#private").get_by_role("button", name="START").click()
    write(chat, "private", "/file")
    chat.locator("#private").get_by_role("button", name="Look inside").click()
    dialog = chat.get_by_role("dialog", name="record.json")
    expect(dialog).to_contain_text('"birds": 10')
    dialog.get_by_role("button", name="Close").click()
    with chat.expect_download() as download:
        chat.locator("#private").get_by_role("link", name="record.json").click()
    assert download.value.suggested_filename == "record.json"


def test_dates_are_in_the_readers_own_clock(chat: Page) -> None:
    date = chat.locator("#group .text time").first
    expect(date).to_have_text(re.compile(r"^Friday,? 15 January 2027.* 08:00$"))
    expect(date).to_have_attribute("title", re.compile(r"08:00:00, .*(in|ago)"))


def test_the_clock_runs_at_the_chosen_speed(chat: Page, table: LocalTable) -> None:
    chat.get_by_role("button", name="60 times").click()
    chat.locator(".speed[data-speed='60'][aria-pressed='true']").wait_for()
    assert chat.evaluate("fetch('/table/state').then((a) => a.json()).then((a) => a.clock.speed)") == 60


def test_a_new_table_asks_first(chat: Page) -> None:
    press(chat, "Count")
    text(chat, "group", "Pressed 1 times").wait_for()
    chat.get_by_role("button", name="New table").click()
    chat.get_by_role("dialog").get_by_role("button", name="Keep this one").click()
    expect(chat.get_by_role("dialog")).to_be_hidden()
    expect(text(chat, "group", "Pressed 1 times")).to_have_count(1)
    chat.get_by_role("button", name="New table").click()
    chat.get_by_role("dialog").get_by_role("button", name="New table").click()
    text(chat, "group", "Hello, garden!").wait_for()
    expect(text(chat, "group", "Pressed 1 times")).to_have_count(0)


def test_everything_can_be_done_with_the_keyboard(chat: Page) -> None:
    button = chat.locator("#group").get_by_role("button", name="Count")
    button.focus()
    chat.keyboard.press("Enter")
    text(chat, "group", "Pressed 1 times").wait_for()
    expect(button).to_be_focused()
    chat.keyboard.press("Enter")
    text(chat, "group", "Pressed 2 times").wait_for()
    chat.locator("#group .composer input").focus()
    chat.keyboard.type("/echo by hand")
    chat.keyboard.press("Enter")
    text(chat, "group", "You said: /echo by hand").wait_for()


def test_the_page_stays_at_the_newest_unless_the_reader_scrolled_up(chat: Page, table: LocalTable) -> None:
    log = chat.locator("#group .log")
    group = scene.current_group(table.world.desk.state)
    for number in range(40):
        table.world.call("sendMessage", {"chat_id": group, "text": f"Message {number}"})
    text(chat, "group", "Message 39").wait_for()
    until(log, "(node) => node.scrollHeight - node.scrollTop - node.clientHeight < 2")
    log.evaluate("(node) => { node.scrollTop = 0; node.dispatchEvent(new Event('scroll')); }")
    table.world.call("sendMessage", {"chat_id": group, "text": "Unseen"})
    newest = chat.get_by_role("button", name="1 new message")
    newest.wait_for()
    assert log.evaluate("(node) => node.scrollTop") == 0
    newest.click()
    newest.wait_for(state="hidden")


def test_the_page_is_no_wider_than_its_window(chat: Page, table: LocalTable) -> None:
    group = scene.current_group(table.world.desk.state)
    row = [{"text": "A rather long label", "callback_data": "x"}] * 4
    keyboard = {"inline_keyboard": [row]}
    table.world.call("sendMessage", {"chat_id": group, "text": "x" * 300, "reply_markup": keyboard})
    text(chat, "group", "xxx").wait_for()
    assert chat.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert chat.locator("#group .log").evaluate("(node) => node.scrollWidth <= node.clientWidth")


def test_a_page_loaded_again_shows_the_same(chat: Page) -> None:
    press(chat, "Count")
    text(chat, "group", "Pressed 1 times").wait_for()
    before = chat.locator("#group .messages").inner_text()
    chat.reload()
    text(chat, "group", "Pressed 1 times").wait_for()
    expect(chat.locator("#group .messages")).to_have_text(before, use_inner_text=True)
