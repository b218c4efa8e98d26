"""Whole matches and an episode on AWS: Lambda's events in, calls to the Bot API out, the record sound at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.dog.facts import NoDeathMatch
from tests.aws.cloud import Weather
from tests.aws.house import AwsFlow, house
from tests.flows.players import ended, finder, play
from tests.flows.seven import DORA, GINA, SCRIPT, begin, challenge, company, finds, judged, lost, said, scripted, silent

ROUGH = Weather(schedules_lost=0.3, messages_lost=0.3, twice=0.3)
"""Timers that come late, twice, in any order, or not at all."""


@pytest.fixture
def bot() -> Iterator[AwsFlow]:
    """A bot in rough weather, whose processes do not last."""
    with house(weather=ROUGH) as made:
        made.lifetime = 7
        yield made


def settled(bot: AwsFlow, id: str) -> dict[str, Any]:
    """The record of a match that is over: sound against all that was posted, everything told, nothing left behind."""
    document = ended(bot, id, bot.group)
    assert bot.starts > 10
    assert (bot.again, bot.cloud.dead, bot.matches()) == (0, [], [])
    return document


def test_gravity_pandemic(bot: AwsFlow) -> None:
    over = play(bot, bot.begin().id, finder(1))
    assert over.state.board.winner == 1
    assert [len(round_["nights"]) for round_ in settled(bot, over.id)["rounds"]] == [1, 1, 1, 1]
    assert "wins the duel" in "".join(bot.texts(bot.group))


def test_gravity_pandemic_by_timers_alone(bot: AwsFlow) -> None:
    """Nobody does anything: each phase closes at its deadline, whatever is lost of what should bring that up."""
    over = play(bot, bot.begin().id, lambda match, player: None)
    assert over.number == 4 * (1 + 4 * (9 + 1 + 1))
    settled(bot, over.id)
    assert "so the bot picked" in "".join(bot.texts(bot.group))
    assert {seen.what for seen in bot.cloud.seen} == {"schedule lost", "message lost", "came"}


def test_dogs_judgement_by_timers_alone(bot: AwsFlow) -> None:
    over = play(bot, begin(bot, company(bot)).id, silent)
    assert over.state.board.end == NoDeathMatch("no_candidate")
    assert settled(bot, over.id)["death"] is None


def test_an_episode_of_seven_people(bot: AwsFlow) -> None:
    people = company(bot)
    match = judged(bot, people)
    assert challenge(bot, people[GINA], DORA) == "Your challenge stands."
    over = play(bot, match.id, scripted(SCRIPT, death=finds(GINA)))
    assert over.state.pair == (GINA, DORA)
    document = settled(bot, match.id)
    assert (document["opponent"], lost(document)) == ("chosen", "p4")
    assert document["main"]["rounds"][1]["plays"].keys() == {"p4"}
    assert "Dora is eliminated. The episode is over." in said(bot)
