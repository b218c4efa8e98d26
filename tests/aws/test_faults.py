"""Every call to AWS fails once, in each way: the match ends as without that, and the operator reads of it by name.

Of each seven calls one fails, another in each of seven runs, so that each call there is fails in one of them, and the
ways take turns: in Gravity Pandemic from the lobby into the second night, in Dog's Judgement while a round closes and
from the judgement into the Death Match. In the latter each API call fails alone, too, in each way. And each is denied
until somebody mends it.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from random import Random

import pytest

from handler import aws
from tests.aws.events import lines
from tests.aws.house import house
from tests.aws.trouble import KINDS, NAMES, Kind, Trouble
from tests.flows import dog_segments
from tests.flows.frail import SEED, Frail
from tests.flows.segments import Aftermath, Segment, aftermath, check, pressed

BLOCK = 7
"""Of so many calls one fails, each time at another place: else whoever tries again, with as many calls as before, might
fail at the same one for ever.
"""

SPARED = 4
"""Tries of a nudge that may meet a fault. In one of some fifty matches a nudge would by chance meet one in all eight,
making some of each seven calls, and that it is then a dead letter says nothing against the bot.
"""

SEGMENTS: tuple[Segment, ...] = (pressed, dog_segments.by_press, dog_segments.judged)

CALLS = ("GetItem", "PutItem", "Query", "TransactWriteItems", "CreateSchedule", "SendMessage")
"""What a match calls again and again."""


@lru_cache(maxsize=len(SEGMENTS))
def clean(segment: Segment) -> Aftermath:
    """What comes of a segment on one machine, where nothing fails."""
    bot = Frail()
    segment(bot)
    found = aftermath(bot)
    bot.close()
    return found


def named(caplog: pytest.LogCaptureFixture) -> set[tuple[str, str]]:
    """The troubles that the operator reads of, with their calls."""
    return {(about["error"], about["call"]) for _, about in lines(caplog) if "call" in about}


@pytest.mark.parametrize("segment", SEGMENTS, ids=lambda segment: segment.__name__)
@pytest.mark.parametrize("first", range(BLOCK))
def test_each_call_fails_once(segment: Segment, first: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    struck: set[tuple[str, str]] = set()

    def decide(name: str, _: int) -> Kind | None:
        block, place = divmod(len(trouble.calls) - 1, BLOCK)
        if place != (first + Random(block).randrange(BLOCK)) % BLOCK or bot.cloud.tries > SPARED:
            return None
        kind = KINDS[(block + first) % len(KINDS)]
        struck.add((NAMES[kind], name))
        return kind

    trouble = Trouble(decide)
    with house(watch=trouble, seed=SEED) as bot:
        segment(bot)
        bot.wait(200)
        faults = trouble.struck
        trouble.decide = None
        bot.wait(100)
        check(bot, clean(segment), faults=faults, at_once=dog_segments.AT_ONCE)
        assert bot.cloud.dead == []
    assert faults > 5
    assert struck <= named(caplog)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_one_call_fails_alone(call: str, kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    """In the middle of the judgement, the choice and the start of a Death Match."""
    caplog.set_level(logging.WARNING)
    trouble = Trouble()
    with house(watch=trouble, seed=SEED) as bot:
        before = trouble.calls.count(call)
        at = before + (1 if call == "TransactWriteItems" else 5)
        trouble.decide = lambda name, n: kind if (name, n) == (call, at) else None
        dog_segments.judged(bot)
        bot.wait(100)
        check(bot, clean(dog_segments.judged), faults=1, at_once=dog_segments.AT_ONCE)
        assert trouble.struck == 1
        assert bot.cloud.dead == []
    assert (NAMES[kind], call) in named(caplog)


@pytest.mark.parametrize("call", [*CALLS, "ChangeMessageVisibility"])
def test_denied_until_the_operator_mends_it(call: str, caplog: pytest.LogCaptureFixture) -> None:
    """For a quarter of an hour, in which deadlines pass; then it goes on, and ends as any other."""
    caplog.set_level(logging.WARNING)
    trouble = Trouble()
    with house(watch=trouble, seed=SEED) as bot:
        number = bot.begin().number
        bot.wait(30)
        refused = {call, "GetItem"} if call == "ChangeMessageVisibility" else {call}
        trouble.decide = lambda name, n: "denied" if name in refused else None
        bot.wait(900)
        trouble.decide = None
        assert trouble.struck < 200, "trouble makes no more of itself"
        bot.wait(120)
        assert bot.match().number > number
        bot.say(bot.ada, "/resign", bot.ada)
        bot.push_label(bot.ada, "Yes", bot.ada)
        bot.wait(200)
        after = aftermath(bot)
        assert (after.stage, after.files) == ("over", 1)
    if trouble.struck:
        assert ("Denied", call) in named(caplog)
    assert (call == "TransactWriteItems") == (trouble.struck == 0), "none is needed while a match goes on"


def test_secrets_that_are_denied(caplog: pytest.LogCaptureFixture) -> None:
    """A new process cannot start; what it was to do comes again."""
    trouble = Trouble()
    with house(watch=trouble, seed=SEED) as bot:
        match = bot.begin()
        bot.end_process()
        trouble.decide = lambda name, n: "denied" if name == "GetParameters" else None
        bot.wait(900)
        with pytest.raises(aws.Failed):
            bot.call({"act": "sweep"})
        trouble.decide = None
        bot.wait(120)
        assert bot.load(match.id).number > match.number
    assert ("Denied", "GetParameters") in named(caplog)
