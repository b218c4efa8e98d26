"""A paused match: exactly what was left is kept, nothing is due, and no press changes anything but the end."""

from __future__ import annotations

from engine.gravity.birds import Bird
from engine.gravity.moves import Pick, Reveal
from engine.gravity.notation import write
from handler.match import Match, is_final
from handler.phases import LONG_PAUSE_SECONDS
from handler.table import move_overdue
from tests.flows.frail import Around, Frail, Kill
from tests.flows.house import Flow
from tests.flows.players import find, make, play, stranger
from tests.flows.seven import begin as begin_dog
from tests.flows.seven import company, put, ready

PAUSED = "has paused the match"


def said(bot: Flow) -> str:
    return "\n".join(bot.texts(bot.group))


def begun(bot: Flow) -> Match:
    """A relaxed match of Ada against Bruno, everything told: five minutes for the first choice."""
    bot.lobby()
    bot.press(bot.ada, "Relaxed")
    bot.wait(60)
    bot.press(bot.ada, "Start")
    bot.wait(60)
    return bot.match()


def pause(bot: Flow, user: int) -> Match:
    """Somebody pauses the match, and all have heard of it."""
    bot.say(user, "/pause")
    bot.wait(20)
    return bot.match()


def press(bot: Flow, user: int, match: Match, tail: str) -> str:
    """Somebody presses a button of a phase in private; the toast."""
    found = find(bot, user, match, tail)
    assert found is not None
    return bot.press_data(user, user, *found)


def test_what_was_left_is_kept_to_the_second(bot: Flow) -> None:
    match = begun(bot)
    assert match.deadline is not None
    bot.wait(20.5)
    bot.say(bot.ada, "/pause")
    bot.wait(3 * 3600)
    assert bot.texts(bot.group)[-1].startswith("⏸ ")
    assert PAUSED in bot.texts(bot.group)[-1]
    assert bot.match().number == match.number
    bot.say(bot.ada, "/resume")
    resumed = bot.match()
    assert resumed.deadline == match.deadline + 3 * 3600
    assert (resumed.paused, resumed.reminded, resumed.number) == (None, False, match.number)
    assert "has resumed the match. This phase runs until" in said(bot)
    assert resumed.deadline is not None
    bot.wait(resumed.deadline - bot.clock.time - 1)
    assert bot.match().number == match.number
    bot.wait(1)
    assert bot.match().number == match.number + 1


def test_board_and_panels_show_the_rest_and_the_board_ends_the_pause(bot: Flow) -> None:
    match = begun(bot)
    assert match.deadline is not None
    bot.wait(10)
    rest = match.deadline - bot.clock.time
    pause(bot, bot.ada)
    shown = f"⏸ Paused, {int(rest) // 60}:{int(rest) % 60:02} left"
    for chat in (bot.group, bot.ada, bot.bruno):
        assert any(shown in text for text in bot.texts(chat))
        assert not any("⏳ Until" in text for text in bot.texts(chat))
    assert bot.press(bot.ada, "▶ Resume") == "Done."
    bot.wait(20)
    for chat in (bot.group, bot.ada, bot.bruno):
        assert not any("⏸ Paused" in text for text in bot.texts(chat))
        assert any("⏳ Until" in text for text in bot.texts(chat))
    assert "▶ Resume" not in bot.labels(bot.group)


def test_a_paused_match_takes_no_press_and_shows_its_menus_all_the_same(bot: Flow) -> None:
    """Not even that both have locked in closes the phase; what was sealed before stays."""
    match = begun(bot)
    press(bot, bot.ada, match, "s" + write(Reveal(Bird.OWL)))
    kept = pause(bot, bot.ada)
    for tail in ("s" + write(Reveal(Bird.HAWK)), "l"):
        assert "The match is paused. Ada (the host)" in press(bot, bot.ada, match, tail)
    panel, _ = find(bot, bot.ada, match, "l") or (0, "")
    assert bot.press_data(bot.ada, bot.ada, panel, f"{match.id}:{match.number}:m") == ""
    assert "paused" in press(bot, bot.bruno, match, "s?-")
    assert bot.match() == kept
    bot.press(bot.ada, "▶ Resume")
    press(bot, bot.ada, match, "l")
    press(bot, bot.bruno, match, "s?-")
    press(bot, bot.bruno, match, "l")
    closed = bot.match()
    assert closed.number == match.number + 1
    assert closed.record is not None
    assert closed.record.steps[-1] == {0: write(Reveal(Bird.OWL)), 1: "?-"}


