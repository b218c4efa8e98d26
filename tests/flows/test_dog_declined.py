"""The host declines the Death Match beforehand, in the lobby of Dog's Judgement (rule 16)."""

from __future__ import annotations

import pytest

from engine.dog.facts import NoDeathMatch
from engine.episode.rules import Death
from handler.codec import read_match, write_match
from handler.match import Match
from tests.flows.dog_twin_plans import TO_THE_CHOICE
from tests.flows.house import Flow, flow
from tests.flows.players import Plan, ended, play
from tests.flows.seven import company, lobby, ready, scripted

WITH, WITHOUT = "With a Death Match", "Without a Death Match"
FOLLOWS = "After it: a Death Match (Gravity Pandemic) between the Elimination Candidate and an opponent."
NONE_FOLLOWS = "After it: no Death Match."

HOUSE_CHALLENGES_A_PERSON = bytes([49]) * 32
"""With three people who play nothing and the house's other four, a house player challenges one of the three."""

PLANS = [scripted([" ".join(row.get(player, ".") for player in range(7)) for row in rows]) for rows in TO_THE_CHOICE]
"""Gina is the candidate; by the second, Fritz as well, and the lot falls on one of them."""


def card(bot: Flow, chat: int | None = None) -> str:
    """The lobby's card as it stands, once it has caught up with the presses."""
    bot.wait(60)
    return next(text for text in reversed(bot.texts(bot.group if chat is None else chat)) if "Pace:" in text)


def start(bot: Flow) -> Match:
    """The host fills up the lobby and starts the match."""
    if bot.match().seats.count(None):
        bot.press(bot.ada, "Fill up")
    assert bot.press(bot.ada, "Start") == "Off we go."
    return bot.match()


def without(bot: Flow, id: str, chat: int) -> None:
    """The match has ended with its judgement; nobody was asked to choose, and the record is sound."""
    over = bot.load(id)
    assert (over.stage, over.number) == ("over", 11), "the pre-game, nine rounds, and the choice that nobody had"
    assert over.state.board.end == NoDeathMatch("declined")
    assert over.state.board.candidate is not None
    document = ended(bot, id, chat)
    assert (document["opponent"], document["death"]) == (None, None)
    told = "\n".join(bot.texts(chat))
    assert "There is no Death Match. The host has declined it, and nobody is eliminated." in told
    assert "the Elimination Candidate" in told
    assert "is to meet one of these" not in told
    assert "No Death Match (for the host)" not in bot.labels(chat)


# --- the setting --------------------------------------------------------------------------------------


def test_the_card_says_whether_a_death_match_may_follow_and_the_host_changes_it(bot: Flow) -> None:
    bot.say(bot.ada, "/dog")
    assert FOLLOWS in card(bot)
    assert WITH not in bot.labels(bot.group)
    for label, other, says in ((WITHOUT, WITH, NONE_FOLLOWS), (WITH, WITHOUT, FOLLOWS), (WITHOUT, WITH, NONE_FOLLOWS)):
        assert bot.press(bot.ada, label) == "Done."
        assert says in card(bot)
        assert other in bot.labels(bot.group)
        assert label not in bot.labels(bot.group)
    bot.press(bot.bruno, "Join")
    start(bot)
    assert NONE_FOLLOWS in card(bot), "what is in force stays to be read once the match has begun"
    assert ":after:" not in str(bot.world.history(bot.group))


def test_only_the_host_or_an_administrator_declines_beforehand(bot: Flow) -> None:
    bot.say(bot.bruno, "/dog")
    eve = bot.world.people.add("Eve")
    bot.world.groups.join(eve, bot.group)
    bot.deliver()
    bot.press(eve, "Join")
    item = bot.store.load(bot.match().id)
    assert bot.press(eve, WITHOUT) == "Only the host or a group administrator can do that."
    assert bot.store.load(bot.match().id) == item
    assert bot.press(bot.ada, WITHOUT) == "Done.", "Ada made the group"
    assert bot.match().declined


def test_a_press_that_comes_twice_declines_once(bot: Flow) -> None:
    bot.say(bot.ada, "/dog")
    bot.world.people.press(bot.ada, bot.group, *bot.button(WITHOUT, bot.group))
    [update] = bot.world.pending()
    assert bot.post(update) == 200
    item = bot.store.load(bot.match().id)
    assert bot.post(update) == 200
    bot.world.acknowledge(update["update_id"])
    assert bot.match().declined
    assert item is not None
    assert write_match(bot.match()) == item.body
    answers = [call.params["text"] for call in bot.world.calls if call.method == "answerCallbackQuery"]
    assert answers == ["Done.", "Nothing to change here. Look at the lobby again."]


