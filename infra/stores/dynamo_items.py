"""How matches and the pointers to them lie in the table, and the conditions on which they are written.

One table with the keys ``pk`` and ``sk``:

======================  ====================  ==========================================================
``match#ID``            ``match``             the match: Item's fields by their names, and what is below
``chat#CHAT``           ``topic#TOPIC``       the match in a place (``match_id``); topic 0 outside topics
``user#USER``           ``match#ID``          a match the person is in, ``since`` when (orders them)
``chat#CHAT``           ``replies``           the group's latest replies (``times``, ``version``)
``user#USER``           ``profile``           a person's profile (``body``, ``write``); of a chat under ``chat#CHAT``
``user#USER``           ``result#ID``         how match ID went for a person: ``played_in``, ``ended_at``, ``body``
======================  ====================  ==========================================================

A match has besides: ``body_etag`` and ``etag``, short digests of its first and second block (:class:`Item`); ``due``
and ``moment``, the keys of the index ``due``, only while it has a moment; ``expires``, the table's time to live, only
once it has ended. DynamoDB deletes days late what has expired, so a time to live that has passed counts as absent.

A result's ``played_in`` (its chat) and ``ended_at`` are the keys of the index ``results``, which holds it
whole. Neither results nor profiles expire: they are small, and what somebody has won outlasts the record of how.

A write is paid by the kilobyte, so ``body`` and ``telling`` of a match are Binary, packed by :func:`packed`; as
String, plain, they are read as well. docs/deploy.md says how to read one by hand.

Numbers are written as the shortest digits that give the same float again, 17 at most; DynamoDB keeps 38.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

from handler.ports import Item, Place

INDEX: Final = "due"
DUE: Final = "due"
"""The one hash key of the index. All of it is one partition, which takes 1,000 writes a second (DynamoDB developer
guide, best practices for partition keys): some ten thousand matches that are all being played at once. Beyond that the
table's writes would be throttled with the index's, and matches would have to be spread over several hash keys.
"""
RESULTS_INDEX: Final = "results"
TOPICS: Final = "topic#"
MATCHES: Final = "match#"
RESULTS: Final = "result#"
PROFILE: Final = "profile"
DAY: Final = 86_400
SWEEP_EVERY: Final = 60.0
"""Seconds from one sweep to the next, as template.yaml has it."""

Attributes = dict[str, dict[str, Any]]
"""An item as DynamoDB's API has it: each value under the name of its type."""
Stored = Mapping[str, Mapping[str, Any]]
"""The same, read."""


class Condition(TypedDict):
    """What must be so for a write to be done, as PutItem and the actions of TransactWriteItems take it. If it is not,
    what is stored comes back with the refusal.
    """

    ConditionExpression: str
    ExpressionAttributeNames: NotRequired[Mapping[str, str]]
    ExpressionAttributeValues: NotRequired[Attributes]
    ReturnValuesOnConditionCheckFailure: Literal["ALL_OLD"]


# --- keys -----------------------------------------------------------------------------------------


def match_key(id: str) -> Attributes:
    """The key of a match."""
    return _key(MATCHES + id, "match")


def place_key(place: Place) -> Attributes:
    """The key of the pointer from a place."""
    return _key(f"chat#{place.chat}", f"{TOPICS}{place.topic or 0}")


def person_key(user: int, id: str) -> Attributes:
    """The key of the pointer from a person to a match."""
    return _key(f"user#{user}", MATCHES + id)


def replies_key(chat: int) -> Attributes:
    """The key of a group's replies."""
    return _key(f"chat#{chat}", "replies")


def profile_key(id: int) -> Attributes:
    """The key of the profile of a person or a chat. Telegram gives people positive ids, and groups negative ones."""
    return _key(f"user#{id}" if id > 0 else f"chat#{id}", PROFILE)


def result_key(user: int, match: str) -> Attributes:
    """The key of a person's result of a match."""
    return _key(f"user#{user}", RESULTS + match)


def beginning(pk: str, sk: str) -> tuple[str, Attributes]:
    """The condition of a Query, with its values, for everything under ``pk`` whose ``sk`` begins so."""
    return "pk = :pk AND begins_with(sk, :sk)", {":pk": {"S": pk}, ":sk": {"S": sk}}


def _key(pk: str, sk: str) -> Attributes:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


# --- matches --------------------------------------------------------------------------------------


def written(item: Item, keep_days: int) -> Attributes:
    """A match as it is stored. ``keep_days``: how long it is kept after its end."""
    found = match_key(item.id) | {
        "version": number(item.version),
        "body": packed(item.body),
        "alarm": number(item.alarm),
        "news": number(item.news),
        "body_etag": {"S": _body_etag(item)},
        "telling": packed(item.telling),
        "told": number(item.told),
        "tell_at": moment(item.tell_at),
        "lease_until": moment(item.lease_until),
        "etag": {"S": _etag(item)},
    }
    if item.alarm_at is not None:
        found["alarm_at"] = moment(item.alarm_at)
    if item.lease is not None:
        found["lease"] = {"S": item.lease}
    listed = _listed(item)
    if listed is not None:
        found |= {"due": {"S": DUE}, "moment": moment(listed)}
    if item.ended_at is not None:
        found |= {"ended_at": moment(item.ended_at), "expires": number(expiry(item.ended_at, keep_days))}
    return found


