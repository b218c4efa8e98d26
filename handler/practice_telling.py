"""In practice the group and its player are one chat: there each step is told as the rules tell it, to both in turn."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import groupby

from engine.game import Player
from handler.events import Event, events, order
from handler.match import Match
from handler.screens import GROUP, Cursor


def in_turn(match: Match, player: Player, told: dict[str, Cursor]) -> Iterator[tuple[str, list[Event]]]:
    """What neither the group nor its one player has been told, in the order in which it became known, as runs for an
    address; ``told`` is how far each of the two has come.
    """
    public, private = _placed(match, None, told[GROUP]), _placed(match, player, told[str(player)])
    for to, run in groupby(merge(public, private, key=lambda each: each[0]), key=lambda each: each[1]):
        yield GROUP if to is None else str(to), [event for _, _, event in run]


def _placed(match: Match, to: Player | None, told: Cursor) -> Iterator[tuple[tuple[int, int], Player | None, Event]]:
    for event in events(match, to, told):
        yield order(match, to, event.cursor), to, event
