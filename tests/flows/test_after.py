"""What comes after a match: results kept once and not before, tables, records again, being forgotten, rematches."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TypeVar

import pytest

from engine.gravity.birds import Bird
from handler.lobby import seat
from handler.match import NOBODY, Match, Person
from handler.ports import Lease, Result, StoreRefused, StoreUnavailable
from handler.results import read
from tests.flows.frail import Around, Effect, Frail, Kill
from tests.flows.house import Flow, flow
from tests.flows.players import buttons, finder, play, stranger
from tests.flows.seven import begin, company, finds, house_like, judged

T = TypeVar("T")

ISOLATES = str.maketrans("", "", "\u2068\u2069")


def resign(bot: Flow, user: int) -> None:
    """Somebody gives a duel up, so that it is over at once."""
    bot.say(user, "/resign", user)
    assert bot.press(user, "Yes, I resign", user) == "You have resigned."
    bot.wait(60)


def over(bot: Flow) -> Match:
    """A match of Ada against Bruno that Ada has won."""
    match = bot.begin()
    resign(bot, bot.bruno)
    return bot.load(match.id)


def last(bot: Flow, chat: int) -> str:
    """The newest text in a chat, without marks."""
    return bot.texts(chat)[-1].translate(ISOLATES)


def outcomes(bot: Flow, user: int) -> list[str]:
    """How somebody's finished matches went, the latest first."""
    return [read(result.body).outcome for result in bot.people.of(user)]


# --- results ------------------------------------------------------------------------------------------


def test_results_are_kept_when_the_match_is_over_and_not_before(bot: Flow) -> None:
    match = bot.begin()
    play(bot, match.id, finder(0), until="guesses")
    assert bot.people.of(bot.ada) == []
    played = play(bot, match.id, finder(0))
    assert played.stage == "over"
    bot.wait(60)
    [result] = bot.people.of(bot.ada)
    item = bot.store.load(match.id)
    assert item is not None
    assert (result.match, result.chat, result.ended_at) == (match.id, bot.group, item.ended_at)
    found = read(result.body)
    assert (found.outcome, found.right, found.wrong, found.ravens) == ("won", 4, 0, 4), "one in each of four rounds"
    assert outcomes(bot, bot.bruno) == ["lost"]


def test_a_match_that_was_cancelled_counts_for_nobody(bot: Flow) -> None:
    match = bot.begin()
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Yes, end it")
    bot.wait(60)
    assert bot.load(match.id).stage == "cancelled"
    assert bot.people.of(bot.ada) == []


class Deaf(Around):
    """The store of results does not answer, the first ``times`` times, or refuses."""

    def __init__(self, error: type[Exception], times: int) -> None:
        super().__init__()
        self.error = error
        self.times = times

    def carry_out(self, name: str, effect: Effect[T]) -> T:
        if name == "add" and self.times > 0:
            self.times -= 1
            raise self.error
        return effect()


def ending(around: Around) -> Frail:
    """A match that Bruno gives up, in a process that a test strikes from then on."""
    bot = Frail()
    bot.begin()
    bot.say(bot.bruno, "/resign", bot.bruno)
    bot.wait(60)
    bot.around = around
    bot.ports = bot.process()
    bot.serve()
    bot.world.people.press(bot.bruno, bot.bruno, *find_yes(bot))
    bot.deliver()
    bot.wait(300)
    return bot


def find_yes(bot: Flow) -> tuple[int, str]:
    """The button that gives the match up."""
    return next(found for found in buttons(bot, bot.bruno) if found[1].endswith(":resign:yes"))


def test_killed_at_any_effect_of_the_end_each_result_is_kept_once() -> None:
    clean = ending(Around())
    wanted, effects = dict(clean.people._results), len(clean.around.effects)
    clean.close()
    assert len(wanted) == 2
    assert "add" in clean.around.effects
    for at in range(1, effects + 1):
        bot = ending(Kill(at))
        kept: dict[tuple[int, str], Result] = bot.people._results
        assert [(key, each.body) for key, each in kept.items()] == [(key, each.body) for key, each in wanted.items()]
        [item] = [bot.store.load(match) for _, match in list(kept)[:1]]
        assert item is not None
        assert item.told == item.news
        bot.close()