def _listed(item: Item) -> float | None:
    """When the index brings a match up: at its moment. But where somebody tells, and an alarm follows within a minute
    of the end of their lease, at the alarm: should they be dead, that is as soon as the sweep would come at the latest,
    and the key, which is paid for twice whenever it changes, stays as it is when they have told.
    """
    telling = item.told < item.news and item.lease is not None
    if telling and item.alarm_at is not None and item.alarm_at <= item.lease_until + SWEEP_EVERY:
        return item.alarm_at
    return item.moment


def read(stored: Stored) -> Item:
    """The match that :func:`written` gave."""
    return Item(
        id=stored["pk"]["S"].removeprefix(MATCHES),
        version=int(stored["version"]["N"]),
        body=unpacked(stored["body"]),
        alarm_at=_moment(stored, "alarm_at"),
        alarm=int(stored["alarm"]["N"]),
        news=int(stored["news"]["N"]),
        telling=unpacked(stored["telling"]),
        told=int(stored["told"]["N"]),
        tell_at=float(stored["tell_at"]["N"]),
        lease=stored["lease"]["S"] if "lease" in stored else None,
        lease_until=float(stored["lease_until"]["N"]),
        ended_at=_moment(stored, "ended_at"),
    )


def living(stored: Stored | None, now: float) -> Item | None:
    """The match, unless its time has passed."""
    return None if stored is None or expired(stored, now) else read(stored)


def expired(stored: Stored, now: float) -> bool:
    """Whether the time to live of whatever is stored has passed."""
    return "expires" in stored and int(stored["expires"]["N"]) <= now


def expiry(ended_at: float, keep_days: int) -> int:
    """When a match that ended is forgotten, in Unix seconds."""
    return int(ended_at + keep_days * DAY)


def packed(text: str) -> dict[str, Any]:
    """A text as a value, raw deflate (RFC 1951), or plain where that makes it no smaller."""
    plain = text.encode()
    press = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    small = press.compress(plain) + press.flush()
    return {"B": small} if len(small) < len(plain) else {"S": text}


def unpacked(value: Mapping[str, Any]) -> str:
    """The text that :func:`packed` was given."""
    return zlib.decompress(value["B"], wbits=-zlib.MAX_WBITS).decode() if "B" in value else str(value["S"])


def number(value: int) -> dict[str, str]:
    """A whole number as a value."""
    return {"N": str(value)}


def moment(at: float) -> dict[str, str]:
    """A time as a value."""
    return {"N": _exact(at)}


def _moment(stored: Stored, name: str) -> float | None:
    return float(stored[name]["N"]) if name in stored else None


def _exact(at: float) -> str:
    return repr(at + 0.0)  # the same for 0, 0.0 and -0.0, which are equal


# --- conditions -----------------------------------------------------------------------------------


def demand(expression: str, values: Attributes | None = None) -> Condition:
    """The condition that a condition expression says."""
    condition: Condition = {"ConditionExpression": expression, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    return {**condition, "ExpressionAttributeValues": values} if values else condition


def absent(now: float) -> Condition:
    """There is no such item, or one whose time has passed."""
    return demand("attribute_not_exists(pk) OR expires <= :now", {":now": moment(now)})


def unchanged(item: Item) -> Condition:
    """Stored is ``item``, in both its blocks. A version alone does not say so: telling leaves it as it is."""
    expression = "version = :version AND body_etag = :body_etag AND etag = :etag"
    return demand(expression, _first_block(item) | {":etag": {"S": _etag(item)}})


def leased(item: Item) -> Condition:
    """Stored is ``item``'s first block, under ``item``'s lease: for its holder, who alone writes the second."""
    expression = "version = :version AND body_etag = :body_etag AND "
    if item.lease is None:
        return demand(expression + "attribute_not_exists(lease)", _first_block(item))
    return demand(expression + "lease = :lease", _first_block(item) | {":lease": {"S": item.lease}})


def free_for(id: str) -> Condition:
    """No other match has the place."""
    return demand("attribute_not_exists(pk) OR match_id = :match", {":match": {"S": id}})


def _first_block(item: Item) -> Attributes:
    return {":version": number(item.version), ":body_etag": {"S": _body_etag(item)}}


def _body_etag(item: Item) -> str:
    return _digest(item.version, item.body, item.alarm_at, item.alarm, item.news, item.ended_at)


def _etag(item: Item) -> str:
    return _digest(item.telling, item.told, item.tell_at, item.lease, item.lease_until)


def _digest(*values: str | float | None) -> str:
    exact = [_exact(value) if isinstance(value, int | float) else repr(value) for value in values]
    return hashlib.sha256("\n".join(exact).encode()).hexdigest()[:16]
