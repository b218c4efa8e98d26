"""Practice in private, from the command to the result and the rematch, by buttons alone."""

from __future__ import annotations

import pytest

from handler.match import Match
from handler.results import is_practice, read
from tests.flows.house import Flow, flow
from tests.flows.players import Plan, buttons, ended, finder, play
from tests.flows.seven import ready

ISOLATES = str.maketrans("", "", "\u2068\u2069")
GAMES = {"gravity": "Gravity Pandemic", "dog": "Dog's Judgement"}


def last(bot: Flow, chat: int) -> str:
    """The newest text in a chat, without marks."""
    return bot.texts(chat)[-1].translate(ISOLATES)


def seats(match: Match) -> list[int | None]:
    """Who sits where, None for a house player; nobody's seat is free."""
    assert None not in match.seats
    return [None if who is None else who.user for who in match.seats]


@pytest.mark.parametrize(("game", "plan"), [("gravity", finder(0)), ("dog", ready)])
def test_from_the_command_to_the_result_and_again_by_buttons_alone(game: str, plan: Plan) -> None:
    with flow(seed=bytes(32)) as bot:
        group = bot.texts(bot.group)
        bot.say(bot.ada, "/practise", bot.ada)
        assert bot.press(bot.ada, f"Practise now: {GAMES[game]}", bot.ada) == ""
        match = bot.match()
        assert seats(match) == [bot.ada, *[None] * (len(match.seats) - 1)]
        assert bot.press(bot.ada, "Start", bot.ada) == "Off we go."
        assert play(bot, match.id, plan).stage == "over"
        ended(bot, match.id, bot.ada)
        assert sum("The result stands there" in text for text in bot.texts(bot.ada)) == 0, "it is told here as it is"
        [result] = bot.people.of(bot.ada)
        assert is_practice(result)
        bot.say(bot.ada, "/matches", bot.ada)
        assert f": practice of {GAMES[game]}, " in last(bot, bot.ada)
        bot.say(bot.ada, "/stats", bot.ada)
        won = int(read(result.body).outcome == "won")
        assert last(bot, bot.ada).endswith(f"{GAMES[game]}\nIn practice: 1 played, {won} won")
        assert bot.press(bot.ada, "Rematch", bot.ada) == "The lobby for the rematch is open."
        again = bot.match()
        swapped = [None, bot.ada] if game == "gravity" else seats(match)
        assert (again.follows, seats(again), again.host) == (match.id, swapped, bot.ada)
        assert bot.press(bot.ada, "Start", bot.ada) == "Off we go."
        assert bot.texts(bot.group) == group, "the group hears nothing of it"


def test_the_result_of_practice_is_told_once(bot: Flow) -> None:
    """Announcements and board are of one chat there."""
    bot.say(bot.ada, "/practise gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    bot.say(bot.ada, "/resign", bot.ada)
    bot.press(bot.ada, "Yes, I resign", bot.ada)
    bot.wait(60)
    told = [message for message in bot.world.history(bot.ada) if "text" in message]
    assert "wins the duel" in told[-1]["text"]
    assert sum("wins" in message["text"] or "won" in message["text"] for message in told) == 1


@pytest.mark.parametrize("where", ["private", "group"])
def test_with_the_game_named_the_table_stands_at_once(bot: Flow, where: str) -> None:
    bot.say(bot.ada, "/practise dog", bot.ada if where == "private" else None)
    match = bot.match()
    assert (match.place.chat, match.game, seats(match)[0]) == (bot.ada, "dog", bot.ada)
    assert "Start" in bot.labels(bot.ada)
    assert not bot.store.in_chat(bot.group)


def test_typed_in_a_group_it_asks_in_private(bot: Flow) -> None:
    before = len(bot.texts(bot.group))
    bot.say(bot.ada, "/practise chess")
    assert bot.texts(bot.group)[before:] == ["/practise chess", "I have answered you in private."]
    assert last(bot, bot.ada).startswith("Which game would you like to practise?")


def test_whoever_cannot_be_written_to_is_told_how_to_begin(bot: Flow) -> None:
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    bot.say(nora, "/practise gravity")
    assert "Open our private chat and press START" in last(bot, bot.group)
    assert not bot.store.of_person(nora)


def test_a_second_table_is_refused_with_the_first_shown_again(bot: Flow) -> None:
    bot.say(bot.ada, "/practise gravity", bot.ada)
    match = bot.match()
    bot.wait(60)
    first = next(found for found in buttons(bot, bot.ada) if found[1] == f"{match.id}:start:")
    bot.say(bot.ada, "/practise dog", bot.ada)
    assert any("A lobby is already open here" in text for text in bot.texts(bot.ada))
    start = next(found for found in buttons(bot, bot.ada) if found[1] == f"{match.id}:start:")
    assert start[0] > first[0]
    [old] = [message for message in bot.world.history(bot.ada) if message["message_id"] == first[0]]
    assert (old["text"], "reply_markup" in old) == ("This has moved further down.", False)
    bot.press(bot.ada, "Relaxed", bot.ada)
    bot.wait(60)
    [board] = [message for message in bot.world.history(bot.ada) if message["message_id"] == start[0]]
    assert "✓ Relaxed" in [each["text"] for row in board["reply_markup"]["inline_keyboard"] for each in row]
    assert bot.match().game == "gravity"
    assert bot.press(bot.ada, "Start", bot.ada) == "Off we go."
    panel = next(found for found in buttons(bot, bot.ada) if found[1].startswith(f"{match.id}:0:"))
    bot.say(bot.ada, "/gravity", bot.ada)
    assert next(found for found in buttons(bot, bot.ada) if found[1].startswith(f"{match.id}:0:"))[0] > panel[0]


def test_the_greeting_leads_straight_to_each_game(bot: Flow) -> None:
    bot.say(bot.bruno, "/start", bot.bruno)
    for game in GAMES.values():
        assert f"Practise now: {game}" in bot.labels(bot.bruno)
    bot.press(bot.bruno, "Practise now: Dog", bot.bruno)
    assert (bot.match().game, seats(bot.match())[0]) == ("dog", bot.bruno)
