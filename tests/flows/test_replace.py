"""Somebody else in a seat: a house player at once, or another person; who must agree, and what the seat keeps."""

from __future__ import annotations

import pytest

from engine.gravity.birds import Bird
from engine.gravity.moves import Reveal
from engine.gravity.notation import write
from handler.match import Match
from handler.people import take_seat
from handler.updates import Who
from infra.local.botapi.state import BOT_ID
from tests.flows.frail import Around, Frail, Kill
from tests.flows.house import Flow
from tests.flows.players import find, finder, last_of_bot, make, play, quiet, stranger
from tests.flows.seven import BRUNO, CLEO, DORA, EMIL, GINA, challenge, company, judged, put, ready
from tests.flows.seven import begin as begin_dog


def begun(bot: Flow, host: int | None = None) -> Match:
    """A relaxed match of Ada against Bruno, everything told."""
    host = bot.ada if host is None else host
    bot.say(host, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(host, "Relaxed")
    bot.wait(60)
    bot.press(host, "Start")
    bot.wait(60)
    return bot.match()


def said(bot: Flow, chat: int | None = None) -> str:
    return "\n".join(bot.texts(bot.group if chat is None else chat)).replace("\u2068", "").replace("\u2069", "")


def asked(bot: Flow, host: int, name: str) -> None:
    """The host asks for somebody's seat."""
    bot.wait(30)
    bot.say(host, "/replace")
    bot.press(host, f"\u2068{name}")


def seal(bot: Flow, user: int, match: Match, bird: Bird) -> None:
    found = find(bot, user, match, "s" + write(Reveal(bird)))
    assert found is not None
    bot.press_data(user, user, *found)


def test_a_host_who_does_not_play_puts_a_house_player_into_a_seat(bot: Flow) -> None:
    """What was sealed there is dropped, the house seals at once, and the old panel says what has become of the seat."""
    eve = stranger(bot)
    match = begun(bot, eve)
    seal(bot, bot.bruno, match, Bird.OWL)
    asked(bot, eve, "Bruno")
    message, data = bot.button("A house player", bot.group)
    assert bot.press_data(eve, bot.group, message, data) == "Done."
    after = bot.match()
    seat = after.seats[1]
    assert seat is not None
    assert (seat.user, seat.since) == (None, match.number)
    assert after.box[1].final
    assert after.users == (bot.ada,)
    assert bot.store.of_person(bot.bruno) == ()
    bot.wait(60)
    assert said(bot).count("Eve has given the seat of Bruno to Strix (house player).") == 2, "said there, and announced"
    farewell = "Your seat in The Garden has been given to Strix (house player). Thank you for playing."
    assert said(bot, bot.bruno).count(farewell) == 1
    assert said(bot, bot.bruno).count("This panel is closed: somebody else has the seat now.") == 1
    assert find(bot, bot.bruno, after, "s?-") is None
    assert "no longer here" in bot.press_data(
        bot.bruno, bot.bruno, bot.world.history(bot.bruno)[-1]["message_id"], f"{match.id}:{match.number}:s?-"
    )
    kept = bot.match()
    assert "Things have changed" in bot.press_data(eve, bot.group, message, data)
    assert bot.match() == kept
    bot.say(bot.bruno, "/matches", bot.bruno)
    assert "You are in no match" in bot.texts(bot.bruno)[-1]


def test_another_person_takes_the_seat_and_all_that_it_knows(bot: Flow) -> None:
    eve = stranger(bot)
    match = begun(bot, eve)
    after = play(bot, match.id, finder(1, wanted=Bird.OWL), until="guesses")
    bot.wait(60)
    asked(bot, eve, "Bruno")
    assert bot.press(eve, "Another person") == "Done."
    bot.wait(30)
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.world.people.start(nora)
    bot.deliver()
    assert bot.match().seats == after.seats, "Bruno plays on until somebody comes"
    message, data = bot.button("Take the seat", bot.group)
    assert bot.press_data(bot.ada, bot.group, message, data) == "You have a seat already."
    assert bot.press_data(nora, bot.group, message, data).startswith("You have the seat.")
    taken = bot.match()
    assert (taken.player(nora), taken.player(bot.bruno)) == (1, None)
    assert (taken.leaving, taken.asked, taken.former) == ({}, (), ((bot.bruno, 1),))
    bot.wait(60)
    assert "Nora has taken the seat of Bruno and plays on there." in said(bot)
    assert "You play on in The Garden, in the seat of Bruno." in said(bot, nora)
    assert "has been given to Nora" in said(bot, bot.bruno)
    assert find(bot, nora, taken, "m5") is not None
    assert find(bot, bot.bruno, taken, "m5") is None
    assert bot.store.of_person(nora) == (match.id,)
    assert bot.press_data(eve, bot.group, message, data) == "That seat is no longer free to take."
    assert not any("Take the seat" in label for label in bot.labels(bot.group))
    bot.say(bot.bruno, "/pause")
    ended = play(bot, match.id, finder(1), until=None)
    assert ended.stage == "over"


def test_a_reminder_that_did_not_reach_the_old_player_is_not_for_the_new_one(bot: Flow) -> None:
    eve = stranger(bot)
    begun(bot, eve)
    bot.world.people.block(bot.bruno)
    bot.deliver()
    bot.wait(200)
    assert bot.match().reminded
    asked(bot, eve, "Bruno")
    bot.press(eve, "Another person")
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.world.people.start(nora)
    bot.deliver()
    assert bot.press(nora, "Take the seat of \u2068Bruno").startswith("You have the seat.")
    assert "You play on in The Garden, in the seat of Bruno." in said(bot, nora)
    assert "still open" not in said(bot, nora)


def test_nobody_takes_a_seat_who_sat_in_another(bot: Flow) -> None:
    """Bruno knows what only the second seat may know, so the first is not for him; his own is."""
    eve = stranger(bot)
    match = begun(bot, eve)
    asked(bot, eve, "Bruno")
    bot.press(eve, "A house player")
    asked(bot, eve, "Ada")
    bot.press(eve, "Another person")
    bot.wait(30)
    assert "know what only that seat may know" in bot.press(bot.bruno, "Take the seat of \u2068Ada")
    assert bot.match().player(bot.bruno) is None
    asked(bot, eve, "Strix")
    bot.press(eve, "Another person")
    bot.wait(30)
    assert bot.press(bot.bruno, "Take the seat of \u2068Strix").startswith("You have the seat.")
    assert bot.match().player(bot.bruno) == 1
    assert bot.match().number == match.number


def test_a_player_who_hosts_needs_consent(bot: Flow) -> None:
    match = begun(bot)
    asked(bot, bot.ada, "Bruno")
    assert bot.press(bot.ada, "Another person").startswith("Asked.")
    assert said(bot).endswith("I have asked Bruno. The seat stays theirs until they agree.")
    assert "Bruno, somebody else shall take your seat in The Garden." in said(bot, bot.bruno)
    message, yes = bot.button("Yes, I leave", bot.bruno)
    question = last_of_bot(bot, bot.group)
    assert bot.press_data(bot.ada, bot.group, question, yes) == "Only Bruno can answer that."
    assert bot.match().free == ()
    assert bot.press(bot.bruno, "No, I stay", bot.bruno) == "Done."
    assert "Yes, I leave" not in bot.labels(bot.bruno)
    assert bot.match().leaving == {}
    assert bot.press_data(bot.bruno, bot.bruno, message, yes) == "Nobody is asking that any more."
    asked(bot, bot.ada, "Bruno")
    bot.press(bot.ada, "A house player")
    assert bot.press(bot.bruno, "Yes, I leave", bot.bruno) == "Done."
    assert bot.match().users == (bot.ada,)
    assert "Bruno has agreed to leave. Strix (house player) plays on in that seat." in said(bot, bot.bruno)
    bot.wait(60)
    assert "Bruno stays in the match." in said(bot)
    assert "Bruno has agreed to leave. Strix (house player) plays on in that seat." in said(bot)
    assert bot.match().number == match.number


def test_a_forged_consent_that_nobody_asked_for_gives_no_seat_away(bot: Flow) -> None:
    match = begun(bot)
    board = bot.world.history(bot.group)[-1]["message_id"]
    forged = f"{match.id}:agree:1.{bot.bruno}.house.yes"
    assert bot.press_data(bot.bruno, bot.group, board, forged) == "Nobody is asking that any more."
    assert bot.match() == match


def test_who_has_missed_a_phase_can_be_replaced_without_consent(bot: Flow) -> None:
    match = begun(bot)
    play(bot, match.id, lambda match, player: Reveal(None) if player == 0 else None, until="draft")
    asked(bot, bot.ada, "Bruno")
    assert bot.press(bot.ada, "A house player") == "Done."
    assert bot.match().users == (bot.ada,)


def test_to_name_no_bird_is_no_phase_missed(bot: Flow) -> None:
    match = begun(bot)
    play(bot, match.id, quiet, until="draft")
    asked(bot, bot.ada, "Bruno")
    assert bot.press(bot.ada, "A house player").startswith("Asked.")
    assert bot.match().users == match.users


def test_somebody_is_left_to_play(bot: Flow) -> None:
    eve = stranger(bot)
    begun(bot, eve)
    asked(bot, eve, "Bruno")
    bot.press(eve, "A house player")
    asked(bot, eve, "Ada")
    assert bot.press(eve, "A house player") == "A match needs at least one person."
    assert bot.match().users == (bot.ada,)


def test_an_offer_is_taken_back(bot: Flow) -> None:
    eve = stranger(bot)
    begun(bot, eve)
    asked(bot, eve, "Bruno")
    bot.press(eve, "Another person")
    bot.wait(30)
    message, data = bot.button("Take the seat", bot.group)
    asked(bot, eve, "Bruno")
    assert bot.press(eve, "Nobody: ") == "Done."
    assert bot.match().free == ()
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    assert bot.press_data(nora, bot.group, message, data) == "That seat is no longer free to take."


def test_whom_the_bot_cannot_write_to_comes_by_the_private_chat(bot: Flow) -> None:
    eve = stranger(bot)
    match = begun(bot, eve)
    asked(bot, eve, "Bruno")
    bot.press(eve, "Another person")
    bot.wait(30)
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    assert bot.press(nora, "Take the seat").startswith("https://t.me/")
    assert bot.match().player(nora) is None
    bot.world.people.start(nora, f"join-{match.id}")
    bot.deliver()
    assert bot.match().player(nora) == 1
    bot.wait(60)
    assert "You play on in The Garden" in said(bot, nora)
    assert "You have a seat in the match" not in said(bot, nora), "it has long begun"
    assert not any("Take the seat" in label for label in bot.labels(bot.group))
    bot.world.people.start(nora, f"join-{match.id}")
    bot.deliver()
    assert "no longer open" not in said(bot, nora)
    assert find(bot, nora, bot.match(), "s?-") is not None


def test_whoever_cannot_be_written_to_is_asked_in_the_group(bot: Flow) -> None:
    match = begun(bot)
    make(bot, match, bot.bruno, Reveal(None))
    bot.world.people.block(bot.bruno)
    make(bot, match, bot.ada, Reveal(None))
    bot.wait(60)
    asked(bot, bot.ada, "Bruno")
    bot.press(bot.ada, "A house player")
    assert "Bruno, a house player shall take your seat in The Garden." in said(bot)
    assert bot.press(bot.bruno, "Yes, I leave") == "Done."
    assert bot.match().users == (bot.ada,)


def test_somebody_without_a_panel_is_told_that_their_seat_is_gone(bot: Flow) -> None:
    """In a draft nobody has one."""
    eve = stranger(bot)
    match = begun(bot, eve)
    play(bot, match.id, quiet, until="draft")
    bot.wait(20)
    asked(bot, eve, "Bruno")
    bot.press(eve, "A house player")
    bot.wait(60)
    assert said(bot, bot.bruno).count("Your seat in The Garden has been given to Strix (house player).") == 1
    asked(bot, eve, "Ada")
    bot.press(eve, "Another person")
    bot.wait(20)
    nora = bot.world.people.add("Nora")
    bot.world.people.start(nora)
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    bot.press(nora, "Take the seat")
    bot.wait(60)
    assert said(bot, bot.ada).count("Your seat in The Garden has been given to Nora.") == 1
    assert said(bot, bot.bruno).count("Your seat in The Garden has been given to") == 1


def test_whoever_has_left_the_group_leaves_no_hole_in_a_match_in_play(
    bot: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Telegram says that they are out of the group just as another press of theirs has given them the seat."""
    eve = stranger(bot)
    match = begun(bot, eve)
    asked(bot, eve, "Bruno")
    bot.press(eve, "Another person")
    bot.wait(30)
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    assert bot.press(nora, "Take the seat").startswith("https://t.me/")
    bot.world.groups.set_status(BOT_ID, bot.group, "administrator")
    bot.world.groups.set_status(nora, bot.group, "left")
    ask = bot.telegram.member

    def member(chat: int, user: int) -> str:
        if user == nora:
            take_seat(bot.ports, match.id, Who(nora, "Nora"), 1)
        return ask(chat, user)

    monkeypatch.setattr(bot.telegram, "member", member)
    bot.world.people.start(nora)
    bot.deliver()
    assert bot.match().users == (bot.ada, nora)


def test_rights_are_asked_when_a_button_is_pressed(bot: Flow) -> None:
    eve = stranger(bot)
    match = begun(bot, eve)
    bot.say(bot.bruno, "/replace")
    assert "(the host) or a group administrator" in bot.texts(bot.group)[-1]
    asked(bot, eve, "Bruno")
    message, data = bot.button("A house player", bot.group)
    assert "Only Eve (the host)" in bot.press_data(bot.bruno, bot.group, message, data)
    assert bot.match().seats == match.seats
    bot.world.groups.set_status(bot.bruno, bot.group, "administrator")
    assert bot.press_data(bot.bruno, bot.group, message, data) == "Done.", "who plays may always give up their own seat"


def test_in_practice_nobody_else_is_there(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    bot.say(bot.ada, "/replace", bot.ada)
    assert "This is your practice" in bot.texts(bot.ada)[-1]


def test_no_card_on_purpose_is_no_round_missed_and_silence_is(bot: Flow) -> None:
    people = company(bot)
    match = begin_dog(bot, people)
    first = play(bot, match.id, ready, until="round1")
    put(bot, people[0], f"{first.state.hands[0][0]}cr", ready=True)
    play(bot, match.id, lambda match, player: None if player == CLEO else ready(match, player), until="round2")
    asked(bot, people[0], "Bruno")
    assert bot.press(people[0], "A house player").startswith("Asked.")
    asked(bot, people[0], "Cleo")
    assert bot.press(people[0], "A house player") == "Done."
    after = bot.load(match.id)
    assert [player for player, who in enumerate(after.seats) if who is not None and who.user is None] == [CLEO]
    assert after.record is not None
    assert after.record.steps[1][BRUNO] == "-"


def test_in_a_death_match_only_the_two_can_be_replaced(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    challenge(bot, people[GINA], DORA)
    bot.say(people[0], "/pause")
    bot.wait(60)
    bot.say(people[0], "/replace")
    assert bot.labels(bot.group)[:2] == ["\u2068Dora\u2069", "\u2068Gina\u2069"]
    question = bot.world.history(bot.group)[-1]["message_id"]
    forged = f"{match.id}:replace:{EMIL}.{people[EMIL]}.house"
    assert "Things have changed" in bot.press_data(people[0], bot.group, question, forged)
    bot.press(people[0], "\u2068Dora")
    assert bot.press(people[0], "Another person") == "Done.", "Ada does not play in it"
    bot.wait(30)
    assert bot.press(people[CLEO], "Take the seat") == "You have a seat already."
    nora = stranger(bot)
    assert bot.press(nora, "Take the seat").startswith("You have the seat.")
    bot.wait(10)
    assert find(bot, nora, bot.load(match.id), "s?-") is not None
    assert "Nobody won" not in said(bot, nora)


@pytest.mark.parametrize("forged", ["", "1", "9.h", "x.1.house", "-1.h.house", "1.h.house", "1.h.nobody", "1..house"])
def test_what_is_forged_changes_nothing(bot: Flow, forged: str) -> None:
    match = begun(bot)
    board = bot.world.history(bot.group)[-1]["message_id"]
    for act in ("replace", "agree", "take"):
        assert bot.press_data(bot.ada, bot.group, board, f"{match.id}:{act}:{forged}")
    assert bot.match() == match


def replaced(around: Around) -> tuple[Frail, int, int]:
    """A match in which Eve has taken Bruno's seat, everything told; how many effects came before; and Eve."""
    frail = Frail(around=around)
    eve = stranger(frail)
    frail.say(frail.ada, "/gravity")
    frail.push_label(frail.ada, "Join")
    frail.push_label(frail.bruno, "Join")
    frail.push_label(frail.ada, "Relaxed")
    frail.push_label(frail.ada, "Start")
    frail.wait(60)
    before = len(around.effects)
    frail.say(frail.ada, "/replace")
    frail.wait(20)
    frail.push_label(frail.ada, "\u2068Bruno")
    frail.push_label(frail.ada, "Another person")
    frail.push_label(frail.bruno, "Yes, I leave", frail.bruno)
    frail.wait(20)
    frail.push_label(eve, "Take the seat")
    frail.wait(60)
    return frail, before, eve


def test_the_process_may_die_at_any_effect_of_it() -> None:
    clean, before, _ = replaced(Around())
    effects = len(clean.around.effects)
    assert effects - before >= 15
    clean.close()
    for at in range(before + 2, effects + 1):
        frail, _, eve = replaced(Kill(at))
        match = frail.match()
        assert (match.player(eve), match.player(frail.bruno)) == (1, None), at
        assert "Eve has taken the seat of Bruno" in said(frail)
        assert "You play on in The Garden" in said(frail, eve)
        assert "has been given to Eve" in said(frail, frail.bruno), at
        assert find(frail, eve, match, "s?-") is not None
        item = frail.store.load(match.id)
        assert item is not None
        assert item.told == item.news
        frail.close()
