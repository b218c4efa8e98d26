"""More time for a phase: by the menu or by a number, each call once, and never more than there is room for."""

from __future__ import annotations

from engine.gravity.moves import Reveal
from handler.calls import MATCH_MINUTES, PHASE_MINUTES, PRESS_MINUTES
from handler.match import Match
from tests.flows.house import Flow
from tests.flows.players import play, stranger


def begun(bot: Flow, pace: str = "Live") -> Match:
    """A match of Ada against Bruno, everything told."""
    bot.lobby()
    if pace != "Live":
        bot.press(bot.ada, pace)
    bot.wait(60)
    bot.press(bot.ada, "Start")
    bot.wait(20)
    return bot.match()


def left(match: Match, later: Match) -> float:
    """By how much the deadline has moved."""
    assert match.deadline is not None
    assert later.deadline is not None
    return later.deadline - match.deadline


def said(bot: Flow) -> str:
    return "\n".join(bot.texts(bot.group)).replace("\u2068", "").replace("\u2069", "")


def answer(bot: Flow) -> str:
    return bot.texts(bot.group)[-1]


def test_a_choice_from_the_menu_moves_the_deadline_and_is_announced(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, "/extend")
    assert bot.labels(bot.group)[:4] == ["+ 1 min", "+ 2 min", "+ 5 min", "+ 10 min"]
    assert bot.press(bot.ada, "+ 2 min") == "Done."
    longer = bot.match()
    assert (left(match, longer), longer.number) == (120, match.number)
    assert "+ 2 min" not in bot.labels(bot.group)
    bot.wait(30)
    assert "Ada has added 2 min. This phase runs until" in said(bot)
    moment = bot.world.history(bot.bruno)[-1]["text"].partition("⏳ Until ")[2].partition("\n")[0]
    assert f"⏳ Until {moment}" in said(bot), "board and panels show the same"
    bot.wait(90)
    assert bot.match().number == match.number
    bot.wait(60)
    assert bot.match().number == match.number + 1


def test_a_double_press_counts_once_and_another_menu_adds_what_it_says_in_all(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, "/extend")
    message, data = bot.button("+ 5 min", bot.group)
    _, two = bot.button("+ 2 min", bot.group)
    assert bot.press_data(bot.ada, bot.group, message, data) == "Done."
    assert bot.press_data(bot.ada, bot.group, message, data) == "That time has been added already."
    said_so = "Meanwhile 5 min have been added to this phase. For more, press again."
    assert bot.press_data(bot.ada, bot.group, message, two) == said_so
    assert left(match, bot.match()) == 300
    assert "This phase lasts 5 min longer." in said(bot)


def test_a_menu_that_was_overtaken_says_so_and_comes_anew(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, "/extend")
    message, data = bot.button("+ 5 min", bot.group)
    bot.say(bot.ada, "/extend 10")
    said_so = "Meanwhile 10 min have been added to this phase. For more, press again."
    assert bot.press_data(bot.ada, bot.group, message, data) == said_so
    assert left(match, bot.match()) == 600
    again, fresh = bot.button("+ 5 min", bot.group)
    assert (again, fresh != data) == (message, True)
    for _ in range(2):
        bot.press_data(bot.ada, bot.group, message, fresh)
    assert left(match, bot.match()) == 900


def test_a_number_is_taken_and_a_command_delivered_again_counts_once(bot: Flow) -> None:
    match = begun(bot)
    bot.world.people.say(bot.ada, bot.group, "/extend 3")
    [update] = bot.world.pending()
    bot.deliver()
    for _ in range(2):
        assert bot.post(update) == 200
    assert left(match, bot.match()) == 180
    bot.say(bot.ada, "/extend +1")
    assert left(match, bot.match()) == 240


def test_what_is_no_number_is_answered_kindly(bot: Flow) -> None:
    match = begun(bot)
    for wrong in ("soon", "-3", "1.5", "0", "٣", "1000000000", "5 5"):
        bot.say(bot.ada, f"/extend {wrong}")
        bot.wait(0)
        assert bot.match() == match
    assert "for example /extend 5. At most \u206810 min\u2069" in said(bot) or "At most 10 min" in said(bot)


