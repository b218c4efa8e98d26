"""The Bot API refuses, is slow or is silent at the special moments of Dog's Judgement: nobody else waits or misses
anything, and the match goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from handler.ports import Forbidden, MessageLost, NotSent, Refused, TooFast, Uncertain
from handler.table import LEASE_SECONDS
from infra.local.botapi.errors import Refusal, flood
from infra.local.botapi.faults import broken, line, refused
from infra.telegram import LONGEST_CALL
from tests.flows.dog_segments import (
    CANDIDATE,
    CHOICE,
    OPPONENT,
    ROUND_3,
    ROUND_9,
    challenge,
    clean,
    declined,
    give_up,
    house,
    judged,
    lay,
    put,
    ready,
    rounds,
    same,
    seek_ready,
)
from tests.flows.frail import Around, Effect, Frail
from tests.flows.known_errors import ELSEWHERE, LOST, METHODS, PERSONAL, SAMPLES
from tests.flows.players import find
from tests.flows.processes import CALLS, Slow, second
from tests.flows.segments import Segment, aftermath, heard, said
from tests.shared import needs_shared

T = TypeVar("T")

EMIL = 4


# --- 403: one of seven ------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", LOST, ids=str)
def test_one_of_seven_who_is_lost_counts_as_ready_from_then_on(frail: Frail, refusal: Refusal) -> None:
    """Rule 15: whoever is gone is silent, and nobody waits for them."""
    users = lay(frail, ROUND_3, dict.fromkeys(range(6)))
    emil, others = users[EMIL], [*users[:EMIL], *users[EMIL + 1 :]]
    frail.world.faults.expect("sendMessage", refused(refusal), times=100, chat=emil)
    ready(frail, users[6:])
    frail.wait(30)
    assert frail.match().number == ROUND_3 + 1
    assert [said(frail, user, "Round 3") for user in others] == [1] * 6
    ready(frail, others)
    assert frail.match().number == ROUND_3 + 2
    frail.wait(60)
    assert said(frail, frail.group, "I cannot write to \u2068Emil\u2069") == 1
    assert said(frail, emil, "Round 3") == 0
    # Back again, they hear what they missed, and are waited for.
    frail.world.faults.clear()
    frail.say(emil, "/start", emil)
    assert [said(frail, emil, f"Round {number}") for number in (3, 4)] == [1, 1]
    put(frail, emil, "5cm")
    ready(frail, others)
    assert frail.match().number == ROUND_3 + 2
    ready(frail, [emil])
    assert frail.match().number == ROUND_3 + 3


def test_two_of_seven_who_are_lost_at_once_are_told_of_once_each(frail: Frail) -> None:
    users = lay(frail, ROUND_3, dict.fromkeys(range(6)))
    for user in users[2:4]:
        frail.world.people.block(user)
    frail.deliver()
    ready(frail, users[6:])
    frail.wait(90)
    ready(frail, [*users[:2], *users[4:]])
    frail.wait(90)
    assert frail.match().number == ROUND_3 + 2
    assert [said(frail, frail.group, f"I cannot write to \u2068{name}\u2069") for name in ("Cleo", "Dora")] == [1, 1]


def test_a_reminder_that_does_not_arrive_says_nothing_of_who_was_silent(frail: Frail) -> None:
    """Only who is not ready gets one: that it got lost is told once the round is over, as for anybody else."""
    users = lay(frail, ROUND_3, dict.fromkeys((0, 1, 2)))
    frail.world.people.block(users[EMIL])
    frail.deliver()
    frail.wait(500)
    assert said(frail, users[3], "Your choice in") == 1
    assert said(frail, frail.group, "I cannot write to") == 0
    rounds(frail, ROUND_3 + 1)
    frail.wait(60)
    assert said(frail, frail.group, "I cannot write to") == 1


def test_a_candidate_who_is_lost_leaves_it_to_the_lot(frail: Frail) -> None:
    users = lay(frail, ROUND_9, dict.fromkeys(range(6)))
    candidate = users[CANDIDATE]
    frail.world.people.block(candidate)
    frail.deliver()
    ready(frail, users[6:])
    frail.wait(30)
    assert said(frail, frail.group, "I cannot write to \u2068Bruno\u2069") == 1
    assert frail.match().number == CHOICE
    rounds(frail, CHOICE + 1)
    frail.wait(20)
    assert said(frail, frail.group, "The lot has named the opponent") == 1
    assert find(frail, users[OPPONENT], frail.match(), "s?-")
    frail.world.people.start(candidate)
    frail.deliver()
    assert find(frail, candidate, frail.match(), "s?-")
    assert said(frail, candidate, "Round 9") == 1


# --- 429 ------------------------------------------------------------------------------------------


def test_a_group_that_must_rest_at_the_judgement_keeps_nobody_from_choosing(frail: Frail) -> None:
    users = lay(frail, ROUND_9, dict.fromkeys(range(6)))
    frail.world.faults.expect("sendMessage", refused(flood(45)), chat=frail.group)
    ready(frail, users[6:])
    since = len(frail.world.calls)
    challenge(frail, users[CANDIDATE], EMIL)
    for user in (users[CANDIDATE], users[EMIL]):
        frail.push(user, user, "s?-")
    assert said(frail, frail.group, "The judgement.") == 0
    frail.wait(44 - (frail.clock.time - frail.world.calls[since - 1].at))
    assert [call.method for call in frail.world.calls[since:] if call.params.get("chat_id") == frail.group] == []
    frail.wait(20)
    told = heard(frail, frail.group)
    order = [next(at for at, text in enumerate(told) if words in text) for words in WHAT_FOLLOWS]
    assert order == sorted(order)
    assert [said(frail, frail.group, words) for words in WHAT_FOLLOWS] == [1] * len(WHAT_FOLLOWS)


WHAT_FOLLOWS = ("Round 9 of 9 is over", "The judgement.", "The lot falls on", "has chosen: the opponent is")
"""What the group hears when Round 9 closes and the candidate chooses, in this order."""


def test_a_candidate_who_must_rest_can_choose_afterwards(frail: Frail) -> None:
    users = lay(frail, ROUND_9, dict.fromkeys(range(6)))
    frail.world.faults.expect("sendMessage", refused(flood(120)), chat=users[CANDIDATE])
    ready(frail, users[6:])
    assert said(frail, frail.group, "The judgement.") == 1
    assert [said(frail, user, "Round 9") for user in users] == [1, 0, 1, 1, 1, 1, 1]
    challenge(frail, users[CANDIDATE], EMIL)
    assert frail.match().number == CHOICE + 1
    assert said(frail, users[CANDIDATE], "Round 9") == 1


# --- slow and silent ------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [LEASE_SECONDS / 4 + 0.1, LONGEST_CALL])
def test_a_slow_teller_tells_all_seven_once(seconds: float) -> None:
    """Telling takes longer than a lease then, while another process comes by before each call ends."""
    slow = Slow(seconds)
    bot = Frail(around=slow)
    users = lay(bot, ROUND_9, dict.fromkeys(range(6)))
    started = bot.clock.time
    slow.bot, slow.process = bot, second(bot)
    ready(bot, users[6:])
    slow.bot = None
    assert bot.clock.time - started > LEASE_SECONDS
    assert [said(bot, user, "Round 9") for user in users] == [1] * 7
    assert said(bot, bot.group, "The judgement.") == 1
    bot.close()


def test_telegram_is_silent_while_the_choice_passes_and_everything_is_told_after(frail: Frail) -> None:
    users = lay(frail, ROUND_9, dict.fromkeys(range(6)))
    seek_ready(frail, users[6])
    frail.world.faults.expect("*", line("refuse"), times=10_000)
    ready(frail, users[6:])
    frail.wait(300 + 30)
    assert frail.match().number == CHOICE + 1, "a deadline does not wait for Telegram"
    frail.world.faults.clear()
    frail.wait(60)
    told = [words for text in heard(frail, frail.group) for words in WHAT_FOLLOWS_SILENCE if words in text]
    assert told == list(WHAT_FOLLOWS_SILENCE)
    assert [said(frail, user, "Round 9") for user in users] == [1] * 7
    assert [said(frail, user, "no bird was named for you") for user in users] == [0, 1, 1, 0, 0, 0, 0]


WHAT_FOLLOWS_SILENCE = (*WHAT_FOLLOWS[:3], "The lot has named the opponent")


# --- any error at any call ------------------------------------------------------------------------


class Trouble(Around):
    """The ``at``-th call to Telegram, counted from 1, meets an error, before or after it took effect."""

    def __init__(self, at: int, error: Callable[[], Exception], *, too_late: bool = False) -> None:
        super().__init__()
        self.at = at
        self.error = error
        self.too_late = too_late
        self.calls = 0

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if name not in (*CALLS, "answer"):
            return effect()
        self.calls += 1
        if self.calls != self.at:
            return effect()
        if self.too_late:
            effect()
        raise self.error()


ERRORS: list[tuple[Callable[[], Exception], bool]] = [
    (NotSent, False),
    (Uncertain, False),
    (Uncertain, True),
    (lambda: TooFast(34), False),
    (MessageLost, False),
    (Refused, False),
    (Forbidden, False),
]
FOR_GOOD = (MessageLost, Refused, Forbidden)
"""After these, what was to be said is given up."""


@pytest.mark.parametrize("segment", [judged, declined, house])
@pytest.mark.parametrize(("error", "too_late"), ERRORS)
def test_an_error_at_any_call_changes_nothing_of_the_match(
    segment: Segment, error: Callable[[], Exception], too_late: bool
) -> None:
    calls = Trouble(0, error)
    whole = Frail(around=calls)
    segment(whole)
    whole.close()
    first = 1 + ERRORS.index((error, too_late))
    for at in range(first, calls.calls + 1, len(ERRORS)):
        bot = Frail(around=Trouble(at, error, too_late=too_late))
        segment(bot)
        bot.wait(100)
        if error in FOR_GOOD:
            found, wanted = aftermath(bot), clean(segment)[0]
            assert (found.stage, found.steps) == (wanted.stage, wanted.steps)
        else:
            same(bot, segment, faults=1)
        bot.close()


# --- every error there is a record of -------------------------------------------------------------


WHERE = (*METHODS, "sendDocument")
KNOWN = [
    pytest.param(sample, methods, id=sample["id"])
    for sample in SAMPLES
    if "transport" not in sample and sample["id"] not in ELSEWHERE | PERSONAL
    if (methods := [each for each in WHERE if each in sample["methods"] or sample["methods"] == ["*"]])
]


@needs_shared
@pytest.mark.parametrize(("sample", "methods"), KNOWN)
def test_after_any_known_error_the_match_goes_on(frail: Frail, sample: dict[str, Any], methods: list[str]) -> None:
    """Every method that can be answered so is, at each moment once in the group and once to the candidate."""
    fault = broken(sample["http_status"], sample.get("body_text", json.dumps(sample.get("body"))))

    def spoil() -> None:
        for method in methods:
            for chat in (None,) if method == "answerCallbackQuery" else (frail.group, frail.bruno):
                frail.world.faults.expect(method, fault, chat=chat)

    users = lay(frail, ROUND_9, dict.fromkeys(range(6)))
    spoil()
    ready(frail, users[6:])
    frail.wait(30)
    frail.say(users[CANDIDATE], "/matches", users[CANDIDATE])
    frail.push_label(users[CANDIDATE], "Dog's Judgement", users[CANDIDATE])
    challenge(frail, users[CANDIDATE], EMIL)
    assert frail.match().number == CHOICE + 1
    frail.wait(120)
    spoil()
    give_up(frail, users[EMIL])
    frail.wait(3_000)
    frail.world.faults.clear()
    frail.wait(60)
    found = aftermath(frail)
    assert (found.stage, found.steps[CHOICE]) == ("over", {CANDIDATE: "vs4"})
    assert found.steps[-1] == {EMIL: "resign"}
    assert found.files == 1
