"""Tell what must be told, alone: a lease keeps two tellers apart, cursors say how far each address has come.

A call that failed leaves its cursor where it was and a time to go on; the next alarm, press or sweep does. So
everything is told at least once and in order, and twice only where a fault came between a call and its cursor.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import Any

from engine.game import Player
from handler.codec import read_match, read_telling, write_telling
from handler.counting import count
from handler.errands import carry_out
from handler.group_telling import tell_group
from handler.logs import kind
from handler.match import Sealed
from handler.measures import measure
from handler.picturing import illustration
from handler.player_telling import change_pictures, panel_shown, tell_players
from handler.ports import Conflict, Item, Lease, Stopped, TelegramError
from handler.screens import Panel
from handler.table import Outcome, Ports, lease_seconds
from handler.teller import Teller
from handler.views import after, talk
from handler.words import speaking

log = logging.getLogger(__name__)


def settle(ports: Ports, outcome: Outcome[Any] | None) -> None:
    """Tell what a change left to tell, if the telling fell to it."""
    if outcome is not None and outcome.tells:
        tell(ports, outcome.item)


def settle_afterwards(ports: Ports, outcome: Outcome[Any] | None) -> None:
    """As :func:`settle`, where whoever brought the change need not wait for others to be told of it."""
    if outcome is not None and outcome.tells:
        ports.afterwards(outcome.item.id, partial(tell, ports, outcome.item))


def adopt(ports: Ports, id: str, player: Player, panel: Panel) -> None:
    """A panel that its player asked for takes the place of the one they had. While something is being told, or where
    the phase has closed or another panel has come meanwhile, it stays a copy, which a press after its phase turns into
    the way to the current panel.
    """
    held = _held(ports, id)
    if held is None:
        return
    telling, match = read_telling(held.telling), read_match(id, held.body)
    old = telling.panels.get(player)
    replaces = panel == panel_shown(match, player, panel.message) and _is_newer(panel, old)
    kept = held
    if replaces:
        kept = replace(held, telling=write_telling(replace(telling, panels={**telling.panels, player: panel})))
    try:
        ports.store.settle(kept, done=True)
    except Conflict as conflict:
        if conflict.current is None or conflict.current.lease != held.lease:
            return
        tell(ports, replace(conflict.current, telling=kept.telling))  # committed meanwhile, and left to this lease
    if replaces and old is not None:
        who = match.seats[player]
        assert who is not None
        assert who.user is not None
        try:
            with speaking(who.language):
                ports.telegram.edit(who.user, old.message, talk.moved_panel())
        except TelegramError as error:
            measure("ApiErrors")
            log.warning("an old panel stays as it is", extra={"match": id, "phase": match.number, **kind(error)})


def _is_newer(panel: Panel, old: Panel | None) -> bool:
    """Whether a panel came after the one that its player had."""
    return old is None or (old.message < panel.message and old.user in (None, panel.user))


def show_board_again(ports: Ports, id: str) -> None:
    """The board comes once more, as the newest message; what stays of the old one says so. While something is being
    told, or has yet to be, nothing comes: that shows the board anyway.
    """
    held = _held(ports, id)
    if held is None:
        return
    telling = read_telling(held.telling)
    tell(ports, replace(held, telling=write_telling(replace(telling, board=None))))
    if telling.board is not None:
        try:
            ports.telegram.edit(telling.board.chat, telling.board.message, after.moved())
        except TelegramError as error:
            measure("ApiErrors")
            log.warning("an old board stays as it is", extra={"match": id, **kind(error)})


def tell(ports: Ports, item: Item) -> None:
    """Tell all that is untold. The caller holds the item's lease; it is given back. Where the process is about to end,
    the next one goes on from there.
    """
    drawn: dict[Player, Sealed | None] = {}
    while True:
        teller = Teller(ports, item, drawn)
        try:
            _pass(teller)
            teller.finish()
            if teller.repairs:
                teller.keep()
        except Conflict:
            return
        except Stopped:
            with suppress(Conflict):
                ports.store.settle(replace(teller.item, telling=write_telling(teller.telling), tell_at=0.0), done=True)
            return
        for repair in teller.repairs:
            for outcome in repair():
                settle(ports, outcome)
        told = item.told if teller.wait else item.news
        if teller.wait:
            ports.timers.arm(item.id, item.alarm, teller.wait)
        done = replace(item, telling=write_telling(teller.telling), told=told, tell_at=teller.wait or 0.0)
        try:
            ports.store.settle(done, done=True)
            return
        except Conflict as conflict:
            newer = conflict.current
        if newer is None or newer.lease != item.lease:
            return
        # Something was committed meanwhile: keep the lease and what has been told, and go on from there.
        until = ports.clock.now() + lease_seconds(ports)
        try:
            item = ports.store.settle(replace(newer, telling=done.telling, told=told, lease_until=until), done=False)
        except Conflict:
            return


def _pass(teller: Teller) -> None:
    """Go over all addresses once, side by side. Raises Conflict if the lease is lost, StoreUnavailable."""
    match, together, ready = teller.match, teller.ports.together, teller.keep_lease
    owed = cache(partial(illustration, match))  # of each player once: it is asked for twice
    group, players = (match.language, tell_group(teller)), tell_players(teller, owed)
    if match.player(match.place.chat) is None:
        carry_out(together, chain([group], players), ready)
    else:
        carry_out(together, [group], ready)  # one chat for both: what the group is told comes first
        carry_out(together, players, ready)
    carry_out(together, change_pictures(teller, owed), ready)
    carry_out(together, [(match.language, count(teller))], ready)


def _held(ports: Ports, id: str) -> Item | None:
    """A match of which all has been told, with the lease on telling it; None if something is untold, or somebody was
    faster.
    """
    item, now = ports.store.load(id), ports.clock.now()
    if item is None or item.told < item.news:
        return None
    try:
        return ports.store.take(item, Lease(ports.entropy.bytes(9).hex(), now + lease_seconds(ports)), now)
    except Conflict:
        return None
