"""Groups become supergroups and bots are thrown out: the match goes along, or ends and says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.ports import Place
from infra.local.botapi import errors
from infra.local.botapi.errors import Refusal
from infra.local.botapi.faults import refused
from infra.local.botapi.state import BOT_ID
from tests.flows.frail import Frail
from tests.flows.segments import gone, lobby, said, until


def open_lobby(bot: Frail) -> None:
    """A lobby with a seat free."""
    bot.say(bot.ada, "/gravity")
    bot.push_label(bot.ada, "Join")


def reveals(bot: Frail) -> None:
    """A match that has begun."""
    lobby(bot)
    bot.push(bot.ada, bot.ada, "s" + write(Reveal(Bird.OWL)))


def resigned(bot: Frail) -> None:
    """A match that is over, and told."""
    reveals(bot)
    bot.say(bot.ada, "/resign", bot.ada)
    bot.push_label(bot.ada, "Yes", bot.ada)
    bot.wait(60)


def orders(news: list[Any]) -> list[list[Any]]:
    """What Telegram may make of two updates of one event: either order, one alone, each twice."""
    first, last = news
    return [[first, last], [last, first], [first], [last], [first, last, first, last], [last, last, first, first]]


ORDERS = range(6)


def news(bot: Frail, order: int) -> None:
    """Deliver the two updates that wait in one of the orders."""
    for update in orders(bot.world.pending())[order]:
        assert bot.post(update) == 200
    for update in bot.world.pending():
        bot.world.acknowledge(update["update_id"])
    bot.wait(30)


# --- a group becomes a supergroup -----------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
def test_a_match_goes_along_whatever_the_order_of_the_news(frail: Frail, order: int) -> None:
    reveals(frail)
    old = frail.group
    frail.group = frail.world.groups.migrate(old, frail.ada)
    news(frail, order)
    assert (frail.store.at(Place(old)), frail.store.at(Place(frail.group))) == (None, frail.match().id)
    assert said(frail, frail.group, "The match has moved here") == 1
    assert [text for text in frail.texts(frail.group) if "Private reveals" in text] != []
    until(frail, "draft")
    frail.wait(30)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1
    assert said(frail, old, "Night 1 of Round 1") == 0


@pytest.mark.parametrize("order", ORDERS)
def test_a_lobby_goes_along_and_can_be_played(frail: Frail, order: int) -> None:
    open_lobby(frail)
    frail.group = frail.world.groups.migrate(frail.group, frail.ada)
    news(frail, order)
    frail.push_label(frail.bruno, "Join")
    frail.push_label(frail.ada, "Start")
    assert frail.match().place == Place(frail.group)
    assert said(frail, frail.group, "The match begins") == 1


def upgrade_unheard(bot: Frail) -> int:
    """The group becomes a supergroup, and no update says so."""
    new = bot.world.groups.migrate(bot.group, bot.ada)
    for update in bot.world.pending():
        bot.world.acknowledge(update["update_id"])
    return new


def test_a_match_goes_along_when_only_a_refused_message_says_so(frail: Frail) -> None:
    reveals(frail)
    frail.group = upgrade_unheard(frail)
    until(frail, "draft")
    frail.wait(30)
    assert frail.match().place == Place(frail.group)
    assert said(frail, frail.group, "Night 1 of Round 1") == 1
    assert frail.button("Raven", frail.group)


def test_a_lobby_goes_along_when_only_a_refused_edit_says_so(frail: Frail) -> None:
    open_lobby(frail)
    card = frail.button("Join", frail.group)
    old, frail.group = frail.group, upgrade_unheard(frail)
    frail.world.desk.state.chats[old].members[frail.bruno] = "member"
    query = {
        "id": "77",
        "from": frail.world.desk.state.users[frail.bruno].json(),
        "chat_instance": "1",
        "message": frail.world.message(old, card[0]),
        "data": card[1],
    }
    assert frail.post({"update_id": 900_001, "callback_query": query}) == 200
    frail.wait(30)
    assert frail.match().place == Place(frail.group)
    frail.push_label(frail.ada, "Start")
    assert said(frail, frail.group, "The match begins") == 1


@pytest.mark.parametrize("method", ["pinChatMessage", "sendDocument"])
def test_a_match_goes_along_when_only_another_refusal_says_so(frail: Frail, method: str) -> None:
    reveals(frail)
    frail.wait(50)
    new = frail.world.groups.add_supergroup("The Garden", frail.ada)
    frail.world.groups.join(frail.bruno, new)
    frail.world.groups.add_bot(new, frail.ada)
    frail.deliver()
    frail.world.faults.expect(method, refused(errors.upgraded(new)), chat=frail.group)
    until(frail, "draft")
    frail.say(frail.ada, "/resign", frail.ada)
    frail.push_label(frail.ada, "Yes", frail.ada)
    frail.wait(60)
    assert frail.world.faults.left == 0
    assert frail.match().place == Place(new)
    everything = [*frail.world.history(frail.group), *frail.world.history(new)]
    assert sum("document" in message for message in everything) == 1


def test_an_endless_migration_is_not_chased_in_a_circle(frail: Frail) -> None:
    reveals(frail)
    frail.world.faults.expect("sendMessage", refused(errors.upgraded(frail.group)), times=5_000, chat=frail.group)
    calls = len(frail.world.calls)
    frail.wait(300)
    assert len(frail.world.calls) - calls < 60


def test_a_lobby_in_the_new_chat_makes_way_for_a_match(frail: Frail) -> None:
    reveals(frail)
    id = frail.match().id
    frail.group = frail.world.groups.migrate(frail.group, frail.ada)
    waiting = frail.world.pending()
    frail.world.people.say(frail.bruno, frail.group, "/gravity")
    assert frail.post(frail.world.pending()[-1]) == 200
    other = frail.store.at(Place(frail.group))
    assert other not in (None, id)
    for update in waiting:
        assert frail.post(update) == 200
    for update in frail.world.pending():
        frail.world.acknowledge(update["update_id"])
    frail.wait(60)
    assert frail.store.at(Place(frail.group)) == id
    assert frail.load(id).stage == "playing"
    assert said(frail, frail.group, "this lobby is closed") == 1
    assert said(frail, frail.group, "The match has moved here") == 1
    assert list(frail.store.of_person(frail.bruno)) == [id]


def test_a_match_in_the_new_chat_stays_and_the_one_that_comes_ends_there(frail: Frail) -> None:
    reveals(frail)
    id = frail.match().id
    new = frail.world.groups.add_supergroup("The Garden", frail.ada)
    frail.world.groups.join(frail.bruno, new)
    frail.world.groups.add_bot(new, frail.ada)
    frail.deliver()
    frail.say(frail.ada, "/gravity", new)
    frail.push_label(frail.ada, "Add a house player", new)
    frail.push_label(frail.ada, "Join", new)
    frail.push_label(frail.ada, "Start", new)
    other = frail.store.at(Place(new))
    frail.world.faults.expect("sendMessage", refused(errors.upgraded(new)), times=1, chat=frail.group)
    frail.wait(120)
    assert frail.load(id).stage == "cancelled"
    assert (frail.store.at(Place(new)), frail.store.at(Place(frail.group))) == (other, None)
    assert said(frail, new, "is cancelled: another one was opened") == 1
    for user in (frail.ada, frail.bruno):
        assert said(frail, user, "is cancelled: another one was opened") == 1


def test_a_lobby_that_comes_second_is_closed_as_a_lobby_and_cancels_nothing(frail: Frail) -> None:
    """The words were once those of a match, in a chat where one was going on."""
    open_lobby(frail)
    id = frail.match().id
    new = frail.world.groups.add_supergroup("The Garden", frail.ada)
    frail.world.groups.add_bot(new, frail.ada)
    frail.deliver()
    frail.say(frail.ada, "/gravity", new)
    other = frail.store.at(Place(new))
    frail.world.faults.expect("editMessageText", refused(errors.upgraded(new)), times=1, chat=frail.group)
    frail.push_label(frail.ada, "Leave", frail.first_group)
    frail.wait(120)
    assert frail.load(id).stage == "cancelled"
    assert (frail.store.at(Place(new)), frail.store.at(Place(frail.group))) == (other, None)
    assert said(frail, new, "The lobby that has moved in here with its group is closed") == 1
    assert said(frail, new, "cancelled") == 0


def test_a_press_that_was_under_way_while_the_group_moved_counts(frail: Frail) -> None:
    """It comes from the old chat, to a match that is in the new one."""
    frail.say(frail.ada, "/gravity")
    for user, label in ((frail.ada, "Join"), (frail.ada, "Add a house player"), (frail.ada, "Start")):
        old = frail.group
        frail.world.people.press(user, old, *frail.button(label, old))
        press = frail.world.pending()[-1]
        frail.world.acknowledge(press["update_id"])
        frail.group = frail.world.groups.migrate(old, frail.ada)
        frail.deliver()
        assert frail.match().place == Place(frail.group)
        assert frail.post(press) == 200
        frail.wait(30)
    assert frail.match().stage == "playing"
    assert said(frail, frail.group, "The match begins") == 1


def test_a_forged_press_from_the_group_as_it_was_counts_no_more_than_from_any_other(frail: Frail) -> None:
    """Its button is not under that message: whoever is put out since may still see the old chat."""
    greeting, _ = frail.button("Gravity Pandemic", frail.group)
    frail.say(frail.ada, "/gravity")
    match, old = frail.match(), frail.group
    card, data = frail.button("Join", old)
    assert greeting != card
    query = frail.world.people.press(frail.bruno, old, greeting, data)
    press = frail.world.pending()[-1]
    frail.world.acknowledge(press["update_id"])
    frail.group = frail.world.groups.migrate(old, frail.ada)
    frail.deliver()
    assert frail.post(press) == 200
    answer = frail.world.calls[-1]
    assert answer.params["callback_query_id"] == query
    assert answer.params["text"] == "That match is no longer here."
    assert frail.match().seats == match.seats


def test_the_group_moves_while_it_is_being_told(frail: Frail) -> None:
    """The news come in the middle of telling, and then its calls are refused."""
    lobby(frail)
    old = frail.group
    straight = frail.around.carry_out
    moved: list[int] = []

    def migrate(name: str, effect: Callable[[], Any]) -> Any:
        if name == "edit" and frail.match().number == 1 and not moved:
            moved.append(frail.world.groups.migrate(old, frail.ada))
            for update in frail.world.pending()[-2:]:
                assert frail.post(update) == 200
        return straight(name, effect)

    frail.around.carry_out = migrate  # type: ignore[method-assign]
    until(frail, "draft")
    frail.wait(60)
    [new] = moved
    assert frail.match().place == Place(new)
    assert said(frail, old, "Night 1 of Round 1") + said(frail, new, "Night 1 of Round 1") == 1
    assert said(frail, new, "The match has moved here") == 1
    frail.deliver()


# --- the bot is removed ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
def test_a_match_without_its_bot_is_cancelled_and_its_players_are_told_once(frail: Frail, order: int) -> None:
    reveals(frail)
    match = frail.match()
    frail.world.groups.remove_bot(frail.group, frail.ada)
    calls = len(frail.world.calls)
    news(frail, order)
    gone(frail, match)
    for user in (frail.ada, frail.bruno):
        assert said(frail, user, "I was removed from") == 1
    about = [call.method for call in frail.world.calls[calls:] if call.params.get("chat_id") == frail.group]
    assert about == ["getChatMember"]


@pytest.mark.parametrize("order", ORDERS)
def test_a_lobby_without_its_bot_is_closed(frail: Frail, order: int) -> None:
    open_lobby(frail)
    match = frail.match()
    frail.world.groups.remove_bot(frail.group, frail.ada)
    news(frail, order)
    gone(frail, match)


@pytest.mark.parametrize("order", ORDERS)
def test_a_match_that_is_over_stays_so_without_its_bot(frail: Frail, order: int) -> None:
    resigned(frail)
    frail.world.groups.remove_bot(frail.group, frail.ada)
    news(frail, order)
    assert frail.match().stage == "over"


def test_old_news_of_a_removal_do_not_end_a_new_lobby(frail: Frail) -> None:
    frail.world.groups.remove_bot(frail.group, frail.ada)
    old = frail.world.pending()
    frail.deliver()
    frail.world.groups.add_bot(frail.group, frail.ada)
    frail.deliver()
    open_lobby(frail)
    for update in old:
        assert frail.post(update) == 200
    assert frail.match().stage == "lobby"


EXPELLED = [errors.KICKED_GROUP, errors.KICKED_SUPERGROUP, errors.GROUP_DELETED, errors.CHAT_NOT_FOUND]


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText", "pinChatMessage"])
@pytest.mark.parametrize("refusal", EXPELLED, ids=str)
def test_a_removal_that_only_a_refusal_tells_of(frail: Frail, refusal: Refusal, method: str) -> None:
    reveals(frail)
    frail.wait(45)
    frail.world.faults.expect(method, refused(refusal), chat=frail.group)
    match = frail.match()
    frail.wait(500)
    gone(frail, match)
    for user in (frail.ada, frail.bruno):
        assert said(frail, user, "I was removed from") == 1


def test_the_bot_is_removed_before_the_end_was_told(frail: Frail) -> None:
    reveals(frail)
    frail.world.groups.set_status(BOT_ID, frail.group, "kicked")
    frail.say(frail.ada, "/resign", frail.ada)
    frail.push_label(frail.ada, "Yes", frail.ada)
    frail.wait(120)
    match = frail.match()
    assert (match.stage, match.gone) == ("over", True)
    item = frail.store.load(match.id)
    assert item is not None
    assert item.told == item.news
