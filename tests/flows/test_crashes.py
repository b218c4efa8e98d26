"""The process is killed between any two effects: the match ends as if nothing had happened."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest

from handler.ports import StoreUnavailable
from infra.stores.sqlite import SqliteStore
from tests.flows.frail import Around, Effect, Frail, Kill
from tests.flows.outages import START, KillOften, Outage, requests, run
from tests.flows.segments import Aftermath, Segment, aftermath, check, heard, lobby, pressed, silent, troubled, until

T = TypeVar("T")


def clean(segment: Segment) -> tuple[Aftermath, int]:
    """What comes of a segment without a fault, and how many effects it has."""
    bot = run(segment, Around())
    return aftermath(bot), len(bot.around.effects)


@pytest.mark.parametrize(("segment", "known", "every"), [(pressed, None, 1), (silent, lobby, 2), (troubled, lobby, 2)])
def test_killed_before_any_effect(segment: Segment, known: Segment | None, every: int) -> None:
    """What is ``known`` already, both segments begin with. Most of what is told there is told in the first, too."""
    wanted, effects = clean(segment)
    begun = 0 if known is None else len(run(known, Around()).around.effects)
    assert effects - begun > 60
    for at in range(begun + 1, effects + 1, every):
        bot = run(segment, Kill(at))
        assert bot.starts == 2
        check(bot, wanted)
        bot.close()


@pytest.mark.parametrize("segment", [pressed, silent])
def test_killed_with_sqlite(segment: Segment, tmp_path: Path) -> None:
    wanted, effects = clean(segment)
    for at in range(3, effects + 1, 17):
        store = SqliteStore(tmp_path / f"{at}.sqlite")
        bot = run(segment, Kill(at), store)
        check(bot, wanted)
        bot.close()
        store.close()


@pytest.mark.parametrize("segment", [pressed, silent])
@pytest.mark.parametrize("every", [13, 17, 23, 29])
def test_killed_again_and_again(segment: Segment, every: int) -> None:
    wanted, _ = clean(segment)
    times = 4
    bot = run(segment, KillOften(every, times))
    assert bot.starts == times + 1
    check(bot, wanted, faults=times)
    bot.close()


@pytest.mark.parametrize(("segment", "known"), [(pressed, None), (silent, None), (troubled, lobby)])
@pytest.mark.parametrize("too_late", [False, True])
def test_any_request_to_the_store_fails(segment: Segment, known: Segment | None, too_late: bool) -> None:
    wanted, _ = clean(segment)
    begun = START if known is None else requests(known)
    for at in range(1 + begun, requests(segment) + 1, 5):
        bot = run(segment, Outage(at, too_late=too_late))
        assert bot.starts == 1
        check(bot, wanted)
        bot.close()


class FailedRepair(Around):
    """The store fails when the loss of a player is to be noted."""

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if name == "commit" and self.effects[-2] == "settle":
            self.carry_out = super().carry_out  # type: ignore[method-assign]
            raise StoreUnavailable
        return effect()


def test_what_was_told_before_a_repair_failed_is_not_told_again() -> None:
    bot = Frail()
    lobby(bot)
    bot.world.people.block(bot.bruno)
    bot.deliver()
    bot.around = FailedRepair()
    bot.boot()
    until(bot, "draft")
    bot.wait(60)
    assert bot.again == 1
    told = heard(bot, bot.group)
    assert sum("Night 1" in text for text in told) == 1
    assert sum("I cannot write to" in text for text in told) == 1
    bot.close()