def test_results_that_cannot_be_kept_hold_up_nothing_and_are_tried_again() -> None:
    bot = ending(Deaf(StoreUnavailable, 3))
    assert sum("document" in message for message in bot.world.history(bot.group)) == 1, "nothing is told twice"
    assert sum("wins" in text for text in bot.texts(bot.group)) == sum("wins" in text for text in clean_texts())
    assert outcomes(bot, bot.ada) == ["won"]
    bot.close()


def clean_texts() -> list[str]:
    """What stands in the group after such a match without a fault."""
    bot = ending(Around())
    texts = bot.texts(bot.group)
    bot.close()
    return texts


def test_results_that_the_store_refuses_are_given_up(caplog: pytest.LogCaptureFixture) -> None:
    bot = ending(Deaf(StoreRefused, 99))
    assert outcomes(bot, bot.ada) == []
    assert "the results are not kept" in caplog.text
    [id] = {each for each in (match_of(bot),) if each}
    item = bot.store.load(id)
    assert item is not None
    assert item.told == item.news, "and it is not tried for ever"
    bot.close()


def match_of(bot: Flow) -> str:
    """The match whose record stands in the group."""
    [name] = [message["document"]["file_name"] for message in bot.world.history(bot.group) if "document" in message]
    return str(name).removesuffix(".json").rpartition("-")[2]


# --- numbers ------------------------------------------------------------------------------------------


def test_numbers_are_told_in_private_and_the_table_in_the_group(bot: Flow) -> None:
    bot.say(bot.ada, "/stats")
    assert "finished no match yet" in last(bot, bot.ada)
    bot.say(bot.ada, "/top")
    assert "Nobody has finished a match" in last(bot, bot.group)
    over(bot)
    before = len(bot.texts(bot.group))
    bot.say(bot.ada, "/stats")
    assert len(bot.texts(bot.group)) == before + 1, "only the command"
    assert "Matches: 1, won: 1" in last(bot, bot.ada)
    bot.say(bot.bruno, "/stats", bot.bruno)
    assert "Matches: 1, won: 0" in last(bot, bot.bruno)
    bot.say(bot.ada, "/top")
    assert "1. Ada: 1 won of 1\n2. Bruno: 0 won of 1" in last(bot, bot.group)
    bot.say(bot.ada, "/top", bot.ada)
    assert "needs a group" in last(bot, bot.ada)


def test_each_group_has_its_own_table_and_it_moves_with_the_group(bot: Flow) -> None:
    over(bot)
    other = bot.world.groups.add("The Orchard", bot.ada)
    bot.world.groups.add_bot(other, bot.ada)
    bot.deliver()
    bot.say(bot.ada, "/top", other)
    assert "Nobody has finished a match" in last(bot, other)
    new = bot.world.groups.migrate(bot.group, bot.ada)
    bot.deliver()
    bot.say(bot.ada, "/top", new)
    assert "1. Ada: 1 won of 1" in last(bot, new)


def test_the_episode_counts_for_its_people() -> None:
    with flow(seed=bytes(32)) as bot:
        people = company(bot)
        match = judged(bot, people)
        challenge = play(bot, match.id, house_like, until="reveals")
        seeker = challenge.state.pair[0]
        played = play(bot, match.id, finds(seeker, Bird.RAVEN))
        assert played.stage == "over"
        bot.wait(120)
        found = {user: read(result.body) for user in people for result in bot.people.of(user)}
        assert len(found) == 7
        assert found[people[0]].life == 2
        assert found[people[0]].outcome == "won"
        assert found[people[seeker]].candidate
        assert (found[people[seeker]].outcome, found[people[seeker]].ravens) == ("spared", 4)
        assert [each.outcome for each in found.values()].count("lost") == 1
        assert sum(each.death for each in found.values()) == 2
        bot.say(people[seeker], "/stats", people[seeker])
        assert "Death Matches: 1, won: 1\nGuesses: 4 right, 0 wrong. Raven found: 4" in last(bot, people[seeker])


# --- records once more ------------------------------------------------------------------------------


