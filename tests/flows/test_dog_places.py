"""A group becomes a supergroup or throws the bot out, and people leave it, in each part of Dog's Judgement."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from handler.ports import Place
from tests.flows.dog_segments import CANDIDATE, CHOICE, PARTS, ROUND_3, host_of, lay, put, ready, rounds
from tests.flows.frail import Frail
from tests.flows.players import buttons, find
from tests.flows.segments import heard
from tests.flows.test_places import gone

EACH_PART = pytest.mark.parametrize("part", PARTS)


@pytest.fixture
def bot() -> Iterator[Frail]:
    """A bot with the real client."""
    made = Frail(short=False)
    yield made
    assert made.world.violations == []
    made.close()


def said(bot: Frail, chat: int, words: str) -> int:
    """How many announcements in a chat hold these words."""
    return sum(words in text for text in heard(bot, chat))


# --- a group becomes a supergroup -----------------------------------------------------------------


@EACH_PART
@pytest.mark.parametrize("heard_of", [True, False])
def test_the_table_goes_along(bot: Frail, part: str, heard_of: bool) -> None:
    """By the news of it, or by the first refused message alone."""
    users = lay(bot, PARTS[part])
    before = bot.match()
    old, bot.group = bot.group, bot.world.groups.migrate(bot.group, bot.ada)
    if heard_of:
        bot.deliver()
    else:
        for update in bot.world.pending():
            bot.world.acknowledge(update["update_id"])
    rounds(bot, before.number + 1)
    bot.wait(90)
    match = bot.match()
    assert match.place == Place(bot.group)
    assert (bot.store.at(Place(old)), bot.store.at(Place(bot.group))) == (None, match.id)
    assert said(bot, bot.group, "The match has moved here") == 1
    # What closed was told once, to everybody, and what is open now can be played.
    for chat in users if part == "round" else ():
        assert said(bot, chat, "Round 3") == 1
    assert said(bot, bot.group, "Round 3 of 9 is over") == (1 if part == "round" else 0)
    assert find(bot, bot.group, match, "sr") if part == "reveals" else any(buttons(bot, users[CANDIDATE]))


def test_the_host_can_do_without_a_death_match_in_the_new_group(bot: Frail) -> None:
    lay(bot, CHOICE)
    stale = bot.button("No Death Match", bot.group)
    bot.group = bot.world.groups.migrate(bot.group, bot.ada)
    bot.deliver()
    bot.wait(30)
    assert bot.button("No Death Match", bot.group)[1] == stale[1]
    bot.push_label(host_of(bot), "No Death Match")
    bot.push_label(host_of(bot), "Yes")
    bot.wait(60)
    assert bot.match().stage == "over"
    assert said(bot, bot.group, "There is no Death Match") == 1


# --- the bot is removed ---------------------------------------------------------------------------


@EACH_PART
def test_a_table_without_its_bot_is_cancelled_and_all_seven_are_told_once(bot: Frail, part: str) -> None:
    users = lay(bot, PARTS[part])
    match = bot.match()
    bot.world.groups.remove_bot(bot.group, bot.ada)
    for first, last in pairwise([*bot.world.pending(), bot.world.pending()[0]]):
        for update in (first, last):
            assert bot.post(update) == 200
    for update in bot.world.pending():
        bot.world.acknowledge(update["update_id"])
    bot.wait(60)
    gone(bot, match)
    for user in users:
        assert said(bot, user, "I was removed from") == 1
        assert bot.store.of_person(user) == ()
        assert [data for _, data in buttons(bot, user) if data.startswith(f"{match.id}:{match.number}:")] == []


# --- people leave the group -------------------------------------------------------------------------


def left_update(bot: Frail, user: int) -> Any:
    """Somebody has left the group: the update, on its way."""
    bot.world.groups.leave(user, bot.group)
    return bot.world.pending()[-1]


def test_whoever_leaves_the_group_counts_as_ready_until_they_play_on(bot: Frail) -> None:
    """Rule 15."""
    users = lay(bot, ROUND_3, {0: None, 1: None, 2: None, 5: "4rm", 6: None})
    panel = next(message for message, data in buttons(bot, users[4]) if data.endswith(":m5"))
    update = left_update(bot, users[4])
    assert update["message"]["left_chat_member"]["id"] == users[4]
    for _ in range(2):
        assert bot.post(update) == 200
    assert bot.match().number == ROUND_3
    ready(bot, [users[3]])
    assert bot.match().number == ROUND_3 + 1
    bot.world.acknowledge(update["update_id"])
    bot.wait(60)
    assert said(bot, users[4], "Round 3") == 1
    assert "over" in bot.world.message(users[4], panel)["text"]
    bot.say(users[4], "/matches", users[4])
    bot.push_label(users[4], "Dog's Judgement", users[4])
    put(bot, users[4], "5cm")
    ready(bot, [*users[:4], *users[5:]])
    assert bot.match().number == ROUND_3 + 1
    ready(bot, users[4:5])
    assert bot.match().number == ROUND_3 + 2


@EACH_PART
def test_old_news_of_leaving_change_nothing_for_whoever_is_back(bot: Frail, part: str) -> None:
    users = lay(bot, PARTS[part])
    update = left_update(bot, users[CANDIDATE])
    bot.world.acknowledge(update["update_id"])
    bot.world.groups.join(users[CANDIDATE], bot.group)
    bot.deliver()
    before = bot.store.load(bot.id)
    assert bot.post(update) == 200
    assert bot.store.load(bot.id) == before


def odd(update: Any, bot: Frail) -> Iterator[Any]:
    """The news that a player has left, spoilt in one way or another."""
    message = update["message"]
    gone = message["left_chat_member"]
    wrong: Any
    for wrong in (None, 0, True, "Emil", [], {}, {**gone, "id": str(gone["id"])}, {**gone, "id": 2**70}):
        yield {**update, "message": {**message, "left_chat_member": wrong}}
    yield {**update, "message": {**message, "left_chat_member": {**gone, "id": gone["id"] + 1_000}}}
    yield {**update, "message": {**message, "chat": {**message["chat"], "id": bot.group - 1}}}
    yield {**update, "message": {**message, "chat": bot.world.desk.state.users[bot.ada].json() | {"type": "private"}}}
    yield {**update, "message": {**message, "chat": {**message["chat"], "type": "channel"}}}
    yield {"update_id": update["update_id"], "edited_message": message}
    yield {"update_id": update["update_id"], "channel_post": message}


@EACH_PART
def test_odd_news_of_leaving_change_nothing(bot: Frail, part: str) -> None:
    users = lay(bot, PARTS[part])
    update = left_update(bot, users[CANDIDATE])
    before, calls = bot.store.load(bot.id), len(bot.world.calls)
    for spoilt in odd(update, bot):
        assert bot.post(spoilt) == 200
        assert bot.store.load(bot.id) == before
    assert [call.method for call in bot.world.calls[calls:]] == []
    # As it came it does mean something.
    assert bot.post(update) == 200
    assert bot.store.load(bot.id) != before


def test_a_candidate_who_has_left_the_group_can_choose_and_play_the_death_match(bot: Frail) -> None:
    users = lay(bot, CHOICE)
    bruno = users[CANDIDATE]
    assert bot.post(left_update(bot, bruno)) == 200
    bot.wait(30)
    assert bot.match().number == CHOICE
    for tail in ("mvs4", "fvs4", "s?o", "l"):
        bot.push(bruno, bruno, tail)
    assert bot.match().box[CANDIDATE].final
    assert bot.match().seats[CANDIDATE] is not None
    for tail in ("s?-", "l"):
        bot.push(users[4], users[4], tail)
    assert bot.match().number == CHOICE + 2
    bot.wait(60)
    assert said(bot, bruno, "Between you and me") == 1


def test_a_candidate_who_has_left_and_is_silent_is_waited_for_until_the_lot_decides(bot: Frail) -> None:
    users = lay(bot, CHOICE)
    assert bot.post(left_update(bot, users[CANDIDATE])) == 200
    rounds(bot, CHOICE + 1)
    bot.wait(20)
    assert said(bot, bot.group, "The lot has named the opponent") == 1
    assert find(bot, users[CANDIDATE], bot.match(), "s?-")
