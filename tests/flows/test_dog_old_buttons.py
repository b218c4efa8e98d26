"""Buttons of Dog's Judgement that stay in the chats after their phase: whoever presses them changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.episode.rules import Death
from handler.match import Match
from tests.flows.house import Flow, flow
from tests.flows.players import buttons, play
from tests.flows.seven import DORA, GINA, SCRIPT, begin, challenge, company, ready, scripted


@pytest.fixture
def episode() -> Iterator[tuple[Flow, Match]]:
    """An episode that is over, in which everybody asked whatever leaves a button."""
    with flow() as bot:
        people = company(bot)
        match = begin(bot, people)
        play(bot, match.id, scripted(SCRIPT), until="round5")
        for user in people:
            bot.say(user, "/resign", user)
            bot.say(user, "/matches", user)
            bot.press(user, "Dog's Judgement: ", user)
        play(bot, match.id, scripted(SCRIPT), until="choice")
        bot.wait(60)
        bot.press(bot.ada, "No Death Match")
        challenge(bot, people[GINA], DORA)
        bot.wait(60)
        bot.say(bot.ada, "/cancel")
        for user in people:
            bot.say(user, "/resign", user)
        over = play(bot, match.id, ready)
        assert isinstance(over.state, Death)
        bot.wait(120)
        yield bot, over


def test_nothing_that_can_still_be_pressed_changes_an_episode_that_is_over(episode: tuple[Flow, Match]) -> None:
    bot, match = episode
    before = bot.store.load(match.id)
    left = [(chat, *found) for chat in (*match.users, bot.group) for found in buttons(bot, chat)]
    acts = {data.split(":")[1] for _, _, data in left if data.startswith(match.id)}
    assert {"quit", "resign", "decline", "cancel", "panel"} <= acts
    for chat, message, data in left:
        if data.startswith(match.id):
            for user in match.users if chat == bot.group else [chat]:
                bot.press_data(user, chat, message, data)
                assert bot.store.load(match.id) == before, data


def test_a_page_of_the_panel_leads_nowhere_in_a_later_round() -> None:
    """Even where the same page would be legal again: its round is over."""
    with flow() as bot:
        match = play(bot, begin(bot, company(bot)).id, ready, until="round2")
        bot.wait(60)
        before = bot.store.load(match.id)
        for message in [each["message_id"] for each in bot.world.history(bot.ada) if each["from"]["is_bot"]]:
            for tail in ("m5", "m5x", "m5xb3wcr", "s5cm", "f5cm", "s-", "l", "u"):
                data = f"{match.id}:{match.number - 1}:{tail}"
                assert bot.press_data(bot.ada, bot.ada, message, data) == "That phase is over."
        assert bot.store.load(match.id) == before
