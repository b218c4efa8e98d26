"""Deadlines where timers live outside the process: what follows from a nudge in the queue, and the sweep.

The deadline is data; timers are only nudges. Whoever takes one out believes neither its number nor that it is time, but
loads the match and does what is due.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from engine.record import UnknownRules
from handler.codec import read_match
from handler.logs import kind
from handler.measures import measure
from handler.ports import Item, Nudge, NudgeQueue
from handler.table import Ports, change, keep, lease_seconds
from handler.telling import settle
from handler.unknown import leave_alone

log = logging.getLogger(__name__)

SHORT_WAIT: Final = 1.5
"""Seconds that are waited for here; more are waited for in the queue, which knows whole seconds only."""

WHILE_TOLD: Final = 2.0
"""Seconds after which a nudge comes again that came while somebody tells."""

SWEEP_LIMIT: Final = 100
"""How many matches a sweep looks after at most."""

SWEEP_RESERVE: Final = 10.0
"""Seconds that must be left for a sweep to look after one more match itself."""


def nudged(ports: Ports, queue: NudgeQueue, nudge: Nudge, sleep: Callable[[float], None]) -> None:
    """Do what is due in a nudge's match, now and at the nudge's own time. Where nothing is, the nudge is dropped:
    whoever set the match's next moment has armed nudges of their own.

    ``sleep`` waits some seconds, SHORT_WAIT at most. Raises Busy, StoreUnavailable and a TelegramError where the nudge
    should come again.
    """
    item, now = ports.store.load(nudge.match), ports.clock.now()
    if item is None:
        return
    due = _due(item, now)
    if due:
        _look_after(ports, item, nudge)
    if nudge.at <= now:
        if not due and _being_told(item) and nudge.at > now - lease_seconds(ports):
            # Whoever tells may be dead, and nobody has armed anything for the end of their lease; or they are just
            # about to store that telling goes on at the time of this nudge, for they arm it first.
            queue.put(nudge, WHILE_TOLD)
    elif _is_awaited(nudge, item):
        _wait(ports, queue, nudge, sleep)


def _wait(ports: Ports, queue: NudgeQueue, nudge: Nudge, sleep: Callable[[float], None]) -> None:
    """Let a nudge that has come early wait until its time: here for a short while, in the queue for longer."""
    early = nudge.at - ports.clock.now()
    if early > SHORT_WAIT:
        queue.put(nudge, early)
        return
    while early > 0:
        sleep(early)
        early = nudge.at - ports.clock.now()  # again, should the clock have been set meanwhile
    item = ports.store.load(nudge.match)
    if item is not None and _due(item, ports.clock.now()):
        _look_after(ports, item, nudge)


def sweep(ports: Ports, queue: NudgeQueue, left: Callable[[], float]) -> None:
    """Look after the matches with something due or untold that no timer brought up, while ``left`` (seconds of this
    process) suffices; then leave some more to the queue. A match that fails is logged, and keeps nobody from the
    others: what comes to nothing does not count in SWEEP_LIMIT.

    Raises StoreUnavailable if the matches cannot be listed.
    """
    done = untold = 0
    for id in ports.store.due(ports.clock.now()):
        if done == SWEEP_LIMIT:
            break
        try:
            if left() < SWEEP_RESERVE:
                done += 1
                queue.put(Nudge(id, 0, ports.clock.now()), 0)
                continue
            item = ports.store.load(id)  # what lists the matches may lag behind them
            if item is not None and _due(item, ports.clock.now()):
                known = _look_after(ports, item)
                done += known
                untold += known and item.told < item.news
        except Exception as error:
            log.exception("the sweep failed for a match", extra={"match": id, **kind(error)})
    measure("DeliveriesPending", untold)


def _is_awaited(nudge: Nudge, item: Item) -> bool:
    """Whether the match waits for the nudge's time, or may yet come to (a timer is armed before the commit that needs
    it).

    Whoever loses the race to close a phase has armed an idea of the next deadline that is some milliseconds off. If
    those nudges went on, they would all race at that deadline, and each loser would arm more.
    """
    if nudge.alarm != item.alarm:
        return nudge.alarm > item.alarm
    return nudge.at in (item.alarm_at, item.tell_at) or (_being_told(item) and nudge.at <= item.lease_until)


def _due(item: Item, now: float) -> bool:
    return item.moment is not None and item.moment <= now


def _being_told(item: Item) -> bool:
    return item.told < item.news and item.lease is not None


def _look_after(ports: Ports, item: Item, nudge: Nudge | None = None) -> bool:
    """Do what is due in a match, and tell what is untold. Whether its rules are known; otherwise it stays as it is."""
    try:
        if nudge is None or not _of_a_lost_commit(nudge, item):
            settle(ports, change(ports, item.id, keep))
    except UnknownRules:
        leave_alone(item.id)
        return False
    return True


def _of_a_lost_commit(nudge: Nudge, item: Item) -> bool:
    """Whether the nudge was armed for what comes after the open phase, though that has not been closed. Closing it is
    for its own nudges and the sweep: while nothing can be written each try arms nudges for the next phase, and if those
    tried in their turn they would arm more and more.
    """
    return nudge.alarm > item.alarm and nudge.at > (read_match(item.id, item.body).deadline or 0)
