"""At a table of seven: leaving and coming back, being ready, reminders, filling the lobby up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.episode.rules import Death
from handler.match import Match
from infra.local.botapi.state import BOT_ID
from tests.flows.house import Flow
from tests.flows.players import Ready, Wish, ended, find, play
from tests.flows.seven import (
    DORA,
    GINA,
    SCRIPT,
    be_ready,
    begin,
    challenge,
    company,
    judged,
    lobby,
    not_ready,
    play_of,
    put,
    ready,
    scripted,
    silent,
    withdraw,
)

REMINDER = "⏳ Your choice in"
ROUND_SECONDS = 600


def shown(bot: Flow) -> int:
    """How often the bot has shown anything in the group, changed there, or asked of it."""
    return sum(1 for call in bot.world.calls if call.params.get("chat_id") == bot.group)


def in_round_one(bot: Flow, seats: Sequence[int | None]) -> Match:
    """The first round has opened, and everybody has been told."""
    match = play(bot, begin(bot, seats).id, ready, until="round1")
    bot.wait(30)
    return match


def leave(bot: Flow, user: int) -> None:
    """Somebody leaves the match, asked once in private."""
    bot.say(user, "/resign", user)
    assert bot.press(user, "Yes, I leave", user).startswith("You have left the table.")


def everybody(bot: Flow, people: Sequence[int]) -> None:
    """They all press Ready."""
    for user in people:
        be_ready(bot, user)


# --- leaving (rule 15) --------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [False, True])
def test_leaving_is_asked_once_and_in_private(bot: Flow, private: bool) -> None:
    match = in_round_one(bot, company(bot))
    said = [text for text in bot.texts(bot.group) if not text.startswith("/")]
    bot.say(bot.bruno, "/resign", bot.bruno if private else bot.group)
    assert "Leave the match in \u2068The Garden\u2069?" in bot.texts(bot.bruno)[-1]
    question, yes = bot.button("Yes, I leave", bot.bruno)
    assert bot.press(bot.bruno, "No, play on", bot.bruno) == "You play on."
    assert bot.load(match.id).seats == match.seats
    assert "reply_markup" not in bot.world.message(bot.bruno, question)
    assert bot.press_data(bot.bruno, bot.bruno, question, yes).startswith("You have left the table.")
    left = bot.load(match.id)
    assert [who is not None and who.left for who in left.seats] == [False, True, *[False] * 5]
    assert (left.number, left.stage) == (match.number, "playing")
    bot.wait(60)
    assert [text for text in bot.texts(bot.group) if not text.startswith("/")] == said, "the group hears nothing"


def test_a_round_does_not_wait_for_whoever_has_left(bot: Flow) -> None:
    people = company(bot)
    match = in_round_one(bot, people)
    put(bot, people[2], "5cm")
    leave(bot, people[2])
    before = shown(bot)
    everybody(bot, people[:2])
    everybody(bot, people[3:6])
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
    everybody(bot, [*people[:2], *people[3:]])
    bot.wait(30)
    second = bot.load(match.id)
    assert find(bot, cleo, second, "l") is None
    assert find(bot, people[3], second, "l") is not None
    assert "Round 1 of 9." in bot.texts(cleo)[-1], "how the round went for them they hear all the same"
    everybody(bot, [*people[:2], *people[3:]])
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
    everybody(bot, [*people[:2], *people[3:]])
    assert bot.load(match.id).number == third.number, "now the round waits for them again"
    assert shown(bot) == before
    be_ready(bot, cleo)
    assert bot.load(match.id).number == third.number + 1
    bot.wait(30)
    assert find(bot, cleo, bot.load(match.id), "l") is not None


def test_whoever_left_is_judged_and_plays_the_death_match(bot: Flow) -> None:
    """VP stay, candidacy applies; and in the Death Match somebody waits for them, so they have a panel again."""
    people = company(bot)
    match = play(bot, begin(bot, people).id, scripted(SCRIPT), until="round4")
    for player in (DORA, GINA):
        leave(bot, people[player])
    choosing = play(bot, match.id, scripted(SCRIPT), until="choice")
    bot.wait(30)
    assert find(bot, people[GINA], choosing, "mvs3") is None
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
    play(bot, match.id, ready)
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


# --- leaving the group --------------------------------------------------------------------------------


def test_whoever_leaves_the_group_has_left_the_match(bot: Flow) -> None:
    people = company(bot)
    match = in_round_one(bot, people)
    before = shown(bot)
    bot.world.groups.leave(people[4], bot.group)
    bot.deliver()
    everybody(bot, [*people[:4], people[5]])
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
    everybody(bot, [*people[:4], *people[5:]])
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


# --- whom the bot cannot write to ---------------------------------------------------------------------


def test_a_round_does_not_wait_for_whoever_has_blocked_the_bot(bot: Flow) -> None:
    people = company(bot)
    match = begin(bot, people)
    bot.wait(30)
    bot.world.people.block(people[3])
    bot.deliver()
    everybody(bot, [*people[:3], *people[4:]])
    assert bot.load(match.id).state.board.stage == "pregame", "nothing has told the bot yet"
    first = play(bot, match.id, silent, until="round1")
    bot.wait(30)
    assert "I cannot write to \u2068Dora\u2069 in private any more." in "".join(bot.texts(bot.group))
    everybody(bot, [*people[:3], *people[4:]])
    assert bot.load(match.id).number == first.number + 1
    bot.wait(30)
    bot.world.people.start(people[3])
    bot.deliver()
    bot.wait(30)
    everybody(bot, [*people[:3], *people[4:]])
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


# --- ready --------------------------------------------------------------------------------------------


def test_a_round_closes_early_only_when_all_seven_are_ready(bot: Flow) -> None:
    """And nothing public says who is, or has played, or how many."""
    people = company(bot)
    match = in_round_one(bot, people)
    before = shown(bot)
    for player, user in enumerate(people[:6]):
        if player % 2:
            put(bot, user, "5cm", ready=True)
        else:
            be_ready(bot, user)
        assert bot.load(match.id).number == match.number
    assert not_ready(bot, people[0]) == "Not ready any more. What you chose still counts."
    be_ready(bot, people[6])
    assert bot.load(match.id).number == match.number
    bot.wait(60)
    assert shown(bot) == before
    assert be_ready(bot, people[0]) == "Ready."
    assert bot.load(match.id).number == match.number + 1


def test_a_play_after_ready_takes_ready_back(bot: Flow) -> None:
    """A press that was on its way while the panel changed; whoever plays on is not ready."""
    people = company(bot)
    match = in_round_one(bot, people)
    put(bot, bot.ada, "5cm", ready=True)
    everybody(bot, people[1:6])
    panel, _ = find(bot, bot.ada, match, "u") or (0, "")
    assert bot.press_data(bot.ada, bot.ada, panel, f"{match.id}:{match.number}:s6cm").startswith("6 on Charge Tower")
    be_ready(bot, people[6])
    assert bot.load(match.id).number == match.number
    be_ready(bot, bot.ada)
    after = bot.load(match.id)
    assert after.number == match.number + 1
    assert after.state.plays[0][0] == play_of("6cm")


def test_a_play_is_replaced_and_taken_back_while_the_round_lasts(bot: Flow) -> None:
    people = company(bot)
    match = in_round_one(bot, people)
    for text in ("5cm", "5xb3wcr", "1xr3", "7mb-"):
        assert put(bot, bot.ada, text).endswith("It counts.")
    put(bot, bot.bruno, "3cr")
    assert withdraw(bot, bot.bruno) == "You play no card."
    everybody(bot, people)
    after = bot.load(match.id)
    assert after.state.plays[0] == (play_of("7mb-"), *[None] * 6)
    assert after.state.hands[:2] == ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7))


def test_a_refused_play_leaves_the_earlier_one_standing(bot: Flow) -> None:
    """Rule 4; and a card that the hand does not hold, a movement that there is not, and half a play are refused."""
    match = in_round_one(bot, company(bot))
    put(bot, bot.ada, "5cm")
    sealed = bot.load(match.id).box[0]
    panel, _ = find(bot, bot.ada, match, "l") or (0, "")
    for tail in ("s5xm1", "s5rb", "s5rbwcc", "s5cc", "s8cm", "s5x", "s", "svs3", "send"):
        assert bot.press_data(bot.ada, bot.ada, panel, f"{match.id}:{match.number}:{tail}"), tail
        assert bot.load(match.id).box[0] == sealed, tail


# --- reminders ----------------------------------------------------------------------------------------


def reminded(bot: Flow, people: Sequence[int]) -> list[int]:
    """How many reminders each has in the private chat."""
    return [sum(REMINDER in text for text in bot.texts(user)) for user in people]


def test_reminders_go_to_whoever_is_not_ready_and_has_something_to_choose(bot: Flow) -> None:
    people = company(bot)
    begin(bot, people)
    bot.wait(ROUND_SECONDS - 1)
    assert reminded(bot, people) == [0] * 7, "in the pre-game there is nothing to choose"
    bot.wait(1 + 30)
    be_ready(bot, people[0])
    put(bot, people[1], "5cm", ready=True)
    put(bot, people[2], "5cm")
    leave(bot, people[3])
    before = shown(bot)
    bot.wait(ROUND_SECONDS - 30 - 1)
    assert reminded(bot, people) == [0, 0, 1, 0, 1, 1, 1]
    assert shown(bot) == before, "the group hears nothing of them"
    bot.wait(31)
    assert reminded(bot, people) == [0, 0, 1, 0, 1, 1, 1]


def test_nobody_with_an_empty_hand_is_reminded(bot: Flow) -> None:
    """Ada has played all seven cards by round 8; she may still be ready, or not."""
    people = company(bot)

    def plan(match: Match, player: int) -> Wish | None:
        board = match.state.board
        return play_of(f"{board.round}cr") if player == 0 and 0 < board.round <= 7 else Ready()

    match = play(bot, begin(bot, people).id, plan, until="round8")
    assert match.state.hands[0] == ()
    bot.wait(30)
    assert "You have no cards left" in bot.texts(bot.ada)[-1]
    everybody(bot, people[2:])
    bot.wait(ROUND_SECONDS - 31)
    assert reminded(bot, people) == [0, 1, 0, 0, 0, 0, 0]
    be_ready(bot, bot.ada)
    assert bot.load(match.id).number == match.number
    be_ready(bot, bot.bruno)
    assert bot.load(match.id).number == match.number + 1


# --- the lobby ----------------------------------------------------------------------------------------

ADD = "Add a house player"
FILL = "Fill up with house players"


def taken(bot: Flow) -> str:
    """The seats: p for a person, h for a house player, . for free."""
    return "".join("." if who is None else "h" if who.user is None else "p" for who in bot.match().seats)


def test_a_lobby_is_for_exactly_seven(bot: Flow) -> None:
    people = company(bot)
    lobby(bot, people[:6])
    card, _ = bot.button("Join", bot.group)
    id = bot.match().id
    assert "Start" not in bot.labels(bot.group)
    assert "There are free seats" in bot.press_data(bot.ada, bot.group, card, f"{id}:start:")
    assert ADD in bot.labels(bot.group)
    assert FILL not in bot.labels(bot.group), "for one seat there is a button already"
    bot.press(people[6], "Join")
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    assert bot.press(nora, "Join").startswith("All seats are taken")
    bot.wait(30)
    assert bot.press(bot.ada, "Start") == "Off we go."
    assert bot.match().users == people


def test_house_players_alone_do_not_play(bot: Flow) -> None:
    lobby(bot, (), host=bot.ada)
    assert bot.press(bot.ada, FILL) == "Done."
    assert bot.press(bot.ada, "Start") == "A match needs at least one person."
    assert bot.match().stage == "lobby"


def test_the_lobby_is_filled_up_in_one_press_by_the_host_alone(bot: Flow) -> None:
    people = company(bot, 3)
    lobby(bot, people[:2])
    assert bot.press(people[2], FILL) == "Only the host or a group administrator can do that."
    card, fill = bot.button(FILL, bot.group)
    assert bot.press_data(bot.ada, bot.group, card, fill) == "Done."
    assert taken(bot) == "pphhhhh"
    before = bot.store.load(bot.match().id)
    again = bot.press_data(bot.ada, bot.group, card, fill)
    assert again == "That seat has been taken meanwhile. Look at the lobby again."
    assert bot.store.load(bot.match().id) == before
    bot.wait(30)
    assert FILL not in bot.labels(bot.group)
    assert len({who.name for who in bot.match().seats if who is not None}) == 7


def test_an_old_fill_button_fills_what_is_still_free_of_what_it_showed(bot: Flow) -> None:
    people = company(bot, 3)
    lobby(bot, people[:2])
    card, fill = bot.button(FILL, bot.group)
    bot.press(people[2], "Join")
    bot.press(bot.bruno, "Leave")
    assert taken(bot) == "p.p...."
    assert bot.press_data(bot.ada, bot.group, card, fill) == "Done."
    assert taken(bot) == "p.phhhh", "Bruno's seat was not free when the button was drawn"
    bot.wait(30)
    assert bot.press(bot.ada, ADD) == "Done."
    assert bot.press(bot.ada, "Start") == "Off we go."


def test_a_forged_fill_button_names_no_other_seats(bot: Flow) -> None:
    lobby(bot, company(bot, 2))
    card, _ = bot.button("Join", bot.group)
    before = bot.store.load(bot.match().id)
    for seats in ("7,8", "0,1", ",", "-1", "x", "1,,0"):
        assert bot.press_data(bot.ada, bot.group, card, f"{bot.match().id}:house:{seats}")
        assert bot.store.load(bot.match().id) == before, seats
