"""What is said in Dog's Judgement, to the right player and to the group, says no more than each ruling allows.

The locks cannot see all of this: a fact that tells its own player too much is the same fact for every viewer.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations

import pytest

from engine.dog.choices import check
from engine.dog.events import PLAYERS, Tokens
from engine.dog.moves import Play
from engine.dog.rules import phase
from engine.dog.state import State, view
from engine.game import Player, Tell
from handler.frame import GameViews
from handler.views import VIEWS
from tests.engine.dog_matches import close, opened, play, row, told
from tests.handler.dog_positions import NAMES, PLAYS, framed, of_stage, positions
from tests.handler.positions import shown

FRAME = framed()


def screens() -> GameViews:
    return VIEWS["dog"]


def said(tells: tuple[Tell, ...], to: Player | None) -> str:
    """All that an address is told of a transition, as it is read."""
    say = screens().announce if to is None else screens().whisper
    texts = [say(FRAME, tell.fact) for tell in tells if tell.to == to]
    return "\n".join(shown(text) for text in texts if text is not None)


def after(plays: str, to: Player | None, state: State | None = None) -> str:
    """What an address is told of a round in which these plays are made."""
    return said(told(state or opened(), row(plays)), to)


def panel(state: State, player: Player, sealed: Play | None = None, menu: str = "", *, final: bool = False) -> str:
    open_ = phase(state)
    assert open_ is not None
    message = screens().panel(FRAME, view(state, player), open_, sealed, final, menu)
    assert message is not None
    return shown(message.text) + repr(message.keyboard)


def group(state: State) -> str:
    """The board, as the group reads it."""
    message = screens().board(FRAME, view(state, None))
    return shown(message.text) + repr(message.keyboard)


# --- plays ------------------------------------------------------------------------------------------


def test_rule_1_a_hand_is_its_players_alone() -> None:
    state = close(opened(), row("7cm"))
    assert "Your hand: 1, 2, 3, 4, 5, 6\n" in panel(state, 0)
    for player in PLAYERS[1:]:
        assert panel(state, player) == panel(close(opened(), row("7xc5")), player)


def test_rule_2_an_exchange_is_told_to_nobody_else() -> None:
    for to in (None, *PLAYERS[1:]):
        assert after("5xr7", to) == after("5xr3", to) == after("5rb-", to)
    assert "From the Exchange Store: a 7." in after("5xr7", 0)


def test_rule_4_a_refusal_never_depends_on_what_others_hold_or_did() -> None:
    answers = set()
    for plays in ("", ". 5xr7 5cm 3rb-", ". 1cm 2cm 4xc5"):
        state = close(opened(), row(plays))
        state = replace(state, board=opened(2).board)
        codes = [refusal and refusal.code for refusal in (check(view(state, 0), each) for each in PLAYS)]
        answers.add(tuple(codes))
    assert len(answers) == 1


# --- a round ----------------------------------------------------------------------------------------


def test_rule_5_a_break_is_announced_without_card_and_amount() -> None:
    state = opened(level=11)
    text = after("5cr 6cm", None, state)
    assert f"• Charge Tower: \u2068{NAMES[0]}\u2069\n" in text
    assert set(re.findall(r"\d+", text)) == {"1", "9", "11"}
    assert after("5xc5 6xc6", None, state).splitlines()[1] == text.splitlines()[1]


@pytest.mark.parametrize(("one", "other"), [("1cr 3cr 3rm", "2cr 4rm 4xr4"), ("1xr1", "7xr7")])
def test_rule_6_who_scored_is_said_and_not_with_what(one: str, other: str) -> None:
    lines = [after(plays, None).splitlines()[2] for plays in (one, other)]
    assert lines == [f"• Remove One: \u2068{NAMES[0]}\u2069"] * 2


def test_rule_7_both_sides_of_a_median_read_as_one_list() -> None:
    assert f"• Median Meridian: \u2068{NAMES[0]}\u2069, \u2068{NAMES[1]}\u2069\n" in after("2xm2 4xm4", None)
    assert after("2xm2 4xm4", None) == after("4xm4 2xm2", None) == after("3xm3 3xm3", None)


def test_rule_8_who_bribed_is_nowhere_to_be_read() -> None:
    texts = {
        after(plays, None) for plays in ("7xb7wcr 6xb6-", "6xb6- 7xb7wcr", ". . . . . . 7xb7wcr", "5xb5wcr 1xb1wrm")
    }
    [text] = texts
    assert text.endswith("A Win Token moved: Charge Tower → Remove One.")
    # Whoever was outbid is not told so.
    assert after("7xb7- 6xb6-", 1) == after(". 6xb6-", 1)


def test_rule_9_no_token_moved_reads_the_same_whatever_the_reason() -> None:
    reasons = ["7xb7-", "7xb7wcr 7xb7wcm", "", "7xb7wcr 7xb7wcr 6xb6-"]
    assert len({after(plays, None) for plays in reasons}) == 1
    for player in (3, 4, 5):
        assert len({after(plays, player) for plays in reasons}) == 1


def test_rule_9_the_bonus_is_seen_in_the_bribers_own_vp_alone() -> None:
    bribed, plain = "5rb-", "5xr5"
    for to in (None, 1, 6):
        assert after(bribed, to) == after(plain, to)
    assert "Remove One 8 " in after(bribed, 0)
    assert "Remove One 5 " in after(plain, 0)


def test_rule_9_nobody_hears_of_another_players_round() -> None:
    texts = [after("5xr7 . 3cm 2xb4-", player) for player in PLAYERS]
    assert all(texts)
    for player, text in enumerate(texts):
        others = [name for other, name in enumerate(NAMES) if other != player]
        assert not re.search("|".join(others), text)


def test_rule_9_a_panel_depends_on_the_players_own_plays_and_public_facts_alone() -> None:
    # In each row the others play otherwise with the same public outcome.
    for one, other in [("5xm7 2xr3", "5xm7 4xr6"), ("5xm7 7xb7wcr 6xb6-", "5xm7 6xb7wcr 5xb6-")]:
        here, there = (close(opened(), row(plays)) for plays in (one, other))
        assert here.board == there.board
        assert here.hands != there.hands
        assert panel(here, 0) == panel(there, 0)
        for menu in ("5", "1xb", "1xb2", "2cm"):
            assert panel(here, 0, menu=menu) == panel(there, 0, menu=menu)
        assert group(here) == group(there)


def test_a_panel_says_nothing_of_who_has_played_or_is_ready() -> None:
    for position in positions():
        for own in position.views if position.phase else ():
            assert position.phase is not None
            for final in (False, True):
                message = screens().panel(FRAME, own, position.phase, None, final, "")
                if message is not None and own.board.stage != "choice":
                    assert not re.search("|".join(NAMES), shown(message.text))


# --- the judgement ----------------------------------------------------------------------------------


def test_rule_14_amounts_are_public_only_from_the_judgement_on() -> None:
    read = 0
    for position in positions():
        board = position.public.board
        if board.judgement is None:
            assert "VP" not in said(position.tells, None)
            assert "VP" not in shown(screens().board(FRAME, position.public).text)
            read += 1
    assert read > 100


def test_rule_16_the_candidates_choice_is_not_seen_before_it_is_made() -> None:
    position = of_stage("choice")
    assert position.phase is not None
    [candidate] = position.phase.active
    for player in PLAYERS:
        message = screens().panel(FRAME, position.views[player], position.phase, None, False, "vs0")
        assert (message is None) == (player != candidate)
    boards = {screens().board(FRAME, own) for own in position.views}
    assert len(boards) == 1


def test_the_order_of_the_plays_changes_no_word() -> None:
    plays = [play("5cm"), play("5xr7"), play("7rb-")]
    texts = set()
    for order in permutations(range(3)):
        moves = {player: plays[player] for player in order}
        texts.add(said(told(opened(tokens=Tokens()), moves), None))
    assert len(texts) == 1
