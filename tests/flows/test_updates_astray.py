"""Updates come twice, late and in another order: each counts once, or is answered that its time is over."""

from __future__ import annotations

from typing import Any

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Pass, Reveal
from engine.gravity.notation import write
from tests.flows.frail import Frail
from tests.flows.mishaps import Twice
from tests.flows.players import find
from tests.flows.segments import Segment, aftermath, announced, lobby, pressed, silent, until


@pytest.mark.parametrize("segment", [pressed, silent])
@pytest.mark.parametrize("behind", [0, 1, 3])
def test_every_update_comes_twice(segment: Segment, behind: int) -> None:
    good = Frail()
    segment(good)
    bot = Twice(behind)
    segment(bot)
    wanted, found = aftermath(good), aftermath(bot)
    assert (found.stage, found.steps, found.files) == (wanted.stage, wanted.steps, wanted.files)
    for chat, paragraphs in wanted.heard.items():
        # A command is answered twice; the match itself speaks once.
        told = [text for text in announced(found.heard[chat]) if text in paragraphs]
        assert told == announced(paragraphs)
    for each in (good, bot):
        each.close()


def press(bot: Frail, user: int, chat: int, tail: str) -> Any:
    """A press on its way: the update, not yet delivered."""
    found = find(bot, chat, bot.match(), tail)
    assert found is not None
    bot.world.people.press(user, chat, *found)
    return bot.world.pending()[-1]


def test_presses_of_different_people_count_in_any_order() -> None:
    ends = []
    for turn in (False, True):
        bot = Frail()
        lobby(bot)
        sealed = [press(bot, user, user, "s" + write(Reveal(Bird.OWL))) for user in (bot.ada, bot.bruno)]
        for update in reversed(sealed) if turn else sealed:
            assert bot.post(update) == 200
        locked = [press(bot, user, user, "l") for user in (bot.ada, bot.bruno)]
        for update in reversed(locked) if turn else locked:
            assert bot.post(update) == 200
        record = bot.match().record
        assert record is not None
        ends.append(record.steps)
        bot.close()
    assert ends[0] == ends[1] == ({0: write(Reveal(Bird.OWL)), 1: write(Reveal(Bird.OWL))},)


def test_a_press_that_comes_after_its_phase_is_over_changes_nothing_and_says_so() -> None:
    bot = Frail()
    lobby(bot)
    until(bot, "guesses")
    late = press(bot, bot.ada, bot.ada, "f" + write(Pass()))
    until(bot, "draft")
    before = bot.match()
    assert bot.post(late) == 200
    assert bot.match() == before
    answer = bot.world.calls[-2]
    assert (answer.method, answer.params["text"]) == ("answerCallbackQuery", "That phase is over.")
    bot.close()
