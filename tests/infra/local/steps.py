"""A clock that goes only when told to, and a small world to try things in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.local.botapi.errors import Refusal
from infra.local.botapi.shelf import Json
from infra.local.botapi.world import World

START = 1_800_000_000.0


class Steps:
    """Unix seconds that pass by hand."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> float:
        return self.at

    def go(self, seconds: float) -> None:
        self.at += seconds


@dataclass
class Scene:
    """A group with Ada in it and the bot; nothing waits to be delivered."""

    clock: Steps
    world: World
    ada: int
    group: int

    def call(self, method: str, **params: Any) -> Any:
        """The result of a call. Raises Refusal."""
        return self.world.call(method, params).result

    def send(self, chat: int, text: str = "hello", **params: Any) -> Json:
        """Let the bot write."""
        sent: Json = self.call("sendMessage", chat_id=chat, text=text, **params)
        return sent

    def refusal(self, method: str, **params: Any) -> Json:
        """The body with which a call is refused."""
        try:
            result = self.call(method, **params)
        except Refusal as refusal:
            return refusal.body()
        raise AssertionError(f"{method} was not refused: {result}")

    def forget(self) -> None:
        """Acknowledge everything that waits."""
        for update in self.world.pending():
            self.world.acknowledge(update["update_id"])


def scene(path: Path | None = None) -> Scene:
    """Such a group."""
    clock = Steps()
    world = World(clock, path)
    ada = world.people.add("Ada")
    group = world.groups.add("The Garden", ada)
    world.groups.add_bot(group, ada)
    made = Scene(clock, world, ada, group)
    made.forget()
    return made
