"""The one loop, for presses, commands and deadlines alike: load, decide, commit, tell.

Nothing is said before it is stored: :func:`change` returns once the store has acknowledged, with the answer that the
decision gave, and only then its caller speaks. The write is conditional on the version that was loaded; whoever loses
starts again from the winner's item.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Final, Generic, TypeVar

from handler.codec import read_match, read_telling, write_match
from handler.match import Match, Notice, Person
from handler.measures import measure
from handler.phases import grant_time, next_alarm, wake
from handler.ports import (
    Afterwards,
    Clock,
    Conflict,
    Draw,
    Entropy,
    Item,
    Lease,
    MatchStore,
    PeopleStore,
    Pointers,
    Telegram,
    Timers,
    Together,
)
from handler.rates import GroupRates
from handler.screens import GROUP, Telling
from handler.unknown import leaving_alone

ATTEMPTS: Final = 30
"""How often a decision is made anew because somebody was faster."""
LEASE_SECONDS: Final = 20.0
"""How long a lease on telling lasts without being prolonged, by the clock on the wall: as Telegram's answers take."""
OVERDUE_SECONDS: Final = 10.0
GRACE_SECONDS: Final = 60.0

_SHOWN: Final = {each.name for each in fields(Match)} - {"box", "asked", "consent", "opened", "typed", "former"}
"""The fields of a match whose change somebody is shown or told; what lies in the box is nobody's news."""

T = TypeVar("T")


@dataclass(frozen=True)
class Ports:
    """Everything outside the process that the handler speaks to."""

    store: MatchStore
    people: PeopleStore
    timers: Timers
    telegram: Telegram
    clock: Clock
    entropy: Entropy
    rates: GroupRates
    draw: Draw
    together: Together
    afterwards: Afterwards


def lease_seconds(ports: Ports) -> float:
    """How long a lease lasts by the bot's own clock."""
    return LEASE_SECONDS * ports.clock.speed


