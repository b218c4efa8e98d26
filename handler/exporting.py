"""The record file of a match that is over (``docs/records.md``)."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.documents import commitments, export
from handler.lobby import displayed
from handler.match import Match
from handler.message import Message
from handler.silence import silences
from handler.views import after, talk
from handler.words import plain


def record_file(match: Match) -> tuple[str, bytes, Message]:
    """The file's name, its bytes and what is said with it. Everything in it is public once the match is over."""
    assert match.record is not None
    names = tuple(displayed(who) or plain("screens.nameless") for who in match.seats if who is not None)
    document = export(match.record, names, silences(match), cancelled=match.stage == "cancelled")
    content = json.dumps(document, ensure_ascii=False, indent=1).encode()
    caption = replace(talk.record_caption(commitments(document)), keyboard=after.rematch(match.id))
    return f"{match.game}-{match.id}.json", content, caption
