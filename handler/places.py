"""Where a match is played: it moves with its group, and ends when the bot is removed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from handler.codec import read_match
from handler.match import Match, cancel, with_notice
from handler.ports import Place, Taken, TelegramError
from handler.table import Outcome, Ports, change
from handler.unknown import leaving_alone


def move(ports: Ports, id: str, chat: int) -> list[Outcome[Any] | None]:
    """The match goes to the supergroup that its group has become; pointer and match in one transaction.

    A lobby that somebody has opened there meanwhile makes way for a match that is being played; otherwise whoever was
    there first stays, and the match that comes cannot go on. What came of each match is to be told. The results of the
    group go with it.
    """
    item = ports.store.load(id)
    old = chat if item is None else read_match(item.id, item.body).place.chat
    if old != chat:
        ports.people.move(old, chat)

    def decide(match: Match) -> tuple[Match, None]:
        if match.place.chat == chat:
            return match, None
        moved = replace(match, place=Place(chat))
        return (with_notice(moved, "table.moved") if match.stage == "playing" else moved), None

    try:
        return [change(ports, id, decide)]
    except Taken as taken:
        closed = None
        with leaving_alone(taken.match):
            closed = change(ports, taken.match, _make_way) if _plays(ports, id) else None
    try:
        return [closed, change(ports, id, decide)]
    except Taken:
        return [closed, change(ports, id, lambda match: (_crowded_out(match, chat), None))]


def remove(ports: Ports, id: str) -> Outcome[Any] | None:
    """The bot is no longer in the chat: the match is cancelled and its players are told in private."""

    def decide(match: Match) -> tuple[Match, None]:
        if match.gone:
            return match, None
        ended = match
        if match.stage in ("lobby", "playing"):
            ended = _end(match, "table.removed", "table.removed_private")
        return replace(ended, gone=True), None

    return change(ports, id, decide)


def is_gone(ports: Ports, chat: int, user: int) -> bool:
    """Whether the bot or a person is out of a chat now (getChatMember): the news of it may be old, and they back.

    If Telegram does not say, the news are believed.
    """
    try:
        return ports.telegram.member(chat, user) in ("left", "kicked")
    except TelegramError:
        return True


def _plays(ports: Ports, id: str) -> bool:
    item = ports.store.load(id)
    return item is not None and read_match(id, item.body).stage == "playing"


def _make_way(match: Match) -> tuple[Match, None]:
    return (cancel(match, "lobby.crowded") if match.stage == "lobby" else match), None


def _crowded_out(match: Match, chat: int) -> Match:
    """Without a claim to the place a match may follow its group, to be told there that it has ended."""
    if match.stage == "lobby":
        match = cancel(match, "lobby.crowded_out")
    elif match.stage == "playing":
        match = _end(match, "table.crowded", "table.crowded_private")
    return replace(match, place=Place(chat))


def _end(match: Match, key: str, private_key: str) -> Match:
    ended = cancel(match, key)
    if match.stage == "playing":
        for player, who in enumerate(match.seats):
            if who is not None and who.user is not None:
                ended = with_notice(ended, private_key, player, title=match.title)
    return ended
