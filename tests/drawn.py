"""Pictures for tests that only ask when and to whom they come: as quick as text, and a leak check can read them."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Final

from handler.picture import Drawing
from infra.local.botapi.methods import Upload

SIDE: Final = 1080
"""Pixels, as the stand-in for the Bot API reads them out of the header."""


def sketch(drawing: Drawing) -> bytes:
    """A :class:`handler.ports.Draw`: the head of a PNG, and in a comment what it would show, word for word."""
    size = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    shown = repr(drawing).encode("utf-8", "surrogatepass")
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size) + _chunk(b"tEXt", b"Comment\0" + shown)


def legible(params: dict[str, Any]) -> dict[str, Any]:
    """A call's parameters with each picture as the words in it, and each other file as its name."""
    return {name: _words(value) for name, value in params.items()}


def _words(value: Any) -> Any:
    if isinstance(value, dict):
        return legible(value)
    if not isinstance(value, Upload):
        return value
    return value.content.decode("utf-8", "replace") if value.mime == "image/png" else value.name


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
