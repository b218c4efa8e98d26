"""The lobby: who gets a seat, who may change it, how it begins and how it ends."""

from __future__ import annotations

import pytest

from handler.match import Match
from handler.ports import Place
from handler.rates import free_at
from infra.local.botapi.errors import Refusal
from infra.local.botapi.faults import refused
from infra.local.botapi.state import BOT_ID, BOT_USERNAME
from tests.flows.house import Flow
from tests.flows.players import busiest_minute


def newcomer(bot: Flow, name: str = "Nora", *, started: bool = False) -> int:
    """Somebody new in the group, who has pressed START in private only if ``started``."""
    user = bot.world.people.add(name)
    bot.world.groups.join(user, bot.group)
    bot.deliver()
    if started:
        bot.world.people.start(user)
        bot.deliver()
    return user


def names(match: Match) -> list[str | None]:
    return [None if who is None else who.name for who in match.seats]


def start(bot: Flow, user: int, payload: str = "") -> str:
    """Somebody presses START, by a link or without; what they are answered."""
    bot.world.people.start(user, payload)
    bot.deliver()
    return bot.texts(user)[-1]


# --- seats ------------------------------------------------------------------------------------------


def test_join_seats_whom_the_bot_can_write_to(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    assert bot.press(bot.bruno, "Join") == "You have a seat."
    assert names(bot.match()) == ["Bruno", None]
    assert "you asked for a seat" in bot.texts(bot.bruno)[-1]
    assert bot.press(bot.bruno, "Join") == "You have a seat already."
    assert bot.press(bot.ada, "Join") == "You have a seat."
    assert "Bruno" in bot.texts(bot.group)[-1]
    assert "Ada" in bot.texts(bot.group)[-1]


def test_join_takes_a_newcomer_to_the_private_chat_and_the_link_seats_them(bot: Flow) -> None:
    nora = newcomer(bot)
    bot.say(bot.ada, "/gravity")
    id = bot.match().id
    assert bot.press(nora, "Join") == f"https://t.me/{BOT_USERNAME}?start=join-{id}"
    assert names(bot.match()) == [None, None]
    assert "Nora" not in bot.texts(bot.group)[-1]
    assert "You have a seat" in start(bot, nora, f"join-{id}")
    assert names(bot.match()) == ["Nora", None]
    assert "Nora" in bot.texts(bot.group)[-1]
    assert "You have a seat" in start(bot, nora, f"join-{id}")
    assert names(bot.match()) == ["Nora", None]


def test_a_join_tells_at_once_what_was_left_to_it(bot: Flow) -> None:
    """The press that is kept takes the lease on telling where somebody had to put the telling off."""
    bot.say(bot.ada, "/gravity")
    bot.world.faults.expect("editMessageText", refused(Refusal(500, "Internal Server Error")), times=2, chat=bot.group)
    bot.press(bot.ada, "Join")
    assert bot.texts(bot.group)[-1].count("free seat") == 2
    bot.press(bot.bruno, "Join")
    assert "Ada" in bot.texts(bot.group)[-1]
    assert "Bruno" in bot.texts(bot.group)[-1]
    item = bot.store.load(bot.match().id)
    assert item is not None
    assert item.lease is None


def test_where_a_lobby_has_expired_its_end_is_told_before_the_next_one(bot: Flow) -> None:
    """Nobody came by meanwhile: no timer, no sweep."""
    bot.say(bot.ada, "/gravity")
    old = bot.match().id
    bot.clock.time += 25 * 3600
    bot.say(bot.bruno, "/gravity")
    assert bot.match().id != old
    item = bot.store.load(old)
    assert item is not None
    assert (item.told, item.lease) == (item.news, None)


def test_a_lost_payload_costs_nobody_their_seat(bot: Flow) -> None:
    """Some apps drop what a deep link carries; the kept press is what counts."""
    nora = newcomer(bot)
    bot.say(bot.ada, "/gravity")
    bot.press(nora, "Join")
    assert "You have a seat" in start(bot, nora)
    assert names(bot.match()) == ["Nora", None]


@pytest.mark.parametrize(("administrator", "seated"), [(True, False), (False, True)])
def test_whoever_has_left_the_group_is_not_seated_where_the_bot_can_know(
    bot: Flow, administrator: bool, seated: bool
) -> None:
    """Nobody told the bot that they left; if Telegram would answer, it asks."""
    bot.world.groups.set_status(BOT_ID, bot.group, "administrator" if administrator else "member")
    nora = newcomer(bot)
    bot.say(bot.ada, "/gravity")
    bot.press(nora, "Join")
    bot.world.groups.set_status(nora, bot.group, "left")
    assert ("You have a seat" in start(bot, nora, f"join-{bot.match().id}")) is seated
    assert (bot.match().player(nora) is not None) is seated


@pytest.mark.parametrize("payload", ["join-{id}", "join-{id}x", "join-", "join", "JOIN-{id}", "join-aaaaaaaa"])
def test_nobody_is_seated_without_a_press_in_the_group(bot: Flow, payload: str) -> None:
    nora = newcomer(bot, started=True)
    bot.say(bot.ada, "/gravity")
    item = bot.store.load(bot.match().id)
    assert "You have a seat" not in start(bot, nora, payload.format(id=bot.match().id))
    assert bot.store.load(bot.match().id) == item
    assert bot.store.of_person(nora) == ()


def test_the_last_seat_goes_to_whoever_comes_first(bot: Flow) -> None:
    nora = newcomer(bot)
    bot.say(bot.ada, "/gravity")
    id = bot.match().id
    bot.press(nora, "Join")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    zoe = newcomer(bot, "Zoe", started=True)
    assert "All seats are taken" in bot.press(zoe, "Join")
    assert "are taken" in start(bot, nora, f"join-{id}")
    assert names(bot.match()) == ["Ada", "Bruno"]
    bot.press(bot.bruno, "Leave")
    assert "You have a seat" in start(bot, nora, f"join-{id}")
    assert names(bot.match()) == ["Ada", "Nora"]


def test_join_comes_too_late_for_a_match_that_has_begun(bot: Flow) -> None:
    nora = newcomer(bot)
    bot.say(bot.ada, "/gravity")
    card, join = bot.button("Join", bot.group)
    id = bot.match().id
    bot.press(nora, "Join")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(bot.ada, "Start")
    bot.wait(60)
    assert "no longer open" in start(bot, nora, f"join-{id}")
    assert bot.press_data(nora, bot.group, card, join) == "This match has begun already."
    assert bot.match().player(nora) is None


def test_leaving_frees_the_seat_and_forgets_the_press(bot: Flow) -> None:
    nora = newcomer(bot)
    bot.lobby()
    assert bot.press(bot.ada, "Leave") == "You have left."
    assert bot.press(bot.ada, "Leave") == "You have no seat here."
    assert names(bot.match()) == [None, "Bruno"]
    bot.press(nora, "Join")
    assert bot.press(nora, "Leave") == "You have left."
    start(bot, nora, f"join-{bot.match().id}")
    assert names(bot.match()) == [None, "Bruno"]


def test_whoever_blocks_the_bot_loses_the_seat_at_the_next_join(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    bot.world.people.block(bot.bruno)
    bot.deliver()
    assert bot.press(bot.bruno, "Join").startswith("https://t.me/")
    assert names(bot.match()) == [None, None]
    bot.world.people.unblock(bot.bruno)
    bot.deliver()
    assert bot.press(bot.bruno, "Join") == "You have a seat."


def test_bots_are_not_seated_and_not_answered(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    card, join = bot.button("Join", bot.group)
    item, calls = bot.store.load(bot.match().id), len(bot.world.calls)
    robot = {"id": 4_242, "is_bot": True, "first_name": "Robot"}
    message = bot.world.message(bot.group, card)
    press = {"id": "99", "from": robot, "chat_instance": "1", "data": join, "message": message}
    assert bot.post({"update_id": 800_000_001, "callback_query": press}) == 200
    assert bot.post({"update_id": 800_000_002, "message": {**message, "from": robot, "text": "/gravity"}}) == 200
    assert bot.store.load(bot.match().id) == item
    assert len(bot.world.calls) == calls


# --- the host's settings -----------------------------------------------------------------------------


def test_a_house_player_for_a_seat_taken_meanwhile_is_refused_kindly(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    card, house = bot.button("Add a house player", bot.group)
    bot.press(bot.bruno, "Join")
    before = bot.match()
    assert bot.press_data(bot.ada, bot.group, card, house) == (
        "That seat has been taken meanwhile. Look at the lobby again."
    )
    assert bot.match() == before
    assert bot.press(bot.ada, "Add a house player") == "Done."


def test_the_host_sets_house_players_pace_and_sides(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    bot.press(bot.bruno, "Join")
    assert bot.press(bot.ada, "Add a house player") == "Done."
    assert "(house player)" in bot.texts(bot.group)[-1]
    assert names(bot.match())[0] == "Bruno"
    assert bot.press(bot.ada, "Swap the two seats") == "Done."
    assert names(bot.match())[1] == "Bruno"
    assert bot.press(bot.ada, "Letters") == "Done."
    assert bot.match().pace == "letters"
    assert bot.press(bot.ada, "✓ Letters") == "Nothing to change here. Look at the lobby again."
    assert "144 times" in bot.texts(bot.group)[-1]
    for seat in (1, 0):
        message, data = next(
            (message["message_id"], button["callback_data"])
            for message in bot.world.history(bot.group)
            for row in message.get("reply_markup", {}).get("inline_keyboard", [])
            for button in row
            if f":unseat:{seat}." in button.get("callback_data", "")
        )
        bot.wait(10)
        assert bot.press_data(bot.ada, bot.group, message, data) == "Done."
        assert "Nothing to change" in bot.press_data(bot.ada, bot.group, message, data)
    assert names(bot.match()) == [None, None]
    assert bot.store.of_person(bot.bruno) == ()


@pytest.mark.parametrize("label", ["Add a house player", "Relaxed", "Swap", "✕", "Close the lobby"])
def test_others_cannot_change_the_lobby(bot: Flow, label: str) -> None:
    bot.say(bot.ada, "/gravity")
    bot.press(bot.bruno, "Join")
    item = bot.store.load(bot.match().id)
    assert bot.press(bot.bruno, label) == "Only the host or a group administrator can do that."
    assert bot.store.load(bot.match().id) == item


@pytest.mark.parametrize("status", ["administrator", "creator"])
def test_an_administrator_has_the_hosts_buttons_from_the_moment_of_the_press(bot: Flow, status: str) -> None:
    nora = newcomer(bot)
    bot.lobby()
    bot.world.groups.set_status(bot.ada, bot.group, "member")
    assert bot.press(nora, "Relaxed") == "Only the host or a group administrator can do that."
    bot.world.groups.set_status(nora, bot.group, status)
    assert bot.press(nora, "Relaxed") == "Done."
    assert bot.press(nora, "Start") == "Off we go."
    assert bot.match().stage == "playing"


def test_start_is_refused_until_there_is_somebody_to_play(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    card, _ = bot.button("Join", bot.group)
    id = bot.match().id
    assert "There are free seats" in bot.press_data(bot.ada, bot.group, card, f"{id}:start:")
    assert "Start" not in bot.labels(bot.group)
    for _ in range(2):
        bot.press(bot.ada, "Add a house player")
    assert bot.press(bot.ada, "Start") == "A match needs at least one person."
    assert bot.match().stage == "lobby"


def test_start_is_the_hosts_and_happens_once(bot: Flow) -> None:
    bot.lobby()
    assert bot.press(bot.bruno, "Start") == "Only the host or a group administrator can do that."
    assert bot.match().stage == "lobby"
    card, data = bot.button("Start", bot.group)
    assert bot.press_data(bot.ada, bot.group, card, data) == "Off we go."
    record = bot.match().record
    assert bot.press_data(bot.ada, bot.group, card, data) == "This match has begun already."
    assert bot.match().record == record
    bot.wait(60)
    assert sum("The match begins" in text for text in bot.texts(bot.group)) == 1
    assert "callback_data" not in str(bot.world.message(bot.group, card).get("reply_markup"))


# --- one to a place ------------------------------------------------------------------------------------


def test_a_second_lobby_is_refused(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    id = bot.match().id
    bot.say(bot.bruno, "/gravity")
    assert bot.texts(bot.group)[-1] == "A lobby is already open here: the board"
    bot.say(bot.bruno, "/new")
    bot.press(bot.bruno, "Gravity Pandemic")
    assert bot.texts(bot.group)[-1] == "A lobby is already open here: the board"
    assert bot.match().id == id


def test_a_lobby_is_refused_while_a_match_is_played(bot: Flow) -> None:
    bot.begin()
    bot.wait(60)
    bot.say(bot.bruno, "/gravity")
    assert bot.texts(bot.group)[-1] == "A match is already going on here: the board"


@pytest.mark.parametrize("way", ["command", "press"])
def test_an_update_that_comes_twice_opens_one_lobby(bot: Flow, way: str) -> None:
    if way == "command":
        bot.world.people.say(bot.ada, bot.group, "/gravity")
    else:
        bot.world.people.press(bot.ada, bot.group, *bot.button("Gravity Pandemic", bot.group))
    [update] = bot.world.pending()
    for _ in range(3):
        assert bot.post(update) == 200
    bot.world.acknowledge(update["update_id"])
    assert len(bot.matches()) == 1
    assert sum("A duel of deduction" in text for text in bot.texts(bot.group)) == 1
    assert not any("already open" in text for text in bot.texts(bot.group))


def test_a_lobby_nobody_starts_closes_after_a_day(bot: Flow) -> None:
    bot.lobby()
    id = bot.match().id
    card, join = bot.button("Join", bot.group)
    bot.wait(24 * 3600 - 1)
    assert bot.load(id).stage == "lobby"
    bot.wait(61)
    assert bot.load(id).stage == "cancelled"
    assert "its lobby is closed" in bot.texts(bot.group)[-1]
    assert "reply_markup" not in bot.world.message(bot.group, card)
    assert bot.store.at(Place(bot.group)) is None
    assert bot.store.of_person(bot.ada) == ()
    assert bot.press_data(bot.ada, bot.group, card, join) == "That match is no longer here."
    bot.say(bot.ada, "/gravity")
    assert bot.store.at(Place(bot.group)) not in (None, id)


def test_a_press_finds_a_lobby_overdue_even_if_no_timer_came(bot: Flow) -> None:
    bot.lobby()
    id = bot.match().id
    bot.timers.heap.clear()
    bot.wait(25 * 3600)
    assert bot.press(bot.ada, "Start") == "That match is no longer here."
    assert bot.load(id).stage == "cancelled"
    assert "its lobby is closed" in bot.texts(bot.group)[-1]


def test_the_host_closes_the_lobby_after_being_asked_once(bot: Flow) -> None:
    bot.lobby()
    id = bot.match().id
    bot.press(bot.ada, "Close the lobby")
    assert bot.texts(bot.group)[-1] == "Close this lobby?"
    question, no = bot.button("No, keep it open", bot.group)
    assert bot.press_data(bot.ada, bot.group, question, no) == "The lobby stays open."
    assert bot.load(id).stage == "lobby"
    assert "reply_markup" not in bot.world.message(bot.group, question)
    bot.say(bot.ada, "/cancel")
    assert bot.texts(bot.group)[-1] == "Close this lobby?"
    bot.press(bot.ada, "Yes, close it")
    bot.wait(60)
    assert bot.load(id).stage == "cancelled"
    assert "has closed the lobby" in bot.texts(bot.group)[-1]
    assert "Join" not in bot.labels(bot.group)


def test_the_question_about_a_lobby_does_not_end_the_match_it_became(bot: Flow) -> None:
    bot.lobby()
    bot.say(bot.ada, "/cancel")
    lobby = bot.button("Yes, close it", bot.group)
    bot.press(bot.ada, "Start")
    bot.wait(40)
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        assert bot.press_data(user, bot.group, *lobby) == "This match has begun already."
    assert bot.match().stage == "playing"


def test_after_ten_fast_presses_in_the_lobby_a_command_is_answered_in_the_group(bot: Flow) -> None:
    bot.lobby()
    for label in ("Join", "Leave") * 5:
        bot.press(bot.bruno, label)
        bot.wait(1)
    now = bot.clock.now()
    assert free_at(bot.ports.rates.times(bot.group, now), now) > now, "the card itself has to wait"
    for answered in (bot.group, bot.group, bot.group, bot.bruno):
        bot.say(bot.bruno, "/help")
        assert "What I understand" in bot.texts(answered)[-1]
    bot.wait(60)
    assert busiest_minute(bot, bot.group) <= 20


@pytest.mark.parametrize("label", ["Close the lobby", "Gravity Pandemic"])
def test_in_a_busy_group_whoever_presses_is_told_to_wait(bot: Flow, label: str) -> None:
    """What would be said to the group has no room this minute; the presser alone hears so, and may press again."""
    bot.lobby()
    while bot.ports.rates.admit(bot.group, bot.clock.now()):
        pass  # others are answered
    said = bot.texts(bot.group)
    assert bot.press(bot.ada, label).startswith("A little too fast")
    assert bot.texts(bot.group) == said
    bot.wait(120)
    assert bot.press(bot.ada, label) == ""
    assert len(bot.texts(bot.group)) == len(said) + 1


def test_private_practice_has_its_host_seated_and_nobody_else_comes_in(bot: Flow) -> None:
    bot.press(bot.ada, "Practise now", bot.ada)
    match = bot.match()
    assert names(match) == ["Ada", "Strix"]
    assert "Join" not in bot.labels(bot.ada)
    note = bot.world.history(bot.bruno)[-1]["message_id"]
    assert "no longer here" in bot.press_data(bot.bruno, bot.bruno, note, f"{match.id}:join:")
    assert bot.match() == match
