"""What a hostile hand puts where an id, a text or a whole body is expected."""

from __future__ import annotations

import gzip
import json
from typing import Any, Final

from handler.webhook import LARGEST

MARK: Final = "qzx-mark"
"""Stands in hostile requests wherever it can: no answer and no log line may quote it."""

IDS: Final[tuple[Any, ...]] = (
    0,
    -1,
    2**31,
    2**53 + 1,
    2**63 - 1,
    2**63,
    -(2**63),
    -(2**63) - 1,
    2**64,
    int("9" * 200),
    -int("9" * 200),
    1.0,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    True,
    False,
    None,
    "1000001",
    "",
    "\ud800",
    [],
    [1],
    {},
    {"id": 1},
)
"""In the place of an id. All but the first few are none."""

TEXTS: Final[tuple[str, ...]] = (
    "",
    " ",
    "\x00",
    "\ud800",
    "a\udfffb",
    "\udfff\ud800",
    "\u202e\u2066<b>&amp;",
    "/",
    "/start",
    "/cancel@raven_and_dog_bot",
    "/start panel-\ud800",
    "/start join-" + "x" * 64,
    "/rules gravity.\ud800",
    "-:new:gravity",
    "-:rules:gravity.",
    "aaaaaaaa:0:s?h",
    "aaaaaaaa:99999:f",
    ":::",
    "x" * 5_000,
    "\U0001f9ff" * 1_024,
)

NODES: Final[tuple[Any, ...]] = (*IDS, *TEXTS, [[]], [{}], [None], {"": ""}, [[[{"text": "x"}]]], {"update_id": 1})
"""In the place of anything."""


def nested(depth: int) -> Any:
    """Empty lists in each other, so deep."""
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


def sized(size: int) -> bytes:
    """An update that means nothing, of so many bytes."""
    return json.dumps({"update_id": 1}).encode().ljust(size)


UPDATE: Final = json.dumps({"update_id": 1, "future": MARK}).encode()

BROKEN: Final[dict[str, bytes]] = {
    "nothing": b"",
    "blanks": b" " * LARGEST,
    "a word": MARK.encode(),
    "a form": f"update_id=1&text={MARK}".encode(),
    "single quotes": f"{{'update_id': 1, 'x': '{MARK}'}}".encode(),
    "cut off": UPDATE[:-1],
    "trailing garbage": UPDATE + MARK.encode(),
    "two updates": UPDATE + UPDATE,
    "a raw newline in a text": f'{{"update_id": 1, "x": "{MARK}\n"}}'.encode(),
    "a wrong escape": f'{{"update_id": 1, "x": "\\{MARK}"}}'.encode(),
    "not UTF-8": f'{{"update_id": 1, "x": "{MARK}'.encode() + b'\xff"}',
    "UTF-16, an odd number of bytes": UPDATE.decode().encode("utf-16") + b"x",
    "UTF-32 of no character": b"\xff\xfe\x00\x00" + b"\xff" * 8,
    "zeros": b"\x00" * 1_000,
    "gzip": gzip.compress(UPDATE),
    "a hundred thousand brackets": b"[" * 100_000,
    "a hundred thousand brackets that close": b"[" * 100_000 + b"]" * 100_000,
    "a hundred thousand braces": b'{"update_id":' * 80_000,
    "brackets to the limit": b"[" * LARGEST,
    "brackets in UTF-16 to the limit": ("\ufeff" + "[" * (LARGEST // 2 - 1)).encode("utf-16-le"),
    "empty lists to the limit": b"[" + b"[]," * ((LARGEST - 1) // 3),
    "small objects to the limit": b"[" + b'{"":[]},' * ((LARGEST - 1) // 8),
    "an integer of 5,000 digits": b'{"update_id": ' + b"9" * 5_000 + b"}",
    "an integer to the limit": b"9" * LARGEST,
    "many integers of 4,300 digits": b"[" + (b"9" * 4_300 + b",") * 243,
    "escapes to the limit": b'"' + b"\\ud800" * (LARGEST // 6 - 1),
    "one key again and again": b"{" + b'"update_id":1,' * ((LARGEST - 1) // 14),
}
"""Bodies that are no JSON, or none that Python reads, by what is wrong with them."""

READABLE: Final[dict[str, bytes]] = {
    "a mebibyte": sized(LARGEST),
    "a byte order mark": b"\xef\xbb\xbf" + UPDATE,
    "UTF-16": UPDATE.decode().encode("utf-16"),
    "UTF-32": UPDATE.decode().encode("utf-32"),
    "keys twice": b'{"update_id": 2, "update_id": 1, "message": {}, "message": null}',
    "not a number": b'{"update_id": NaN}',
    "infinity": b'{"update_id": 1, "message": -Infinity}',
    "more than a float holds": b'{"update_id": 1e999, "message": {"message_id": -1e999}}',
    "surrogates, escaped": b'{"update_id": 1, "message": "\\ud800", "\\udfff": "\\ud800"}',
    "surrogates, raw": b'{"update_id": 1, "message": "\xed\xa0\x80"}',
    "an id of 200 digits": b'{"update_id": ' + b"9" * 200 + b"}",
    "an id of 4,300 digits": b'{"update_id": -' + b"9" * 4_300 + b"}",
    "a list": b"[" + UPDATE + b"]",
    "null": b"null",
    "a kind of next year": b'{"update_id": 1, "a_kind_of_next_year": {"text": "/gravity"}}',
    "deep nesting": json.dumps({"update_id": 1, "message": nested(900)}).encode(),
    "a float of a mebibyte": b"0." + b"1" * (LARGEST - 2),
    "lists to the limit": json.dumps({"update_id": 1, "x": [[]] * 250_000}, separators=(",", ":")).encode(),
}
"""Bodies that are read, but mean nothing: they are acknowledged, or Telegram would bring them for a day."""