def test_a_press_that_counted_before_the_pause_and_comes_again_has_counted(bot: Flow) -> None:
    match = begun(bot)
    found = find(bot, bot.ada, match, "s" + write(Reveal(Bird.OWL)))
    assert found is not None
    bot.world.people.press(bot.ada, bot.ada, *found)
    [update] = bot.world.pending()
    bot.deliver()
    bot.say(bot.ada, "/pause")
    kept = bot.match()
    assert bot.post(update) == 200
    assert bot.match() == kept
    again = [call for call in bot.world.calls if call.method == "answerCallbackQuery"][-1]
    assert "paused" not in str(again.params.get("text"))


def test_pausing_twice_and_resuming_what_runs_change_nothing(bot: Flow) -> None:
    begun(bot)
    bot.say(bot.ada, "/resume")
    assert bot.texts(bot.group)[-1] == "The match is not paused."
    bot.say(bot.ada, "/pause")
    paused = bot.match()
    bot.wait(60)
    bot.say(bot.ada, "/pause")
    assert bot.texts(bot.group)[-1] == "The match is paused already."
    assert bot.match() == paused


def test_an_old_resume_button_does_not_end_a_later_pause(bot: Flow) -> None:
    begun(bot)
    pause(bot, bot.ada)
    message, data = bot.button("▶ Resume", bot.group)
    bot.press_data(bot.ada, bot.group, message, data)
    assert bot.press_data(bot.ada, bot.group, message, data) == "The match is not paused."
    bot.say(bot.ada, "/pause")
    paused = bot.match()
    assert "Things have changed" in bot.press_data(bot.ada, bot.group, message, data)
    assert bot.match() == paused


def test_a_command_that_is_delivered_again_counts_once(bot: Flow) -> None:
    begun(bot)
    bot.world.people.say(bot.ada, bot.group, "/pause")
    [update] = bot.world.pending()
    bot.deliver()
    bot.say(bot.ada, "/resume")
    running = bot.match()
    assert bot.post(update) == 200
    assert bot.match() == running
    bot.wait(60)
    assert said(bot).count(PAUSED) == 1