def test_once_the_match_has_begun_it_is_too_late(bot: Flow) -> None:
    bot.say(bot.ada, "/dog")
    bot.press(bot.ada, "Fill up")
    bot.press(bot.ada, "✕")
    bot.press(bot.ada, "Join")
    message, data = bot.button(WITHOUT, bot.group)
    start(bot)
    assert bot.press_data(bot.ada, bot.group, message, data) == "This match has begun already."
    assert not bot.match().declined


@pytest.mark.parametrize("arg", ["", "ask", "YES", "no.", "1"])
def test_another_word_changes_nothing(bot: Flow, arg: str) -> None:
    bot.say(bot.ada, "/dog")
    message, _ = bot.button(WITHOUT, bot.group)
    before = bot.match()
    assert "Nothing to change" in bot.press_data(bot.ada, bot.group, message, f"{before.id}:after:{arg}")
    assert bot.match() == before


def test_a_game_with_nothing_to_decline_has_no_such_setting(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    assert "After it" not in card(bot)
    message, data = bot.button("Join", bot.group)
    assert ":after:" not in str(bot.world.message(bot.group, message))
    forged = data.replace("join:", "after:no")
    assert "Nothing to change" in bot.press_data(bot.ada, bot.group, message, forged)
    assert not bot.match().declined


def test_the_setting_is_kept_with_the_match(bot: Flow) -> None:
    bot.say(bot.ada, "/dog")
    for label, declined in ((WITHOUT, True), (WITH, False)):
        bot.press(bot.ada, label)
        match = bot.match()
        assert match.declined is declined
        assert read_match(match.id, write_match(match)) == match


# --- what comes of it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", PLANS)
def test_declined_beforehand_a_person_who_is_the_candidate_is_not_asked(bot: Flow, plan: Plan) -> None:
    people = company(bot)
    lobby(bot, people)
    assert bot.press(bot.ada, WITHOUT) == "Done."
    match = start(bot)
    play(bot, match.id, plan)
    without(bot, match.id, bot.group)
    for user in people:
        assert not any("You are the Elimination Candidate" in text for text in bot.texts(user))


@pytest.mark.parametrize("declined", [True, False])
def test_declined_beforehand_a_house_player_who_is_the_candidate_challenges_nobody(declined: bool) -> None:
    """Without that the lot falls in the same moment in which Round 9 closes, and one of the three has to play on."""
    with flow(seed=HOUSE_CHALLENGES_A_PERSON) as bot:
        lobby(bot, company(bot, 3))
        if declined:
            assert bot.press(bot.ada, WITHOUT) == "Done."
        match = start(bot)
        if declined:
            play(bot, match.id, ready)
            without(bot, match.id, bot.group)
            candidate = bot.load(match.id).state.board.candidate.candidate
        else:
            state = play(bot, match.id, ready, until="reveals").state
            assert isinstance(state, Death)
            candidate, opponent = state.pair
            assert opponent < 3
        assert candidate >= 3


def test_switched_off_and_on_again_the_candidate_chooses(bot: Flow) -> None:
    lobby(bot, company(bot))
    for label in (WITHOUT, WITH):
        assert bot.press(bot.ada, label) == "Done."
    match = start(bot)
    choosing = play(bot, match.id, PLANS[0], until="choice")
    assert choosing.phase is not None
    assert choosing.box == {}
    bot.wait(60)
    bot.press(bot.ada, "No Death Match")
    assert bot.press(bot.ada, "Yes, end it here") == "Done.", "and the host may decline then as well"
    assert ended(bot, match.id, bot.group)["death"] is None


def test_whoever_practises_declines_beforehand_too() -> None:
    with flow(seed=bytes(32)) as bot:
        bot.say(bot.ada, "/dog", bot.ada)
        assert bot.press(bot.ada, WITHOUT, bot.ada) == "Done."
        assert NONE_FOLLOWS in card(bot, bot.ada)
        bot.press(bot.ada, "Start", bot.ada)
        match = bot.match()
        play(bot, match.id, ready)
        without(bot, match.id, bot.ada)


def test_where_nobody_is_a_candidate_there_is_nothing_to_decline(bot: Flow) -> None:
    """The match ends as the rules say, whatever the host has set."""
    lobby(bot, company(bot))
    bot.press(bot.ada, WITHOUT)
    match = start(bot)
    everybody = ["4xm4 4xm4 4xm4 4xm4 4xm4 4xm4 4xm4"]
    over = play(bot, match.id, scripted(everybody))
    assert over.state.board.end == NoDeathMatch("no_candidate")
    document = ended(bot, match.id, bot.group)
    assert (document["opponent"], document["death"]) == (None, None)
    assert "Nobody is a candidate" in "\n".join(bot.texts(bot.group))
