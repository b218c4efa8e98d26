"""What an address is told of a match, in order: the rules' facts and the house's notices, with their cursors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from markupsafe import Markup

from engine import chance
from engine.game import Player
from handler.match import WELCOME, Match, Notice
from handler.phases import REMINDER, TURN_REMINDER
from handler.screening import frame_of
from handler.screens import Cursor
from handler.silence import was_silent
from handler.views import VIEWS, talk

CHUNK: Final = 3500
"""Announcements due together are one message, up to this many characters of HTML (Telegram's limit is 4096)."""


@dataclass(frozen=True)
class Event:
    """Something told; ``text`` is None where there is nothing to say of it. ``cursor`` stands behind it. ``opens``: a
    message of its own begins with it.
    """

    cursor: Cursor
    text: Markup | None
    opens: bool


@dataclass(frozen=True)
class Chunk:
    """Events told with one message; ``text`` is None if none of them says anything. ``cursor`` stands behind them."""

    cursor: Cursor
    text: Markup | None


def events(match: Match, to: Player | None, at: Cursor) -> Iterator[Event]:
    """What an address (None: the group) has not been told yet.

    A step's events are what the rules told when it closed and then the notices since, so the list of the latest step
    only ever grows at its end, and a cursor into it stays right.
    """
    for step in range(at.step, last(match).step + 1):
        told = at.told if step == at.step else 0
        opening = _opening(match, to, step)
        for index, word in enumerate(_texts(match, to, step)):
            if index >= told:
                text = word()
                begins = text is not None and index in opening
                yield Event(Cursor(step, index + 1), text, opens=begins or (index == 0 and _table_changes(match, step)))


def order(match: Match, to: Player | None, cursor: Cursor) -> tuple[int, int]:
    """Where an event stands, by its address and cursor, among all that a match tells to anybody."""
    step, index = cursor.step, cursor.told - 1
    tells = () if match.record is None else match.history[step].tells
    places = [place for place, tell in enumerate(tells) if tell.to == to]
    if match.record is not None and step == 0 and to is None:
        places.insert(0, -1)  # that the match begins
    notices = enumerate(match.notices, len(tells))
    places.extend(place for place, notice in notices if notice.step == step and notice.to == to)
    return step, places[index]


def last(match: Match) -> Cursor:
    """The start of the latest step: whoever has been told everything stands here or further."""
    return Cursor(match.number, 0)


def chunks(told: Iterable[Event]) -> Iterator[Chunk]:
    """Events put together into as few messages as may be."""
    texts: list[Markup] = []
    cursor: Cursor | None = None
    for event in told:
        full = event.text is not None and sum(map(len, texts)) + len(event.text) > CHUNK
        if texts and cursor and (full or event.opens):
            yield Chunk(cursor, Markup("\n\n").join(texts))
            texts = []
        if event.text:
            texts.append(event.text)
        cursor = event.cursor
    if cursor:
        yield Chunk(cursor, Markup("\n\n").join(texts) if texts else None)


def _texts(match: Match, to: Player | None, step: int) -> Iterator[Callable[[], Markup | None]]:
    """What words each text of a step: most have been told, and are counted only."""
    if match.record is not None:
        if step == 0 and to is None:
            yield partial(_begun, match.record.setup.seed)
        for tell in match.history[step].tells:
            if tell.to == to:
                yield partial(_told, match, to, step, tell.fact)
    for notice in match.notices:
        if notice.step == step and notice.to == to:
            yield partial(_noticed, match, notice)


def _opening(match: Match, to: Player | None, step: int) -> frozenset[int]:
    """Which of a step's texts begin a message of their own, if they say anything: the rules' facts come first."""
    if match.record is None or to is not None:
        return frozenset()
    public = (tell.fact for tell in match.history[step].tells if tell.to is None)
    opens = VIEWS[match.game].opens
    return frozenset(index for index, fact in enumerate(public, 1 if step == 0 else 0) if opens(fact))


def _begun(seed: str) -> Markup:
    return talk.begun(chance.commitment(bytes.fromhex(seed)))


def _told(match: Match, to: Player | None, step: int, fact: Any) -> Markup | None:
    views, about = VIEWS[match.game], frame_of(match, step)
    if to is None:
        return views.announce(about, fact)
    return views.whisper(replace(about, silent=step > 0 and was_silent(match, to, step - 1)), fact)


def _noticed(match: Match, notice: Notice) -> Markup | None:
    return None if _stale(match, notice) else talk.notice(notice.key, dict(notice.args))


def _table_changes(match: Match, step: int) -> bool:
    """Whether others play on after this step than before: what follows is a story of its own."""
    history, playing = match.history, match.engine.playing
    return step > 0 and playing(history[step].state) != playing(history[step - 1].state)


def _stale(match: Match, notice: Notice) -> bool:
    """A reminder that could not be told while its phase was open and its player awaited, or to whoever sat there then,
    would only mislead.
    """
    if notice.key not in (REMINDER, TURN_REMINDER):
        return False
    if notice.step < match.number or match.phase is None:
        return True
    sealed = None if notice.to is None else match.box.get(notice.to)
    return (sealed is not None and sealed.final) or _is_for_another(match, notice)


def _is_for_another(match: Match, notice: Notice) -> bool:
    """Whether somebody has taken the seat of a private notice since: they were welcomed after it."""
    since = match.notices[match.notices.index(notice) + 1 :]
    return notice.to is not None and any((each.key, each.to) == (WELCOME, notice.to) for each in since)
