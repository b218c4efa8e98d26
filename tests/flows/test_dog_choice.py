"""The candidate's choice of an opponent, and the host who wants no Death Match (rule 16)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dog.facts import NoDeathMatch
from engine.episode.rules import Death
from tests.flows.house import Flow
from tests.flows.players import ended, find, play
from tests.flows.seven import (
    ADA,
    BRUNO,
    CLEO,
    DORA,
    EMIL,
    FRITZ,
    GINA,
    challenge,
    company,
    finds,
    judged,
    lost,
    said,
    tap,
)

CHALLENGE_SECONDS = 300


@pytest.mark.parametrize(("pace", "factor"), [("live", 1), ("letters", 144)])
def test_a_silent_candidate_leaves_it_to_the_lot(bot: Flow, pace: Any, factor: int) -> None:
    match = judged(bot, company(bot), pace=pace)
    assert match.deadline == bot.clock.now() + CHALLENGE_SECONDS * factor
    bot.wait(CHALLENGE_SECONDS * factor - 1)
    assert bot.load(match.id).number == match.number
    bot.wait(1)
    met = bot.load(match.id)
    assert isinstance(met.state, Death)
    assert met.state.pair[0] == GINA
    assert met.state.pair[1] in (BRUNO, DORA, EMIL, FRITZ)
    bot.wait(60)
    assert "The lot has named the opponent of Gina" in said(bot)
    play(bot, match.id, finds(GINA))
    assert ended(bot, match.id, bot.group)["opponent"] == "lot"


def test_half_a_choice_is_none(bot: Flow) -> None:
    """The page that asks for the confirmation seals nothing."""
    people = company(bot)
    match = judged(bot, people)
    assert tap(bot, people[GINA], f"mvs{EMIL}") == ""
    assert bot.load(match.id).box == {}
    bot.wait(CHALLENGE_SECONDS)
    play(bot, match.id, finds(GINA))
    assert ended(bot, match.id, bot.group)["opponent"] == "lot"


def test_only_the_candidate_chooses_and_only_somebody_without_a_token(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    bot.wait(60)
    item = bot.store.load(match.id)
    for user in people[:GINA]:
        page = bot.world.history(user)[-1]["message_id"]
        toast = bot.press_data(user, user, page, f"{match.id}:{match.number}:fvs{EMIL}")
        assert toast == "Only the Elimination Candidate chooses (ruling 16)."
    gina = people[GINA]
    panel, _ = find(bot, gina, match, "mvs-") or (0, "")
    for tail in (f"fvs{ADA}", f"fvs{CLEO}", f"fvs{GINA}"):
        toast = bot.press_data(gina, gina, panel, f"{match.id}:{match.number}:{tail}")
        assert toast == "Choose another player without a Token of Life (ruling 16)."
    assert bot.press_data(gina, gina, panel, f"{match.id}:{match.number}:fend") == "That button does not work any more."
    assert bot.store.load(match.id) == item


def decline_button(bot: Flow) -> tuple[int, str]:
    return bot.button("No Death Match", bot.group)


def test_a_host_who_plays_declines_the_death_match(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    bot.wait(60)
    board, ask = decline_button(bot)
    assert (
        bot.press_data(bot.bruno, bot.group, board, ask) == "Only Ada (the host) or a group administrator can do that."
    )
    assert bot.press_data(bot.ada, bot.group, board, ask) == ""
    question, yes = bot.button("Yes, end it here", bot.group)
    assert "Only Ada" in bot.press_data(people[GINA], bot.group, question, yes)
    assert bot.press(bot.ada, "No, play on") == "The Death Match stays on."
    assert bot.load(match.id).number == match.number
    assert "reply_markup" not in bot.world.message(bot.group, question)
    bot.press_data(bot.ada, bot.group, board, ask)
    question, yes = bot.button("Yes, end it here", bot.group)
    assert bot.press_data(bot.ada, bot.group, question, yes) == "Done."
    over = bot.load(match.id)
    assert (over.stage, over.state.board.end) == ("over", NoDeathMatch("declined"))
    document = ended(bot, match.id, bot.group)
    assert (document["opponent"], document["death"], lost(document)) == (None, None, None)
    assert "The host has declined it" in said(bot)
    assert "No Death Match" not in "".join(bot.labels(bot.group))
    [asked] = [text for text in bot.texts(people[GINA]) if "The challenge" in text]
    assert asked.endswith("The host has declined the Death Match."), "Gina's panel says why she had no choice after all"


def test_a_host_who_looks_on_declines_too(bot: Flow) -> None:
    people = company(bot)
    nora = bot.world.people.add("Nora")
    bot.world.groups.join(nora, bot.group)
    bot.deliver()
    match = judged(bot, people, host=nora)
    bot.wait(60)
    bot.press(nora, "No Death Match")
    assert bot.press(nora, "Yes, end it here") == "Done."
    assert bot.load(match.id).state.board.end == NoDeathMatch("declined")
    ended(bot, match.id, bot.group)


def test_it_is_too_late_to_decline_once_the_choice_is_made(bot: Flow) -> None:
    people = company(bot)
    match = judged(bot, people)
    bot.wait(60)
    board, ask = decline_button(bot)
    bot.press_data(bot.ada, bot.group, board, ask)
    question, yes = bot.button("Yes, end it here", bot.group)
    challenge(bot, people[GINA], EMIL)
    assert bot.press_data(bot.ada, bot.group, question, yes) == "This phase is over."
    bot.wait(30)
    assert bot.press_data(bot.ada, bot.group, board, ask) == "This phase is over."
    assert isinstance(bot.load(match.id).state, Death)
    play(bot, match.id, finds(GINA))
    for message, data in ((board, ask), (question, yes)):
        assert bot.press_data(bot.ada, bot.group, message, data) == "This phase is over."
    assert ended(bot, match.id, bot.group)["opponent"] == "chosen"
