"""Updates that hypothesis makes up: each is acknowledged, none is a fault, and another match never notices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handler.updates import KINDS
from tests.fuzz.hostile import NODES
from tests.fuzz.scene import Scene, everything, scene
from tests.fuzz.seeds import samples, seeds
from tests.fuzz.strategies import ANYTHING, mutated, plain, updates_like
from tests.shared import needs_shared


@pytest.fixture(scope="module")
def stage() -> Iterator[Scene]:
    """A bot for whatever changes nothing."""
    with scene() as made:
        yield made


def acknowledged(stage: Scene, *updates: Any) -> None:
    for update in updates:
        assert stage.bot.post(plain(update)) == 200


@settings(max_examples=100)
@given(update=ANYTHING | updates_like(KINDS))
def test_anything_at_all_is_acknowledged_and_changes_nothing(stage: Scene, update: Any) -> None:
    before = everything(stage.bot)
    acknowledged(stage, update)
    assert everything(stage.bot) == before


@pytest.mark.parametrize("stage_", ["lobby", "match"])
def test_every_node_of_every_update_may_be_anything(stage_: str) -> None:
    """One wrong node at a time, of every kind; whatever does mean something may happen, here and nowhere else."""
    with scene(stage_) as made:
        for number, update in enumerate(seeds(made)):
            for kind in update:
                for key in update[kind] if isinstance(update[kind], dict) else ():
                    wrong = NODES[number % 7 :: 7]
                    acknowledged(made, *({**update, kind: {**update[kind], key: each}} for each in wrong))
        answers_still(made)


@pytest.mark.parametrize("stage_", ["lobby", "match"])
@settings(max_examples=25)
@given(data=st.data())
def test_updates_with_something_wrong_in_them(stage_: str, data: st.DataObject) -> None:
    """Up to six, right ones among them: what these do, they do for the match they name."""
    with scene(stage_) as made:
        known = seeds(made)
        count = data.draw(st.integers(1, 6))
        for _ in range(count):
            acknowledged(made, data.draw(mutated(known) | st.sampled_from(known)))
        answers_still(made)


@needs_shared
@settings(max_examples=100)
@given(data=st.data())
def test_published_updates_with_something_wrong_in_them(stage: Scene, data: st.DataObject) -> None:
    """They come from elsewhere, and change nothing here."""
    before = everything(stage.bot)
    acknowledged(stage, data.draw(mutated(samples())))
    assert everything(stage.bot) == before


def answers_still(stage: Scene) -> None:
    """Every match of the two can be read, and Bruno is answered."""
    for id in stage.bot.matches():
        stage.bot.load(id)
    before = len(stage.bot.world.history(stage.bot.bruno))
    stage.bot.say(stage.bot.bruno, "/matches", stage.bot.bruno)
    assert len(stage.bot.world.history(stage.bot.bruno)) > before
