"""The board of Dog's Judgement in the positions that matches reach."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.dog.events import Tokens
from engine.dog.facts import CandidateNamed, NoDeathMatch
from handler.buttons import MatchPress, read
from handler.views import VIEWS
from tests.handler.dog_positions import NAMES, framed, of_stage, positions
from tests.handler.positions import shown

SCREENS = VIEWS["dog"]
FRAME = framed()
CLOSED = replace(FRAME, closed=True, deadline=None)


def test_every_board_fits_and_reads() -> None:
    for position in positions():
        board = SCREENS.board(FRAME, position.public)
        assert 0 < len(shown(board.text)) <= 4096
        buttons = [read(button.data or "") for row in board.keyboard for button in row]
        asks = position.public.board.stage == "choice"
        assert buttons == ([MatchPress(FRAME.match, "decline", "ask")] if asks else [])


def test_a_board_says_round_level_tokens_and_deadline() -> None:
    view = of_stage("round").public
    board = replace(view.board, round=4, level=9, tokens=Tokens((2, 0, 1), view.board.tokens.lose))
    assert shown(SCREENS.board(FRAME, replace(view, board=board)).text) == (
        "Dog's Judgement · Round 4 of 9\n\n"
        "Tower level: 9\n"
        "• Charge Tower: 2 Win Tokens and the Lose Token\n"
        "• Remove One: no token\n"
        "• Median Meridian: 1 Win Token\n\n"
        "Play one card on two events, or none, in secret, in your private chat with me. "
        "The round ends early only when all seven are ready.\n\n"
        "⏳ Until 2030-03-17 17:46:40 UTC"
    )


def test_a_board_names_nobody_before_the_judgement() -> None:
    read = 0
    for position in positions():
        if position.public.board.stage in ("pregame", "round"):
            text = shown(SCREENS.board(FRAME, position.public).text)
            assert not re.search("|".join(NAMES), text)
            read += 1
    assert read > 100


def test_a_scene_lasts_as_long_as_its_phase_and_never_returns() -> None:
    for position in positions():
        if position.public.board.stage == "pregame":
            seen: list[str] = []
        seen.append(SCREENS.scene(position.public))
        if position.phase is None:
            assert len(seen) == len(set(seen)) >= 11
            assert "lobby" not in seen


def test_a_closed_board_asks_for_nothing() -> None:
    for position in positions():
        message = SCREENS.board(CLOSED, position.public)
        assert message.keyboard == ()
        assert not re.search("[Pp]ress|private chat|Play|may |chooses", shown(message.text))


def choice_board(end: NoDeathMatch | None) -> str:
    named = CandidateNamed(2, False, (0, 4))
    view = of_stage("round").public
    board = replace(view.board, stage="over" if end else "choice", candidate=named, end=end)
    return shown(SCREENS.board(replace(FRAME, deadline=None), replace(view, board=board)).text)


def test_the_board_of_the_choice_says_who_chooses_among_whom() -> None:
    assert choice_board(None) == (
        "Dog's Judgement · The challenge\n\n"
        "\u2068Cem\u2069 is the Elimination Candidate and chooses an opponent for the Death Match, in private. "
        "To choose from: \u2068Ann\u2069, \u2068Eva\u2069. Without a choice, the lot decides."
    )


@pytest.mark.parametrize(
    ("end", "says"),
    [
        (
            NoDeathMatch("no_candidate"),
            "Everybody holds a Token of Life. There is no Death Match, and nobody is eliminated.",
        ),
        (
            NoDeathMatch("no_opponent"),
            "The Elimination Candidate has nobody to challenge. There is no Death Match, and nobody is eliminated.",
        ),
        (
            NoDeathMatch("declined"),
            "\u2068Cem\u2069 was the Elimination Candidate. "
            "The host has declined the Death Match, and nobody is eliminated.",
        ),
    ],
)
def test_the_last_board_says_what_came_of_it(end: NoDeathMatch, says: str) -> None:
    assert choice_board(end) == f"Dog's Judgement · The end\n\n{says}"


def test_the_host_picks_for_nobody() -> None:
    assert {SCREENS.hosted(position.public) for position in positions()} == {()}


def test_players_of_one_name_are_told_apart_by_their_seats_and_only_they() -> None:
    frame = framed("Kim", "Bob", " Kim", "Dee", "Eva", "Fay", "Gus")
    view = of_stage("round").public
    board = replace(view.board, stage="choice", candidate=CandidateNamed(2, False, (0, 1)))
    text = shown(SCREENS.board(frame, replace(view, board=board)).text)
    assert "\u2068Kim\u2069 (seat 3) is the Elimination Candidate" in text
    assert "To choose from: \u2068Kim\u2069 (seat 1), \u2068Bob\u2069." in text
