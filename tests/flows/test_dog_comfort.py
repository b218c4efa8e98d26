"""At a table of seven: being ready, reminders, filling the lobby up."""

from __future__ import annotations

from collections.abc import Sequence

from handler.match import Match
from tests.flows.house import Flow
from tests.flows.players import Ready, Wish, find, play
from tests.flows.seven import (
    ROUND_SECONDS,
    all_ready,
    be_ready,
    begin,
    company,
    in_round_one,
    leave,
    lobby,
    not_ready,
    play_of,
    put,
    shown,
    withdraw,
)

REMINDER = "⏳ Your choice in"


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
    assert be_ready(bot, people[0]) == "You play no card."
    assert bot.load(match.id).number == match.number + 1


def test_a_play_after_ready_takes_ready_back(bot: Flow) -> None:
    """A press that was on its way while the panel changed; whoever plays on is not ready."""
    people = company(bot)
    match = in_round_one(bot, people)
    put(bot, bot.ada, "5cm", ready=True)
    all_ready(bot, people[1:6])
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
    all_ready(bot, people)
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
    all_ready(bot, people[2:])
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
