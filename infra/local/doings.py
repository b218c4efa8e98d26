"""What a reader of the local table's page can do: each doing takes a JSON object and answers with one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from infra.local import scene
from infra.local.botapi.checks import DATA_BYTES, START_PAYLOAD
from infra.local.botapi.people import NotPossible
from infra.local.botapi.shelf import Json
from infra.local.botapi.world import World
from infra.local.clock import SPEEDS, TableClock

_HALF = re.compile(r"[\ud800-\udfff]")
"""A surrogate without its other half, which JSON can carry and UTF-8 cannot."""

Doing = Callable[[World, TableClock, Json], Json]


def say(world: World, clock: TableClock, given: Json) -> Json:
    """``{user, chat, text}``: somebody writes."""
    world.people.say(_person(world, given), _number(given, "chat"), _words(given, "text"))
    return {}


def press(world: World, clock: TableClock, given: Json) -> Json:
    """``{user, chat, message, data}``: somebody presses a button. Answers with the press's ``query``."""
    where = _number(given, "chat"), _number(given, "message")
    data = _words(given, "data")
    if len(data.encode()) > DATA_BYTES:
        raise NotPossible(f"A button carries at most {DATA_BYTES} bytes.")
    return {"query": world.people.press(_person(world, given), *where, data)}


def start(world: World, clock: TableClock, given: Json) -> Json:
    """``{user, payload}``: somebody presses START in the bot's private chat, or follows a start link."""
    payload = _words(given, "payload")
    if payload and not START_PAYLOAD.fullmatch(payload):
        raise NotPossible("A start link carries at most 64 letters, digits, _ and -.")
    world.people.start(_person(world, given), payload)
    return {}


def person(world: World, clock: TableClock, given: Json) -> Json:
    """``{name}``: somebody new comes into the group. Answers with the person."""
    user = scene.add_person(world, _words(given, "name"))
    return scene.person(world.desk.state, user)


def speed(world: World, clock: TableClock, given: Json) -> Json:
    """``{speed}``: let the clock run at another speed."""
    wanted = _number(given, "speed")
    if wanted not in SPEEDS:
        raise NotPossible("The clock has no such speed.")
    clock.set_speed(wanted)
    world.events.add("clock", time(clock))
    return {}


def reset(world: World, clock: TableClock, given: Json) -> Json:
    """``{}``: a new group with new people."""
    scene.new_table(world)
    return {}


DOINGS: Mapping[str, Doing] = {
    "say": say,
    "press": press,
    "start": start,
    "person": person,
    "speed": speed,
    "reset": reset,
}


def time(clock: TableClock) -> Json:
    """The table's clock, for the page to go on by itself."""
    return {"now": clock.now(), "speed": clock.speed}


def _number(given: Json, name: str) -> int:
    value = given.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotPossible(f"{name} must be a whole number.")
    return value


def _words(given: Json, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        raise NotPossible(f"{name} must be a text.")
    if _HALF.search(value):
        raise NotPossible(f"{name} holds half a character.")
    return value


def _person(world: World, given: Json) -> int:
    user = _number(given, "user")
    if user not in scene.seated(world.desk.state):
        raise NotPossible("Nobody of that id is at this table.")
    return user
