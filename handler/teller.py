"""One pass of telling: how far it has come, and what follows from each error on the way.

What to tell is recomputed from the record, from each address's cursor on: for the group in
:mod:`handler.group_telling`, for a player in :mod:`handler.player_telling`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from engine.game import Player
from handler import places
from handler.codec import read_match, read_telling, write_telling
from handler.errands import Errand
from handler.events import Event, chunks, last
from handler.logs import kind
from handler.match import Match, Sealed
from handler.measures import measure
from handler.message import Message
from handler.ports import (
    Conflict,
    Expelled,
    Forbidden,
    Item,
    MessageLost,
    Migrated,
    NotSent,
    Refused,
    StoreRefused,
    StoreUnavailable,
    TooFast,
    Uncertain,
    Unreachable,
)
from handler.screens import GROUP, Cursor
from handler.table import Outcome, Ports, lease_seconds

log = logging.getLogger(__name__)

PROLONGED_AT: Final = 3 / 4
"""The part of a lease that is always left when a call begins."""
SLOWEST: Final = 60.0
"""The longest wait between attempts, seconds."""
MOST_DOUBLINGS: Final = 6
"""After which the wait is the longest. Without a bound, a day without Telegram would overflow the power."""

Repair = Callable[[], Sequence[Outcome[Any] | None]]
"""A change of matches that an error made necessary; what came of it may have to be told in its turn."""


class Later(Exception):
    """An address must not be written to before ``until``, Unix seconds."""

    def __init__(self, until: float) -> None:
        super().__init__(until)
        self.until = until


class Teller:
    """One pass over all addresses, which are told side by side (:mod:`handler.errands`).

    ``telling`` moves on with each call that succeeded. ``repairs`` are the changes of the match that errors made
    necessary, to be made afterwards. ``wait`` is when to go on, in Unix seconds, None if everything was told.
    ``failed``: something is to be tried again that Telegram gave no time for. ``spoke``: the group has been told
    something. ``drawn``: what lay in the box for whom when their panel was drawn, in this pass or one right before it.
    ``lost``: the addresses that cannot be written to any more, as this pass has found.
    """

    def __init__(self, ports: Ports, item: Item, drawn: dict[Player, Sealed | None]) -> None:
        self.ports = ports
        self.item = item
        self.drawn = drawn
        self.match: Match = read_match(item.id, item.body)
        self.telling = read_telling(item.telling)
        self.repairs: list[Repair] = []
        self.wait: float | None = None
        self.failed = False
        self.spoke = False
        self.lost: set[str] = set()

    def finish(self) -> None:
        """The pass is over: count its failure, or forget those before it."""
        self.telling = replace(self.telling, failures=self.telling.failures + 1 if self.failed else 0)

    def keep(self) -> None:
        """Store what was told so far, and prolong the lease. Raises Conflict if it is lost."""
        until = self.ports.clock.now() + lease_seconds(self.ports)
        self.ports.store.settle(replace(self.item, telling=write_telling(self.telling), lease_until=until), done=False)
        self.item = replace(self.item, lease_until=until)

    def keep_lease(self) -> None:
        """Prolong the lease in time where Telegram is slow, and keep what was told so far. What is left of it suffices
        to wait for the call's turn and then for its answer.
        """
        if self.item.lease_until - self.ports.clock.now() < lease_seconds(self.ports) * PROLONGED_AT:
            self.keep()

    def guard(self, address: str, work: Callable[[], Errand[None]], lost: Repair) -> Errand[None]:
        """What follows from each error: wait, mend, or go on without. No address holds up another."""
        try:
            yield from work()
        except Later as later:
            self._wait_until(later.until)
        except TooFast as error:
            self._wait_until(self.hold(address, error))
        except (NotSent, Uncertain):
            measure("ApiErrors")
            self.fail()
        except Migrated as error:
            measure("ApiErrors")
            self.repairs.append(partial(places.move, self.ports, self.item.id, error.chat))
            self.fail()
        except (Unreachable, Expelled):
            measure("ApiErrors")
            self.lost.add(address)
            self.repairs.append(lost)
        except (Refused, Forbidden, MessageLost) as error:
            self.give_up(error)
        except (Conflict, StoreUnavailable, StoreRefused):
            raise
        except Exception:
            # A fault of ours: what was told before it stays told, or each sweep would tell it again.
            log.exception("telling failed", extra=self._about())
            self.fail()

    def fail(self) -> None:
        """Nothing can be done about it now; the waits between attempts grow."""
        self.failed = True
        doublings = min(self.telling.failures + 1, MOST_DOUBLINGS)
        self._wait_until(self.ports.clock.now() + min(SLOWEST, 2.0**doublings))

    def hold(self, address: str, error: TooFast) -> float:
        """Write nothing to an address before Telegram allows it, whatever else is told meanwhile. In practice the group
        and the player are one chat.
        """
        measure("ApiErrors")
        now = self.ports.clock.now()
        alone = self.match.player(self.match.place.chat)
        addresses = (address,) if alone is None else (GROUP, str(alone))
        others = {key: until for key, until in self.telling.holds.items() if until > now}
        self.telling = replace(self.telling, holds={**others, **dict.fromkeys(addresses, now + error.seconds)})
        return now + error.seconds

    def _wait_until(self, time: float) -> None:
        self.wait = time if self.wait is None else min(self.wait, time)

    def give_up(self, error: Exception) -> None:
        """Telegram refused something for good: noted, and given up."""
        measure("ApiErrors")
        log.warning("Telegram refused a call", extra={**self._about(), **kind(error)})

    def _about(self) -> dict[str, Any]:
        return {"match": self.item.id, "phase": self.match.number}

    def announce(self, address: str, events: Iterable[Event], send: Callable[[Message], Errand[Any]]) -> Errand[None]:
        """Send all that an address has not been told."""
        yield from self.say(address, events, send)
        self._told(address, last(self.match))

    def say(self, address: str, events: Iterable[Event], send: Callable[[Message], Errand[Any]]) -> Errand[None]:
        """Send the next that an address has not been told, a message a chunk. One that Telegram refuses for good is
        skipped: it must not hold up the rest.
        """
        for chunk in chunks(events):
            if chunk.text is not None:
                try:
                    yield from send(Message(chunk.text))
                except (Refused, Forbidden) as error:
                    self.give_up(error)
            self._told(address, chunk.cursor)

    def _told(self, address: str, cursor: Cursor) -> None:
        if cursor > self.telling.at(address):
            self.telling = replace(self.telling, cursors={**self.telling.cursors, address: cursor})
