"""Two processes at the special moments of Dog's Judgement: each moment comes once, whoever is faster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.game import Player
from infra.stores.sqlite import SqliteStore
from tests.flows.dog_segments import (
    CANDIDATE,
    CHOICE,
    ROUND_9,
    SEGMENTS,
    by_press,
    declined,
    host_of,
    house,
    judged,
    lay,
    left_to_the_lot,
    ready,
    same,
    seek_ready,
)
from tests.flows.frail import Frail
from tests.flows.house import ManualTimers
from tests.flows.players import find
from tests.flows.processes import Beside, TwoTimers, come_by, press_in, second
from tests.flows.segments import Segment, heard


@pytest.mark.parametrize("segment", SEGMENTS)
def test_a_process_that_comes_by_before_every_effect_changes_nothing(segment: Segment) -> None:
    beside = Beside()
    bot = Frail(around=beside)
    process = second(bot)
    beside.act = lambda: come_by(bot, process)
    segment(bot)
    beside.act = None
    assert beside.count >= 10
    same(bot, segment, faults=0)
    bot.close()


@pytest.mark.parametrize("segment", [judged, declined, house])
def test_so_it_is_with_two_processes_on_one_file(segment: Segment, tmp_path: Path) -> None:
    stores = [SqliteStore(tmp_path / "matches.sqlite") for _ in range(2)]
    beside = Beside()
    bot = Frail(stores[0], beside)
    process = bot.process(ManualTimers(), stores[1])
    beside.act = lambda: come_by(bot, process)
    segment(bot)
    beside.act = None
    same(bot, segment, faults=0)
    bot.close()
    for store in stores:
        store.close()


@pytest.mark.parametrize("segment", [by_press, left_to_the_lot])
def test_every_timer_fires_in_both_processes(segment: Segment) -> None:
    bot = TwoTimers()
    bot.beside = second(bot)
    segment(bot)
    same(bot, segment, faults=0)
    bot.close()


# --- two presses in the same instant ----------------------------------------------------------------

End = tuple[str, tuple[Any, ...], tuple[Player, ...]]
"""Stage, record and whose presses are in the box."""

Presses = Callable[[Frail], tuple[Any, Any]]
"""A table laid, and two updates on their way."""


def last_two_ready(bot: Frail) -> tuple[Any, Any]:
    """The sixth and the seventh press Ready in Round 9."""
    users = lay(bot, ROUND_9, dict.fromkeys(range(5)))
    tails = [seek_ready(bot, user) for user in users[5:]]
    for user, tail in zip(users[5:], tails, strict=True):
        _press(bot, user, tail)
    return _waiting(bot)


def ready_and_not(bot: Frail) -> tuple[Any, Any]:
    """The seventh presses Ready while another takes it back."""
    users = lay(bot, ROUND_9, dict.fromkeys(range(5)))
    ready(bot, users[5:6])
    _press(bot, users[6], seek_ready(bot, users[6]))
    _press(bot, users[5], "u")
    return _waiting(bot)


def chosen_and_declined(bot: Frail) -> tuple[Any, Any]:
    """The candidate confirms an opponent while the host confirms that there is no Death Match."""
    users, host = lay(bot, CHOICE), host_of(bot)
    bot.push(users[CANDIDATE], users[CANDIDATE], "mvs4")
    bot.push_label(host, "No Death Match")
    _press(bot, users[CANDIDATE], "fvs4")
    bot.world.people.press(host, bot.group, *bot.button("Yes", bot.group))
    return _waiting(bot)


def _press(bot: Frail, user: int, tail: str) -> None:
    found = find(bot, user, bot.match(), tail)
    assert found is not None
    bot.world.people.press(user, user, *found)


def _waiting(bot: Frail) -> tuple[Any, Any]:
    first, last = bot.world.pending()
    return first, last


@pytest.mark.parametrize("presses", [last_two_ready, ready_and_not, chosen_and_declined])
def test_two_presses_in_the_same_instant_count_as_one_after_the_other(presses: Presses) -> None:
    """Before any effect of the first, another process handles the second."""
    serial = {_after(presses, turned=turned) for turned in (False, True)}
    assert len(serial) == (1 if presses is last_two_ready else 2)
    found = set()
    at = effects = 1
    while at <= effects:
        beside = Beside()
        bot = Frail(around=beside)
        first, last = presses(bot)
        press_in(second(bot), beside, at, last)
        assert bot.post(first) == 200
        effects, beside.act = beside.count, None
        found.add(_end(bot))
        at += 1
    assert effects >= 2
    assert found <= serial


def _after(presses: Presses, *, turned: bool) -> End:
    bot = Frail()
    first, last = presses(bot)
    for update in (last, first) if turned else (first, last):
        assert bot.post(update) == 200
    return _end(bot)


def _end(bot: Frail) -> End:
    """What came of it. A part of the match that came twice would be told twice."""
    bot.wait(90)
    match = bot.match()
    told = heard(bot, bot.group)
    for words in ("The judgement.", "has chosen", "There is no Death Match."):
        assert sum(words in text for text in told) <= 1
    for user in match.users:
        assert sum("Round 9" in text for text in heard(bot, user)) <= 1
    record = match.record
    assert record is not None
    bot.close()
    return match.stage, tuple(tuple(step.items()) for step in record.steps), tuple(sorted(match.box))
