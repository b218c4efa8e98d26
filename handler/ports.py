"""What the handler needs from outside the process. infra provides it; :mod:`handler.wiring` joins the two."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from handler.message import Message
from handler.picture import Drawing

# --- the store ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a match is played. ``topic`` is the forum topic's message_thread_id, None outside topics and in General."""

    chat: int
    topic: int | None = None


@dataclass(frozen=True)
class Item:
    """A match as stored. ``body`` and ``telling`` are JSON that only the handler reads.

    A commit writes the first block (and may take the lease); :meth:`MatchStore.settle` writes the second. Times are
    Unix seconds.

    - ``version`` rises by one with every commit.
    - ``alarm_at``: when the match next has something due (deadline, reminder, expiry); None: nothing.
    - ``alarm``: the alarm's number, which names the timer; it rises whenever what is next due changes.
    - ``news`` counts commits that left something to tell.
    - ``ended_at``: when the match ended, from which a store may count until it forgets it; None while it is open.

    - ``telling``: how far telling came, and the ids of screens.
    - ``told``: the ``news`` that telling has dealt with; something is untold while ``told < news``.
    - ``tell_at``: telling must not go on before this (rate limit, an error's wait); 0: at once.
    - ``lease``: who is telling now, None if nobody; void from ``lease_until`` on.
    """

    id: str
    version: int
    body: str
    alarm_at: float | None
    alarm: int
    news: int
    telling: str
    told: int
    tell_at: float
    lease: str | None
    lease_until: float
    ended_at: float | None = None

    @property
    def moment(self) -> float | None:
        """When the match next wants attention: its alarm, or when something untold is no longer held back or being
        told. None: not before somebody presses.
        """
        moments = [] if self.alarm_at is None else [self.alarm_at]
        if self.told < self.news:
            moments.append(self.tell_at if self.lease is None else max(self.tell_at, self.lease_until))
        return min(moments, default=None)


@dataclass(frozen=True)
class Pointers:
    """Changes to the pointers that a commit makes in the same transaction as the item. None of them twice.

    ``place`` of a match: ``leave_place`` is freed, ``take_place`` taken on condition that no match has it.
    ``add_people``/``drop_people``: Telegram user ids for whom "my matches" gains or loses this one.
    """

    take_place: Place | None = None
    leave_place: Place | None = None
    add_people: tuple[int, ...] = ()
    drop_people: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lease:
    """The wish to tell: a token nobody else uses, and until when."""

    token: str
    until: float


class Conflict(Exception):
    """Somebody was faster. ``current`` is the winner's item, None if the match is gone."""

    def __init__(self, current: Item | None) -> None:
        super().__init__("the match has changed since it was loaded")
        self.current = current


class Taken(Exception):
    """The place already has a match. ``match`` is its id."""

    def __init__(self, match: str) -> None:
        super().__init__("another match is in this place")
        self.match = match


class StoreUnavailable(Exception):
    """The store or the queue did not answer, not in time, or refused; what was asked may have taken effect. The caller
    may try again later. Subclasses name what is wrong, for the operator.
    """


class StoreRefused(Exception):
    """The store or the queue finds what it was asked for wrong, and would each time; nothing was done. The caller does
    not try again; the operator has to see it.
    """