class Busy(Exception):
    """Somebody else was faster every time; a retry can help."""


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What came of a decision: the match as stored now, its item, and the decision's own answer.

    ``token`` is the lease that this change would tell with; telling is its holder's, and only if ``item.lease`` is it.
    """

    match: Match
    item: Item
    answer: T
    token: str

    @property
    def tells(self) -> bool:
        """Whether it is on the caller to tell."""
        return self.item.lease == self.token


def change(ports: Ports, id: str, decide: Callable[[Match], tuple[Match, T]]) -> Outcome[T] | None:
    """Let ``decide`` change a match, after whatever is due has been done. None if there is no such match.

    ``decide`` is pure: it is called again with a newer match when somebody was faster. What its change makes due
    (all have locked in) is done in the same commit. Raises Busy, Taken, StoreUnavailable, UnknownRules.
    """
    token = ports.entropy.bytes(9).hex()
    item = ports.store.load(id)
    for _ in range(ATTEMPTS):
        if item is None:
            return None
        now = ports.clock.now()
        before = read_match(id, item.body)
        if item.told < item.news and before.record is not None:
            before.record.check()  # over, it needs its rules for what is still to be told
        after, answer = decide(wake(before, now))
        after = wake(after, now)
        try:
            stored = _commit(ports, item, before, after, token, now)
        except Conflict as conflict:
            measure("Conflicts")
            item = conflict.current
            continue
        runs_out = before.deadline if before.paused is None else None
        if runs_out is not None and runs_out <= now and before.number < after.number:
            measure("DeadlineLateness", now - runs_out)
        if stored.lease == token and item.lease is not None and _free(item, now):
            # Whoever told before did not come to store what they sent.
            ports.rates.assume(after.place.chat, item.lease_until - lease_seconds(ports))
        waits = item.lease is None and item.tell_at > now and stored.alarm == item.alarm  # whoever said so has armed it
        if stored.told < stored.news and stored.lease != token and not waits:
            # Somebody else tells, or Telegram asked to wait. Should that teller be dead, this brings the next one.
            ports.timers.arm(id, stored.alarm, max(stored.tell_at, stored.lease_until))
        return Outcome(after, stored, answer, token)
    raise Busy(id)


def create(ports: Ports, match: Match) -> Outcome[None]:
    """Store a new match in its place. Raises Taken, Conflict (the id is in use), StoreUnavailable."""
    now = ports.clock.now()
    token = ports.entropy.bytes(9).hex()
    alarm_at = next_alarm(match)
    if alarm_at is not None:
        ports.timers.arm(match.id, 1, alarm_at)
    item = Item(
        id=match.id,
        version=1,
        body=write_match(match),
        alarm_at=alarm_at,
        alarm=1,
        news=1,
        telling="",
        told=0,
        tell_at=0,
        lease=token,
        lease_until=now + lease_seconds(ports),
    )
    ports.store.create(item, Pointers(take_place=match.place, add_people=_people(match)))
    return Outcome(match, item, None, token)


def keep(match: Match) -> tuple[Match, None]:
    """The decision to do nothing but what is due."""
    return match, None


def free_leases(ports: Ports) -> None:
    """Before a process that is alone with its store does anything: whoever was telling is dead, and nobody waits until
    their leases have run out.
    """
    now = ports.clock.now()
    for id, _ in ports.store.alarms():
        item = ports.store.load(id)
        if item is not None and item.lease is not None and item.lease_until > now:
            with suppress(Conflict):
                ports.store.take(item, Lease(item.lease, now), item.lease_until)


def move_overdue(ports: Ports) -> None:
    """After a stop of the process: nobody loses a phase to it. Before any update is taken, each deadline that passed
    more than 10 s ago is moved to a minute from now, and the group is told. Whoever comes second finds nothing to move.
    A match of other rules than this program's stays as it is.
    """
    now = ports.clock.now()
    for id in [id for id, at in ports.store.alarms() if at <= now]:
        with leaving_alone(id):
            _move_overdue(ports, id)


def _move_overdue(ports: Ports, id: str) -> None:
    item = ports.store.load(id)
    while item is not None:
        now = ports.clock.now()
        before = read_match(id, item.body)
        runs = before.stage == "playing" and before.paused is None
        if not runs or before.deadline is None or before.deadline >= now - OVERDUE_SECONDS:
            return
        # The minute's notice is its reminder.
        granted = replace(grant_time(before, now + GRACE_SECONDS), reminded=True)
        try:
            _commit(ports, item, before, granted, "", now)
            return
        except Conflict as conflict:
            item = conflict.current


def _commit(ports: Ports, item: Item, before: Match, after: Match, token: str, now: float) -> Item:
    """Store ``after`` if it differs, and take the lease if there is something to tell. Raises Conflict, Taken."""
    news = _has_news(before, after)
    # What waits for Telegram's rate is not told any sooner for a press that leaves nothing to tell.
    untold = news or (item.told < item.news and item.tell_at <= now)
    lease = Lease(token, now + lease_seconds(ports)) if untold and token and _free(item, now) else None
    if after == before:
        if lease is None:
            return item
        return ports.store.take(item, lease, now)
    alarm_at = next_alarm(after)
    alarm = item.alarm + (alarm_at != item.alarm_at)
    if alarm_at is not None and alarm != item.alarm:
        if after.deadline is not None and after.deadline > alarm_at:
            # After its reminder a deadline may be nearer than a timer is precise: it is armed now, as what comes next.
            ports.timers.arm(item.id, alarm + 1, after.deadline)
        ports.timers.arm(item.id, alarm, alarm_at)
    # Without anything to drop there is no need to read the telling.
    pruned = _prune(after, read_telling(item.telling)) if after.notices or after.parted else after
    changed = replace(
        item,
        version=item.version + 1,
        body=write_match(pruned),
        alarm_at=alarm_at,
        alarm=alarm,
        news=item.news + news,
        ended_at=None if _open(after) else item.ended_at or now,
    )
    stored = ports.store.commit(item, changed, _pointers(before, after), lease, now)
    if stored.told == stored.news or not token or not _free(stored, now) or (not news and stored.tell_at > now):
        return stored
    # Whoever was telling when this was decided had finished before it was stored, so it is on this change to tell.
    try:
        return ports.store.take(stored, Lease(token, now + lease_seconds(ports)), now)
    except Conflict:
        return stored


def _free(item: Item, now: float) -> bool:
    return item.lease is None or item.lease_until <= now


def _has_news(before: Match, after: Match) -> bool:
    """Whether anything changed that somebody is shown or told.

    The moment of the reminder always is: what else waits for the next news must not say whether anybody got one.
    """
    changed = {each for each in _SHOWN if getattr(before, each) != getattr(after, each)}
    if changed == {"seats"} and after.stage == "playing":
        return _seats_shown(before) != _seats_shown(after)
    return bool(changed)


def _seats_shown(match: Match) -> list[Person | None]:
    """The seats of a match in play, as everybody is shown them at once. A player's new name waits for the next news:
    shown at once, it would say that they have just pressed. That they have left, or play on, is for nobody else to
    hear; and new names would come with it.
    """
    return [who and replace(who, name="", left=False, turned=0, language="") for who in match.seats]


def _pointers(before: Match, after: Match) -> Pointers | None:
    """The pointers that make place and people agree with the match; None if they do already."""
    old_people, new_people = _people(before), _people(after)
    old_place = before.place if _open(before) else None
    new_place = after.place if _open(after) else None
    pointers = Pointers(
        take_place=new_place if new_place != old_place else None,
        leave_place=old_place if new_place != old_place else None,
        add_people=tuple(user for user in new_people if user not in old_people),
        drop_people=tuple(user for user in old_people if user not in new_people),
    )
    return None if pointers == Pointers() else pointers


def _people(match: Match) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*match.users, *match.asked))) if _open(match) else ()


def _open(match: Match) -> bool:
    return match.stage in ("lobby", "playing")


def _prune(match: Match, telling: Telling) -> Match:
    """Drop notices of steps that whom they are for has been told in full, so that the item does not grow with them."""

    def heard(notice: Notice) -> bool:
        return notice.step < telling.at(GROUP if notice.to is None else str(notice.to)).step

    return replace(
        match,
        notices=tuple(notice for notice in match.notices if not heard(notice)),
        # The latest stays, so that the next gets another number.
        parted=(*(each for each in match.parted[:-1] if each.serial not in telling.parted), *match.parted[-1:]),
    )
