"""The table as a whole, for the operator: what is in it, and what is brought into it from elsewhere.

The function never does this, and may not: it has no permission for Scan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from handler.ports import Conflict, Item, Place, Pointers, Result
from infra.stores.dynamo import DynamoStore
from infra.stores.dynamo_items import MATCHES, PROFILE, RESULTS, TOPICS, Stored, living, unchanged
from infra.stores.dynamo_people import DynamoPeople, read
from infra.stores.dynamo_writes import calling
from infra.stores.kept import Kept, KeptPeople, in_order
from infra.stores.ordering import latest_first

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class WholeDynamoStore(DynamoStore):
    """A :class:`infra.stores.dynamo.DynamoStore` that can be read and filled as a whole, while no bot uses it."""

    def kept(self) -> Sequence[Kept]:
        """Every match whose time has not passed. Raises AwsTrouble."""
        items: list[Item] = []
        places: dict[str, Place] = {}
        people: defaultdict[str, dict[int, int]] = defaultdict(dict)
        now = self._now()
        for found in _everything(self._client, self._table):
            (kind, _, number), sk = found["pk"]["S"].partition("#"), found["sk"]["S"]
            if kind == "match":
                item = living(found, now)
                items += [item] if item else []
            elif kind == "user" and sk.startswith(MATCHES):
                people[sk.removeprefix(MATCHES)][int(number)] = int(found["since"]["N"])
            elif sk.startswith(TOPICS):
                places[found["match_id"]["S"]] = Place(int(number), int(sk.removeprefix(TOPICS)) or None)
        return in_order(Kept(item, places.get(item.id), people[item.id]) for item in items)

    def alarms(self) -> Sequence[tuple[str, float]]:
        """Each match's next moment, from the matches themselves: the index may not know yet what came just now."""
        return [(each.item.id, each.item.moment) for each in self.kept() if each.item.moment is not None]

    def keep(self, kept: Kept) -> None:
        """Bring a match in, with everything that points to it. Raises Conflict, Taken, AwsTrouble."""

        def judge(stored: Item | None) -> Item:
            if stored is not None:
                raise Conflict(stored)
            return kept.item

        pointers = Pointers(take_place=kept.place, add_people=tuple(kept.people))
        self._writes.match(judge, None, unchanged, pointers, kept.people)


class WholeDynamoPeople(DynamoPeople):
    """A :class:`infra.stores.dynamo_people.DynamoPeople` that can be read as a whole, while no bot uses it."""

    def kept(self) -> KeptPeople:
        """Every profile and every result. Raises AwsTrouble."""
        profiles: dict[int, str] = {}
        results: list[Result] = []
        for found in _everything(self._client, self._table):
            number, sk = found["pk"]["S"].partition("#")[2], found["sk"]["S"]
            if sk == PROFILE:
                profiles[int(number)] = found["body"]["S"]
            elif sk.startswith(RESULTS):
                results.append(read(found))
        return KeptPeople(dict(sorted(profiles.items())), latest_first(results))


def _everything(client: DynamoDBClient, table: str) -> Iterator[Stored]:
    """Every item of the table. Raises AwsTrouble."""
    pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    with calling("Scan"):
        for page in pages:
            yield from page["Items"]
