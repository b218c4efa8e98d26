"""Pictures on the local table's page: as wide as there is room, in words too, and another in the same place."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from infra.local import scene
from infra.local.botapi.methods import Upload
from tests.browser.hands import text

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from infra.local.table import LocalTable

CAPTION = "The ring: seat 3 is the Raven."
LOADED = "async (node) => { await node.decode(); return node.naturalWidth; }"


def picture(shade: int, wide: int = 900, high: int = 900) -> Upload:
    """A field of one grey."""
    lines = (b"\0" + bytes([shade]) * wide) * high
    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in parts)
    return Upload("picture.png", b"\x89PNG\r\n\x1a\n" + b"".join(chunks), "image/png")


def test_a_tall_picture_is_on_a_phones_screen_whole(chat: Page, table: LocalTable) -> None:
    if not chat.locator("#switch").is_visible():
        return
    group = scene.current_group(table.world.desk.state)
    tall = picture(40, 300, 1400)
    table.world.call("sendPhoto", {"chat_id": group, "photo": tall, "caption": CAPTION})
    text(chat, "group", CAPTION).get_by_role("img", name=CAPTION).click()
    large = chat.get_by_role("dialog", name="Picture").get_by_role("img", name=CAPTION)
    large.wait_for()
    sides = "(node) => { const at = node.getBoundingClientRect(); return [at.left, at.top, at.width, at.height]; }"
    left, top, wide, high = large.evaluate(sides)
    assert (left, top) == (0, 0)
    assert (wide, high) == tuple(chat.evaluate("[innerWidth, innerHeight]"))
    assert large.evaluate("(node) => getComputedStyle(node).objectFit") == "contain"


def test_a_picture_is_shown_enlarged_and_changed_in_place(chat: Page, table: LocalTable) -> None:
    group = scene.current_group(table.world.desk.state)
    sent = table.world.call("sendPhoto", {"chat_id": group, "photo": picture(40), "caption": CAPTION}).result
    message = text(chat, "group", CAPTION)
    shown = message.get_by_role("img", name=CAPTION)
    shown.wait_for()
    assert shown.evaluate(LOADED) == 900
    width, room = shown.evaluate("(node) => [node.offsetWidth, node.closest('.messages').clientWidth]")
    assert min(0.9 * room, 420) <= width <= room
    assert chat.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown.click()
    large = chat.get_by_role("dialog", name="Picture").get_by_role("img", name=CAPTION)
    large.wait_for()
    assert large.evaluate("(node) => node.offsetWidth") > width
    large.click()
    large.wait_for(state="hidden")
    shown.click()
    cross = chat.get_by_text("✕")
    cross.wait_for()
    assert large.evaluate("(node) => node.getBoundingClientRect().right <= innerWidth")
    cross.click()
    large.wait_for(state="hidden")
    shown.click()
    large.wait_for()
    chat.keyboard.press("Escape")
    large.wait_for(state="hidden")
    place, before = message.get_attribute("data-id"), shown.get_attribute("src")
    media = {"type": "photo", "media": picture(80), "caption": "The ring, a reveal later."}
    table.world.call("editMessageMedia", {"chat_id": group, "message_id": sent["message_id"], "media": media})
    changed = text(chat, "group", "a reveal later")
    changed.get_by_role("img", name="The ring, a reveal later.").wait_for()
    assert changed.get_attribute("data-id") == place
    assert changed.get_by_role("img").evaluate(LOADED) == 900
    assert changed.get_by_role("img").get_attribute("src") != before
    assert chat.locator("#group .photo").count() == 1
