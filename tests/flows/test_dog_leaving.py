"""Whoever leaves a table of seven, or its group, or the bot, is not waited for, and may come back (rule 15)."""

from __future__ import annotations

import pytest

from engine.episode.rules import Death
from infra.local.botapi.state import BOT_ID
from tests.flows.house import Flow
from tests.flows.players import NO_CARD, ended, find, play
from tests.flows.seven import (
    DORA,
    GINA,
    ROUND_SECONDS,
    SCRIPT,
    all_ready,
    be_ready,
    begin,
    challenge,
    company,
    finds,
    in_round_one,
    judged,
    leave,
    lobby,
    play_of,
    put,
    scripted,
    shown,
    silent,
)

# --- leaving ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [False, True])
def test_leaving_is_asked_once_and_in_private(bot: Flow, private: bool) -> None:
    match = in_round_one(bot, company(bot))
    said = [text for text in bot.texts(bot.group) if not text.startswith("/")]
    bot.say(bot.bruno, "/resign", bot.bruno if private else bot.group)
    assert "Leave the match in \u2068The Garden\u2069?" in bot.texts(bot.bruno)[-1]
    question, yes = bot.button("Yes, I leave", bot.bruno)
    assert bot.press(bot.bruno, "No, play on", bot.bruno) == "You play on."
    assert not any(who is not None and who.left for who in bot.load(match.id).seats)
    assert "reply_markup" not in bot.world.message(bot.bruno, question)
    assert bot.press_data(bot.bruno, bot.bruno, question, yes).startswith("You have left the table.")
    left = bot.load(match.id)
    assert [who is not None and who.left for who in left.seats] == [False, True, *[False] * 5]
    assert (left.number, left.stage) == (match.number, "playing")
    bot.wait(60)
    heard = [text for text in bot.texts(bot.group) if not text.startswith("/")]
    answered = [] if private else ["I have answered you in private."]
    assert heard == [*said, *answered], "the group hears no more of it"


def test_a_round_does_not_wait_for_whoever_has_left(bot: Flow) -> None:
    people = company(bot)
    match = in_round_one(bot, people)
    put(bot, people[2], "5cm")
    leave(bot, people[2])
    before = shown(bot)
    all_ready(bot, people[:2])
    all_ready(bot, people[3:6])
    assert shown(bot) == before
    assert bot.load(match.id).number == match.number
    be_ready(bot, people[6])
    after = bot.load(match.id)
    assert after.number == match.number + 1
    assert after.state.plays[0][2] == play_of("5cm"), "what was sealed before still counts"
    assert after.state.points[2] == (0, 0, 5)


def test_whoever_has_left_gets_no_more_panels_and_may_come_back(bot: Flow) -> None:
    people = company(bot)
    match = in_round_one(bot, people)
    cleo = people[2]
    leave(bot, cleo)
    all_ready(bot, [*people[:2], *people[3:]])
    bot.wait(30)
    second = bot.load(match.id)
    assert find(bot, cleo, second, NO_CARD) is None
    assert find(bot, people[3], second, NO_CARD) is not None
    assert "Round 1 of 9." in bot.texts(cleo)[-1], "how the round went for them they hear all the same"
    all_ready(bot, [*people[:2], *people[3:]])
    third = bot.load(match.id)
    assert third.number == second.number + 1
    bot.wait(30)
    before = shown(bot)
    bot.say(cleo, "/matches", cleo)
    bot.press(cleo, "Dog's Judgement: ", cleo)
    assert "Round 3 of 9" in bot.texts(cleo)[-1]
    looked = bot.load(match.id)
    assert looked.seats[2] is not None
    assert looked.seats[2].left, "looking is not coming back"
    put(bot, cleo, "5cm")
    back = bot.load(match.id)
    assert back.seats[2] is not None
    assert not back.seats[2].left
    all_ready(bot, [*people[:2], *people[3:]])
    assert bot.load(match.id).number == third.number, "now the round waits for them again"
    assert shown(bot) == before
    be_ready(bot, cleo)
    assert bot.load(match.id).number == third.number + 1
    bot.wait(30)
    assert find(bot, cleo, bot.load(match.id), NO_CARD) is not None


def test_whoever_left_is_judged_and_plays_the_death_match(bot: Flow) -> None:
    """VP stay, candidacy applies; and in the Death Match somebody waits for them, so they have a panel again."""
    people = company(bot)
    match = play(bot, begin(bot, people).id, scripted(SCRIPT), until="round4")
    for player in (DORA, GINA):
        leave(bot, people[player])
    choosing = play(bot, match.id, scripted(SCRIPT), until="choice")
    bot.wait(30)
    assert find(bot, people[GINA], choosing, "mvs3") is not None, "this choice is hers alone"
    bot.say(people[GINA], "/matches", people[GINA])
    bot.press(people[GINA], "Dog's Judgement: ", people[GINA])
    challenge(bot, people[GINA], DORA)
    bot.wait(30)
    met = bot.load(match.id)
    assert isinstance(met.state, Death)
    assert find(bot, people[DORA], met, "s?-") is not None
    bot.say(people[DORA], "/resign", people[DORA])
    assert bot.press(people[DORA], "Yes, I resign", people[DORA]) == "You have resigned."
    assert ended(bot, match.id, bot.group)["death"]["resigned"] == "p4"