class MatchStore(Protocol):
    """Match items by id, with pointers from places and people. Every write is conditional."""

    def load(self, id: str) -> Item | None:
        """The item, read consistently."""

    def create(self, item: Item, pointers: Pointers) -> None:
        """A new match and its pointers in one transaction.

        Raises Taken if the place has a match, Conflict if the id is in use.
        """

    def commit(self, before: Item, after: Item, pointers: Pointers | None, lease: Lease | None, now: float) -> Item:
        """Write ``after``'s first block, on condition that the stored version is ``before.version``.

        ``after.version`` is ``before.version + 1``; the second block of ``after`` is ignored. With ``lease``, the
        lease is taken in the same write if ``before`` shows none that is still valid at ``now`` and the stored one is
        still ``before``'s. Returns the item as stored, which shows whose lease it is. With ``pointers`` they change in
        the same transaction. Raises Conflict, Taken.
        """

    def settle(self, item: Item, *, done: bool) -> Item:
        """Write ``item``'s second block, on condition that the stored lease is ``item.lease``.

        With ``done`` the lease is given back, on the further condition that the stored version is ``item.version`` (so
        that nothing committed meanwhile stays untold). Without, ``lease_until`` is written too, which prolongs it.
        Returns the item as stored. Raises Conflict.
        """

    def take(self, item: Item, lease: Lease, now: float) -> Item:
        """Take the lease, on condition that the stored one is ``item``'s and not valid at ``now``. Raises Conflict."""

    def at(self, place: Place) -> str | None:
        """The match in a place."""

    def in_chat(self, chat: int) -> Sequence[str]:
        """The matches in a chat, whatever their topic."""

    def of_person(self, user: int) -> Sequence[str]:
        """The matches a person is in (or has asked to join), oldest first."""

    def due(self, now: float) -> Iterable[str]:
        """Matches with an alarm at or before ``now``, or something untold that nobody holds back or tells now.

        What is longest due comes first; it may be looked up only as it is asked for. Of a teller who is dead a match
        may stay away until its alarm, where that follows within a minute of the end of their lease.
        """

    def alarms(self) -> Sequence[tuple[str, float]]:
        """Each match's next moment (:attr:`Item.moment`), for timers at start."""


# --- what is kept of people and chats -------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """How one match went for one person, written once, when it has ended.

    ``chat`` is where it was played, ``ended_at`` when it ended (Unix seconds), ``body`` JSON that only the handler
    reads.
    """

    match: str
    user: int
    chat: int
    ended_at: float
    body: str


class PeopleStore(Protocol):
    """What outlives matches: a profile for a person or a chat (by Telegram id), and results, one for each match and
    person. A profile is JSON that only the handler reads. Every method may raise StoreUnavailable, StoreRefused.
    """

    def profile(self, id: int) -> str | None:
        """The profile of a person or chat, read consistently; None if there is none."""

    def keep_profile(self, id: int, body: str, was: str | None) -> bool:
        """Write a profile, on condition that the stored one is ``was`` (None: there is none). False if it is not."""

    def add(self, results: Sequence[Result]) -> None:
        """Keep results; where there is one of the same match and person already, that one stays as it is."""

    def of(self, user: int) -> Sequence[Result]:
        """A person's results, the latest first."""

    def in_chat(self, chat: int) -> Sequence[Result]:
        """Everybody's results of a chat, the latest first; those just added may be missing for a moment."""

    def move(self, old: int, new: int) -> None:
        """The results and the profile of chat ``old`` become those of ``new``, for its group has become a supergroup.
        A profile that ``new`` has already stays. Repeated, it changes nothing more.
        """

    def forget(self, user: int) -> None:
        """Delete a person's profile and results."""


# --- timers ---------------------------------------------------------------------------------------


class Timers(Protocol):
    """Nudges. A nudge makes the table load the match and do what is due; it may come late, twice or never."""

    def arm(self, match: str, alarm: int, at: float) -> None:
        """Nudge ``match`` at Unix time ``at`` or soon after.

        ``alarm`` names the nudge; the same name may be armed again.
        """


@dataclass(frozen=True)
class Nudge:
    """A nudge as it lies in a queue: for ``match``, armed as number ``alarm`` for Unix time ``at``. It is only a hint:
    whoever takes it out looks into the store.
    """

    match: str
    alarm: int
    at: float


class NudgeQueue(Protocol):
    """Where nudges wait outside the process. They come out late, twice, in any order, or never."""

    def put(self, nudge: Nudge, seconds: float) -> None:
        """Let a nudge come out ``seconds`` from now or soon after, 15 minutes at most. Raises StoreUnavailable."""


class ReplyCount(Protocol):
    """How many replies each group got lately, counted across all processes."""

    def admit(self, chat: int, now: float, most: int, window: float) -> bool:
        """Count one more reply to ``chat``, unless there were ``most`` within the ``window`` (seconds) before ``now``.
        False if there were. Raises StoreUnavailable.
        """


class Clock(Protocol):
    """The time the house lives by."""

    def now(self) -> float:
        """Unix seconds, UTC."""

    @property
    def speed(self) -> float:
        """How many of its seconds pass in one second of the wall: 1, but for the local table's clock."""


