"""Both players press in the same instant: nothing is lost, the phase closes once, and it is announced once."""

from __future__ import annotations

from engine.gravity.birds import Bird
from handler.ports import MatchStore
from tests.flows.house import flow
from tests.flows.instants import at_once, pressed
from tests.flows.players import find, play, quiet, seat_of

INSTANTS = 80


def test_eighty_instants(store: MatchStore) -> None:
    """Two wrong guesses, confirmed in the same instant, close a guessing period; another follows (rule 19)."""
    with flow(store) as bot:
        id = bot.begin().id
        match = play(bot, id, quiet, until="guesses")
        bot.wait(60 - 1)
        panels = {}
        for instant in range(INSTANTS):
            match = bot.load(id)
            wrong = 1 + seat_of(match, Bird.HAWK) % 11
            for user in match.users:
                found = find(bot, user, match, f"m{wrong}")
                assert found is not None, "each has a panel"
                panels[user] = found[0]
            data = f"{id}:{match.number}:fg{wrong}h"
            at_once(bot, [press for user in match.users for press in pressed(bot, user, panels[user], data)])
            closed = bot.load(id)
            assert closed.number == match.number + 1
            assert closed.record is not None
            assert dict(closed.record.steps[-1]) == {0: f"g{wrong}h", 1: f"g{wrong}h"}
            assert closed.state.board.scores == (-4 * (instant + 1), -4 * (instant + 1))
        bot.wait(900)
        said = "".join(bot.texts(bot.group))
        assert said.count("is wrong.") == 2 * INSTANTS
        assert said.count("One more guessing period") == INSTANTS
        for user in match.users:
            assert "".join(bot.texts(user)).count("You were wrong") == INSTANTS
        item = bot.store.load(id)
        assert item is not None
        assert item.told == item.news


def test_the_same_press_many_times_at_once_is_one_press(store: MatchStore) -> None:
    """A nervous thumb, and Telegram bringing an update twice: one pick, told once."""
    with flow(store) as bot:
        match = play(bot, bot.begin().id, quiet, until="draft")
        bot.wait(30)
        found = find(bot, bot.group, match, "sh")
        assert found is not None
        for _ in range(4):
            bot.world.people.press(bot.bruno, bot.group, *found)
        updates = bot.world.pending()
        at_once(bot, [*updates, *updates])
        after = bot.load(match.id)
        assert after.number == match.number + 1
        assert after.state.board.picks == ((1, Bird.HAWK, "player"),)
        bot.wait(60)
        assert "".join(bot.texts(bot.group)).count("1. \u2068Bruno\u2069: Hawk") == 1


def test_everybody_joins_at_once(store: MatchStore) -> None:
    """Two seats and six people: two sit, each has been answered, and the card names those two."""
    with flow(store) as bot:
        people = [bot.ada, bot.bruno, *(bot.world.people.add(name) for name in ("Cleo", "Dora", "Emil", "Fritz"))]
        for user in people[2:]:
            bot.world.groups.join(user, bot.group)
            bot.world.people.start(user)
        bot.deliver()
        bot.say(bot.ada, "/gravity")
        card, join = bot.button("Join", bot.group)
        for user in people:
            bot.world.people.press(user, bot.group, card, join)
        at_once(bot, bot.world.pending())
        bot.wait(60)
        match = bot.match()
        assert len(set(match.users)) == 2
        shown = bot.world.message(bot.group, card)["text"]
        assert [f"\u2068{who.name}\u2069" in shown for who in match.seats if who is not None] == [True, True]
        assert all(bot.store.of_person(user) == (match.id,) for user in match.users)


def test_one_lobby_opens_of_many_asked_for_at_once(store: MatchStore) -> None:
    with flow(store) as bot:
        for user in (bot.ada, bot.bruno, bot.ada, bot.bruno):
            bot.world.people.say(user, bot.group, "/gravity")
        at_once(bot, bot.world.pending())
        assert len(bot.matches()) == 1
        assert sum("A duel of deduction" in text for text in bot.texts(bot.group)) == 1
