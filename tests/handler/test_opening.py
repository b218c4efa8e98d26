"""Opening a lobby where whatever stands in the way is gone each time one looks."""

from __future__ import annotations

import pytest

from handler.opening import open_lobby
from handler.ports import Item, Place, Pointers, Taken
from handler.table import ATTEMPTS, Busy
from handler.updates import Who
from infra.stores.memory import MemoryStore
from tests.flows.house import Flow


class Haunted(MemoryStore):
    """A store where every place is taken by a match that is not there."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    def create(self, item: Item, pointers: Pointers) -> None:
        """Refuse."""
        self.tries += 1
        raise Taken("ghost")


def test_where_a_place_is_taken_nothing_is_armed_for_a_match_that_never_is() -> None:
    bot = Flow(MemoryStore(), "opening")
    bot.say(bot.ada, "/gravity")
    there = bot.match()
    armed = list(bot.timers.heap)
    bot.say(bot.bruno, "/gravity")
    assert bot.match() == there
    assert bot.timers.heap == armed


def test_it_is_given_up_in_the_end() -> None:
    store = Haunted()
    bot = Flow(store, "opening")
    with pytest.raises(Busy):
        open_lobby(bot.ports, Place(bot.group), "The Garden", "gravity", Who(bot.ada, "Ada"), 1)
    assert store.tries == ATTEMPTS
    assert store.at(Place(bot.group)) is None
