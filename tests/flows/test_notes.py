"""The notebook: a button on every panel, and ``/notes``; a player's own, and read in private alone."""

from __future__ import annotations

from typing import Any

from handler.match import Match
from tests.flows import seven
from tests.flows.house import Flow
from tests.flows.players import last_of_bot, make, play, quiet, stranger
from tests.flows.test_commands import bystander

BUTTON = "📓 Notebook"


def panel(bot: Flow, user: int) -> dict[str, Any]:
    """The newest message of the bot to somebody."""
    shown: dict[str, Any] = next(
        message for message in reversed(bot.world.history(user)) if message["message_id"] == last_of_bot(bot, user)
    )
    return shown


def in_the_night(bot: Flow) -> Match:
    """A match of Ada against Bruno in its first night's actions; Ada knows where the Owl is."""
    bot.begin()
    bot.press(bot.ada, "Owl", bot.ada)
    bot.press(bot.ada, "🔒", bot.ada)
    return play(bot, bot.match().id, quiet, until="actions")


def test_the_notebook_takes_the_place_of_the_panel_and_leads_back_to_it(bot: Flow) -> None:
    match = in_the_night(bot)
    bot.wait(5)
    before, stored = panel(bot, bot.ada), bot.store.load(match.id)
    assert bot.press(bot.ada, BUTTON, bot.ada) == ""
    after = panel(bot, bot.ada)
    assert after["message_id"] == before["message_id"]
    assert "Notebook · " in after["text"]
    assert "Told to you in private: the Owl is in seat" in after["text"]
    assert bot.press(bot.ada, "Seat by seat, Round 1", bot.ada) == ""
    assert "Owl (told to you)" in panel(bot, bot.ada)["text"]
    assert bot.press(bot.ada, "« Back", bot.ada) == ""
    assert panel(bot, bot.ada)["text"] == before["text"]
    assert bot.store.load(match.id) == stored


def test_the_notebook_opens_while_locked_in_and_from_a_page_of_the_panel(bot: Flow) -> None:
    in_the_night(bot)
    bot.press(bot.ada, "🔒", bot.ada)
    bot.press(bot.ada, BUTTON, bot.ada)
    bot.press(bot.ada, "« Back", bot.ada)
    assert "Locked in." in panel(bot, bot.ada)["text"]
    bot.press(bot.ada, "Change it", bot.ada)
    top = bot.labels(bot.ada)[0]
    bot.press(bot.ada, top, bot.ada)
    page = panel(bot, bot.ada)["text"]
    bot.press(bot.ada, BUTTON, bot.ada)
    bot.press(bot.ada, "« Back", bot.ada)
    assert panel(bot, bot.ada)["text"] == page


def test_a_notebook_of_a_phase_that_is_over_is_a_stale_button(bot: Flow) -> None:
    match = in_the_night(bot)
    message, data = bot.button(BUTTON, bot.ada)
    play(bot, match.id, quiet, until="guesses")
    assert bot.press_data(bot.ada, bot.ada, message, data) == "That phase is over."


def test_notes_typed_in_a_group_are_answered_in_private_alone(bot: Flow) -> None:
    in_the_night(bot)
    bot.wait(60)
    shown = len(bot.texts(bot.group))
    bot.say(bot.ada, "/notes")
    assert bot.texts(bot.group)[shown:] == ["/notes", "I have answered you in private."]
    assert "the Owl is in seat" in bot.texts(bot.ada)[-1]
    bot.press(bot.ada, "My panel", bot.ada)
    assert "Where do your birds go tonight?" in bot.texts(bot.ada)[-1]


def test_whoever_does_not_play_has_no_notebook(bot: Flow) -> None:
    match = in_the_night(bot)
    eve = stranger(bot)
    bot.say(eve, "/notes")
    assert bot.texts(eve)[-1].startswith("You are not playing in a match here right now.")
    before = len(bot.world.history(eve))
    for chat, said in ((eve, "That match is no longer here."), (bot.group, "You are not playing in this match.")):
        assert bot.press_data(eve, chat, last_of_bot(bot, chat), f"{match.id}:notes:") == said
    assert len(bot.world.history(eve)) == before
    nora = bystander(bot)
    bot.wait(60)
    bot.say(nora, "/notes")
    assert bot.texts(bot.group)[-1].startswith("I cannot write to you yet.")


