"""What happened in a simulation, in the order in which it happened, told in nobody's terms but Telegram's, the clock's
and the rules'. The judge sees this and nothing else.

Times are true Unix seconds. ``process`` is a process's number; a number is never used again after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

# --- people and Telegram --------------------------------------------------------------------------


@dataclass(frozen=True)
class Pressed:
    """A person pressed a button, or a client did that sends what it likes. ``query`` is the callback query's id."""

    at: float
    update: int
    user: int
    chat: int
    message: int
    data: str
    query: str


@dataclass(frozen=True)
class Wrote:
    """A person wrote something that the bot is sent. ``update`` None: it was not for the bot."""

    at: float
    update: int | None
    user: int
    chat: int
    text: str


@dataclass(frozen=True)
class Happened:
    """Something happened in Telegram to a person or a chat.

    ``what``: joined, left (a group), started, blocked, unblocked, deactivated, renamed (``text``: the new name),
    migrated (``number``: the new chat), bot added, bot removed, rights (``text``: what the bot may do), topic closed,
    topic deleted.
    """

    at: float
    what: str
    chat: int | None = None
    user: int | None = None
    text: str = ""
    number: int | None = None


@dataclass(frozen=True)
class Delivered:
    """An update was brought to the bot from ``at`` to ``until``. ``status`` is what Telegram got for it: an HTTP
    status, or None where the connection ended without one, though the bot may have answered.
    """

    at: float
    until: float
    update: int
    process: int | None
    status: int | None


@dataclass(frozen=True)
class Dropped:
    """An update's life ended before the bot had acknowledged it."""

    at: float
    update: int


@dataclass(frozen=True)
class Call:
    """A call to the Bot API arrived in Telegram.

    ``chat`` is its chat_id, ``params`` all of them as the Bot API types them. ``done``: Telegram carried it out.
    ``status`` is what the bot got to know of it, None if nothing. ``message`` is the id of the message that was sent,
    edited or pinned, where it was; ``text`` what people now read in it, without markup. ``wait``: for how
    many seconds a 429 forbids the next call. ``replied``: it came in the webhook's answer to an update, after which a
    bot gets to know nothing.
    """

    at: float
    process: int
    method: str
    chat: int | None
    params: Mapping[str, Any]
    done: bool
    status: int | None
    message: int | None = None
    text: str = ""
    wait: float | None = None
    replied: bool = False


# --- the house ------------------------------------------------------------------------------------


FORGOTTEN: Final = 0
"""The user id of somebody who was forgotten."""


@dataclass(frozen=True)
class Seat:
    """Who sits in a seat, as stored: ``user`` None for a house player, FORGOTTEN for who was deleted. ``reachable`` and
    ``left`` as the house sees it. ``language`` is what they are spoken to in, ``since`` the phase in which they took
    the seat over.
    """

    user: int | None
    name: str
    reachable: bool
    left: bool
    language: str = "en"
    since: int = 0


@dataclass(frozen=True)
class Snapshot:
    """A match as stored. ``steps`` are the sealed moves of the closed phases, by player, in notation; ``box`` is what
    lies sealed in the open one: notation (None: nothing) and whether it is locked in. ``deadline`` is the open phase's;
    ``reminded``: whoever was to be reminded of it has been, or the notice is on its way.

    ``stage``: lobby, playing, over or cancelled. ``title`` is the group's. ``seed`` is None in a lobby.
    ``follows`` is the match that this one is the rematch of.

    ``language`` is what is spoken at the table. ``paused`` is since when the match is paused (Unix seconds), None while
    it runs. ``extended`` are the minutes that were added to the open phase, and to all before it. ``leaving`` are the
    seats that somebody else shall take: who (house or person), and whether that is settled.
    """

    match: str
    version: int
    stage: str
    game: str
    pace: str
    title: str
    chat: int
    topic: int | None
    host: int
    seats: tuple[Seat | None, ...]
    opened: float
    deadline: float | None
    reminded: bool
    seed: str | None
    rules: int | None
    steps: tuple[Mapping[int, str], ...]
    box: Mapping[int, tuple[str | None, bool]]
    alarm: int
    alarm_at: float | None
    news: int
    told: int
    tell_at: float
    lease: str | None
    lease_until: float
    follows: str | None = None
    language: str = "en"
    paused: float | None = None
    extended: tuple[int, int] = (0, 0)
    leaving: Mapping[int, tuple[str, bool]] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The number of the open phase: how many have closed."""
        return len(self.steps)


@dataclass(frozen=True)
class Stored:
    """A write took effect in the store: create, commit, settle or take. ``clock`` is what the process took for the
    time when it asked. ``before`` is what was stored, None for a create. ``astray``: who is not led to the match,
    or still is, although it has ended: its place, and its people by user id.
    """

    at: float
    process: int
    clock: float
    write: str
    before: Snapshot | None
    after: Snapshot
    astray: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kept:
    """A write to what is kept of people took effect: ``what`` is result, profile, move or forget. ``user`` is whose,
    ``match`` what a result is of; ``new``: there was none of that match and person.
    """

    at: float
    process: int
    what: str
    user: int
    match: str = ""
    new: bool = False


@dataclass(frozen=True)
class Armed:
    """A timer was armed: at least one way leads from here to a nudge, unless it is lost."""

    at: float
    process: int
    match: str
    alarm: int
    when: float


@dataclass(frozen=True)
class Nudged:
    """A nudge, or the minute's sweep (``match`` empty), came to a process; ``until`` is when it was done with, or the
    process ended.
    """

    at: float
    until: float
    process: int
    match: str
    done: bool


@dataclass(frozen=True)
class Booted:
    """A process started. ``skew`` is by how much its clock is ahead of the true time."""

    at: float
    process: int
    skew: float


@dataclass(frozen=True)
class Ended:
    """A process is no more: killed, out of time, or replaced."""

    at: float
    process: int
    why: str


@dataclass(frozen=True)
class Struck:
    """A fault was injected: one of :data:`tests.simulation.weather.FAULTS`, where, and for whom it was meant.

    ``about`` is what it struck: a match, a chat or an update, as text; empty if it concerns everything.
    """

    at: float
    fault: str
    process: int | None = None
    about: str = ""


@dataclass(frozen=True)
class Logged:
    """A line that the bot logged, as it is written out."""

    at: float
    level: str
    line: str


Event = (
    Pressed
    | Wrote
    | Happened
    | Delivered
    | Dropped
    | Call
    | Stored
    | Kept
    | Armed
    | Nudged
    | Booted
    | Ended
    | Struck
    | Logged
)

E = TypeVar("E")


@dataclass
class Trace:
    """A run so far. ``secrets`` are texts that may stand in no log line and no call (token, webhook secret), or in no
    call before the record does (seeds, of which ``Stored`` tells).

    ``words``: for each person a word that all of their names hold, by user id, so that names can be found in texts.
    ``pending`` is, at the end, what is still on its way, and ``violations`` what no correct bot would have called:
    texts, for whoever reads the verdict.
    """

    events: list[Event] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    words: dict[int, str] = field(default_factory=dict)
    pending: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    files: dict[int, bytes] = field(default_factory=dict)
    """Documents that the bot sent, by the message's id."""
    latest: dict[str, Snapshot] = field(default_factory=dict)
    """Each match as it is stored now."""

    def add(self, event: Event) -> None:
        """Something has happened."""
        self.events.append(event)
        if isinstance(event, Stored):
            self.latest[event.after.match] = event.after

    def of(self, kind: type[E]) -> Iterator[E]:
        """The events of a kind, in order."""
        return (event for event in self.events if isinstance(event, kind))
