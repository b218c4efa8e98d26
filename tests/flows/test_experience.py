"""What docs/features.md promises and no test about something else shows by the way."""

from __future__ import annotations

import pytest

from engine.game import Player
from engine.gravity.moves import Pick
from handler.match import PACES, Match, Pace
from tests.flows.house import Flow
from tests.flows.players import play, quiet
from tests.flows.seven import PACES as LABELS
from tests.flows.seven import begin, company, in_round_one, ready

REMINDER = "is still open until"


def test_start_offers_practice_rules_and_matches(bot: Flow) -> None:
    bot.say(bot.ada, "/start", bot.ada)
    practice = ["Practise now: Gravity Pandemic", "Practise now: Dog's Judgement"]
    assert bot.labels(bot.ada)[:4] == [*practice, "Rules", "My matches"]


@pytest.mark.parametrize(
    ("game", "own"),
    [
        ("Gravity Pandemic", {"Swap the two seats"}),
        ("Dog's Judgement", {"Fill up with house players", "Without a Death Match"}),
    ],
)
def test_new_asks_which_game_and_the_card_shows_all_that_can_be_set(bot: Flow, game: str, own: set[str]) -> None:
    bot.say(bot.ada, "/new")
    assert bot.texts(bot.group)[-1] == "Which game?"
    bot.press(bot.ada, game)
    bot.press(bot.ada, "Join")
    card = bot.texts(bot.group)[-1].replace("\u2068", "").replace("\u2069", "")
    assert card.startswith(game)
    for said in ("Host: Ada", ": Ada\n", "Pace: live", "closes by itself"):
        assert said in card
    if game == "Gravity Pandemic":
        assert "(EC): Ada" in card
        assert "(DMO): free seat" in card
    shared = {"Join", "Leave", "Add a house player", "✓ Live", "Relaxed", "Letters", "✕ Ada", "Rules"}
    shown = bot.world.history(bot.group)[-1]["reply_markup"]["inline_keyboard"]
    labels = {button["text"].replace("\u2068", "").replace("\u2069", "") for row in shown for button in row}
    assert labels == shared | own | {"Close the lobby"}


@pytest.mark.parametrize("pace", LABELS)
def test_pace_scales_every_limit(bot: Flow, pace: Pace) -> None:
    """Of Gravity Pandemic's four kinds of phase."""
    bot.lobby()
    if pace != "live":
        bot.press(bot.ada, LABELS[pace])
    bot.press(bot.ada, "Start")
    id = bot.match().id
    for phase, seconds in (("reveals", 60), ("draft", 300), ("actions", 120), ("guesses", 60)):
        match = play(bot, id, quiet, until=phase)
        assert match.deadline is not None
        assert match.deadline - match.opened == seconds * PACES[pace]


@pytest.mark.parametrize("pace", LABELS)
def test_a_round_of_ten_minutes_is_a_day_of_letters(bot: Flow, pace: Pace) -> None:
    table = play(bot, begin(bot, (bot.ada, bot.bruno), pace=pace).id, ready, until="round1")
    assert table.deadline is not None
    assert table.deadline - table.opened == 600 * PACES[pace]
    assert (pace == "letters") == (table.deadline - table.opened == 24 * 3600)


def test_a_house_player_is_marked_wherever_it_is_named(bot: Flow) -> None:
    bot.say(bot.ada, "/gravity")
    bot.press(bot.ada, "Join")
    bot.press(bot.ada, "Add a house player")
    bot.press(bot.ada, "Start")
    match = bot.match()
    house = match.seats[1]
    assert house is not None
    assert house.user is None
    bare = house.name.removesuffix(" (house player)")
    play(bot, match.id, quiet)
    bot.wait(120)
    said = "\n".join((*bot.texts(bot.group), *bot.texts(bot.ada), *bot.labels(bot.group), *bot.labels(bot.ada)))
    assert said.count(bare) > 20
    assert said.count(bare) == said.count(f"{bare} (house player)")


def test_the_commitment_comes_with_a_sentence_why_it_matters(bot: Flow) -> None:
    bot.begin()
    [begun] = [text for text in bot.texts(bot.group) if "The match begins." in text]
    assert "This is the seal:\n" in begun
    assert "can check that nobody, the host of this bot included, changed anything on the way" in begun


def test_a_panel_is_one_message_a_phase(bot: Flow) -> None:
    match = in_round_one(bot, company(bot))
    before = len(bot.world.history(bot.ada))
    for label in ("5", "Remove One", "Median Meridian", "Play it, and I am ready"):
        bot.press(bot.ada, label, bot.ada)
    bot.press(bot.ada, "Not ready after all", bot.ada)
    assert bot.load(match.id).number == match.number
    assert len(bot.world.history(bot.ada)) == before


def test_a_reminder_comes_once_with_a_quarter_left_and_never_in_a_minute(bot: Flow) -> None:
    """A minute for a reveal and for a guess, two for a night."""

    def reminded() -> list[int]:
        return [sum(REMINDER in text for text in bot.texts(user)) for user in (bot.ada, bot.bruno)]

    match = bot.begin()
    bot.wait(60)
    assert bot.load(match.id).phase != match.phase
    assert reminded() == [0, 0], "of the reveals"
    night = play(bot, match.id, _picks, until="actions")
    assert night.deadline is not None
    bot.wait(night.deadline - bot.clock.time - 31)
    assert reminded() == [0, 0]
    bot.wait(2)
    assert reminded() == [1, 1]
    bot.wait(29)
    assert bot.load(match.id).view(None).board.stage == "guesses"
    bot.wait(59)
    assert bot.load(match.id).view(None).board.stage == "guesses"
    assert reminded() == [1, 1], "of the guesses"


def _picks(match: Match, player: Player) -> Pick | None:
    move = quiet(match, player)
    return move if isinstance(move, Pick) else None
