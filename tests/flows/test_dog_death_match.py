"""The Death Match of two of seven: who looks on, who picks for whom, how it ends before its end."""

from __future__ import annotations

from collections.abc import Sequence

from engine.gravity.birds import Bird
from engine.gravity.moves import Pick, Reveal
from engine.gravity.notation import write
from handler.match import Match
from tests.flows.house import Flow
from tests.flows.players import ended, find, play
from tests.flows.seven import (
    ADA,
    CLEO,
    DORA,
    EMIL,
    GINA,
    NAMES,
    challenge,
    company,
    finds,
    judged,
    lost,
    ready,
    said,
    silent,
)


def met(bot: Flow, people: Sequence[int], *, host: int | None = None) -> Match:
    """Gina's Death Match against Dora has begun, and everybody has been told."""
    match = judged(bot, people, host=host)
    challenge(bot, people[GINA], DORA)
    bot.wait(30)
    return bot.load(match.id)


def test_the_others_look_on(bot: Flow) -> None:
    """The two have panels, the others have none; what they press all the same is refused, and changes nothing."""
    people = company(bot)
    match = met(bot, people)
    for player, user in enumerate(people):
        assert (find(bot, user, match, "s?-") is not None) == (player in (GINA, DORA))
    onlookers = [people[player] for player in (ADA, CLEO, EMIL)]
    item = bot.store.load(match.id)
    panel = {user: bot.world.history(user)[-1]["message_id"] for user in onlookers}
    for user in onlookers:
        sealing = f"{match.id}:{match.number}:s{write(Reveal(Bird.OWL))}"
        assert bot.press_data(user, user, panel[user], sealing) == "You are not a player of this match. Enjoy the show."
        for tail in ("l", "u", "fresign"):
            assert bot.press_data(user, user, panel[user], f"{match.id}:{match.number}:{tail}")
        bot.say(user, "/resign", user)
        assert bot.texts(user)[-1] == "You are not in a match here."
        for act in ("resign:yes", "quit:yes"):
            assert bot.press_data(user, user, panel[user], f"{match.id}:{act}")
    assert bot.store.load(match.id) == item
    drafting = play(bot, match.id, ready, until="draft")
    bot.wait(60)
    found = find(bot, bot.group, drafting, "s" + write(Pick(Bird.RAVEN)))
    assert found is not None
    item = bot.store.load(match.id)
    for user in onlookers:
        assert bot.press_data(user, bot.group, *found) == "You are not a player of this match. Enjoy the show."
    assert bot.store.load(match.id) == item
    bot.say(people[CLEO], "/matches", people[CLEO])
    bot.press(people[CLEO], "Dog's Judgement: ", people[CLEO])
    assert "There is nothing for you to choose" in bot.texts(people[CLEO])[-1]


def test_the_host_who_looks_on_picks_for_an_idle_drafter(bot: Flow) -> None:
    """Rule 6 of Gravity Pandemic; in an episode it is the record of the Death Match that says so."""
    people = company(bot)
    match = met(bot, people)
    play(bot, match.id, silent, until="draft")
    bot.wait(61)
    drafting = bot.load(match.id)
    assert drafting.phase is not None
    [drafter] = drafting.phase.active
    bot.say(people[CLEO], "/pick")
    assert "(the host) or a group administrator" in bot.texts(bot.group)[-1]
    bot.say(bot.ada, "/pick")
    name = NAMES[drafter]
    assert bot.press(bot.ada, "Owl") == f"Picked for {name}."
    assert f"{name} was silent, so the host picked: Owl." in said(bot)
    play(bot, match.id, finds(GINA))
    document = ended(bot, match.id, bot.group)
    assert document["death"]["rounds"][0]["nights"][0]["drafts"][0] == [f"p{drafter + 1}", "owl", "host"]


def test_the_candidate_resigns_and_is_eliminated(bot: Flow) -> None:
    people = company(bot)
    match = met(bot, people)
    bot.say(people[GINA], "/resign")
    assert "Your opponent wins at once" in bot.texts(people[GINA])[-1]
    assert bot.press(people[GINA], "Yes, I resign", people[GINA]) == "You have resigned."
    over = bot.load(match.id)
    assert (over.stage, over.state.match.board.winner) == ("over", 1)
    document = ended(bot, match.id, bot.group)
    assert (document["death"]["resigned"], lost(document)) == ("p7", "p7")
    assert "Gina is eliminated. The episode is over." in said(bot)


def test_the_death_match_is_cancelled_by_a_host_who_looks_on(bot: Flow) -> None:
    """The judgement stands; the Death Match has no winner."""
    people = company(bot)
    match = met(bot, people)
    bot.wait(30)  # the group has room for two more answers
    bot.say(people[CLEO], "/cancel")
    assert bot.texts(bot.group)[-1] == "Only \u2068Ada\u2069 (the host) or a group administrator can do that."
    bot.say(bot.ada, "/cancel")
    asked = bot.texts(bot.group)[-1]
    assert asked.endswith("End this match for everybody? Nobody would win."), "nobody need agree"
    question, yes = bot.button("Yes, end it", bot.group)
    assert "Only" in bot.press_data(people[EMIL], bot.group, question, yes), "a looker-on has no say"
    assert bot.press_data(bot.ada, bot.group, question, yes) == "Done."
    assert bot.load(match.id).stage == "cancelled"
    document = ended(bot, match.id, bot.group)
    assert "cancelled" not in document["main"]
    assert document["death"]["cancelled"] is True
    assert lost(document) is None
    assert bot.matches() == []


def test_a_host_in_the_death_match_needs_the_other_alone(bot: Flow) -> None:
    people = company(bot)
    match = met(bot, people, host=people[GINA])
    bot.say(people[GINA], "/cancel")
    assert bot.texts(bot.group)[-1].endswith("\nStill asked: \u2068Dora\u2069, \u2068Gina\u2069")
    question, yes = bot.button("Yes, end it", bot.group)
    assert bot.press_data(people[GINA], bot.group, question, yes).startswith("Noted.")
    assert bot.load(match.id).stage == "playing"
    assert bot.press_data(people[DORA], bot.group, question, yes) == "Done."
    assert bot.load(match.id).stage == "cancelled"
    ended(bot, match.id, bot.group)
