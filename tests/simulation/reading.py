"""A stored item as the judge sees it: the one place of the simulation that knows how the handler writes a match."""

from __future__ import annotations

import json

from handler.ports import Item
from tests.simulation.trace import Seat, Snapshot


def snapshot(item: Item) -> Snapshot:
    """What is stored, in the trace's terms."""
    body = json.loads(item.body)
    record = body["record"] or {"seed": None, "rules": None, "steps": []}
    chat, topic = body["place"]
    return Snapshot(
        match=item.id,
        version=item.version,
        stage=body["stage"],
        game=body["game"],
        pace=body["pace"],
        title=body["title"],
        chat=chat,
        topic=topic,
        host=body["host"][0],
        seats=tuple(None if who is None else _seat(*who) for who in body["seats"]),
        opened=body["opened"],
        deadline=body["deadline"],
        reminded=body["reminded"],
        seed=record["seed"],
        rules=record["rules"],
        steps=tuple(_step(text) for text in record["steps"]),
        box={int(player): (sealed[0], sealed[1]) for player, sealed in body["box"].items()},
        alarm=item.alarm,
        alarm_at=item.alarm_at,
        news=item.news,
        told=item.told,
        tell_at=item.tell_at,
        lease=item.lease,
        lease_until=item.lease_until,
        follows=body["follows"],
        language=body["language"],
        paused=body["paused"],
        extended=tuple(body["extended"]),
        leaving={int(player): (by, agreed) for player, (by, agreed) in body["leaving"].items()},
    )


def _seat(user: int | None, name: str, reachable: bool, left: bool, _: int, language: str, since: int) -> Seat:
    return Seat(user, name, reachable, left, language, since)


def _step(text: str) -> dict[int, str]:
    """``0:move 1:move`` by player."""
    step: dict[int, str] = {}
    for move in text.split():
        player, _, notation = move.partition(":")
        step[int(player)] = notation
    return step
