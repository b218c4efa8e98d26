"""Deadlines where timers live outside the process: what follows from a nudge in the queue, and the sweep.

The deadline is data; timers are only nudges. Whoever takes one out trusts neither its number nor its time, but loads
the match and does what is due. Nothing is done before its moment.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.record import UnknownRules
from handler.codec import read_match
from handler.measures import measure
from handler.ports import Item, Nudge, NudgeQueue
from handler.table import Ports, change, keep
from handler.telling import settle

log = logging.getLogger(__name__)

SHORT_WAIT: Final = 1.5
"""Seconds that are waited for here; more are waited for in the queue, which knows whole seconds only."""

AHEAD_AGAIN: Final = 2.0
"""Seconds after which a nudge comes again that came before the state it is for."""

AHEAD_TRIES: Final = 5
"""How often it does. By then the commit it was armed for is lost rather than late."""

SWEEP_LIMIT: Final = 100
"""How many matches a sweep looks after at most."""

SWEEP_RESERVE: Final = 10.0
"""Seconds that must be left for a sweep to look after one more match itself."""


def nudged(ports: Ports, queue: NudgeQueue, nudge: Nudge, sleep: Callable[[float], None]) -> None:
    """Do what a nudge from the queue asks for: do what is due, wait for what is not yet, drop what has been done.

    ``sleep`` waits some seconds, SHORT_WAIT at most. Raises Busy, StoreUnavailable and a TelegramError where the nudge
    should come again.
    """
    item = ports.store.load(nudge.match)
    moment = None if item is None else item.moment
    now = ports.clock.now()
    if item is not None and moment is not None and moment <= now:
        if not _of_a_lost_commit(nudge, item):
            _do(ports, nudge.match)
        if nudge.at > now and nudge.alarm >= item.alarm:  # it came for something later, which may need it yet
            queue.put(nudge, nudge.at - ports.clock.now())
    elif _ahead(nudge, item):
        if nudge.at - now > AHEAD_AGAIN:
            queue.put(nudge, nudge.at - now)
        elif nudge.tries < AHEAD_TRIES:
            queue.put(replace(nudge, tries=nudge.tries + 1), AHEAD_AGAIN)
    elif item is None or moment is None or _behind(nudge, item, moment):
        return
    elif moment - now > SHORT_WAIT:
        queue.put(nudge, moment - now)
    else:
        while (left := moment - ports.clock.now()) > 0:  # again, should the clock have been set meanwhile
            sleep(left)
        _do(ports, nudge.match)


def sweep(ports: Ports, queue: NudgeQueue, left: Callable[[], float]) -> None:
    """Look after every match with something due or untold that no timer brought up, while ``left`` (seconds of this
    process) suffices; the rest goes into the queue. A match that fails is logged and keeps nobody from the others.

    Raises StoreUnavailable if the matches cannot be listed.
    """
    untold = 0
    for id in ports.store.due(ports.clock.now(), SWEEP_LIMIT):
        try:
            if left() < SWEEP_RESERVE:
                queue.put(Nudge(id, 0, ports.clock.now()), 0)  # what is due is done whatever the number
            else:
                untold += _look_after(ports, id)
        except Exception as error:
            log.exception("the sweep failed for a match", extra={"match": id, "error": type(error).__name__})
    measure("DeliveriesPending", untold)


def _ahead(nudge: Nudge, item: Item | None) -> bool:
    """Whether the nudge was armed for a state that is not stored: a timer is armed first, the commit may be late. Of a
    match that is not there only the first timer can have been armed for its creation.
    """
    return nudge.alarm == 1 if item is None else nudge.alarm > item.alarm


def _of_a_lost_commit(nudge: Nudge, item: Item) -> bool:
    """Whether the nudge was armed for what comes after the phase that is stored, though that is due itself: then it has
    not been closed, and doing so is for its own nudges and the sweep. Otherwise each try to close it while nothing can
    be written would arm nudges that try in their turn, and arm more.
    """
    return nudge.alarm > item.alarm and nudge.at > (read_match(item.id, item.body).deadline or 0)


def _behind(nudge: Nudge, item: Item, moment: float) -> bool:
    """Whether what the nudge was armed for is done: the match has another alarm by now, or everything is told and
    nothing due for long after the nudge's time.
    """
    return nudge.alarm < item.alarm or (item.told == item.news and nudge.at < moment - SHORT_WAIT)


def _look_after(ports: Ports, id: str) -> bool:
    """Do what is due in a match; whether something in it was untold. What lists the matches may lag behind them."""
    item = ports.store.load(id)
    if item is None or item.moment is None or item.moment > ports.clock.now():
        return False
    _do(ports, id)
    return item.told < item.news


def _do(ports: Ports, id: str) -> None:
    try:
        settle(ports, change(ports, id, keep))
    except UnknownRules as error:
        log.warning("a match is left as it is", extra={"match": id, "error": type(error).__name__})