def test_the_record_comes_again_for_who_played_and_nobody_else(bot: Flow) -> None:
    match = over(bot)
    eve = stranger(bot)
    bot.say(bot.ada, "/matches")
    assert "Gravity Pandemic in The Garden, won" in last(bot, bot.ada)
    bot.press(bot.ada, "Record 1", bot.ada)
    [again] = [message for message in bot.world.history(bot.ada) if "document" in message]
    [first] = [message for message in bot.world.history(bot.group) if "document" in message]
    assert bot.world.file(again["document"]["file_id"]) == bot.world.file(first["document"]["file_id"])
    assert "reply_markup" not in again, "a rematch is asked for where the match was played"
    bot.say(eve, "/matches", eve)
    note = bot.world.history(eve)[-1]["message_id"]
    for forged in (f"-:record:{match.id}", "-:record:", "-:record:aaaaaaaa", "-:record:not an id"):
        assert "no longer have" in bot.press_data(eve, eve, note, forged), "nobody else can tell that there is one"
    assert "does not work" in bot.press_data(bot.ada, bot.group, first["message_id"], f"-:record:{match.id}")


def test_the_record_of_a_match_that_goes_on_is_nobodys(bot: Flow) -> None:
    match = bot.begin()
    bot.say(bot.ada, "/matches", bot.ada)
    note = bot.world.history(bot.ada)[-1]["message_id"]
    assert "no longer have" in bot.press_data(bot.ada, bot.ada, note, f"-:record:{match.id}")
    assert not [message for message in bot.world.history(bot.ada) if "document" in message]
    assert "again" not in " ".join(data for _, data in buttons(bot, bot.group)), "nor is there a rematch yet"


# --- being forgotten --------------------------------------------------------------------------------


def test_whoever_is_forgotten_leaves_no_name_behind(bot: Flow) -> None:
    match = over(bot)
    posted = bot.texts(bot.group)
    bot.say(bot.ada, "/forget", bot.ada)
    assert "Shall I forget you?" in last(bot, bot.ada)
    question, yes = bot.button("Yes, forget me", bot.ada)
    bot.press_data(bot.ada, bot.ada, question, yes)
    assert last(bot, bot.ada).startswith("Done. I have forgotten you.")
    bot.press_data(bot.ada, bot.ada, question, yes)
    bot.wait(60)
    assert bot.people.of(bot.ada) == []
    left = bot.load(match.id)
    assert (left.host, left.host_name) == (NOBODY, "")
    assert [(who.user, who.name) for who in left.seats if who is not None] == [(NOBODY, ""), (bot.bruno, "Bruno")]
    item = bot.store.load(match.id)
    assert item is not None
    assert "Ada" not in item.body
    assert str(bot.ada) not in item.body.replace(f'"title":"{match.title}"', "")
    assert str(bot.bruno) in item.telling, "in whose chat which picture is"
    assert str(bot.ada) not in item.telling
    assert bot.texts(bot.group) == posted, "what was posted stays"
    assert outcomes(bot, bot.bruno) == ["lost"], "others keep theirs"
    bot.say(bot.bruno, "/matches", bot.bruno)
    bot.press(bot.bruno, "Record 1", bot.bruno)
    [again] = [message["document"]["file_id"] for message in bot.world.history(bot.bruno) if "document" in message]
    assert json.loads(bot.world.file(again) or b"")["names"] == {"p1": "someone without a name", "p2": "Bruno"}


def test_of_practice_nothing_is_left_that_leads_to_its_person(bot: Flow) -> None:
    bot.say(bot.ada, "/practise gravity", bot.ada)
    bot.press(bot.ada, "Start", bot.ada)
    [id] = bot.store.of_person(bot.ada)
    resign(bot, bot.ada)
    bot.say(bot.ada, "/forget", bot.ada)
    bot.press(bot.ada, "Yes, forget me", bot.ada)
    bot.wait(60)
    item = bot.store.load(id)
    assert item is not None
    assert item.told == item.news
    for kept in (item.body, item.telling):
        assert str(bot.ada) not in kept
        assert "Ada" not in kept


def test_while_the_end_is_being_told_forgetting_waits(bot: Flow) -> None:
    """The update comes again, and then nothing is in the way."""
    match = over(bot)
    item = bot.store.load(match.id)
    assert item is not None
    now = bot.clock.now()
    bot.store.take(item, Lease("somebody", now + 20), now)
    bot.say(bot.ada, "/forget", bot.ada)
    bot.world.people.press(bot.ada, bot.ada, *bot.button("Yes, forget me", bot.ada))
    [update] = bot.world.pending()
    assert bot.post(update) == 503
    assert outcomes(bot, bot.ada) == ["won"]
    bot.clock.time += 30
    bot.deliver()
    assert outcomes(bot, bot.ada) == []
    after = bot.store.load(match.id)
    assert after is not None
    assert str(bot.ada) not in after.telling


