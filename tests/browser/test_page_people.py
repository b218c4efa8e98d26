"""Many people at one table: how they come, and how whoever plays them all finds their way between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.local import scene
from tests.browser.hands import add_people, expect, go_to, press, text, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from infra.local.table import LocalTable

KEYBOARD = {"inline_keyboard": [[{"text": "Choose", "callback_data": "x"}]]}


def tabs(page: Page) -> Locator:
    """The tabs of the private chats that this width shows."""
    return page.locator("#switch:visible .chip, #private .people:visible .chip")


def boxes(page: Page, count: int) -> list[object]:
    """Where the tabs stand, all at one moment, once as many as expected have a size."""
    expect(tabs(page)).to_have_count(count)
    expect(tabs(page).last).to_be_visible()
    found: list[object] = tabs(page).evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())"
    )
    return found


def badge(page: Page, name: str, count: int) -> Locator:
    """On somebody's tab, that so much is new."""
    return tabs(page).filter(has_text=name).locator(".badge", has_text=str(count))


def speaker(page: Page) -> Locator:
    """Who speaks and presses in the group."""
    return page.locator("#group .people [aria-pressed='true']")


def test_a_whole_table_of_people_comes_with_one_press(chat: Page, table: LocalTable) -> None:
    add_people(chat)
    for name in scene.NEWCOMERS:
        chat.locator("#group .people").get_by_role("button", name=name).wait_for()
    state = table.world.desk.state
    assert [state.users[user].first_name for user in scene.seated(state)] == [*scene.FIRST_PEOPLE, *scene.NEWCOMERS]
    expect(chat.get_by_role("dialog")).to_be_hidden()
    expect(speaker(chat), "whoever spoke still does").to_have_text(scene.FIRST_PEOPLE[0])
    chat.get_by_role("button", name="Add people").click()
    expect(chat.get_by_label("Names")).to_have_value("")


def test_one_person_who_comes_alone_is_played_at_once(chat: Page) -> None:
    add_people(chat, "Nora")
    speaker(chat).filter(has_text="Nora").wait_for()


def test_whoever_finds_no_room_is_told_so_where_they_are_named(chat: Page, table: LocalTable) -> None:
    add_people(chat, *(f"Guest {number}" for number in range(scene.SEATS)))
    chat.get_by_role("alert").filter(has_text=f"room for {scene.SEATS} people").wait_for()
    assert len(scene.seated(table.world.desk.state)) == scene.SEATS
    expect(chat.get_by_label("Names")).to_have_value("Guest 10, Guest 11")


def test_a_name_that_cannot_be_stays_to_be_mended(chat: Page) -> None:
    add_people(chat, "Nora", "x" * 65, "Otto")
    chat.get_by_role("alert").filter(has_text="1 to 64 characters").wait_for()
    line = chat.get_by_label("Names")
    expect(line).to_have_value("x" * 65 + ", Otto")
    line.fill("Xenia, Otto")
    line.press("Enter")
    line.wait_for(state="hidden")
    chat.locator("#group .people").get_by_role("button", name="Otto").wait_for()
    chat.get_by_role("button", name="Add people").click()
    expect(line).to_be_visible()
    expect(chat.get_by_role("alert")).to_be_hidden()
    chat.get_by_role("button", name="Cancel").click()
    line.wait_for(state="hidden")


def test_people_of_one_name_are_told_apart(chat: Page) -> None:
    add_people(chat, "ADA", "Ad\u200ba", "\u200b\u2060")
    expect(chat.locator("#group .people .chip")).to_have_count(5)
    names = chat.locator("#group .people .chip").all_inner_texts()
    assert names == ["Ada", "Bruno", "ADA (2)", "Ad\u200ba (3)", "no name (1)"]
    go_to(chat, "ADA (2)")
    expect(chat.locator("#private .composer input")).to_have_attribute("placeholder", "Write as \u2068ADA\u2069 (2)")
    chat.locator("#private .pane-name p", has_text="ADA (2) has not started").wait_for()


def test_everybody_can_be_reached_with_one_press_and_shows_what_is_new(chat: Page, table: LocalTable) -> None:
    add_people(chat)
    chat.locator("#group .people").get_by_role("button", name=scene.NEWCOMERS[-1]).wait_for()
    people = scene.seated(table.world.desk.state)
    for user in people:
        table.world.people.start(user)
    others = (*scene.FIRST_PEOPLE[1:], *scene.NEWCOMERS)
    go_to(chat, scene.FIRST_PEOPLE[0])
    text(chat, "private", "You said: /start").wait_for()
    for name in others:
        badge(chat, name, 1).wait_for()
    count = len(people) + chat.locator("#switch").is_visible()
    before = boxes(chat, count)
    for user in people:
        table.world.call("sendMessage", {"chat_id": user, "text": "Your turn", "reply_markup": KEYBOARD})
    for name in others:
        badge(chat, name, 2).wait_for()
        tabs(chat).filter(has_text=name).scroll_into_view_if_needed()
        middle = "(node) => { const at = node.getBoundingClientRect(); return node.contains(document.elementFromPoint("
        middle += "(at.left + at.right) / 2, (at.top + at.bottom) / 2)); }"
        assert tabs(chat).filter(has_text=name).evaluate(middle), f"{name} is hidden"
    tabs(chat).first.scroll_into_view_if_needed()
    assert boxes(chat, count) == before
    for name in others:
        go_to(chat, name)
        text(chat, "private", "Your turn").wait_for()
    expect(chat.locator(".badge:visible")).to_have_count(0)


def test_many_long_names_take_a_line_of_a_phone_each(chat: Page, table: LocalTable) -> None:
    names = [f"Somebody of a rather long name {number}" for number in range(6)]
    add_people(chat, *names)
    last = chat.locator("#group .people").get_by_role("button", name=names[-1])
    last.wait_for()
    switch = chat.locator("#switch")
    if not switch.is_visible():
        return
    for row in (switch, chat.locator("#group .people")):
        until(row, "(node) => node.offsetHeight < 60 && node.scrollWidth > node.clientWidth")
    last.click()
    go_to(chat, names[0])
    chosen = switch.locator(".chip[aria-pressed='true']", has_text=names[0])
    inside = "(node) => { const at = node.getBoundingClientRect(); return at.left >= 0 && at.right <= innerWidth; }"
    until(chosen, inside)
    hidden = scene.seated(table.world.desk.state)[-1]
    until(switch, "(node) => node.scrollLeft + node.clientWidth < node.scrollWidth")
    table.world.people.start(hidden)
    chat.locator("#switch.news-after").wait_for()


def test_a_toast_stays_with_whoever_pressed(chat: Page) -> None:
    chat.evaluate(
        """() => {
            const toast = document.querySelector("#group .toast");
            window.said = [];
            new MutationObserver(() => window.said.push(toast.textContent)).observe(toast, { childList: true });
            const button = (where, label) =>
                [...document.querySelectorAll(`#group ${where} button`)].find((key) => key.textContent === label);
            button(".keyboard", "Count").click();
            button(".people", "Bruno").click();
        }"""
    )
    text(chat, "group", "Pressed 1 times").wait_for()
    press(chat, "Count")
    chat.locator("#group .toast.shown", has_text="Pressed by Bruno").wait_for()
    assert chat.evaluate("window.said") == ["Pressed by Bruno"]
