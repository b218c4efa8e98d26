"""Groups become supergroups and bots are thrown out: the match goes along, or ends and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.match import Match
from handler.ports import Place
from infra.local.botapi import errors
from infra.local.botapi.errors import Refusal
from infra.local.botapi.faults import refused
from infra.local.botapi.state import BOT_ID
from tests.flows.frail import Frail
from tests.flows.segments import heard, lobby, until


@pytest.fixture
def bot() -> Iterator[Frail]:
    """A bot with the real client."""
    made = Frail(short=False)
    yield made
    assert made.world.violations == []
    made.close()


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


def said(bot: Frail, chat: int, words: str) -> int:
    """How many announcements in a chat hold these words."""
    return sum(words in text for text in heard(bot, chat))


# --- a group becomes a supergroup -----------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
def test_a_match_goes_along_whatever_the_order_of_the_news(bot: Frail, order: int) -> None:
    reveals(bot)
    old = bot.group
    bot.group = bot.world.groups.migrate(old, bot.ada)
    news(bot, order)
    assert (bot.store.at(Place(old)), bot.store.at(Place(bot.group))) == (None, bot.match().id)
    assert said(bot, bot.group, "The match has moved here") == 1
    assert [text for text in bot.texts(bot.group) if "Private reveals" in text] != []
    until(bot, "draft")
    bot.wait(30)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1
    assert said(bot, old, "Night 1 of Round 1") == 0


@pytest.mark.parametrize("order", ORDERS)
def test_a_lobby_goes_along_and_can_be_played(bot: Frail, order: int) -> None:
    open_lobby(bot)
    bot.group = bot.world.groups.migrate(bot.group, bot.ada)
    news(bot, order)
    bot.push_label(bot.bruno, "Join")
    bot.push_label(bot.ada, "Start")
    assert bot.match().place == Place(bot.group)
    assert said(bot, bot.group, "The match begins") == 1


def upgrade_unheard(bot: Frail) -> int:
    """The group becomes a supergroup, and no update says so."""
    new = bot.world.groups.migrate(bot.group, bot.ada)
    for update in bot.world.pending():
        bot.world.acknowledge(update["update_id"])
    return new


def test_a_match_goes_along_when_only_a_refused_message_says_so(bot: Frail) -> None:
    reveals(bot)
    bot.group = upgrade_unheard(bot)
    until(bot, "draft")
    bot.wait(30)
    assert bot.match().place == Place(bot.group)
    assert said(bot, bot.group, "Night 1 of Round 1") == 1
    assert bot.button("Raven", bot.group)


def test_a_lobby_goes_along_when_only_a_refused_edit_says_so(bot: Frail) -> None:
    open_lobby(bot)
    card = bot.button("Join", bot.group)
    old, bot.group = bot.group, upgrade_unheard(bot)
    bot.world.desk.state.chats[old].members[bot.bruno] = "member"
    query = {
        "id": "77",
        "from": bot.world.desk.state.users[bot.bruno].json(),
        "chat_instance": "1",
        "message": bot.world.message(old, card[0]),
        "data": card[1],
    }
    assert bot.post({"update_id": 900_001, "callback_query": query}) == 200
    bot.wait(30)
    assert bot.match().place == Place(bot.group)
    bot.push_label(bot.ada, "Start")
    assert said(bot, bot.group, "The match begins") == 1


@pytest.mark.parametrize("method", ["pinChatMessage", "sendDocument"])
def test_a_match_goes_along_when_only_another_refusal_says_so(bot: Frail, method: str) -> None:
    reveals(bot)
    bot.wait(50)
    new = bot.world.groups.add_supergroup("The Garden", bot.ada)
    bot.world.groups.join(bot.bruno, new)
    bot.world.groups.add_bot(new, bot.ada)
    bot.deliver()
    bot.world.faults.expect(method, refused(errors.upgraded(new)), chat=bot.group)
    until(bot, "draft")
    bot.say(bot.ada, "/resign", bot.ada)
    bot.push_label(bot.ada, "Yes", bot.ada)
    bot.wait(60)
    assert bot.world.faults.left == 0
    assert bot.match().place == Place(new)
    assert sum("document" in message for message in bot.world.history(new)) == 1


def test_an_endless_migration_is_not_chased_in_a_circle(bot: Frail) -> None:
    reveals(bot)
    bot.world.faults.expect("sendMessage", refused(errors.upgraded(bot.group)), times=5_000, chat=bot.group)
    calls = len(bot.world.calls)
    bot.wait(300)
    assert len(bot.world.calls) - calls < 60


def test_a_lobby_in_the_new_chat_makes_way_for_a_match(bot: Frail) -> None:
    reveals(bot)
    id = bot.match().id
    bot.group = bot.world.groups.migrate(bot.group, bot.ada)
    waiting = bot.world.pending()
    bot.world.people.say(bot.bruno, bot.group, "/gravity")
    assert bot.post(bot.world.pending()[-1]) == 200
    other = bot.store.at(Place(bot.group))
    assert other not in (None, id)
    for update in waiting:
        assert bot.post(update) == 200
    for update in bot.world.pending():
        bot.world.acknowledge(update["update_id"])
    bot.wait(60)
    assert bot.store.at(Place(bot.group)) == id
    assert bot.load(id).stage == "playing"
    assert said(bot, bot.group, "this lobby is closed") == 1
    assert said(bot, bot.group, "The match has moved here") == 1
    assert list(bot.store.of_person(bot.bruno)) == [id]


def test_a_match_in_the_new_chat_stays_and_the_one_that_comes_ends_there(bot: Frail) -> None:
    reveals(bot)
    id = bot.match().id
    new = bot.world.groups.add_supergroup("The Garden", bot.ada)
    bot.world.groups.join(bot.bruno, new)
    bot.world.groups.add_bot(new, bot.ada)
    bot.deliver()
    bot.say(bot.ada, "/gravity", new)
    bot.push_label(bot.ada, "Add a house player", new)
    bot.push_label(bot.ada, "Join", new)
    bot.push_label(bot.ada, "Start", new)
    other = bot.store.at(Place(new))
    bot.world.faults.expect("sendMessage", refused(errors.upgraded(new)), times=1, chat=bot.group)
    bot.wait(120)
    assert bot.load(id).stage == "cancelled"
    assert (bot.store.at(Place(new)), bot.store.at(Place(bot.group))) == (other, None)
    assert said(bot, new, "is cancelled: another one was opened") == 1
    for user in (bot.ada, bot.bruno):
        assert said(bot, user, "is cancelled: another one was opened") == 1


def test_the_group_moves_while_it_is_being_told(bot: Frail) -> None:
    """The news come in the middle of telling, and then its calls are refused."""
    lobby(bot)
    old = bot.group
    straight = bot.around.carry_out
    moved: list[int] = []

    def migrate(name: str, effect: Callable[[], Any]) -> Any:
        if name == "edit" and bot.match().number == 1 and not moved:
            moved.append(bot.world.groups.migrate(old, bot.ada))
            for update in bot.world.pending()[-2:]:
                assert bot.post(update) == 200
        return straight(name, effect)

    bot.around.carry_out = migrate  # type: ignore[method-assign]
    until(bot, "draft")
    bot.wait(60)
    [new] = moved
    assert bot.match().place == Place(new)
    assert said(bot, old, "Night 1 of Round 1") + said(bot, new, "Night 1 of Round 1") == 1
    assert said(bot, new, "The match has moved here") == 1
    bot.deliver()


# --- the bot is removed ---------------------------------------------------------------------------


def gone(bot: Frail, match: Match) -> None:
    """The match is cancelled, its players know, its place is free."""
    after = bot.load(match.id)
    assert (after.stage, after.gone) == ("cancelled", True)
    assert bot.store.at(match.place) is None
    assert bot.matches() == []
    item = bot.store.load(match.id)
    assert item is not None
    assert (item.told, item.alarm_at) == (item.news, None)


@pytest.mark.parametrize("order", ORDERS)
def test_a_match_without_its_bot_is_cancelled_and_its_players_are_told_once(bot: Frail, order: int) -> None:
    reveals(bot)
    match = bot.match()
    bot.world.groups.remove_bot(bot.group, bot.ada)
    calls = len(bot.world.calls)
    news(bot, order)
    gone(bot, match)
    for user in (bot.ada, bot.bruno):
        assert said(bot, user, "I was removed from") == 1
    about = [call.method for call in bot.world.calls[calls:] if call.params.get("chat_id") == bot.group]
    assert about == ["getChatMember"]


@pytest.mark.parametrize("order", ORDERS)
def test_a_lobby_without_its_bot_is_closed(bot: Frail, order: int) -> None:
    open_lobby(bot)
    match = bot.match()
    bot.world.groups.remove_bot(bot.group, bot.ada)
    news(bot, order)
    gone(bot, match)


@pytest.mark.parametrize("order", ORDERS)
def test_a_match_that_is_over_stays_so_without_its_bot(bot: Frail, order: int) -> None:
    resigned(bot)
    bot.world.groups.remove_bot(bot.group, bot.ada)
    news(bot, order)
    assert bot.match().stage == "over"


def test_old_news_of_a_removal_do_not_end_a_new_lobby(bot: Frail) -> None:
    bot.world.groups.remove_bot(bot.group, bot.ada)
    old = bot.world.pending()
    bot.deliver()
    bot.world.groups.add_bot(bot.group, bot.ada)
    bot.deliver()
    open_lobby(bot)
    for update in old:
        assert bot.post(update) == 200
    assert bot.match().stage == "lobby"


EXPELLED = [errors.KICKED_GROUP, errors.KICKED_SUPERGROUP, errors.GROUP_DELETED, errors.CHAT_NOT_FOUND]


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText", "pinChatMessage"])
@pytest.mark.parametrize("refusal", EXPELLED, ids=str)
def test_a_removal_that_only_a_refusal_tells_of(bot: Frail, refusal: Refusal, method: str) -> None:
    reveals(bot)
    bot.wait(45)
    bot.world.faults.expect(method, refused(refusal), chat=bot.group)
    match = bot.match()
    bot.wait(500)
    gone(bot, match)
    for user in (bot.ada, bot.bruno):
        assert said(bot, user, "I was removed from") == 1


def test_the_bot_is_removed_before_the_end_was_told(bot: Frail) -> None:
    reveals(bot)
    bot.world.groups.set_status(BOT_ID, bot.group, "kicked")
    bot.say(bot.ada, "/resign", bot.ada)
    bot.push_label(bot.ada, "Yes", bot.ada)
    bot.wait(120)
    match = bot.match()
    assert (match.stage, match.gone) == ("over", True)
    item = bot.store.load(match.id)
    assert item is not None
    assert item.told == item.news