def test_a_candidate_who_has_left_gets_an_opponent_by_lot(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    leave(bot, people[GINA])
    assert bot.load(match.id).number == match.number
    bot.wait(300)
    assert isinstance(bot.load(match.id).state, Death)
    play(bot, match.id, finds(GINA))
    assert ended(bot, match.id, bot.group)["opponent"] == "lot"


def test_a_question_whether_to_leave_is_void_in_the_death_match(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    for player in (GINA, 0):
        bot.say(people[player], "/resign", people[player])
    questions = {player: bot.button("Yes, I leave", people[player]) for player in (GINA, 0)}
    challenge(bot, people[GINA], DORA)
    before = bot.load(match.id)
    for player, question in questions.items():
        assert bot.press_data(people[player], people[player], *question) == "This phase is over."
    assert bot.load(match.id) == before


# --- leaving the group ------------------------------------------------------------------------------


def test_whoever_leaves_the_group_has_left_the_match(bot: Flow) -> None:
    people = company(bot)
    match = in_round_one(bot, people)
    before = shown(bot)
    bot.world.groups.leave(people[4], bot.group)
    bot.deliver()
    all_ready(bot, [*people[:4], people[5]])
    assert [call.method for call in bot.world.calls if call.params.get("chat_id") == bot.group][before:] == [
        "getChatMember"
    ]
    be_ready(bot, people[6])
    assert bot.load(match.id).number == match.number + 1


def test_whom_telegram_still_sees_in_the_group_has_not_left(bot: Flow) -> None:
    """The news came late, and they are back."""
    people = company(bot)
    match = in_round_one(bot, people)
    bot.world.groups.leave(people[4], bot.group)
    bot.world.groups.set_status(people[4], bot.group, "member")
    bot.deliver()
    all_ready(bot, [*people[:4], *people[5:]])
    assert bot.load(match.id).number == match.number
    be_ready(bot, people[4])
    assert bot.load(match.id).number == match.number + 1


@pytest.mark.parametrize("administrator", [False, True])
@pytest.mark.parametrize("back", [False, True])
def test_leaving_the_group_frees_the_seat_in_a_lobby(bot: Flow, administrator: bool, back: bool) -> None:
    bot.world.groups.set_status(BOT_ID, bot.group, "administrator" if administrator else "member")
    people = company(bot)
    lobby(bot, people)
    bot.world.groups.leave(people[4], bot.group)
    if back:
        bot.world.groups.set_status(people[4], bot.group, "member")
    bot.deliver()
    assert (bot.match().player(people[4]) is None) is not back
    bot.wait(30)
    assert ("Start" in bot.labels(bot.group)) is back
    assert bot.store.of_person(people[4]) == ((bot.match().id,) if back else ())


def test_a_stranger_who_leaves_the_group_changes_nothing(bot: Flow) -> None:
    match = in_round_one(bot, company(bot))
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    item = bot.store.load(match.id)
    bot.world.groups.leave(nora, bot.group)
    bot.deliver()
    assert bot.store.load(match.id) == item


# --- whom the bot cannot write to -------------------------------------------------------------------


def test_a_round_does_not_wait_for_whoever_has_blocked_the_bot(bot: Flow) -> None:
    people = company(bot)
    match = begin(bot, people)
    bot.wait(30)
    bot.world.people.block(people[3])
    bot.deliver()
    all_ready(bot, [*people[:3], *people[4:]])
    assert bot.load(match.id).state.board.stage == "pregame", "nothing has told the bot yet"
    first = play(bot, match.id, silent, until="round1")
    bot.wait(30)
    assert "I cannot write to \u2068Dora\u2069 in private any more." in "".join(bot.texts(bot.group))
    all_ready(bot, [*people[:3], *people[4:]])
    assert bot.load(match.id).number == first.number + 1
    bot.wait(30)
    bot.world.people.start(people[3])
    bot.deliver()
    bot.wait(30)
    all_ready(bot, [*people[:3], *people[4:]])
    assert bot.load(match.id).number == first.number + 1, "who is back is waited for"
    be_ready(bot, people[3])
    assert bot.load(match.id).number == first.number + 2


@pytest.mark.parametrize("way", ["blocks the bot", "leaves the match"])
def test_house_players_do_not_run_away_from_the_only_person(bot: Flow, way: str) -> None:
    """They have sealed at once and the person counts as ready; still each round takes its time."""
    match = begin(bot, company(bot, 1))
    bot.wait(30)
    if way == "blocks the bot":
        bot.world.people.block(bot.ada)
        bot.deliver()
    else:
        leave(bot, bot.ada)
    opened = match.opened
    for closed in range(1, 4):
        bot.wait(opened + closed * ROUND_SECONDS - bot.clock.now() - 1)
        assert bot.load(match.id).number == closed - 1
        bot.wait(1)
        assert bot.load(match.id).number == closed
    bot.wait(30)
    bot.world.people.start(bot.ada)
    bot.deliver()
    bot.say(bot.ada, "/matches", bot.ada)
    bot.press(bot.ada, "Dog's Judgement: ", bot.ada)
    be_ready(bot, bot.ada)
    assert bot.load(match.id).number == 4, "who came back is all that the house players waited for"


def test_a_match_that_everybody_has_left_goes_on_by_the_clock(bot: Flow) -> None:
    match = begin(bot, company(bot, 2))
    for user in (bot.ada, bot.bruno):
        leave(bot, user)
    assert bot.load(match.id).number == 0
    over = play(bot, match.id, silent, until="choice")
    assert bot.clock.now() == match.opened + 10 * ROUND_SECONDS
    assert over.number == 10