def test_to_be_forgotten_is_asked_for_in_private_and_can_be_left(bot: Flow) -> None:
    over(bot)
    bot.say(bot.ada, "/forget")
    assert bot.press(bot.ada, "No, keep it", bot.ada) == ""
    assert last(bot, bot.ada) == "Nothing has changed."
    assert outcomes(bot, bot.ada) == ["won"]
    [file] = [message["message_id"] for message in bot.world.history(bot.group) if "document" in message]
    assert "does not work" in bot.press_data(bot.ada, bot.group, file, "-:forget:yes")
    assert outcomes(bot, bot.ada) == ["won"]


def test_a_match_that_goes_on_keeps_whoever_is_forgotten(bot: Flow) -> None:
    match = bot.begin()
    bot.say(bot.ada, "/forget", bot.ada)
    bot.press(bot.ada, "Yes, forget me", bot.ada)
    assert bot.match() == match
    resign(bot, bot.bruno)
    assert outcomes(bot, bot.ada) == ["won"]


# --- rematches --------------------------------------------------------------------------------------


def seats(match: Match) -> list[int | None]:
    """Who sits where."""
    return [None if who is None else who.user for who in match.seats]


def rematch(bot: Flow, user: int) -> str:
    """Somebody presses the button under the record in the group; the toast."""
    return bot.press(user, "Rematch")


def test_each_taps_again_and_sits_on_the_other_side(bot: Flow) -> None:
    old = over(bot)
    assert rematch(bot, bot.bruno) == "You have a seat."
    new = bot.match()
    assert (new.follows, new.host, new.place, new.pace) == (old.id, bot.bruno, old.place, old.pace)
    assert seats(new) == [bot.bruno, None]
    bot.wait(60)
    [card] = [text.translate(ISOLATES) for text in bot.texts(bot.group) if "A rematch" in text]
    assert "kept for Ada" in card
    assert rematch(bot, bot.ada) == "You have a seat."
    assert seats(bot.match()) == [bot.bruno, bot.ada]
    assert rematch(bot, bot.ada) == "The lobby for the rematch is open.", "nothing more to do"
    assert bot.match().id == new.id
    bot.press(bot.bruno, "Start")
    assert bot.match().kept == (), "nobody stays in it who does not play"
    assert rematch(bot, bot.ada) == "The rematch is being played already."
    resign(bot, bot.ada)
    bot.world.people.press(bot.ada, bot.group, *bot.button("Rematch", bot.group))
    bot.deliver()
    assert seats(bot.match()) == [bot.ada, None], "and back again"


def test_a_button_repeated_or_old_does_no_harm(bot: Flow) -> None:
    over(bot)
    button = bot.button("Rematch", bot.group)
    rematch(bot, bot.ada)
    lobby = bot.match()
    again = bot.world.people.press(bot.ada, bot.group, *button)
    [update] = [each for each in bot.world.pending() if each["callback_query"]["id"] == again]
    for _ in range(3):
        assert bot.post(update) == 200
    bot.world.acknowledge(update["update_id"])
    assert bot.match() == lobby
    bot.say(bot.ada, "/cancel")
    bot.press(bot.ada, "Yes, close it")
    bot.say(bot.ada, "/gravity")
    other = bot.match()
    bot.wait(60)
    assert bot.press_data(bot.bruno, bot.group, *button) == "A lobby is open here already. The rematch has to wait."
    assert bot.match() == other
    bot.press(bot.ada, "Join")
    bot.press(bot.bruno, "Join")
    bot.press(bot.ada, "Start")
    assert bot.press_data(bot.bruno, bot.group, *button) == "A match is being played here. The rematch has to wait."


