"""A press that comes twice, or after later ones of the same person, counts once and in its place (handler.sequence)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.gravity.moves import Actions
from engine.gravity.notation import write
from handler.sequence import KEPT
from tests.flows.house import Flow
from tests.flows.players import boxed, play, quiet
from tests.flows.players import presses as tails
from tests.flows.seven import all_ready, begin, company, leave


def update(bot: Flow, user: int, tail: str, message: int | None = None) -> Any:
    """A press of somebody in the open phase as an update that nobody has delivered yet."""
    match = bot.match()
    where = bot.world.history(user)[-1]["message_id"] if message is None else message
    bot.world.people.press(user, user, where, f"{match.id}:{match.number}:{tail}")
    *_, waiting = bot.world.pending()
    bot.world.acknowledge(waiting["update_id"])
    return waiting


def toast(bot: Flow, press: Any) -> str:
    before = len(bot.world.calls)
    assert bot.post(press) == 200
    [answer] = [call for call in bot.world.calls[before:] if call.method == "answerCallbackQuery"]
    return str(answer.params.get("text", ""))


def has_left(bot: Flow) -> bool:
    who = bot.match().seats[0]
    assert who is not None
    return who.left


def in_round_one(bot: Flow) -> tuple[int, ...]:
    people = company(bot)
    begin(bot, people)
    bot.wait(600)
    return people


def test_a_play_that_comes_again_does_not_replace_a_newer_one(bot: Flow) -> None:
    ada, *others = in_round_one(bot)
    presses = [update(bot, ada, tail) for tail in ("f5cm", "u", "s6cr")]
    for press in presses:
        toast(bot, press)
    assert toast(bot, presses[0]).startswith("Noted, but you have pressed something newer")
    assert boxed(bot.match())[0] == ("6cr", False)
    for user in others:
        toast(bot, update(bot, user, "l"))
    assert bot.match().view(None).board.round == 1, "the repeated press has not made Ada ready either"
    toast(bot, presses[0])
    assert boxed(bot.match())[0] == ("6cr", False)


@pytest.mark.parametrize("again", range(3))
def test_presses_in_any_order_come_to_what_they_were_in_order(bot: Flow, again: int) -> None:
    ada, *_ = in_round_one(bot)
    presses = [update(bot, ada, tail) for tail in ("s5cm", "l", "u", "f6cr")]
    order = [presses[1], presses[3], presses[0], presses[2], presses[again]]
    for press in order:
        toast(bot, press)
    assert boxed(bot.match())[0] == ("6cr", True)


def test_ready_that_comes_again_does_not_close_the_round(bot: Flow) -> None:
    ada, *others = in_round_one(bot)
    ready, unready = update(bot, ada, "l"), update(bot, ada, "u")
    assert toast(bot, ready) == "Ready."
    toast(bot, unready)
    for user in others:
        toast(bot, update(bot, user, "l"))
    assert toast(bot, ready).startswith("Noted, but")
    assert bot.match().view(None).board.round == 1
    assert boxed(bot.match())[0] == (None, False)


def test_a_press_that_is_older_than_all_that_are_kept_has_counted(bot: Flow) -> None:
    ada, *_ = in_round_one(bot)
    presses = [update(bot, ada, f"s{1 + number % 7}cm") for number in range(KEPT + 2)]
    for press in presses:
        toast(bot, press)
    latest = boxed(bot.match())[0]
    assert [toast(bot, press).partition(" ")[0] for press in presses] == ["You"] * 2 + ["Noted,"] * (KEPT - 1) + ["5"]
    assert boxed(bot.match())[0] == latest
    assert len(bot.match().box[0].made) == KEPT


def test_a_refused_press_leaves_no_trace(bot: Flow) -> None:
    ada, *_ = in_round_one(bot)
    first, wrong, last = (update(bot, ada, tail) for tail in ("s5cm", "s5cbwrr", "s6cm"))
    toast(bot, first)
    before = bot.match().box
    toast(bot, wrong)
    assert bot.match().box == before
    toast(bot, last)
    assert boxed(bot.match())[0] == ("6cm", False)


def test_orders_of_gravitys_birds_count_each_in_its_place(bot: Flow) -> None:
    """A press for another bird than the later one's is not lost because it came late."""
    bot.begin()
    play(bot, bot.match().id, quiet, until="actions")
    (one, _, _), (other, _, _), *_ = [
        entry for entry in bot.match().engine.options(bot.match().view(0)).birds if entry[1]
    ]
    presses = [update(bot, bot.ada, "s" + write(Actions((sent,)))) for sent in ((one, 1), (other, 2), (one, 3))]
    for press in (presses[2], presses[0], presses[1], presses[0]):
        toast(bot, press)
    assert dict(bot.match().sealed_move(0).targets) == {one: 3, other: 2}


def test_each_of_five_orders_and_the_lock_may_come_last(bot: Flow) -> None:
    bot.begin()
    play(bot, bot.match().id, quiet, until="actions")
    entries = [
        (bird, (seats or birds)[0]) for bird, seats, birds in bot.match().engine.options(bot.match().view(0)).birds
    ]
    tails = [*("s" + write(Actions((sent,))) for sent in entries), "fa"]
    presses = [update(bot, bot.ada, tail) for tail in (*tails, "u", *tails[1:-1])]
    for press in (*presses[1:], presses[0]):
        toast(bot, press)
    assert dict(bot.match().sealed_move(0).targets) == dict(entries)


def test_a_play_that_comes_again_does_not_bring_a_leaver_back(bot: Flow) -> None:
    ada, *others = in_round_one(bot)
    played = update(bot, ada, "s5cm")
    toast(bot, played)
    leave(bot, ada)
    toast(bot, played)
    assert has_left(bot)
    all_ready(bot, others)
    assert bot.match().view(None).board.round == 2, "nobody waits for Ada"


def test_leaving_that_comes_again_does_not_send_away_who_has_come_back(bot: Flow) -> None:
    ada, *others = in_round_one(bot)
    bot.say(ada, "/resign", ada)
    bot.world.people.press(ada, ada, *bot.button("Yes, I leave", ada))
    *_, left = bot.world.pending()
    bot.world.acknowledge(left["update_id"])
    toast(bot, left)
    assert has_left(bot)
    toast(bot, update(bot, ada, "s5cm"))
    toast(bot, left)
    assert not has_left(bot)
    all_ready(bot, others)
    assert bot.match().view(None).board.round == 1, "Ada is waited for"


def test_a_refused_press_does_not_bring_a_leaver_back(bot: Flow) -> None:
    ada, *_ = in_round_one(bot)
    leave(bot, ada)
    before = bot.match()
    toast(bot, update(bot, ada, "s5cbwrr"))
    assert bot.match() == before


def test_whoever_locks_in_with_the_press_that_finds_their_reminder_due_is_not_reminded(bot: Flow) -> None:
    """The timer was lost, and Ada's press reminds Bruno."""
    match = play(bot, bot.begin().id, quiet, until="actions")
    bot.wait(20)
    *first, last = tails(quiet(match, 0))
    for tail in first:
        toast(bot, update(bot, bot.ada, tail))
    assert match.deadline is not None
    bot.timers.heap.clear()
    bot.clock.time = match.deadline - 10
    toast(bot, update(bot, bot.ada, last))
    assert (bot.match().reminded, bot.match().number, bot.match().box[0].final) == (True, match.number, True)
    assert ["is still open until" in "\n".join(bot.texts(user)) for user in (bot.ada, bot.bruno)] == [False, True]
