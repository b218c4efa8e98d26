"""What Gravity Pandemic announces and whispers, and what a press is answered."""

from __future__ import annotations

import re

import pytest

from engine.gravity.birds import NAMES, Bird
from engine.gravity.facts import (
    Fact,
    GuessTold,
    Judged,
    MatchEnded,
    NightResolved,
    NightTold,
    PeriodClosed,
    Picked,
    Response,
    RevealTold,
    RoundBegan,
    RoundEnded,
)
from engine.gravity.moves import Actions, Guess, Move, Resign
from engine.gravity.refusals import CODES
from handler.views import VIEWS
from tests.handler.positions import BUILDING_BLOCKS, framed, positions, shown

SCREENS = VIEWS["gravity"]
ANN, BOB = "\u2068Ann\u2069", "\u2068Bob\u2069"


def announced(fact: Fact) -> str | None:
    text = SCREENS.announce(framed(), fact)
    return None if text is None else shown(text)


def whispered(fact: Fact) -> str | None:
    text = SCREENS.whisper(framed(), fact)
    return None if text is None else shown(text)


def period(*judged: Judged, again: bool = True, raven: bool = False) -> PeriodClosed:
    return PeriodClosed(1, 2, 1, judged, again, raven, (0, 0))


def test_a_wrong_guess_costs_a_name_a_point_and_nothing_else_is_said_rule_17() -> None:
    assert announced(period(Judged(1, -4, None))) == f"{BOB} is wrong. −1\n\nOne more guessing period, for both."


def test_a_right_guess_is_told_with_seat_bird_and_gain() -> None:
    text = announced(period(Judged(0, 4, Guess(3, Bird.HAWK)), Judged(1, -4, None)))
    assert text == f"{ANN} is right: seat 3 is the Hawk. +1\n{BOB} is wrong. −1\n\nOne more guessing period, for both."


def test_a_period_without_a_guess_ends_the_day_rule_19() -> None:
    assert announced(period(again=False)) == "Nobody guesses. Day 2 is over."


def test_the_raven_is_found_with_some_theatre() -> None:
    text = announced(period(Judged(0, 12, Guess(7, Bird.RAVEN)), Judged(1, -4, None), again=False, raven=True))
    assert text is not None
    assert "in seat 7 something black slowly folds its wings" in text
    assert text.endswith(f"The Raven is found.\n\n{ANN} is right: seat 7 is the Raven. +3\n{BOB} is wrong. −1")


@pytest.mark.parametrize(
    ("robin", "says"),
    [
        (None, "🌅 Day 3 of Round 2. Every bird has told its own player what it heard."),
        (
            (0, 3),
            "🌅 Day 3 of Round 2. Every bird has told its own player what it heard."
            f"\nThe Robin had company: +¾ for {ANN}.",
        ),
    ],
)
def test_only_a_gain_of_the_robin_is_announced_rule_15(robin: tuple[int, int] | None, says: str) -> None:
    assert announced(NightResolved(2, 3, robin, (0, 0))) == says


@pytest.mark.parametrize(
    ("pick", "by", "says"),
    [
        (3, "player", None),
        (3, "bot", f"{BOB} was silent, so the bot picked: Owl."),
        (3, "host", f"{BOB} was silent, so the host picked: Owl."),
        (10, "bot", None),
    ],
)
def test_only_a_pick_in_a_silent_players_place_is_announced(pick: int, by: str, says: str | None) -> None:
    assert announced(Picked(1, 1, pick, 1, Bird.OWL, by)) == says  # type: ignore[arg-type]


def test_a_round_ends_with_the_birds_named_and_the_scores_rule_3() -> None:
    ended = RoundEnded(1, False, (Bird.CROW, Bird.OWL), (-5, 2))
    assert announced(ended) == (
        "Round 1 is over. Nobody found the Raven. It bows, and keeps its secrets.\n"
        "Named in private this round, and not to be named again: Crow, Owl.\n"
        f"Points: {ANN} (EC)\u00a0−1¼ · {BOB} (DMO)\u00a0½"
    )
    assert "No bird was named" in (announced(RoundEnded(1, True, (), (0, 0))) or "")


