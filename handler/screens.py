"""How far the telling of a match has come: cursors, the ids of its screens, and when the group was last written to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from handler.message import Message

GROUP: Final = "group"
"""The address of the group among the cursors; a player's is the seat as a decimal number."""

STORY: Final = "story"
"""The address of an episode's main match among the pictures: its story stays while the Death Match has its own."""


@dataclass(frozen=True, order=True)
class Cursor:
    """Everything before step ``step`` was told to an address, and ``told`` of that step's tells and notices."""

    step: int = 0
    told: int = 0


@dataclass(frozen=True)
class Screen:
    """The group's board: where it stands, which scene it belongs to, a digest of what it shows, whether it has buttons
    to press, which go when the next scene begins, and whether it is pinned.
    """

    chat: int
    message: int
    scene: str
    digest: str
    pressable: bool
    pinned: bool = False


@dataclass(frozen=True)
class Panel:
    """A player's panel: its message in the private chat, the phase it was made for, the deadline it shows, whose chat
    that is (None in a telling of earlier days: whoever sits there), and whether it shows the match paused.
    """

    message: int
    number: int
    until: float | None
    user: int | None = None
    paused: bool = False


@dataclass(frozen=True)
class Shown:
    """A picture in a chat: its message (None: it could not be shown), the scene it belongs to, and a digest of what it
    shows.
    """

    chat: int
    message: int | None
    scene: str
    digest: str


@dataclass(frozen=True)
class Telling:
    """What has been told. ``pins`` turns False when the bot turns out to have no right to pin. ``filed``: the record
    file was sent. ``pictures`` are the latest picture of each address, STORY included, and ``photos`` turns False when
    the group turns out not to allow any. ``counted``: the results of an ended match are written. ``parted`` are, by
    serial, those who have been told that another has their seat. ``sent`` are the times of the last minute's calls to
    the group. ``holds`` are the addresses where Telegram asked to wait, and until when; Unix seconds. ``failures``
    counts attempts since the last that succeeded, for the wait before the next.
    """

    cursors: Mapping[str, Cursor] = field(default_factory=dict)
    board: Screen | None = None
    panels: Mapping[int, Panel] = field(default_factory=dict)
    pins: bool = True
    filed: bool = False
    pictures: Mapping[str, Shown] = field(default_factory=dict)
    photos: bool = True
    counted: bool = False
    parted: tuple[int, ...] = ()
    sent: tuple[float, ...] = ()
    holds: Mapping[str, float] = field(default_factory=dict)
    failures: int = 0

    def at(self, address: str) -> Cursor:
        """How far an address has been told."""
        return self.cursors.get(address, Cursor())


def digest(message: Message) -> str:
    """A short fingerprint of what a message shows, to tell whether an edit would change anything."""
    shown = repr((str(message.text), message.keyboard))
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:12]