def test_there_is_room_for_so_much_in_a_call_a_phase_and_a_match(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, f"/extend {PRESS_MINUTES + 1}")
    assert "at most 10 min can be added now" in answer(bot)
    added = 0
    while added < PHASE_MINUTES:
        bot.say(bot.ada, f"/extend {PRESS_MINUTES}")
        added += PRESS_MINUTES
    bot.wait(60)
    bot.say(bot.ada, "/extend 1")
    assert answer(bot) == "This phase has been extended as far as it can be."
    bot.say(bot.ada, "/extend")
    assert answer(bot) == "This phase has been extended as far as it can be."
    assert left(match, bot.match()) == 60 * PHASE_MINUTES
    for _ in range(MATCH_MINUTES // PHASE_MINUTES - 1):
        number = bot.match().number
        while bot.match().number == number:
            bot.step()
        bot.wait(60)
        for _ in range(PHASE_MINUTES // PRESS_MINUTES):
            bot.say(bot.ada, f"/extend {PRESS_MINUTES}")
    bot.wait(60)
    bot.say(bot.ada, "/extend 1")
    assert answer(bot) == "This match has been extended as far as it can be."


def test_at_the_pace_of_letters_minutes_are_hours(bot: Flow) -> None:
    match = begun(bot, "Letters")
    bot.say(bot.ada, "/extend")
    assert bot.labels(bot.group)[:4] == ["+ 2 h 24 min", "+ 4 h 48 min", "+ 12 h", "+ 24 h"]
    bot.press(bot.ada, "+ 12 h")
    assert left(match, bot.match()) == 12 * 3600


def test_the_reminder_goes_with_the_deadline_and_comes_once(bot: Flow) -> None:
    match = begun(bot, "Relaxed")
    assert match.deadline is not None
    bot.say(bot.ada, "/extend 5")
    quarter = bot.match().opened + (300 + 300) * 3 / 4
    bot.wait(quarter - bot.clock.time - 1)
    assert not bot.match().reminded
    bot.wait(1)
    assert bot.match().reminded
    reminded = sum("is still open until" in text for text in bot.texts(bot.bruno))
    bot.say(bot.ada, "/extend 5")
    bot.wait(300)
    assert sum("is still open until" in text for text in bot.texts(bot.bruno)) == reminded == 1


def test_a_paused_match_is_given_time_for_when_it_goes_on(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, "/pause")
    bot.say(bot.ada, "/extend 2")
    bot.wait(60)
    assert bot.match().number == match.number
    assert "Ada has added 2 min. When the match goes on, 2:40 are left." in said(bot)
    assert "⏸ Paused, 2:40 left" in said(bot)


def test_an_old_menu_does_nothing_to_the_next_phase(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, "/extend")
    message, data = bot.button("+ 1 min", bot.group)
    drafting = play(bot, match.id, lambda match, player: Reveal(None), until="draft")
    assert "Things have changed" in bot.press_data(bot.ada, bot.group, message, data)
    for forged in ("", "1.", ".1", f"{drafting.number}.x", f"{drafting.number}.-5", f"{drafting.number}.9999999"):
        assert bot.press_data(bot.ada, bot.group, message, f"{match.id}:extend:{forged}")
    assert "at most" in bot.press_data(bot.ada, bot.group, message, f"{match.id}:extend:{drafting.number}.500")
    assert bot.match().deadline == drafting.deadline
    bot.wait(30)
    bot.say(bot.ada, "/extend 1")
    assert left(drafting, bot.match()) == 60, "a pick's time too"


def test_only_the_host_and_administrators_may(bot: Flow) -> None:
    match = begun(bot)
    eve = stranger(bot)
    bot.say(eve, "/extend 5")
    assert "(the host) or a group administrator" in answer(bot)
    bot.say(bot.ada, "/extend")
    message, data = bot.button("+ 1 min", bot.group)
    for user in (eve, bot.bruno):
        assert "Only Ada (the host)" in bot.press_data(user, bot.group, message, data)
    assert bot.match().deadline == match.deadline