def test_only_the_host_and_administrators_may(bot: Flow) -> None:
    bot.say(bot.bruno, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(bot.bruno, "Start")
    eve = stranger(bot)
    bot.say(eve, "/pause")
    assert bot.match().paused is None
    assert "(the host) or a group administrator" in bot.texts(bot.group)[-1]
    pause(bot, bot.bruno)
    message, data = bot.button("▶ Resume", bot.group)
    assert "Only Bruno (the host)" in bot.press_data(eve, bot.group, message, data)
    bot.world.groups.set_status(eve, bot.group, "administrator")
    assert bot.press_data(eve, bot.group, message, data) == "Done."
    assert bot.match().paused is None


def test_resigning_and_cancelling_end_a_paused_match(bot: Flow) -> None:
    match = begun(bot)
    bot.say(bot.ada, "/pause")
    bot.say(bot.ada, "/resign", bot.ada)
    bot.press(bot.ada, "Yes, I resign", bot.ada)
    over = bot.load(match.id)
    assert (over.stage, over.paused, over.number) == ("over", None, match.number + 1)


def test_a_lobby_cannot_be_paused(bot: Flow) -> None:
    bot.lobby()
    bot.say(bot.ada, "/pause")
    assert bot.texts(bot.group)[-1] == "The match has not begun yet."
    assert bot.match().paused is None


def test_a_draft_is_paused_with_its_picks_and_its_reminder(bot: Flow) -> None:
    match = begun(bot)
    drafting = play(bot, match.id, lambda match, player: Reveal(None), until="draft")
    assert drafting.phase is not None
    bot.wait(30)
    bot.say(bot.ada, "/pause")
    drafter = drafting.phase.active[0]
    user = drafting.users[drafter]
    found = find(bot, bot.group, drafting, "s" + write(Pick(Bird.RAVEN)))
    assert found is not None
    assert "paused" in bot.press_data(user, bot.group, *found)
    bot.wait(3600)
    bot.say(bot.ada, "/pick")
    assert "The match is paused" in bot.texts(bot.group)[-1]
    assert "waiting for your pick" not in said(bot)
    bot.say(bot.ada, "/resume")
    assert bot.match().number == drafting.number
    bot.wait(5 * 60 - 31)
    assert "waiting for your pick" not in said(bot)
    bot.wait(10)
    assert "waiting for your pick" in said(bot)
    assert make(bot, bot.match(), user, Pick(Bird.RAVEN))
    assert bot.match().number == drafting.number + 1


def test_the_pregame_of_seven_pauses_too(bot: Flow) -> None:
    people = company(bot)
    match = begin_dog(bot, people)
    bot.wait(60)
    bot.say(people[0], "/pause")
    bot.wait(3600)
    assert bot.load(match.id).number == 0
    assert "⏸ Paused, 9:00 left" in said(bot)
    bot.say(people[0], "/resume")
    after = play(bot, match.id, ready, until="round1")
    assert put(bot, people[1], f"{after.state.hands[1][0]}cr").endswith("It counts.")


def test_a_stop_of_the_process_leaves_a_pause_alone(frail: Frail) -> None:
    match = frail.begin()
    frail.say(frail.ada, "/pause")
    frail.wait(60)
    frail.clock.time += 3600
    paused = frail.load(match.id)
    move_overdue(frail.ports)
    assert frail.load(match.id) == paused


def paused_and_resumed(around: Around) -> tuple[Frail, int]:
    """A match that was paused and resumed, everything told; and how many effects came before that."""
    frail = Frail(around=around)
    frail.lobby()
    frail.say(frail.ada, "/status")
    frail.push_label(frail.ada, "Start")
    frail.wait(5)
    before = len(around.effects)
    frail.say(frail.ada, "/pause")
    frail.wait(600)
    frail.push_label(frail.ada, "▶ Resume")
    frail.wait(40)
    return frail, before


def test_the_process_may_die_at_any_effect_of_a_pause() -> None:
    clean, before = paused_and_resumed(Around())
    effects = len(clean.around.effects)
    assert effects - before >= 10
    kept = clean.match()
    assert (kept.number, kept.paused) == (0, None)
    for at in range(before + 1, effects + 1):
        frail, _ = paused_and_resumed(Kill(at))
        match = frail.match()
        assert (match.number, match.paused) == (0, None)
        assert match.deadline is not None
        assert match.deadline - match.opened == 60, "nothing was lost or won by it"
        assert 1 <= said(frail).count(PAUSED) <= 2, "at least once; twice if the process died before its cursor"
        item = frail.store.load(match.id)
        assert item is not None
        assert item.told == item.news
        frail.close()
    clean.close()


def test_after_a_long_pause_update_ids_may_have_begun_anew(bot: Flow) -> None:
    """After a week without updates Telegram chooses the next id at random (Bot API, Update)."""
    match = begun(bot)
    press(bot, bot.ada, match, "s" + write(Reveal(Bird.OWL)))
    bot.say(bot.ada, "/pause")
    bot.clock.time += LONG_PAUSE_SECONDS
    bot.say(bot.ada, "/resume")
    assert bot.match().box[0].made == ()
    assert bot.match().box[0].text == write(Reveal(Bird.OWL))
    assert not is_final(bot.match(), 0)
