"""What a match costs: requests to the store, and bytes in it."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from handler.codec import write_match, write_telling
from handler.match import Match
from handler.player_telling import panel_shown
from handler.screens import GROUP, STORY, Cursor, Screen, Shown, Telling
from tests.flows.frail import Around, Effect

KIB = 1024

T = TypeVar("T")


class Meter(Around):
    """Counts what the store is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.count: Counter[str] = Counter()

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        self.count[name] += 1
        return effect()

    def read(self, request: Effect[T]) -> T:
        self.count["read"] += 1
        return request()

    def since(self) -> dict[str, int]:
        """What was asked since last time, calls to Telegram and timers apart."""
        asked = {name: self.count[name] for name in ("read", "create", "commit", "take", "settle") if self.count[name]}
        self.count.clear()
        return asked


def size(match: Match) -> int:
    """Bytes of body and telling, as stores keep them."""
    cursor = Cursor(match.number, 3)
    telling = Telling(
        cursors={GROUP: cursor, **{str(seat): cursor for seat in range(len(match.seats))}},
        board=Screen(match.place.chat, 123_456, "draft.4.4", "0123456789ab", pressable=True),
        panels={seat: panel_shown(match, seat, 123_456) for seat in range(len(match.seats))},
        pictures={address: Shown(match.place.chat, 123_456, "table9", "0123456789ab") for address in _drawn(match)},
        sent=tuple(1_800_000_000.123 + second for second in range(18)),
        failures=3,
    )
    return len(write_match(match).encode()) + len(write_telling(telling).encode())


def _drawn(match: Match) -> tuple[str, ...]:
    """Whose pictures a telling remembers at most: those who play a duel have some of their own."""
    duel = match.playing if len(match.playing) == 2 else ()
    return (GROUP, STORY, *map(str, duel))
