"""Tell what must be told, alone: a lease keeps two tellers apart, cursors say how far each address has come.

A call that failed leaves its cursor where it was and a time to go on; the next alarm, press or sweep does. So
everything is told at least once and in order, and twice only where a fault came between a call and its cursor.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from handler.codec import write_telling
from handler.group_telling import tell_group
from handler.player_telling import tell_players
from handler.ports import Conflict, Item
from handler.table import LEASE_SECONDS, Outcome, Ports
from handler.teller import Teller


def settle(ports: Ports, outcome: Outcome[Any] | None) -> None:
    """Tell what a change left to tell, if the telling fell to it."""
    if outcome is not None and outcome.tells:
        tell(ports, outcome.item)


def tell(ports: Ports, item: Item) -> None:
    """Tell all that is untold. The caller holds the item's lease; it is given back."""
    while True:
        teller = Teller(ports, item)
        try:
            tell_group(teller)
            tell_players(teller)
            teller.finish()
            if teller.repairs:
                teller.keep()
        except Conflict:
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
        until = ports.clock.now() + LEASE_SECONDS
        try:
            item = ports.store.settle(replace(newer, telling=done.telling, told=told, lease_until=until), done=False)
        except Conflict:
            return
