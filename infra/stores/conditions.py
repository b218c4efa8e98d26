"""What each conditional write of :class:`handler.ports.MatchStore` demands, for stores that can look before they write.

Each function takes the item as it is stored now, inside the store's lock or transaction, and gives the item to store
instead, or raises Conflict.
"""

from __future__ import annotations

from dataclasses import replace

from handler.ports import Conflict, Item, Lease


def committed(stored: Item | None, before: Item, after: Item, lease: Lease | None, now: float) -> Item:
    """What ``commit`` writes."""
    if after.version != before.version + 1:
        raise ValueError("a commit raises the version by one")
    if stored is None or stored.version != before.version:
        raise Conflict(stored)
    item = replace(
        stored,
        version=after.version,
        body=after.body,
        alarm_at=after.alarm_at,
        alarm=after.alarm,
        news=after.news,
        ended_at=after.ended_at,
    )
    if lease and not held(before, now) and _same_lease(stored, before):
        item = _leased(item, lease)
    return item


def settled(stored: Item | None, item: Item, *, done: bool) -> Item:
    """What ``settle`` writes."""
    if stored is None or stored.lease != item.lease or (done and stored.version != item.version):
        raise Conflict(stored)
    told = replace(stored, telling=item.telling, told=item.told, tell_at=item.tell_at, lease_until=item.lease_until)
    return replace(told, lease=None, lease_until=0.0) if done else told


def taken(stored: Item | None, item: Item, lease: Lease, now: float) -> Item:
    """What ``take`` writes."""
    if stored is None or held(stored, now) or not _same_lease(stored, item):
        raise Conflict(stored)
    return _leased(stored, lease)


def held(item: Item, now: float) -> bool:
    """Whether somebody's lease on telling is valid."""
    return item.lease is not None and now < item.lease_until


def _same_lease(one: Item, other: Item) -> bool:
    """A prolonged lease is another one: to whoever saw it before, it may look as if it had run out."""
    return one.lease == other.lease and (one.lease is None or one.lease_until == other.lease_until)


def _leased(item: Item, lease: Lease) -> Item:
    return replace(item, lease=lease.token, lease_until=lease.until)
