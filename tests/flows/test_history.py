"""``/history``: what everybody saw, page by page, in private; for people in the group and players, for nobody else."""

from __future__ import annotations

import pytest

from engine.documents import replay
from tests.flows import seven
from tests.flows.house import Flow
from tests.flows.players import last_of_bot, play, quiet, record, stranger
from tests.flows.test_commands import bystander
from tests.flows.test_notes import in_the_night


def test_anybody_in_the_group_reads_it_in_private(bot: Flow) -> None:
    in_the_night(bot)
    eve = stranger(bot)
    bot.wait(60)
    shown = len(bot.texts(bot.group))
    bot.say(eve, "/history")
    assert bot.texts(bot.group)[shown:] == ["/history", "I have answered you in private."]
    text = bot.texts(eve)[-1]
    assert text.startswith("🗒 So far · ")
    assert "picks first" in text
    assert "Owl is in seat" not in text
    bot.say(bot.ada, "/history", bot.ada)
    assert bot.texts(bot.ada)[-1] == text


def test_a_long_history_has_pages(bot: Flow) -> None:
    people = seven.company(bot)
    match = seven.begin(bot, people)
    play(bot, match.id, seven.house_like)
    bot.wait(120)
    bot.say(people[0], "/history")
    first = bot.texts(people[0])[-1]
    labels = bot.labels(people[0])
    assert len([label for label in labels if label.startswith("✓ ")]) == 1
    assert bot.press(people[0], "Round 1", people[0]) == ""
    assert bot.texts(people[0])[-1] != first
    assert "Round 1 of 9 is over." in bot.texts(people[0])[-1]


def test_a_stranger_cannot_read_another_groups_match_by_a_forged_button(bot: Flow) -> None:
    match = in_the_night(bot)
    eve = bot.world.people.add("Eve")
    bot.world.people.start(eve)
    bot.deliver()
    bot.say(eve, "/help", eve)
    before = len(bot.world.history(eve))
    for act in ("history", "notes"):
        for place in ("", "1", "sheet"):
            said = bot.press_data(eve, eve, last_of_bot(bot, eve), f"{match.id}:{act}:{place}")
            assert said == "That match is no longer here."
    bot.say(eve, "/history", eve)
    assert bot.texts(eve)[-1].startswith("I know of no match here.")
    assert len(bot.world.history(eve)) == before + 2
    assert "So far" not in "\n".join(bot.texts(eve))


def test_a_forged_button_in_the_group_shows_nothing_there(bot: Flow) -> None:
    match = in_the_night(bot)
    eve, nora = stranger(bot), bystander(bot)
    bot.wait(60)
    board, shown = last_of_bot(bot, bot.group), bot.texts(bot.group)
    assert bot.press_data(eve, bot.group, board, f"{match.id}:history:") == "I have answered you in private."
    assert bot.texts(eve)[-1].startswith("🗒 So far · ")
    assert bot.press_data(nora, bot.group, board, f"{match.id}:history:").startswith("https://t.me/")
    assert bot.texts(bot.group) == shown


def test_the_pages_that_the_bot_has_sent_go_on_working(bot: Flow) -> None:
    match = in_the_night(bot)
    eve = stranger(bot)
    bot.say(eve, "/history")
    sent = last_of_bot(bot, eve)
    assert (
        bot.press_data(eve, eve, sent, f"{match.id}:history:1") == "That match is no longer here."
    )  # one page: no button
    play(bot, match.id, quiet)
    bot.wait(120)
    bot.say(eve, "/history")
    assert bot.press(eve, "Round 1", eve) == ""
    assert "Round 1 is over." in bot.texts(eve)[-1]


@pytest.mark.parametrize("status", ["left", "kicked"])
def test_whoever_is_out_of_the_group_reads_no_further(bot: Flow, status: str) -> None:
    """The buttons that they were given lead nowhere any more; a player's do."""
    match = in_the_night(bot)
    eve = stranger(bot)
    play(bot, match.id, quiet)
    bot.wait(120)
    for user in (eve, bot.bruno):
        bot.say(user, "/history")
    shown = bot.texts(eve)
    for user in (eve, bot.bruno):
        bot.world.groups.set_status(user, bot.group, status)
    assert bot.press(eve, "Round 1", eve) == "That match is no longer here."
    assert bot.texts(eve) == shown
    assert bot.press(bot.bruno, "Round 1", bot.bruno) == ""


def test_where_nothing_was_played_there_is_no_history(bot: Flow) -> None:
    bot.say(bot.ada, "/history")
    assert bot.texts(bot.ada)[-1].startswith("I know of no match here.")
    bot.lobby()
    bot.say(bot.ada, "/history")
    assert bot.texts(bot.ada)[-1].startswith("I know of no match here.")


def test_silence_is_marked_in_the_history_and_the_record_of_a_match_that_is_over(bot: Flow) -> None:
    match = in_the_night(bot)
    play(bot, match.id, seven.silent, until="draft")
    bot.say(bot.ada, "/history")
    assert "⌛" not in bot.texts(bot.ada)[-1]
    play(bot, match.id, quiet)
    bot.wait(120)
    bot.say(bot.ada, "/history")
    bot.press(bot.ada, "Round 1", bot.ada)
    text = bot.texts(bot.ada)[-1]
    assert "⌛ Silent in this night, so the rules chose: \u2068Ada\u2069, \u2068Bruno\u2069." in text
    document = record(bot, bot.group)
    silent = ["rounds[0].nights[0].actions", "rounds[0].nights[0].periods[0]"]
    assert document["silent"] == {"p1": silent, "p2": silent}
    assert replay(document)["ok"]
