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
from tests.flows.segments import gone, said

EACH_PART = pytest.mark.parametrize("part", PARTS)


# --- a group becomes a supergroup -----------------------------------------------------------------


@EACH_PART
@pytest.mark.parametrize("heard_of", [True, False])
def test_the_table_goes_along(frail: Frail, part: str, heard_of: bool) -> None:
    """By the news of it, or by the first refused message alone."""
    users = lay(frail, PARTS[part])
    before = frail.match()
    old, frail.group = frail.group, frail.world.groups.migrate(frail.group, frail.ada)
    if heard_of:
        frail.deliver()
    else:
        for update in frail.world.pending():
            frail.world.acknowledge(update["update_id"])
    rounds(frail, before.number + 1)
    frail.wait(90)
    match = frail.match()
    assert match.place == Place(frail.group)
    assert (frail.store.at(Place(old)), frail.store.at(Place(frail.group))) == (None, match.id)
    assert said(frail, frail.group, "The match has moved here") == 1
    # What closed was told once, to everybody, and what is open now can be played.
    for chat in users if part == "round" else ():
        assert said(frail, chat, "Round 3") == 1
    assert said(frail, frail.group, "Round 3 of 9 is over") == (1 if part == "round" else 0)
    assert find(frail, frail.group, match, "sr") if part == "reveals" else any(buttons(frail, users[CANDIDATE]))


def test_the_host_can_do_without_a_death_match_in_the_new_group(frail: Frail) -> None:
    lay(frail, CHOICE)
    stale = frail.button("No Death Match", frail.group)
    frail.group = frail.world.groups.migrate(frail.group, frail.ada)
    frail.deliver()
    frail.wait(30)
    assert frail.button("No Death Match", frail.group)[1] == stale[1]
    frail.push_label(host_of(frail), "No Death Match")
    frail.push_label(host_of(frail), "Yes")
    frail.wait(60)
    assert frail.match().stage == "over"
    assert said(frail, frail.group, "There is no Death Match") == 1


# --- the bot is removed ---------------------------------------------------------------------------


@EACH_PART
def test_a_table_without_its_bot_is_cancelled_and_all_seven_are_told_once(frail: Frail, part: str) -> None:
    users = lay(frail, PARTS[part])
    match = frail.match()
    frail.world.groups.remove_bot(frail.group, frail.ada)
    for first, last in pairwise([*frail.world.pending(), frail.world.pending()[0]]):
        for update in (first, last):
            assert frail.post(update) == 200
    for update in frail.world.pending():
        frail.world.acknowledge(update["update_id"])
    frail.wait(60)
    gone(frail, match)
    for user in users:
        assert said(frail, user, "I was removed from") == 1
        assert frail.store.of_person(user) == ()
        assert [data for _, data in buttons(frail, user) if data.startswith(f"{match.id}:{match.number}:")] == []


# --- people leave the group -------------------------------------------------------------------------


def left_update(bot: Frail, user: int) -> Any:
    """Somebody has left the group: the update, on its way."""
    bot.world.groups.leave(user, bot.group)
    return bot.world.pending()[-1]


def test_whoever_leaves_the_group_counts_as_ready_until_they_play_on(frail: Frail) -> None:
    """Rule 15."""
    users = lay(frail, ROUND_3, {0: None, 1: None, 2: None, 5: "4rm", 6: None})
    panel = next(message for message, data in buttons(frail, users[4]) if data.endswith(":m5"))
    update = left_update(frail, users[4])
    assert update["message"]["left_chat_member"]["id"] == users[4]
    for _ in range(2):
        assert frail.post(update) == 200
    assert frail.match().number == ROUND_3
    ready(frail, [users[3]])
    assert frail.match().number == ROUND_3 + 1
    frail.world.acknowledge(update["update_id"])
    frail.wait(60)
    assert said(frail, users[4], "Round 3") == 1
    assert "over" in frail.world.message(users[4], panel)["text"]
    frail.say(users[4], "/matches", users[4])
    frail.push_label(users[4], "Dog's Judgement", users[4])
    put(frail, users[4], "5cm")
    ready(frail, [*users[:4], *users[5:]])
    assert frail.match().number == ROUND_3 + 1
    ready(frail, users[4:5])
    assert frail.match().number == ROUND_3 + 2


@EACH_PART
def test_old_news_of_leaving_change_nothing_for_whoever_is_back(frail: Frail, part: str) -> None:
    users = lay(frail, PARTS[part])
    update = left_update(frail, users[CANDIDATE])
    frail.world.acknowledge(update["update_id"])
    frail.world.groups.join(users[CANDIDATE], frail.group)
    frail.deliver()
    before = frail.store.load(frail.id)
    assert frail.post(update) == 200
    assert frail.store.load(frail.id) == before


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
def test_odd_news_of_leaving_change_nothing(frail: Frail, part: str) -> None:
    users = lay(frail, PARTS[part])
    update = left_update(frail, users[CANDIDATE])
    before, calls = frail.store.load(frail.id), len(frail.world.calls)
    for spoilt in odd(update, frail):
        assert frail.post(spoilt) == 200
        assert frail.store.load(frail.id) == before
    assert [call.method for call in frail.world.calls[calls:]] == []
    # As it came it does mean something.
    assert frail.post(update) == 200
    assert frail.store.load(frail.id) != before


def test_a_candidate_who_has_left_the_group_can_choose_and_play_the_death_match(frail: Frail) -> None:
    users = lay(frail, CHOICE)
    bruno = users[CANDIDATE]
    assert frail.post(left_update(frail, bruno)) == 200
    frail.wait(30)
    assert frail.match().number == CHOICE
    for tail in ("mvs4", "fvs4", "s?o", "l"):
        frail.push(bruno, bruno, tail)
    assert frail.match().box[CANDIDATE].final
    assert frail.match().seats[CANDIDATE] is not None
    for tail in ("s?-", "l"):
        frail.push(users[4], users[4], tail)
    assert frail.match().number == CHOICE + 2
    frail.wait(60)
    assert said(frail, bruno, "Between you and me") == 1


def test_a_candidate_who_has_left_and_is_silent_is_waited_for_until_the_lot_decides(frail: Frail) -> None:
    users = lay(frail, CHOICE)
    assert frail.post(left_update(frail, users[CANDIDATE])) == 200
    rounds(frail, CHOICE + 1)
    frail.wait(20)
    assert said(frail, frail.group, "The lot has named the opponent") == 1
    assert find(frail, users[CANDIDATE], frail.match(), "s?-")
