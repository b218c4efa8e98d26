"""Telegram's HTML: the text and its entities, with offsets in UTF-16 units, refused where Telegram refuses.

Source: the Bot API's "HTML style" and "date-time entity formatting".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from infra.local.botapi.errors import Malformed

Entity = dict[str, Any]

_PLAIN_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "code": "code",
    "pre": "pre",
    "tg-spoiler": "spoiler",
}
_TAG = re.compile(r"""<(/?)([a-zA-Z0-9-]+)((?:\s+[a-zA-Z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*>""")
_ATTRIBUTE = re.compile(r"""([a-zA-Z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")
_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));?")
_DATE_FORMAT = re.compile(r"r|w?[dD]?[tT]?")
_COMMAND = re.compile(r"(?<![\w/@.<>])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?\b(?![/<>])")
_LINK = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)]")
_NAMES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}


@dataclass
class _Open:
    tag: str
    entity: Entity | None
    at: int


def units(text: str) -> int:
    """The length in UTF-16 units, in which Telegram counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def parse_html(source: str) -> tuple[str, list[Entity]]:
    """The text and entities of a text in Telegram's HTML, trimmed as Telegram trims.

    Raises Malformed ("can't parse entities: …") for unknown, unmatched and unclosed tags and bad attributes.
    """
    out: list[str] = []
    length = 0
    entities: list[Entity] = []
    open_tags: list[_Open] = []
    position = 0
    while position < len(source):
        if source[position] != "<":
            end = source.find("<", position)
            piece = _unescaped(source[position : len(source) if end < 0 else end])
            out.append(piece)
            length += units(piece)
            position = len(source) if end < 0 else end
            continue
        place = f"at byte offset {len(source[:position].encode('utf-8', 'replace'))}"
        tag = _TAG.match(source, position)
        if tag is None:
            raise _cannot_parse(f"Unclosed or empty tag {place}")
        name = tag[2].lower()
        if tag[1]:
            if not open_tags or open_tags[-1].tag != name:
                raise _cannot_parse(f'Unmatched end tag "{name}" {place}')
            closed = open_tags.pop()
            if closed.entity is not None and length > closed.at:
                entities.append({**closed.entity, "offset": closed.at, "length": length - closed.at})
        else:
            open_tags.append(_Open(name, _started(name, _attributes(tag[3]), open_tags, place), length))
        position = tag.end()
    if open_tags:
        raise _cannot_parse(f'Can\'t find end tag corresponding to start tag "{open_tags[-1].tag}"')
    return _trimmed("".join(out), entities)


def found_in(text: str, entities: list[Entity]) -> list[Entity]:
    """The entities, with the commands and links that Telegram finds in the text by itself."""
    verbatim = [(e["offset"], e["offset"] + e["length"]) for e in entities if e["type"] in ("code", "pre", "text_link")]
    found: list[Entity] = []
    for kind, pattern in (("bot_command", _COMMAND), ("url", _LINK)):
        for match in pattern.finditer(text):
            offset, length = units(text[: match.start()]), units(match[0])
            inside = verbatim + [(e["offset"], e["offset"] + e["length"]) for e in found]
            if not any(offset < end and start < offset + length for start, end in inside):
                found.append({"type": kind, "offset": offset, "length": length})
    return sorted([*entities, *found], key=_order)


def _started(name: str, given: dict[str, str], around: list[_Open], place: str) -> Entity | None:
    """The entity that a start tag opens; None for one that only says something about the tag around it."""
    if name == "code" and around and around[-1].tag == "pre" and given.get("class", "").startswith("language-"):
        assert around[-1].entity is not None
        around[-1].entity["language"] = given["class"].removeprefix("language-")
        return None
    if name in _PLAIN_TAGS:
        return {"type": _PLAIN_TAGS[name]}
    if name == "span" and given.get("class") == "tg-spoiler":
        return {"type": "spoiler"}
    if name == "blockquote":
        return {"type": "expandable_blockquote" if "expandable" in given else "blockquote"}
    if name == "a":
        return {"type": "text_link", "url": given["href"]} if given.get("href") else None
    if name == "tg-time":
        unix, style = given.get("unix", ""), given.get("format", "")
        if not (unix.isascii() and unix.isdigit()) or not _DATE_FORMAT.fullmatch(style):
            raise _cannot_parse(f"Invalid date-time entity {place}")
        return {"type": "date_time", "unix_time": int(unix), "date_time_format": style}
    raise _cannot_parse(f'Unsupported start tag "{name}" {place}')


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.finditer(text)
    return {match[1].lower(): _unescaped(match[2] or match[3] or match[4] or "") for match in found}


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return _NAMES[match[1]]
        code = int(match[2]) if match[2] else int(match[3], 16)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else match[0]

    return _REFERENCE.sub(character, text)


def _trimmed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    kept = text.strip()
    start = units(text[: len(text) - len(text.lstrip())])
    end = start + units(kept)
    inside = []
    for entity in entities:
        first, last = max(entity["offset"], start), min(entity["offset"] + entity["length"], end)
        if last > first:
            inside.append({**entity, "offset": first - start, "length": last - first})
    return kept, sorted(inside, key=_order)


def _order(entity: Entity) -> tuple[int, int]:
    return entity["offset"], -entity["length"]


def _cannot_parse(why: str) -> Malformed:
    return Malformed(f"can't parse entities: {why}")
