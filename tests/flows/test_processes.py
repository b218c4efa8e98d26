"""Two processes on one store, each with its own timers and rates: who comes second finds the work done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.dispatch import nudge
from handler.rates import SPACING
from handler.table import LEASE_SECONDS
from infra.stores.sqlite import SqliteStore
from infra.telegram import LONGEST_CALL
from tests.flows.frail import Around, Frail, Kill, Killed
from tests.flows.house import ManualTimers
from tests.flows.players import find
from tests.flows.processes import Beside, Slow, TwoTimers, come_by, press_in, second
from tests.flows.segments import Segment, aftermath, check, heard, lobby, pressed, silent


@pytest.mark.parametrize("segment", [pressed, silent])
def test_a_process_that_comes_by_before_every_effect_changes_nothing(segment: Segment) -> None:
    wanted = aftermath(undisturbed(segment))
    beside = Beside()
    bot = Frail(around=beside)
    process = second(bot)
    beside.act = lambda: come_by(bot, process)
    segment(bot)
    beside.act = None
    assert beside.count > 60
    check(bot, wanted, faults=0)
    bot.close()


@pytest.mark.parametrize("segment", [pressed, silent])
def test_so_it_is_with_two_processes_on_one_file(segment: Segment, tmp_path: Path) -> None:
    wanted = aftermath(undisturbed(segment))
    stores = [SqliteStore(tmp_path / "matches.sqlite") for _ in range(2)]
    beside = Beside()
    bot = Frail(stores[0], beside)
    process = bot.process(ManualTimers(), stores[1])
    beside.act = lambda: come_by(bot, process)
    segment(bot)
    beside.act = None
    check(bot, wanted, faults=0)
    bot.close()
    for store in stores:
        store.close()


@pytest.mark.parametrize("segment", [pressed, silent])
def test_every_timer_fires_in_both_processes(segment: Segment) -> None:
    wanted = aftermath(undisturbed(segment))
    bot = TwoTimers()
    bot.beside = second(bot)
    segment(bot)
    check(bot, wanted, faults=0)
    bot.close()


def undisturbed(segment: Segment) -> Frail:
    """A segment without a fault."""
    bot = Frail()
    segment(bot)
    return bot


def both_sealed(around: Around) -> tuple[Frail, Any, Any]:
    """Ada and Bruno name no bird, and then lock in at the same instant: the two updates."""
    bot = Frail(around=around)
    lobby(bot)
    for user in (bot.ada, bot.bruno):
        bot.push(user, user, "s" + write(Reveal(None)))
    for user in (bot.ada, bot.bruno):
        found = find(bot, user, bot.match(), "l")
        assert found is not None
        bot.world.people.press(user, user, *found)
    first, last = bot.world.pending()
    return bot, first, last


def told(bot: Frail) -> dict[int, list[str]]:
    """What each chat heard since the reveals closed."""
    since = {bot.group: "Night 1", bot.ada: "Round 1.", bot.bruno: "Round 1."}
    return {chat: [text for text in heard(bot, chat) if word in text] for chat, word in since.items()}


def test_two_presses_in_the_same_instant_close_once() -> None:
    at = effects = 1
    while at <= effects:
        beside = Beside()
        bot, first, last = both_sealed(beside)
        press_in(second(bot), beside, at, last)
        assert bot.post(first) == 200
        effects, beside.act = beside.count, None
        match = bot.match()
        assert match.record is not None
        assert match.record.steps == ({0: "?-", 1: "?-"},)
        assert all(len(texts) == 1 for texts in told(bot).values())
        at += 1
        bot.close()
    assert effects >= 2


def test_no_call_outlasts_what_is_left_of_a_lease() -> None:
    """A lease is prolonged once half of it is gone, so each call begins with at least that half."""
    assert LONGEST_CALL < LEASE_SECONDS / 2


@pytest.mark.parametrize(
    ("seconds", "times"), [(LONGEST_CALL, 1), (LONGEST_CALL / 2 + 0.4, 1), (0.5, 1), (LEASE_SECONDS + 5, 2)]
)
def test_a_slow_teller_keeps_its_lease_and_stops_when_it_lost_it(seconds: float, times: int) -> None:
    """A call as slow as a call may be is never made twice. One that hung for longer than a lease (a frozen process) is
    made by each process, and with it what is told beside it; the first teller makes no other.
    """
    slow = Slow(seconds)
    bot, first, last = both_sealed(slow)
    assert bot.post(first) == 200
    slow.bot, slow.process = bot, second(bot)
    assert bot.post(last) == 200
    slow.bot = None
    assert [len(texts) for texts in told(bot).values()] == [times] * 3
    bot.close()


def test_a_dead_teller_is_left_alone_for_its_lease_and_then_replaced() -> None:
    at = 1
    while (bot := killed_while_telling(at)) is not None:
        [id] = bot.matches()
        process = second(bot)
        calls = len(bot.world.calls)
        bot.clock.time += LEASE_SECONDS - 1
        nudge(process, id)
        assert len(bot.world.calls) == calls
        bot.clock.time += 1
        for _ in range(5):
            nudge(process, id)
            bot.clock.time += SPACING
        assert all(1 <= len(texts) <= 2 for texts in told(bot).values())
        item = bot.store.load(id)
        assert item is not None
        assert (item.told, item.lease) == (item.news, None)
        at += 1
        bot.close()
    assert at > 5


def killed_while_telling(at: int) -> Frail | None:
    """A process that closed the reveals and was killed before its ``at``-th effect after that; None if it had fewer."""
    kill = Kill(0)
    bot, first, last = both_sealed(kill)
    assert bot.post(first) == 200
    # Next come the arming of the next alarm and the commit that closes.
    kill.at = len(kill.effects) + 2 + at
    try:
        bot.post(last)
    except Killed:
        return bot
    bot.close()
    return None
