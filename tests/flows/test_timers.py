"""Timers are lost, late and doubled; processes start with deadlines overdue; the match ends as without all that."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.match import LOBBY_SECONDS, Match
from handler.table import GRACE_SECONDS, OVERDUE_SECONDS, move_overdue
from handler.unknown import leave_alone
from handler.views.layout import moment
from tests.flows.frail import Around, Frail, Kill, Killed
from tests.flows.house import ManualTimers
from tests.flows.mishaps import DoubleTimers, LateTimers, LostTimers, Timed
from tests.flows.players import boxed
from tests.flows.segments import Segment, aftermath, check, heard, lobby, pressed, silent, until

SEGMENTS = pytest.mark.parametrize("segment", [pressed, silent])


@SEGMENTS
@pytest.mark.parametrize("timers", [LostTimers, LateTimers, DoubleTimers])
def test_bad_timers_change_nothing(segment: Segment, timers: type[ManualTimers]) -> None:
    good = Frail()
    segment(good)
    bot = Timed(timers)
    segment(bot)
    bot.wait(60)
    check(bot, aftermath(good), faults=0)
    for each in (good, bot):
        each.close()


# --- a start with deadlines overdue ---------------------------------------------------------------


def stopped(seconds: float) -> tuple[Frail, Match]:
    """A match in its reveals whose process was down until so long after the deadline; the match as it was."""
    bot = Frail()
    lobby(bot)
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))
    bot.wait(30)
    match = bot.match()
    assert match.deadline is not None
    bot.clock.time = match.deadline + seconds
    bot.sweep_at = bot.clock.time + 60
    return bot, match


def test_an_overdue_deadline_moves_to_a_minute_from_the_start_and_everybody_is_told() -> None:
    bot, before = stopped(3600)
    bot.boot()
    match = bot.match()
    assert (match.deadline, match.number) == (bot.clock.time + GRACE_SECONDS, 0)
    assert boxed(match) == boxed(before)
    bot.wait(20)
    [notice] = [text for text in heard(bot, bot.group) if "I was away" in text]
    assert "this phase now runs until" in notice
    until_then = moment(int(bot.clock.time - 20 + GRACE_SECONDS))
    for user in (bot.ada, bot.bruno):
        panel = [call for call in bot.world.calls if call.params.get("chat_id") == user][-1]
        assert panel.method == "editMessageText"
        assert str(until_then).split('"')[1] in panel.params["text"]
    assert not any(text.startswith("⏳ Your") for text in heard(bot, bot.ada))
    bot.push(bot.bruno, bot.bruno, "s" + write(Reveal(None)))
    bot.wait(GRACE_SECONDS)
    steps = bot.match().record
    assert steps is not None
    assert steps.steps[0] == {0: write(Reveal(Bird.OWL)), 1: write(Reveal(None))}


@pytest.mark.parametrize("seconds", [-20.0, 0.0, OVERDUE_SECONDS])
def test_a_deadline_that_is_not_overdue_stays(seconds: float) -> None:
    bot, before = stopped(seconds)
    bot.boot()
    assert bot.match() == before
    bot.wait(30)
    assert bot.match().number == 1


def test_a_match_of_other_rules_is_left_as_it_is_and_holds_up_no_start(caplog: pytest.LogCaptureFixture) -> None:
    leave_alone.cache_clear()
    bot, before = stopped(3600)
    item = bot.store.load(before.id)
    assert item is not None
    body = json.loads(item.body)
    body["record"]["rules"] += 1
    other = replace(item, version=item.version + 1, body=json.dumps(body))
    bot.store.commit(item, other, None, None, bot.clock.time)
    bot.boot()
    kept = bot.store.load(before.id)
    assert kept is not None
    assert kept.body == other.body
    [line] = [record.__dict__ for record in caplog.records if record.name == "handler.unknown"]
    assert (line["match"], line["error"]) == (before.id, "UnknownRules")


def test_a_second_process_finds_nothing_to_move() -> None:
    bot, _ = stopped(3600)
    bot.boot()
    item = bot.store.load(bot.match().id)
    bot.clock.time += 5
    move_overdue(bot.process(ManualTimers()))
    assert bot.store.load(bot.match().id) == item


def test_two_processes_that_start_at_once_move_it_once() -> None:
    bot, _ = stopped(3600)
    beside = bot.process(ManualTimers())
    straight = bot.around.carry_out

    def start_too(name: str, effect: Any) -> Any:
        bot.around.carry_out = straight  # type: ignore[method-assign]
        move_overdue(beside)
        return straight(name, effect)

    bot.around.carry_out = start_too  # type: ignore[method-assign]
    bot.boot()
    bot.wait(20)
    assert sum("I was away" in text for text in heard(bot, bot.group)) == 1


def test_killed_while_it_moves_deadlines() -> None:
    at = 0
    while True:
        at += 1
        bot, _ = stopped(3600)
        kill = Kill(at)
        bot.around = kill
        try:
            move_overdue(bot.process(ManualTimers()))
        except Killed:
            pass
        else:
            break
        bot.around = Around()
        bot.boot()
        bot.wait(20)
        assert sum("I was away" in text for text in heard(bot, bot.group)) == 1
    assert at > 2


def test_a_lobby_overdue_is_closed() -> None:
    bot = Frail()
    bot.say(bot.ada, "/gravity")
    match = bot.match()
    bot.clock.time += LOBBY_SECONDS + 3600
    bot.sweep_at = bot.clock.time + 60
    bot.boot()
    bot.wait(1)
    assert bot.load(match.id).stage == "cancelled"
    assert sum("Nobody started this match" in text for text in heard(bot, bot.group)) == 1
    assert bot.matches() == []


def test_a_reminder_overdue_is_given_and_the_deadline_kept() -> None:
    bot = Frail()
    lobby(bot)
    until(bot, "actions")
    match = bot.match()
    assert match.deadline is not None
    bot.clock.time = match.deadline - 5
    bot.boot()
    bot.wait(1)
    assert bot.match().deadline == match.deadline
    assert sum(text.startswith("⏳ Your choice") for text in heard(bot, bot.ada)) == 1


def test_a_deadline_is_armed_behind_a_telling_at_the_start() -> None:
    """Timers are rebuilt from each match's nearest moment; what comes after it must not wait for the sweep."""
    kill = Kill(0)
    bot = Frail(around=kill)
    lobby(bot)
    id = bot.match().id
    bot.wait(50)
    kill.at = len(kill.effects) + 4  # two timers, the commit, and then the telling
    bot.wait(10)
    assert bot.starts == 2
    item = bot.store.load(id)
    assert item is not None
    assert item.lease is not None
    bot.wait(20)
    assert (item.alarm_at, id) in bot.timers.heap
