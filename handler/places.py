"""Where a match is played: it moves with its group, and ends when the bot is removed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from handler.match import Match, cancel, told
from handler.ports import Place, Taken
from handler.table import Outcome, Ports, change


def move(ports: Ports, id: str, chat: int) -> Outcome[Any] | None:
    """The match goes to the supergroup that its group has become; pointer and match in one transaction.

    If somebody has opened another match there meanwhile, this one cannot go on.
    """

    def decide(match: Match) -> tuple[Match, None]:
        if match.place.chat == chat:
            return match, None
        moved = replace(match, place=Place(chat))
        return (told(moved, "table.moved") if match.stage == "playing" else moved), None

    try:
        return change(ports, id, decide)
    except Taken:
        return change(ports, id, lambda match: (_crowded_out(match, chat), None))


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


def _crowded_out(match: Match, chat: int) -> Match:
    """Without a claim to the place a match may follow its group, to be told there that it has ended."""
    ended = _end(match, "table.crowded", "table.crowded_private") if match.stage in ("lobby", "playing") else match
    return replace(ended, place=Place(chat))


def _end(match: Match, key: str, private_key: str) -> Match:
    ended = cancel(match, key)
    if match.stage == "playing":
        for player, who in enumerate(match.seats):
            if who is not None and who.user is not None:
                ended = told(ended, private_key, player, title=match.title)
    return ended
