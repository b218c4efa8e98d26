"""An event ends within its time: what does not fit is told by the next ones, from the queue, and nothing twice."""

from __future__ import annotations

from typing import Any

import pytest

from handler import aws
from infra import telegram
from infra.aws import calls
from infra.telegram import LONGEST_CALL
from tests.aws.events import TIME_LIMIT, Invocation
from tests.aws.house import AwsFlow, house
from tests.aws.test_faults import clean
from tests.aws.trouble import Kind, Trouble
from tests.flows import dog_segments
from tests.flows.frail import SEED
from tests.flows.players import find
from tests.flows.segments import Segment, check, heard, pressed

CALL_SECONDS = 3.0
"""What a call takes where Telegram is slow."""

QUICK = 0.02
"""What a call to AWS takes that is answered."""

STORING = 2.0
"""Seconds for what has been told to be stored in, once the timers have had theirs."""


@pytest.mark.parametrize("segment", [pressed, dog_segments.judged], ids=lambda segment: segment.__name__)
def test_what_one_event_cannot_tell_the_next_ones_do(segment: Segment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Telegram is slow. All is told in the end, once, but no event makes more calls than fit into it."""
    time = [0.0]
    made: list[int] = []

    def read() -> float:
        """Read twice in a call: when it begins, and when the request is made."""
        time[0] += CALL_SECONDS / 2
        return time[0]

    class Counting(AwsFlow):
        def call(self, event: Any) -> dict[str, Any] | None:
            before = len(self.world.calls)
            answer = super().call(event)
            made.append(len(self.world.calls) - before)
            return answer

    monkeypatch.setattr(telegram, "monotonic", read)
    monkeypatch.setattr(aws, "monotonic", lambda: time[0])
    monkeypatch.setattr("tests.aws.house.AwsFlow", Counting)
    with house(seed=SEED) as bot:
        segment(bot)
        bot.wait(200)
        check(bot, clean(segment), faults=0)
        assert bot.again == 0
    most = (TIME_LIMIT - aws.RESERVE - LONGEST_CALL) // CALL_SECONDS
    assert max(made) == most
    assert made.count(int(most)) > 2


def test_where_no_time_is_left_at_all_the_press_counts_and_all_is_told_by_the_queue() -> None:
    with house(seed=SEED) as bot:
        match = bot.begin()
        bot.wait(30)
        for user, tail in ((bot.ada, "s?-"), (bot.ada, "l"), (bot.bruno, "s?-")):
            bot.push(user, user, tail)
        found = find(bot, bot.bruno, match, "l")
        assert found is not None
        calls, told = len(bot.world.calls), {chat: heard(bot, chat) for chat in (bot.group, bot.ada, bot.bruno)}
        bot.context = Invocation(aws.RESERVE + LONGEST_CALL - 0.001)
        bot.world.people.press(bot.bruno, bot.bruno, *found)
        bot.deliver()
        item = bot.store.load(match.id)
        assert item is not None
        assert bot.load(match.id).number == 1
        assert len(bot.world.calls) == calls, "none was begun that could have been cut off"
        assert (item.told < item.news, item.lease, item.tell_at) == (True, None, bot.clock.now() + 2)
        bot.context = Invocation()
        bot.wait(5)
        item = bot.store.load(match.id)
        assert item is not None
        assert item.told == item.news
        for chat, before in told.items():
            after = heard(bot, chat)[len(before) :]
            assert after
            assert len(after) == len(set(after)), "once each"


def test_the_press_is_answered_before_anybody_is_told() -> None:
    with house(seed=SEED) as bot:
        match = bot.begin()
        bot.wait(30)
        for user, tail in ((bot.ada, "s?-"), (bot.ada, "l"), (bot.bruno, "s?-"), (bot.bruno, "l")):
            before = len(bot.world.calls)
            bot.push(user, user, tail)
            assert bot.world.calls[before].method == "answerCallbackQuery"
        assert bot.load(match.id).number == 1


def test_the_reserve_has_time_for_timers_that_nobody_answers() -> None:
    assert 2 * calls.TIMER_LONGEST + STORING <= aws.RESERVE


def test_where_neither_sqs_nor_eventbridge_answers_a_press_is_answered_and_the_event_ends_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The press closes the phase, which arms timers before it is stored and, as not all can be told at once, after."""
    time = [0.0]
    asked: list[str] = []

    def decide(name: str, _: int) -> Kind | None:
        silent = name in ("SendMessage", "CreateSchedule")
        if silent:
            asked.append(name)
        time[0] += calls.TIMER_LONGEST if silent else QUICK
        return "lost before" if silent else None

    class Passing:
        def get_remaining_time_in_millis(self) -> int:
            return int((TIME_LIMIT - time[0]) * 1000)

    answered: list[float] = []

    def read() -> float:
        answered.append(time[0])
        return time[0]

    trouble = Trouble()
    with house(watch=trouble, seed=SEED) as bot:
        match = bot.begin()
        bot.wait(30)
        for user, tail in ((bot.ada, "s?-"), (bot.ada, "l"), (bot.bruno, "s?-")):
            bot.push(user, user, tail)
        found = find(bot, bot.bruno, match, "l")
        assert found is not None
        trouble.decide, bot.context = decide, Passing()  # type: ignore[assignment]
        monkeypatch.setattr(telegram, "monotonic", read)
        monkeypatch.setattr(aws, "monotonic", lambda: time[0])
        made = len(bot.world.calls)
        bot.world.people.press(bot.bruno, bot.bruno, *found)
        bot.deliver()
        assert bot.load(match.id).number == match.number + 1
        assert bot.world.calls[made].method == "answerCallbackQuery"
        assert answered[0] <= 2 * calls.TIMER_LONGEST + 1
        assert sorted(asked) == ["CreateSchedule", "SendMessage"], "each is waited for once"
        assert time[0] < TIME_LIMIT - aws.RESERVE
        trouble.decide, bot.context = None, Invocation()
        bot.wait(100)