def test_who_plays_in_several_matches_chooses(bot: Flow) -> None:
    in_the_night(bot)
    bot.say(bot.ada, "/gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    bot.say(bot.ada, "/notes", bot.ada)
    assert bot.texts(bot.ada)[-1] == "You play in several matches. Whose notebook?"
    bot.press(bot.ada, "\u2068The Garden", bot.ada)
    assert "the Owl is in seat" in bot.texts(bot.ada)[-1]


def test_in_a_draft_the_way_to_the_panel_shows_the_notebook(bot: Flow) -> None:
    bot.begin()
    match = play(bot, bot.match().id, quiet, until="draft")
    for user in (bot.ada, bot.bruno):
        bot.say(user, f"/start panel-{match.id}", user)
        assert "Notebook · " in bot.texts(user)[-1]
        assert "You named no bird in private." in bot.texts(user)[-1]


def test_no_guess_in_a_later_period_is_asked_once(bot: Flow) -> None:
    match = play(bot, in_the_night(bot).id, quiet, until="guesses")
    bot.press(bot.ada, "1", bot.ada)
    bot.press(bot.ada, "Hawk", bot.ada)
    assert "It does not count until you press Yes." in panel(bot, bot.ada)["text"]
    bot.press(bot.ada, "Yes, guess it", bot.ada)
    first = bot.button("No guess", bot.bruno)
    bot.press(bot.bruno, "No guess", bot.bruno)
    second = bot.load(match.id)
    assert second.state.board.period == 2
    assert bot.press_data(bot.bruno, bot.bruno, *first) == "That phase is over."
    bot.press(bot.bruno, "No guess", bot.bruno)
    assert bot.load(match.id).box == {}
    assert panel(bot, bot.bruno)["text"].endswith("Make no guess this time? If nobody guesses, the day is over.")
    assert make(bot, second, bot.ada, quiet(second, 0))
    assert bot.press(bot.bruno, "Yes, no guess", bot.bruno) == "Locked in: no guess."
    assert bot.load(match.id).number == second.number + 1


def test_after_the_end_the_notebooks_are_closed(bot: Flow) -> None:
    match = in_the_night(bot)
    bot.say(bot.ada, "/notes", bot.ada)
    message, data = bot.button("Seat by seat", bot.ada)
    play(bot, match.id, quiet)
    bot.wait(60)
    said = bot.press_data(bot.ada, bot.ada, message, data)
    assert said.startswith("That match is over, and its notebooks are closed.")
    assert len(said) <= 200
    bot.say(bot.ada, "/notes", bot.ada)
    assert bot.texts(bot.ada)[-1].startswith("You are not playing in a match here right now.")


def test_the_silent_are_told_so_in_private_and_the_group_is_not(bot: Flow) -> None:
    match = in_the_night(bot)
    play(bot, match.id, seven.silent, until="draft")
    bot.wait(30)
    heard = "\n".join(bot.texts(bot.ada))
    assert "You were silent, so none of your birds was sent out." in heard
    assert "Day 1. You were silent, so you made no guess." in heard
    assert "This phase is over. You were silent, so the rules chose:" in heard
    assert "silent" not in "\n".join(bot.texts(bot.group))


def test_the_dogs_notebook_opens_in_the_middle_of_a_play(bot: Flow) -> None:
    people = seven.company(bot)
    seven.in_round_one(bot, people)
    bot.press(people[0], "5", people[0])
    page = panel(bot, people[0])["text"]
    bot.press(people[0], BUTTON, people[0])
    assert panel(bot, people[0])["text"].endswith("Whatever you learn in this match will stand here, round by round.")
    bot.press(people[0], "« Back", people[0])
    assert panel(bot, people[0])["text"] == page


def test_the_rules_of_a_death_match_are_those_of_gravity_pandemic(bot: Flow) -> None:
    people = seven.company(bot)
    match = seven.judged(bot, people)
    bot.say(people[0], "/rules", people[0])
    assert "Dog's Judgement" in bot.texts(people[0])[-1]
    play(bot, match.id, seven.scripted(seven.SCRIPT, opponent=1), until="reveals")
    bot.wait(60)
    for chat in (people[0], bot.group):
        bot.say(people[0], "/rules", chat)
        assert "Gravity Pandemic" in bot.texts(chat)[-1]
