"""Telegram's HTML and the limits on what a bot sends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from infra.local.botapi import checks
from infra.local.botapi.entities import found_in, parse_html, units
from infra.local.botapi.errors import Malformed


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("plain &amp; &lt;simple&gt; &#9731; &#x2603; &quot;&nbsp;", 'plain & <simple> ☃ ☃ "&nbsp;', []),
        ("<b>a</b>", "a", [{"type": "bold", "offset": 0, "length": 1}]),
        ("🐦‍⬛<i>a</i>", "🐦‍⬛a", [{"type": "italic", "offset": 4, "length": 1}]),
        (
            "<b>a<i>b</i></b>",
            "ab",
            [{"type": "bold", "offset": 0, "length": 2}, {"type": "italic", "offset": 1, "length": 1}],
        ),
        ("<u></u>a", "a", []),
        ("  <s> a </s> ", "a", [{"type": "strikethrough", "offset": 0, "length": 1}]),
        ("<a href='https://x.y/?a=1&amp;b'>x</a>", "x", [{"type": "text_link", "url": "https://x.y/?a=1&b"}]),
        ('<pre><code class="language-json">{}</code></pre>', "{}", [{"type": "pre", "language": "json"}]),
        ("<blockquote expandable>a</blockquote>", "a", [{"type": "expandable_blockquote"}]),
        ("<tg-spoiler>a</tg-spoiler>", "a", [{"type": "spoiler"}]),
        ('<span class="tg-spoiler">a</span>', "a", [{"type": "spoiler"}]),
        (
            '<tg-time unix="1647531900" format="wDT">soon</tg-time>',
            "soon",
            [{"type": "date_time", "unix_time": 1647531900, "date_time_format": "wDT"}],
        ),
        ('<tg-time unix="5">soon</tg-time>', "soon", [{"type": "date_time", "date_time_format": ""}]),
    ],
)
def test_html_becomes_text_and_entities(source: str, text: str, entities: list[dict[str, Any]]) -> None:
    found_text, found = parse_html(source)
    assert found_text == text
    assert len(found) == len(entities)
    for entity, wanted in zip(found, entities, strict=True):
        assert wanted.items() <= entity.items()


@pytest.mark.parametrize(
    "source",
    [
        "<b>open",
        "<b><i>crossed</b></i>",
        "a </b>",
        "a < b",
        "<>",
        "<script>",
        "<p>a</p>",
        "<br>",
        "<span>a</span>",
        "<tg-time>a</tg-time>",
        '<tg-time unix="soon">a</tg-time>',
        '<tg-time unix="1" format="rt">a</tg-time>',
        '<tg-time unix="1" format="tw">a</tg-time>',
        "<b",
    ],
)
def test_html_is_refused(source: str) -> None:
    with pytest.raises(Malformed, match="can't parse entities"):
        parse_html(source)


def test_an_unsupported_tag_is_named_with_its_byte_offset() -> None:
    with pytest.raises(Malformed, match='Unsupported start tag "test" at byte offset 13'):
        parse_html("Ünterwegs: 1<test>")


@given(st.text())
def test_an_escaped_text_comes_back(text: str) -> None:
    assert parse_html(str(escape(text)))[0] == text.strip()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_units_are_those_of_utf_16(text: str) -> None:
    assert units(text) == len(text.encode("utf-16-le")) // 2


def test_commands_and_links_are_found_outside_code() -> None:
    text = "see /rules@raven_and_dog_bot, https://x.y/z. not a/b </b> /c"
    found = found_in(text, [{"type": "code", "offset": len(text) - 2, "length": 2}])
    shown = [(entity["type"], text[entity["offset"] :][: entity["length"]]) for entity in found]
    assert shown == [("bot_command", "/rules@raven_and_dog_bot"), ("url", "https://x.y/z"), ("code", "/c")]


def keyboard(*rows: list[dict[str, str]]) -> dict[str, Any]:
    return {"inline_keyboard": list(rows)}


def test_the_longest_things_are_let_through() -> None:
    assert checks.text("<b>" + "🐦" * 2048 + "</b>", "HTML")[0] == "🐦" * 2048
    assert checks.caption("x" * 1024, None)[0] == "x" * 1024
    checks.answer("x" * 200, "https://t.me/some_bot?start=" + "x" * 64, "some_bot")
    row = [{"text": "x", "callback_data": "x"}] * 8
    assert checks.keyboard(keyboard(*[row] * 12, [{"text": "x", "callback_data": "ä" * 32}] * 4), "some_bot")


@pytest.mark.parametrize(
    ("button", "why"),
    [
        ({"text": "x", "callback_data": "x" * 65}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "callback_data": "ä" * 33}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "callback_data": ""}, "Text buttons are not allowed"),
        ({"text": "x"}, "Text buttons are not allowed"),
        ({"text": " ", "callback_data": "x"}, "must be non-empty"),
        ({"text": "x", "callback_data": "x", "url": "https://x.y"}, "exactly one action"),
        ({"text": "x", "url": "nowhere"}, "URL is invalid"),
        ({"text": "x", "url": "https://t.me/some_bot?start=a b"}, "start link"),
        ({"text": "x", "url": "https://t.me/some_bot?start=" + "x" * 65}, "start link"),
        ({"text": "x", "web_app": "x"}, "unexpected web_app"),
    ],
)
def test_a_button_is_refused(button: dict[str, str], why: str) -> None:
    with pytest.raises(Malformed, match=why):
        checks.keyboard(keyboard([button]), "some_bot")


def test_keyboards_too_large_are_refused() -> None:
    button = {"text": "x", "callback_data": "x"}
    wordy = {"text": "x" * 2000, "callback_data": "x"}
    for markup, why in [
        (keyboard([button] * 9), "in a row"),
        (keyboard(*[[button] * 8] * 13), "more than 100"),
        (keyboard([]), "non-empty array"),
        (keyboard([wordy] * 8), "too long"),
        ({"keyboard": []}, "object expected"),
    ]:
        with pytest.raises(Malformed, match=why):
            checks.keyboard(markup, "some_bot")


@pytest.mark.parametrize(
    ("source", "mode", "why"),
    [
        ("<b> </b>", "HTML", "message text is empty"),
        ("x" * 4097, None, "message is too long"),
        ("🐦" * 2049, "HTML", "message is too long"),
        ("x", "Markdown", "unsupported parse_mode"),
        ("\ud800", None, "UTF-8"),
    ],
)
def test_a_text_is_refused(source: str, mode: str | None, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        checks.text(source, mode)


def test_answers_and_captions_too_long_are_refused() -> None:
    with pytest.raises(Malformed, match="MESSAGE_TOO_LONG"):
        checks.answer("x" * 201, None, "some_bot")
    with pytest.raises(Malformed, match="URL_INVALID"):
        checks.answer("", "https://example.org", "some_bot")
    with pytest.raises(Malformed, match="caption is too long"):
        checks.caption("x" * 1025, None)
