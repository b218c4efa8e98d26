"""Timers are lost, late and doubled around the moments of Dog's Judgement; a process stops for long in each part."""

from __future__ import annotations

from typing import TypeVar

import pytest

from handler.match import Match
from handler.table import GRACE_SECONDS
from handler.views.layout import moment
from tests.flows.dog_segments import (
    CANDIDATE,
    CHOICE,
    PARTS,
    ROUND_9,
    by_deadline,
    house,
    lay,
    left_to_the_lot,
    rounds,
    same,
    seek_ready,
)
from tests.flows.frail import Around, Effect, Frail, Killed
from tests.flows.house import ManualTimers
from tests.flows.mishaps import DoubleTimers, LateTimers, LostTimers, Timed
from tests.flows.players import find
from tests.flows.segments import Segment, heard

T = TypeVar("T")


@pytest.mark.parametrize("segment", [by_deadline, left_to_the_lot, house])
@pytest.mark.parametrize("timers", [LostTimers, LateTimers, DoubleTimers])
def test_bad_timers_change_nothing(segment: Segment, timers: type[ManualTimers]) -> None:
    bot = Timed(timers)
    segment(bot)
    bot.wait(60)
    same(bot, segment, faults=0)
    bot.close()


@pytest.mark.parametrize("late", [0.0, 9.0, 300.0])
def test_a_choice_that_comes_when_the_time_is_up_is_too_late_whenever_its_timer_comes(late: float) -> None:
    """The deadline counts, not the timer: a press after it finds the lot drawn, even if nobody has woken the match."""
    bot = Timed(LostTimers)
    users = lay(bot, CHOICE)
    candidate = users[CANDIDATE]
    bot.push(candidate, candidate, "mvs4")
    deadline = bot.match().deadline
    assert deadline is not None
    found = bot.button("Yes, challenge", candidate)
    bot.clock.time = deadline + late
    assert bot.press_data(candidate, candidate, *found) == "That phase is over."
    record = bot.match().record
    assert record is not None
    assert record.steps[CHOICE] == {}
    assert sum("The lot has named the opponent" in text for text in heard(bot, bot.group)) == 1
    bot.close()


def test_a_choice_one_second_before_its_time_is_up_counts() -> None:
    bot = Timed(LostTimers)
    users = lay(bot, CHOICE)
    candidate = users[CANDIDATE]
    bot.push(candidate, candidate, "mvs4")
    deadline = bot.match().deadline
    assert deadline is not None
    bot.clock.time = deadline - 1
    assert bot.press_data(candidate, candidate, *bot.button("Yes, challenge", candidate)) != "That phase is over."
    record = bot.match().record
    assert record is not None
    assert record.steps[CHOICE] == {CANDIDATE: "vs4"}
    bot.close()


# --- a start after a long stop ----------------------------------------------------------------------

AWAY = 7_200


def stopped(part: str) -> tuple[Frail, Match, tuple[int, ...]]:
    """A table whose process was down for two hours after the deadline; as it was, and its people."""
    bot = Frail()
    users = lay(bot, PARTS[part], {0: "2cm"} if part == "round" else {})
    match = bot.match()
    assert match.deadline is not None
    bot.clock.time = match.deadline + AWAY
    bot.sweep_at = bot.clock.time + 60
    return bot, match, users


@pytest.mark.parametrize("part", PARTS)
def test_after_a_long_stop_nobody_loses_the_part_that_was_open(part: str) -> None:
    bot, before, users = stopped(part)
    bot.boot()
    match = bot.match()
    assert (match.deadline, match.number, match.box) == (bot.clock.time + GRACE_SECONDS, before.number, before.box)
    until = str(moment(int(bot.clock.time + GRACE_SECONDS))).split('"')[1]
    bot.wait(20)
    assert sum("I was away" in text for text in heard(bot, bot.group)) == 1
    asked = {"pregame": users, "round": users, "choice": users[1:2], "reveals": users[1:3]}[part]
    for user in users:
        texts = [call for call in bot.world.calls if call.params.get("chat_id") == user]
        assert (until in texts[-1].params["text"]) == (user in asked)
    if part == "choice":
        # A minute is enough to choose.
        bot.push(users[CANDIDATE], users[CANDIDATE], "mvs4")
        bot.push(users[CANDIDATE], users[CANDIDATE], "fvs4")
    rounds(bot, before.number + 1)
    record = bot.match().record
    assert record is not None
    assert record.steps[before.number] == {"round": {0: "2cm"}, "choice": {CANDIDATE: "vs4"}}.get(part, {})
    bot.close()


class SilentDeath(Around):
    """Once ``near``, it kills the process before its next word."""

    near = False

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if self.near and name == "send":
            self.near = False
            raise Killed
        return effect()


@pytest.mark.parametrize("people", [7, 1])
def test_what_closed_before_a_long_stop_is_told_after_it(people: int) -> None:
    """Seven, of whom one then has the choice; and one, at whose press the house plays to the end of the episode."""
    around = SilentDeath()
    bot = Frail(around=around)
    users = lay(bot, ROUND_9, dict.fromkeys(range(people - 1)), people=people)
    found = find(bot, users[-1], bot.match(), seek_ready(bot, users[-1]))
    assert found is not None
    bot.world.people.press(users[-1], users[-1], *found)
    [press] = bot.world.pending()
    around.near = True
    with pytest.raises(Killed):
        bot.post(press)
    assert not any("Round 9" in text for text in heard(bot, users[0]))
    bot.clock.time += AWAY
    bot.sweep_at = bot.clock.time + 60
    bot.boot()
    bot.wait(30)
    assert [sum("Round 9" in text for text in heard(bot, user)) for user in users] == [1] * people
    assert sum("The judgement." in text for text in heard(bot, bot.group)) == 1
    if people == 1:
        assert bot.match().stage == "over"
        return
    assert bot.match().number == CHOICE
    bot.push(users[CANDIDATE], users[CANDIDATE], "mvs4")
    bot.push(users[CANDIDATE], users[CANDIDATE], "fvs4")
    assert bot.match().number == CHOICE + 1
    bot.close()