class Stopped(Exception):
    """The process is about to end: nothing is begun any more."""


class Together(Protocol):
    """Makes calls side by side. All that is begun is waited for by whoever began it."""

    def begin(self, call: Callable[[], Any]) -> Future[Any]:
        """Begin a call. Raises Stopped."""

    def wait(self, running: Collection[Future[Any]]) -> Collection[Future[Any]]:
        """Those of the running calls that are made, when one is at least."""


class Afterwards(Protocol):
    """Does what nobody who has brought an update has to wait for: in a thread of its own, or else at once."""

    def __call__(self, match: str, work: Callable[[], None]) -> None:
        """``work`` is of a match. What it raises is raised here; in a thread of its own it is logged, and the match
        nudged.
        """


class Draw(Protocol):
    """Pictures from what they show. Slow (100 ms): only where one is about to be sent."""

    def __call__(self, drawing: Drawing) -> bytes:
        """A PNG."""


class Entropy(Protocol):
    """Unpredictable bytes for seeds, ids and leases."""

    def bytes(self, n: int) -> bytes:
        """``n`` of them."""


# --- Telegram -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Me:
    """The bot itself (getMe). ``username`` has no @."""

    id: int
    username: str


class TelegramError(Exception):
    """A Bot API call that did not succeed. Each subclass says what follows from it."""


class Unreachable(TelegramError):
    """403 in a private chat: the person never started the bot, blocked it, or is gone. No repeat helps."""


class Expelled(TelegramError):
    """403 in a group: the bot was removed, or the group deleted. No repeat helps."""


class Migrated(TelegramError):
    """The group has become the supergroup ``chat``; the call is to be made there."""

    def __init__(self, chat: int) -> None:
        super().__init__("the group has become a supergroup")
        self.chat = chat


class TooFast(TelegramError):
    """429: nothing was done; not before ``seconds`` have passed."""

    def __init__(self, seconds: float) -> None:
        super().__init__("too many requests")
        self.seconds = seconds


class MessageLost(TelegramError):
    """The message to edit, pin or delete is gone or can no longer be edited: send it anew."""


class Forbidden(TelegramError):
    """The bot lacks a right for this (pin, write in the topic or chat). No repeat helps until somebody grants it."""


class Refused(TelegramError):
    """Any other 400: the call is wrong and stays wrong. To be logged and skipped."""


class NotSent(TelegramError):
    """Nothing reached Telegram (no connection), or it answered 5xx: to be repeated later."""


class Uncertain(TelegramError):
    """The request was written but no answer came: it may have been done. Repeat only what may come twice."""


class Telegram(Protocol):
    """The Bot API as the handler uses it. Every method raises a TelegramError; none waits for a rate limit."""

    def me(self) -> Me:
        """getMe, remembered."""

    def send(self, place: Place, message: Message, *, quiet: bool = False) -> int:
        """sendMessage (HTML, no link preview). Returns the message_id. A lost topic is answered in the chat."""

    def edit(self, chat: int, message_id: int, message: Message) -> None:
        """editMessageText. "Not modified" is success."""

    def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        """answerCallbackQuery, text at most 200 characters. Whether the edit that follows may be left to the webhook's
        answer: Telegram knew such a query (not if it has expired, which is no failure), and has read all HTML so far.
        """

    def pin(self, chat: int, message_id: int) -> None:
        """pinChatMessage, without a notification."""

    def document(self, place: Place, name: str, content: bytes, caption: Message) -> int:
        """sendDocument with a file made in memory; caption (at most 1024 characters) and its buttons."""

    def photo(self, place: Place, picture: bytes, caption: Message, *, quiet: bool = False) -> int:
        """sendPhoto with a PNG; caption (at most 1024 characters) and its buttons. Returns the message_id."""

    def edit_photo(self, chat: int, message_id: int, picture: bytes, caption: Message) -> None:
        """editMessageMedia with a PNG, its caption and buttons. "Not modified" is success."""

    def member(self, chat: int, user: int) -> str:
        """getChatMember's ``status``: creator, administrator, member, restricted (and there), left or kicked."""
