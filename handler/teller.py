"""One pass of telling over all addresses: announcements, private results, the board, the panels, the record file.

What to tell is recomputed from the record, from each address's cursor on.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from engine.game import Player
from handler import people, places
from handler.codec import read_match, read_telling, write_telling
from handler.events import Chunk, chunks, events, last
from handler.exporting import record_file
from handler.match import Match
from handler.message import Message
from handler.ports import (
    Conflict,
    Expelled,
    Forbidden,
    Item,
    MessageLost,
    Migrated,
    NotSent,
    Place,
    Refused,
    StoreUnavailable,
    TooFast,
    Uncertain,
    Unreachable,
)
from handler.rates import WINDOW, free_at
from handler.screening import board, closed_panel, old_board, panel
from handler.screens import GROUP, Cursor, Panel, Screen, digest
from handler.table import LEASE_SECONDS, Outcome, Ports

log = logging.getLogger(__name__)

ROOM_TO_SPARE: Final = 4
"""Calls to the group that must still be possible at once for a pin to be made."""
SLOWEST: Final = 60.0
"""The longest wait between attempts, seconds."""
MOST_DOUBLINGS: Final = 6
"""After which the wait is the longest. Without a bound, a day without Telegram would overflow the power."""

Repair = Callable[[], Sequence[Outcome[Any] | None]]
"""A change of matches that an error made necessary; what came of it may have to be told in its turn."""


class _Later(Exception):
    """An address must not be written to before ``until``."""

    def __init__(self, until: float) -> None:
        super().__init__(until)
        self.until = until


class Teller:
    """One pass over all addresses.

    ``telling`` moves on with each call that succeeded. ``repairs`` are the changes of the match that errors made
    necessary, to be made afterwards. ``wait`` is when to go on, in Unix seconds, None if everything was told.
    """

    def __init__(self, ports: Ports, item: Item) -> None:
        self.ports = ports
        self.item = item
        self.match: Match = read_match(item.id, item.body)
        self.telling = read_telling(item.telling)
        self.repairs: list[Repair] = []
        self.wait: float | None = None
        self.failed = False

    def go(self) -> None:
        """Tell the group, then each reachable player. Raises Conflict if the lease is lost on the way."""
        alone = self.match.player(self.match.place.chat)
        host = None if alone is None else self.match.seats[alone]
        if not self.match.gone and (host is None or host.reachable):
            self._guard(GROUP, self._group, self._lose_place)
        for player, who in enumerate(self.match.seats):
            if who is not None and who.user is not None and who.reachable:
                self._guard(str(player), partial(self._player, player, who.user), partial(self._lose_player, who.user))
        self.telling = replace(self.telling, failures=self.telling.failures + 1 if self.failed else 0)

    def keep(self) -> None:
        """Store what was told so far, and prolong the lease. Raises Conflict if it is lost."""
        until = self.ports.clock.now() + LEASE_SECONDS
        self.ports.store.settle(replace(self.item, telling=write_telling(self.telling), lease_until=until), done=False)
        self.item = replace(self.item, lease_until=until)

    def _guard(self, address: str, work: Callable[[], None], lost: Repair) -> None:
        """What follows from each error: wait, mend, or go on without. No address holds up another."""
        try:
            work()
        except _Later as later:
            self._wait_until(later.until)
        except TooFast as error:
            self._wait_until(self._hold(address, error))
        except (NotSent, Uncertain):
            self._fail()
        except Migrated as error:
            self.repairs.append(partial(places.move, self.ports, self.item.id, error.chat))
            self._fail()
        except (Unreachable, Expelled):
            self.repairs.append(lost)
        except (Refused, Forbidden, MessageLost) as error:
            self._log(error)
        except (Conflict, StoreUnavailable):
            raise
        except Exception:
            # A fault of ours: what was told before it stays told, or each sweep would tell it again.
            log.exception("telling failed", extra={"match": self.item.id})
            self._fail()

    def _fail(self) -> None:
        """Nothing can be done about it now; the waits between attempts grow."""
        self.failed = True
        doublings = min(self.telling.failures + 1, MOST_DOUBLINGS)
        self._wait_until(self.ports.clock.now() + min(SLOWEST, 2.0**doublings))

    def _hold(self, address: str, error: TooFast) -> float:
        """Write nothing to an address before Telegram allows it, whatever else is told meanwhile."""
        now = self.ports.clock.now()
        others = {key: until for key, until in self.telling.holds.items() if until > now}
        self.telling = replace(self.telling, holds={**others, address: now + error.seconds})
        return now + error.seconds

    def _wait_until(self, time: float) -> None:
        self.wait = time if self.wait is None else min(self.wait, time)

    def _log(self, error: Exception) -> None:
        log.warning("Telegram refused a call", extra={"match": self.item.id, "error": type(error).__name__})

    # --- the group --------------------------------------------------------------------------------

    def _lose_place(self) -> Sequence[Outcome[Any] | None]:
        """The bot is out of the group. A practice match only waits for its person to come back; a lobby does not."""
        chat = self.match.place.chat
        if chat > 0 and self.match.stage != "lobby":
            return [people.lose(self.ports, self.item.id, chat)]
        return [places.remove(self.ports, self.item.id)]

    def _group(self) -> None:
        self._announce()
        for part in (self._board, self._file):
            try:
                part()
            except (Refused, Forbidden) as error:
                self._log(error)

    def _announce(self) -> None:
        for chunk in chunks(events(self.match, None, self.telling.at(GROUP))):
            self._say(chunk, lambda message: self._group_call(self._send_group, message))
            self._told(GROUP, chunk.cursor)
        self._told(GROUP, last(self.match))

    def _board(self) -> None:
        match, old = self.match, self.telling.board
        scene, message = board(match, self.ports.telegram.me().username)
        ended = match.record is not None and match.stage != "playing"
        if old is not None and old.chat == match.place.chat:
            if old.scene == scene or ended:  # a match ends on the board that it has
                if old.digest == digest(message) or self._edit(old.message, message):
                    self.telling = replace(self.telling, board=_screen(match, old.message, scene, message))
                    return
            elif old.pressable:
                self._edit(old.message, old_board(match, old.scene))
                self.telling = replace(self.telling, board=replace(old, pressable=False))
        if ended:
            return
        sent = self._group_call(self._send_group, message, quiet=True)
        self.telling = replace(self.telling, board=_screen(match, sent, scene, message))
        if match.record is not None:
            self._pin(match.place.chat, sent)

    def _edit(self, message_id: int, message: Message) -> bool:
        """Show another text in the group's board; False if the board is lost. A text that Telegram refuses is given up:
        tried again, it would only take the place of other calls.
        """
        try:
            self._group_call(self.ports.telegram.edit, self.match.place.chat, message_id, message)
        except MessageLost:
            return False
        except (Refused, Forbidden) as error:
            self._log(error)
        return True

    def _send_group(self, message: Message, *, quiet: bool = False) -> int:
        return self.ports.telegram.send(self.match.place, message, quiet=quiet)

    def _pin(self, chat: int, message_id: int) -> None:
        """Pinning is a nicety: it needs room to spare, and is not tried again in a group that does not allow it."""
        now = self.ports.clock.now()
        if not self.telling.pins or chat > 0 or self._group_free(now, ROOM_TO_SPARE) > now:
            return
        try:
            self._group_call(self.ports.telegram.pin, chat, message_id)
        except (Forbidden, Refused, MessageLost):
            self.telling = replace(self.telling, pins=False)
        except TooFast as error:
            self._hold(GROUP, error)
        except (NotSent, Uncertain) as error:
            self._log(error)

    def _file(self) -> None:
        match = self.match
        if match.record is None or match.stage == "playing" or self.telling.filed:
            return
        name, content, caption = record_file(match)
        self._group_call(self.ports.telegram.document, match.place, name, content, caption)
        self.telling = replace(self.telling, filed=True)

    def _group_free(self, now: float, calls: int = 1) -> float:
        """When that many more calls may be made to the group, ``now`` at the earliest."""
        chat = self.match.place.chat
        held = self.telling.holds.get(GROUP, now)
        if chat > 0:
            return max(held, now)
        # Most calls stand in both lists, and several may have been made at the same reading of the clock.
        times = Counter(self.telling.sent) | Counter(self.ports.rates.times(chat, now))
        return max(held, free_at(times.elements(), now, calls))

    def _group_call(self, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Make a call to the group if its rate allows one now, else raise _Later."""
        chat, now = self.match.place.chat, self.ports.clock.now()
        free = self._group_free(now)
        if free > now:
            raise _Later(free)
        self._keep_lease()
        if chat < 0:
            self.ports.rates.note(chat, now)
            recent = tuple(time for time in self.telling.sent if time > now - WINDOW)
            self.telling = replace(self.telling, sent=(*recent, now))
        return call(*args, **options)

    # --- one player -------------------------------------------------------------------------------

    def _player(self, player: Player, user: int) -> None:
        match, address = self.match, str(player)
        for chunk in chunks(events(match, player, self.telling.at(address))):
            self._say(chunk, lambda message: self._private_call(player, self.ports.telegram.send, Place(user), message))
            self._told(address, chunk.cursor)
        self._told(address, last(match))
        old = self.telling.panels.get(player)
        if old is not None and (old.number != match.number or match.stage != "playing"):
            self._redraw(player, user, old, closed_panel(match, player, old.number))
            self._set_panel(player, None)
            old = None
        message = panel(match, player)
        if message is None or (old is not None and old.until == match.deadline):
            return
        if old is not None and self._redraw(player, user, old, message):
            self._set_panel(player, replace(old, until=match.deadline))
        else:
            sent = self._private_call(player, self.ports.telegram.send, Place(user), message)
            self._set_panel(player, Panel(sent, match.number, match.deadline))

    def _redraw(self, player: Player, user: int, old: Panel, message: Message) -> bool:
        """Show another text in a panel; False if that panel cannot be edited any more."""
        try:
            self._private_call(player, self.ports.telegram.edit, user, old.message, message)
        except (MessageLost, Refused, Forbidden) as error:
            self._log(error)
            return False
        return True

    def _lose_player(self, user: int) -> Sequence[Outcome[Any] | None]:
        return [people.lose(self.ports, self.item.id, user)]

    def _private_call(self, player: Player, call: Callable[..., Any], *args: Any) -> Any:
        held = self.telling.holds.get(str(player), 0.0)
        if held > self.ports.clock.now():
            raise _Later(held)
        self._keep_lease()
        return call(*args)

    def _set_panel(self, player: Player, screen: Panel | None) -> None:
        panels = {key: each for key, each in self.telling.panels.items() if key != player}
        if screen is not None:
            panels[player] = screen
        self.telling = replace(self.telling, panels=panels)

    # --- both -------------------------------------------------------------------------------------

    def _say(self, chunk: Chunk, send: Callable[[Message], Any]) -> None:
        """Send what a chunk says. A message that Telegram refuses for good is skipped: it must not hold up the rest."""
        if chunk.text is None:
            return
        try:
            send(Message(chunk.text))
        except (Refused, Forbidden) as error:
            self._log(error)

    def _told(self, address: str, cursor: Cursor) -> None:
        if cursor > self.telling.at(address):
            self.telling = replace(self.telling, cursors={**self.telling.cursors, address: cursor})

    def _keep_lease(self) -> None:
        """Prolong the lease in time where Telegram is slow, and keep what was told so far."""
        if self.item.lease_until - self.ports.clock.now() < LEASE_SECONDS / 2:
            self.keep()


def _screen(match: Match, message_id: int, scene: str, message: Message) -> Screen:
    pressable = any(button.data is not None for row in message.keyboard for button in row)
    return Screen(match.place.chat, message_id, scene, digest(message), pressable)