@pytest.mark.parametrize(
    ("why", "says"),
    [
        ("points", f"{BOB} has more points (ruling 20)."),
        ("led_last", f"The points are level. {BOB} was the last to lead, and that decides (ruling 20)."),
        ("never_led", f"The points are level and nobody ever led. Then the match goes to the DMO, {BOB} (ruling 20)."),
        ("resigned", f"{ANN} has resigned (ruling 21)."),
    ],
)
def test_the_end_names_the_winner_and_the_reason(why: str, says: str) -> None:
    text = announced(MatchEnded(1, why, (3, 4)))  # type: ignore[arg-type]
    assert text is not None
    head, reason, scores = text.split("\n")
    assert f"{BOB} wins the duel." in head
    assert reason == says
    assert scores == f"Final points: {ANN} (EC)\u00a0¾ · {BOB} (DMO)\u00a01"


def test_a_private_reveal_is_whispered_rule_1() -> None:
    assert whispered(RevealTold(2, Bird.EAGLE, 11)) == (
        "\u2068The aviary\u2069 · Gravity Pandemic\nRound 2. Between you and me: the Eagle is in seat 11."
    )
    assert (whispered(RevealTold(2, None, None)) or "").endswith("Round 2. You named no bird.")


def test_a_night_is_whispered_with_targets_answers_and_what_stayed_home() -> None:
    responses = (
        Response(Bird.HAWK, Bird.OWL, "Yes"),
        Response(Bird.PENGUIN, None, "No"),
        Response(Bird.OWL, 9, "9: Lark, Parrot"),
        Response(Bird.EAGLE, None, "N/A"),
    )
    lines = (whispered(NightTold(1, 2, responses, silent=False)) or "").splitlines()
    assert lines[1:] == [
        "Round 1, Night 2. What your birds heard:",
        "• Hawk → Owl: Yes",
        "• Penguin: No",
        "• Owl → seat 9: 9: Lark, Parrot",
        "• Eagle, which stayed home: N/A",
        "N/A is no answer: there was nobody to name, or the bird stayed home or was blocked. The Raven and the Robin "
        "never hear anything else, and a Parrot may repeat it.",
    ]
    assert "You were silent, so none of your birds was sent out." in (
        whispered(NightTold(1, 2, responses, silent=True)) or ""
    )


def test_a_guess_is_whispered_and_silence_is_not() -> None:
    right = whispered(GuessTold(1, 1, 1, Guess(2, Bird.LARK), 4))
    wrong = whispered(GuessTold(1, 1, 1, Guess(2, Bird.LARK), -4))
    assert (right or "").endswith("You were right: seat 2 is the Lark. +1")
    assert (wrong or "").endswith("You were wrong: seat 2 is not the Lark. −1")
    assert whispered(GuessTold(1, 1, 1, None, 0)) is None


def allowed_birds(fact: object) -> set[str]:
    """The birds a public fact itself gives away, and those its wording speaks of whatever happened."""
    birds = {name for bird, name in NAMES.items() if repr(bird) in repr(fact)}
    if isinstance(fact, RoundBegan | RoundEnded):
        birds.add("Raven")
    if isinstance(fact, NightResolved) and fact.robin:
        birds.add("Robin")
    return birds


def test_announcements_name_only_birds_and_seats_of_their_fact() -> None:
    kinds = set()
    for position in positions():
        for tell in position.tells:
            if tell.to is not None:
                continue
            text = announced(tell.fact) or ""
            kinds.add(type(tell.fact))
            assert len(text) <= 1000
            named = set(re.findall("|".join(sorted(NAMES.values(), key=len, reverse=True)), text))
            assert named <= allowed_birds(tell.fact)
            seats = set(re.findall(r"seat (\d+)", text))
            assert seats <= set(re.findall(r"seat=(\d+)", repr(tell.fact)))
    assert len(kinds) == 7


def test_no_private_fact_is_announced_and_no_public_one_whispered() -> None:
    for position in positions():
        for tell in position.tells:
            if tell.to is None:
                assert whispered(tell.fact) is None
            else:
                assert announced(tell.fact) is None


def test_every_refusal_has_words_that_fit_a_toast() -> None:
    for code in CODES:
        assert 0 < len(SCREENS.refusal(code)) <= 200


@pytest.mark.parametrize(
    "move", [*BUILDING_BLOCKS, Resign(), Actions(((Bird.HAWK, 5), (Bird.LARK, Bird.ROBIN)))], ids=repr
)
def test_every_sealed_move_has_a_toast(move: Move) -> None:
    toast = SCREENS.sealed(move)
    assert 0 < len(toast) <= 200
    assert "<" not in toast