def test_a_seat_is_kept_as_long_as_another_is_free_and_nobody_is_locked_out(bot: Flow) -> None:
    people = company(bot, 3)
    over(bot)
    cleo = people[2]
    assert rematch(bot, cleo).startswith("This button is for those who played")
    assert bot.store.at(bot.load(match_of(bot)).place) is None
    rematch(bot, bot.bruno)
    bot.wait(60)
    assert bot.press(cleo, "Join") == "You have a seat.", "there is no other, and whoever comes first plays"
    assert seats(bot.match()) == [bot.bruno, cleo]
    assert rematch(bot, bot.ada).startswith("All seats are taken.")


def test_a_stranger_is_given_the_seat_that_is_kept_for_nobody(bot: Flow) -> None:
    people = company(bot, 3)
    over(bot)
    rematch(bot, bot.bruno)
    new = bot.match()
    open_ = replace(new, seats=(None, None), kept=(None, new.kept[1]), asked=())
    assert seats(seat(open_, Person(people[2], "Cleo"))) == [people[2], None]
    assert seats(seat(open_, Person(bot.ada, "Ada"))) == [None, bot.ada]
    assert seats(seat(replace(open_, kept=new.kept), Person(people[2], "Cleo"))) == [people[2], None]


def test_swapping_the_seats_swaps_who_they_are_kept_for(bot: Flow) -> None:
    over(bot)
    rematch(bot, bot.bruno)
    bot.press(bot.bruno, "Swap")
    rematch(bot, bot.ada)
    assert seats(bot.match()) == [bot.ada, bot.bruno]


def test_whoever_cannot_be_written_to_is_led_to_their_kept_seat(bot: Flow) -> None:
    over(bot)
    bot.world.people.block(bot.ada)
    bot.deliver()
    link = rematch(bot, bot.ada)
    assert f"start=join-{bot.match().id}" in link
    bot.world.people.start(bot.ada)
    bot.deliver()
    assert seats(bot.match()) == [None, bot.ada]


def test_elsewhere_the_button_is_not_there(bot: Flow) -> None:
    match = over(bot)
    other = bot.world.groups.add("The Orchard", bot.ada)
    bot.world.groups.add_bot(other, bot.ada)
    bot.deliver()
    note = bot.world.history(other)[-1]["message_id"]
    assert "no longer here" in bot.press_data(bot.ada, other, note, f"{match.id}:again:")
    assert not bot.store.in_chat(other)
    running = bot.begin()
    assert "does not work" in bot.press_data(
        bot.ada, bot.group, *bot.button("Rematch", bot.group)[:1], f"{running.id}:again:"
    )


@pytest.mark.parametrize("from_there", [False, True])
def test_a_rematch_follows_its_group(bot: Flow, from_there: bool) -> None:
    """The press comes from the group as it was, or from what it has become since the match ended."""
    over(bot)
    bot.world.people.press(bot.bruno, bot.group, *bot.button("Rematch", bot.group))
    [update] = bot.world.pending()
    bot.world.acknowledge(update["update_id"])
    new = bot.world.groups.migrate(bot.group, bot.ada)
    bot.deliver()
    if from_there:
        update["callback_query"]["message"]["chat"] = {"id": new, "type": "supergroup", "title": "The Garden"}
    assert bot.post(update) == 200
    bot.wait(60)
    [id] = bot.store.in_chat(new)
    assert seats(bot.load(id)) == [bot.bruno, None]
    assert any("A rematch" in text for text in bot.texts(new))


def test_a_cancelled_match_can_be_begun_again(bot: Flow) -> None:
    bot.begin()
    bot.say(bot.ada, "/cancel")
    for user in (bot.ada, bot.bruno):
        bot.press(user, "Yes, end it")
    bot.wait(60)
    rematch(bot, bot.ada)
    assert seats(bot.match()) == [None, bot.ada]


def test_after_an_episode_all_seven_are_asked_again(bot: Flow) -> None:
    people = company(bot, 2)
    begin(bot, people, pace="relaxed")
    bot.say(bot.ada, "/cancel")
    for user in people:
        bot.press(user, "Yes, end it")
    bot.wait(60)
    rematch(bot, bot.bruno)
    new = bot.match()
    assert (new.game, new.pace) == ("dog", "relaxed")
    assert seats(new)[:2] == [None, bot.bruno]
    assert [None if who is None else who.user for who in new.kept] == [bot.ada, bot.bruno, *[None] * 5]
    assert [who is not None and who.user is None for who in new.seats] == [False, False, *[True] * 5]
