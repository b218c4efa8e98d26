"""The process is killed, or the store fails, at the special moments of Dog's Judgement: the match ends as if not."""

from __future__ import annotations

import pytest

from tests.flows.dog_segments import (
    SEGMENTS,
    by_deadline,
    by_press,
    cancelled_choice,
    cancelled_early,
    clean,
    declined,
    house,
    judged,
    left_to_the_lot,
    pregame,
    same,
    troubled,
)
from tests.flows.frail import Frail, Kill
from tests.flows.outages import START, KillOften, Outage, requests
from tests.flows.segments import Segment

SPARSELY: dict[Segment, int] = {
    cancelled_early: 2,
    pregame: 4,
    by_press: 6,
    by_deadline: 6,
    judged: 3,
    left_to_the_lot: 5,
    declined: 3,
    cancelled_choice: 2,
    troubled: 19,
}
"""Most effects of these are alike, such as what seven are told, or in others too: they are tried at some of them only.
Every gap of a match is tried with two players, and any gap of a match of seven in the simulation.
"""


@pytest.mark.parametrize("segment", SEGMENTS)
def test_killed_before_any_effect(segment: Segment) -> None:
    _, effects = clean(segment)
    assert effects >= 10
    for at in range(effects, 0, -SPARSELY.get(segment, 1)):
        bot = Frail(around=Kill(at))
        segment(bot)
        assert bot.starts == 2
        same(bot, segment)
        bot.close()


@pytest.mark.parametrize("segment", [judged, troubled])
@pytest.mark.parametrize("every", [13, 19])
def test_killed_again_and_again(segment: Segment, every: int) -> None:
    bot = Frail(around=KillOften(every, times=3))
    segment(bot)
    assert bot.starts == 4
    same(bot, segment, faults=3)
    bot.close()


@pytest.mark.parametrize("segment", [judged, left_to_the_lot, declined, house])
@pytest.mark.parametrize("too_late", [False, True])
def test_any_request_to_the_store_fails(segment: Segment, too_late: bool) -> None:
    for at in range(1 + START, requests(segment) + 1, 11):
        bot = Frail(around=Outage(at, too_late=too_late))
        segment(bot)
        assert bot.starts == 1
        same(bot, segment)
        bot.close()
