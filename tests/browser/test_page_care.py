"""What the page takes care of: lines not yet sent, who one was, the way of the keyboard, names in any direction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from infra.local import scene
from infra.local.table import LocalTable
from tests.browser.hands import expect, go_to, press, text, until, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TURNED = "\u202eEve"
EVE = re.compile("^Eve$")
FEW = 8
"""Presses of Tab that are few."""
KEYBOARD = {"inline_keyboard": [[{"text": f"{row}{column}", "callback_data": "x"} for column in "abc"] for row in "12"]}


def focused(page: Page) -> str:
    """What the element with the keyboard focus says."""
    says: str = page.evaluate("document.activeElement.textContent")
    return says


def is_in_messages(page: Page) -> bool:
    is_there: bool = page.evaluate("document.activeElement.closest('.messages') !== null")
    return is_there


def test_a_line_stays_until_the_table_has_it(chat: Page) -> None:
    line = chat.locator("#group .composer input")
    chat.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no connection')); }")
    write(chat, "group", "/echo lost?")
    chat.locator("#group .toast.shown", has_text="does not answer").wait_for()
    expect(line).to_have_value("/echo lost?")


def test_a_line_that_is_refused_stays(chat: Page) -> None:
    long = "x" * 4_097
    write(chat, "group", long)
    chat.locator("#group .toast.shown", has_text="at most 4096 characters").wait_for()
    expect(chat.locator("#group .composer input")).to_have_value(long)
    write(chat, "group", "/echo short")
    text(chat, "group", "You said: /echo short").wait_for()
    expect(chat.locator("#group .composer input")).to_have_value("")


def test_a_page_loaded_again_plays_the_same_person_in_the_same_chat(chat: Page) -> None:
    go_to(chat, "Bruno")
    chat.reload()
    chat.locator("#private").get_by_role("heading", name="Raven & Dog").wait_for()
    chat.locator("#private p", has_text="Bruno").wait_for()
    press_start = chat.locator("#private").get_by_role("button", name="START")
    press_start.click()
    text(chat, "private", "You said: /start").wait_for()
    go_to(chat, scene.TITLE)
    press(chat, "Count")
    chat.locator("#group .toast.shown", has_text="Pressed by Bruno").wait_for()


def test_a_person_of_a_table_that_is_gone_is_not_played(chat: Page, table: LocalTable) -> None:
    go_to(chat, "Bruno")
    scene.new_table(table.world)
    chat.reload()
    chat.locator("#group .people [aria-pressed='true']", has_text="Ada").wait_for(state="attached")


def test_tab_passes_a_long_log_in_one_step(chat: Page, table: LocalTable) -> None:
    group, (ada, _) = scene.current_group(table.world.desk.state), scene.seated(table.world.desk.state)
    table.world.people.start(ada)
    for _ in range(10):
        for where in (group, ada):
            asked = {"chat_id": where, "text": 'until <tg-time unix="1800000000" format="t">then</tg-time>, /echo'}
            table.world.call("sendMessage", {**asked, "parse_mode": "HTML", "reply_markup": KEYBOARD})
    chat.locator("#private .keyboard").nth(9).wait_for(state="attached")
    chat.locator("#private .start[hidden]").wait_for(state="attached")
    if chat.locator("#switch").is_visible():
        go_to(chat, "Ada")
        chat.locator("#private .log").focus()
    else:
        chat.locator("#group .log").focus()
        chat.keyboard.press("Tab")
        assert (focused(chat), is_in_messages(chat)) == ("1a", True)
    for _ in range(FEW):
        chat.keyboard.press("Tab")
        if chat.evaluate("document.activeElement.closest('#private .messages') !== null"):
            break
    expect(chat.locator("#private .keyboard").last.locator(":focus")).to_have_text("1a")
    chat.keyboard.press("Tab")
    assert not is_in_messages(chat)


def test_arrow_keys_lead_to_every_button(chat: Page, table: LocalTable) -> None:
    asked = {"chat_id": scene.current_group(table.world.desk.state), "text": "choose", "reply_markup": KEYBOARD}
    table.world.call("sendMessage", asked)
    text(chat, "group", "choose").wait_for()
    chat.locator("#group .log").focus()
    chat.keyboard.press("Tab")
    path = []
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "Home", "End", "ArrowUp", "ArrowUp", "ArrowUp"):
        chat.keyboard.press(key)
        path.append(focused(chat))
    assert path == ["1b", "2b", "2c", "1c", "/echo", "2c", "1c", "By link", "To my chat"]
    expect(chat.locator("#group .keys")).to_have_css("opacity", "1")


def test_the_focus_stays_in_the_log_when_its_button_goes(chat: Page, table: LocalTable) -> None:
    where = {"chat_id": scene.current_group(table.world.desk.state)}
    sent = table.world.call("sendMessage", {**where, "text": "choose", "reply_markup": KEYBOARD}).result
    text(chat, "group", "choose").get_by_role("button", name="2a").focus()
    table.world.call("editMessageText", {**where, "message_id": sent["message_id"], "text": "chosen"})
    text(chat, "group", "chosen").wait_for()
    expect(chat.locator("#group .log")).to_be_focused()


def test_people_are_chosen_with_the_arrow_keys(chat: Page) -> None:
    chat.locator("#group .people").get_by_role("button", name="Ada").focus()
    chat.keyboard.press("ArrowRight")
    chat.keyboard.press("Enter")
    chosen = chat.locator("#group .people [aria-pressed='true']")
    expect(chosen).to_have_text("Bruno")
    expect(chosen).to_be_focused()
    expect(chosen).to_have_attribute("tabindex", "0")


def test_a_name_turns_nothing_around_it(chat: Page, table: LocalTable) -> None:
    eve = scene.add_person(table.world, TURNED)
    line = chat.locator("#group .service", has_text="Eve")
    line.wait_for()
    expect(line.locator("bdi")).to_have_text("Eve")
    group = scene.current_group(table.world.desk.state)
    table.world.people.say(eve, group, "/hello")
    text(chat, "group", "/hello").locator("bdi", has_text=EVE).wait_for(state="attached")
    go_to(chat, "Eve")
    chat.locator("#private .pane-name p bdi", has_text=EVE).wait_for()
    expect(chat.locator(".chip:visible", has_text="Eve").first.locator("bdi")).to_have_count(1)
    expect(chat.locator("#private .composer input")).to_have_attribute("placeholder", "Write as \u2068Eve\u2069")


def test_a_pin_is_mentioned_in_small_letters(chat: Page) -> None:
    small = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    mentioned = chat.locator("#group .service", has_text="pinned a message").evaluate(small)
    assert mentioned < chat.locator("#group .service", has_text="added").evaluate(small)


def test_the_way_to_add_the_bot_to_a_group_leads_to_the_tables(chat: Page, table: LocalTable) -> None:
    me = table.world.call("getMe", {}).result["username"]
    user = scene.seated(table.world.desk.state)[0]
    table.world.people.start(user)
    add = {"text": "Add me", "url": f"https://t.me/{me}?startgroup=add"}
    table.world.call("sendMessage", {"chat_id": user, "text": "Hi.", "reply_markup": {"inline_keyboard": [[add]]}})
    go_to(chat, "Ada")
    text(chat, "private", "Hi.").get_by_role("button", name="Add me").click()
    chat.locator("#group .toast.shown", has_text="in this group already").wait_for()
    expect(chat.locator("#group")).to_be_visible()


def test_the_newest_pin_is_shown_and_follows_its_message(chat: Page, table: LocalTable) -> None:
    where = {"chat_id": scene.current_group(table.world.desk.state)}
    bar = chat.locator("#group .pinned-text")
    expect(bar).to_contain_text("Hello, garden!")
    board = {**where, "message_id": table.world.call("sendMessage", {**where, "text": "round 1"}).result["message_id"]}
    table.world.call("pinChatMessage", board)
    chat.locator("#group .pinned-text", has_text="round 1").wait_for()
    pins = chat.locator("#group .service", has_text="pinned a message")
    expect(pins).to_have_count(2)
    expect(chat.locator("#group .service:visible", has_text="pinned a message")).to_have_count(1)
    expect(pins.last).to_be_visible()
    table.world.call("editMessageText", {**board, "text": "round 2"})
    chat.locator("#group .pinned-text", has_text="round 2").wait_for()
    chat.reload()
    chat.locator("#group .pinned-text", has_text="round 2").wait_for()


def test_the_hint_goes_when_somebody_has_to_choose(chat: Page, table: LocalTable) -> None:
    hint = chat.locator("#hint")
    expect(hint).to_contain_text("Choose a game")
    expect(hint).to_contain_text("Join as Bruno too")
    ada = scene.seated(table.world.desk.state)[0]
    table.world.people.start(ada)
    text(chat, "private", "You said: /start").wait_for(state="attached")
    expect(hint).to_be_visible()
    asked = table.world.call("sendMessage", {"chat_id": ada, "text": "choose", "reply_markup": KEYBOARD}).result
    hint.wait_for(state="hidden")
    table.world.call("editMessageText", {"chat_id": ada, "message_id": asked["message_id"], "text": "chosen"})
    chat.reload()
    text(chat, "private", "chosen").wait_for(state="attached")
    expect(hint).to_be_hidden()


def test_a_loaded_page_shows_the_end_of_a_long_log(chat: Page, table: LocalTable) -> None:
    group = scene.current_group(table.world.desk.state)
    for number in range(40):
        table.world.call("sendMessage", {"chat_id": group, "text": f"Message {number}"})
    chat.reload()
    text(chat, "group", "Message 39").wait_for()
    until(chat.locator("#group .log"), "(node) => node.scrollHeight - node.scrollTop - node.clientHeight < 2")


@pytest.mark.parametrize("width", [320, 390])
def test_the_bar_fits_a_phone_with_a_twelve_hour_clock(browser: Browser, table: LocalTable, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 700}, locale="en-US")
    page = context.new_page()
    page.goto(table.address)
    page.locator("#now", has_text="M").wait_for()
    time = page.locator("#now")
    assert time.evaluate("(node) => node.getClientRects().length") == 1
    assert time.evaluate("(node) => node.offsetHeight < 2 * parseFloat(getComputedStyle(node).fontSize)")
    assert time.evaluate("(node) => node.offsetLeft >= node.parentElement.offsetLeft")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("Add people", "New table"):
        button = page.get_by_role("button", name=name)
        assert button.get_attribute("title") == name
        assert button.inner_text().strip()
    context.close()
