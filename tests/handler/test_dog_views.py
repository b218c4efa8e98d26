"""Panels and menus of Dog's Judgement in the positions that matches reach."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dog.choices import check, options
from engine.dog.events import CARDS, Tokens
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.notation import read as read_move
from engine.dog.view import ChoiceOptions, PlayOptions, View
from engine.game import Phase
from handler.buttons import PhasePress, Verb, read
from handler.message import Message
from handler.views import VIEWS
from tests.engine.dog_matches import play
from tests.handler.dog_positions import NAMES, choices, framed, legal, of_stage, positions
from tests.handler.pages import presses, reached
from tests.handler.positions import shown

SCREENS = VIEWS["dog"]
FRAME = framed()
CLOSED = replace(FRAME, closed=True, deadline=None)


def panel(view: View, phase: Phase, sealed: Move | None = None, menu: str = "", *, final: bool = False) -> Message:
    message = SCREENS.panel(FRAME, view, phase, sealed, final, menu)
    assert message is not None
    return message


@cache
def pages(view: View, phase: Phase, sealed: Move | None) -> dict[str, Message]:
    """Every page of an unlocked panel that its own buttons lead to, by the menu's place."""
    return reached(lambda place: panel(view, phase, sealed, place))


def a_round(*hand: int, tokens: Tokens | None = None) -> tuple[View, Phase]:
    """A round in which the first player has this hand."""
    position = of_stage("round")
    assert position.phase is not None
    view = position.views[0]
    board = replace(view.board, tokens=tokens or view.board.tokens)
    return replace(view, hand=hand or CARDS, board=board), position.phase


def a_choice() -> tuple[View, Phase]:
    """The candidate's view of the choice."""
    position = of_stage("choice")
    assert position.phase is not None
    [candidate] = position.phase.active
    return position.views[candidate], position.phase


def test_the_matches_reach_every_stage_and_an_empty_hand() -> None:
    boards = [position.public.board for position in positions()]
    assert {board.stage for board in boards} == {"pregame", "round", "choice", "over"}
    ends = {type(board.end) if board.end is None else (type(board.end), board.end) for board in boards}
    assert len(ends) > 4
    assert any(not view.hand for position in positions() for view in position.views)
    assert {options(view) is None for view, _, _ in choices()} == {True, False}


# --- panels -----------------------------------------------------------------------------------------


def test_every_panel_fits_and_reads() -> None:
    for view, phase, sealed in choices():
        for message in (*pages(view, phase, sealed).values(), panel(view, phase, sealed, final=True)):
            assert 0 < len(shown(message.text)) <= 4096
            assert all(0 < len(button.label) <= 60 for row in message.keyboard for button in row)


def test_only_whoever_is_asked_has_a_panel() -> None:
    for position in positions():
        for view in position.views if position.phase else ():
            assert position.phase is not None
            message = SCREENS.panel(FRAME, view, position.phase, None, False, "")
            assert (message is not None) == (view.viewer in position.phase.active)
    public = of_stage("round")
    assert public.phase is not None
    assert SCREENS.panel(FRAME, public.public, public.phase, None, False, "") is None


def test_a_panel_always_shows_hand_points_level_and_tokens() -> None:
    for view, phase, sealed in choices():
        if view.board.stage == "choice":
            continue
        for message in (*pages(view, phase, sealed).values(), panel(view, phase, sealed, final=True)):
            text = shown(message.text)
            assert f"Your hand: {', '.join(map(str, view.hand)) or 'no cards'}\n" in text
            assert "Your VP: Charge Tower {} · Remove One {} · Median Meridian {}".format(*view.points) in text
            assert f"Tower level: {view.board.level}\n" in text
            assert text.count("Lose Token\n") == 1


def test_a_panel_offers_exactly_what_is_legal() -> None:
    seen = 0
    for view, phase, sealed in choices():
        if not isinstance(options(view), PlayOptions):
            continue
        found = pages(view, phase, sealed)
        for verb in (Verb.SEAL, Verb.FINAL):
            moves = [read_move(p.arg) for page in found.values() for p in presses(page) if p.verb is verb]
            plays = [move for move in moves if isinstance(move, Play)]
            assert set(plays) == legal(view)
            assert len(plays) == len(set(plays)), "one confirmation a play"
            none = isinstance(sealed, Play) == (verb is Verb.SEAL)
            assert [move for move in moves if not isinstance(move, Play)] == [Withdraw()] * none
        seen += len(found)
    assert seen > 3000


def test_every_page_but_the_top_has_a_way_back() -> None:
    for view, phase, sealed in choices():
        for place, message in pages(view, phase, sealed).items():
            backs = [
                press.arg
                for row, press in zip(message.keyboard, presses_by_row(message), strict=True)
                if row[0].label.startswith("«")
            ]
            assert len(backs) == (place != "")
            assert all(len(back) < len(place) for back in backs)


def presses_by_row(message: Message) -> list[PhasePress]:
    return [presses(Message(message.text, (row,)))[0] for row in message.keyboard]


def test_a_second_press_on_a_ticked_event_takes_it_back() -> None:
    view, phase = a_round()
    ticked = panel(view, phase, menu="5x")
    labels = {button.label: read(button.data or "") for row in ticked.keyboard for button in row}
    assert labels["✓ Exchange Store"] == PhasePress(FRAME.match, FRAME.number, Verb.MENU, "5")
    assert labels["Bribing the Dog"] == PhasePress(FRAME.match, FRAME.number, Verb.MENU, "5xb")
    assert not any(label.startswith("✓") for label in _labels(panel(view, phase, menu="5")))


def _labels(message: Message) -> list[str]:
    return [button.label for row in message.keyboard for button in row]


def test_each_card_stands_once_with_its_number_and_the_rest_of_the_top() -> None:
    view, phase = a_round(2, 5, 5, 7)
    assert _labels(panel(view, phase)) == ["2", "5 ×2", "7", "Ready"]
    assert _labels(panel(view, phase, play("5cm"))) == ["2", "5 ×2", "7", "Take it back: no card", "Ready"]
    assert _labels(panel(view, phase, Withdraw())) == ["2", "5 ×2", "7", "Ready"]


def test_whoever_has_cards_is_asked_before_a_round_goes_by_without_a_play() -> None:
    """A double tap on Ready must not lose a turn: the way back stands where Ready was."""
    view, phase = a_round(2, 5, 5, 7)
    for sealed in (None, Withdraw()):
        top = panel(view, phase, sealed)
        assert [press.verb for press in presses(top)] == [Verb.MENU] * 4
        page = panel(view, phase, sealed, menu=presses(top)[-1].arg)
        assert shown(page.text).endswith("\n\nPlay no card this round?")
        assert _labels(page) == ["Yes, no card", "« Back"]
        assert [(press.verb, press.arg) for press in presses(page)] == [(Verb.FINAL, "-"), (Verb.MENU, "")]
        assert [len(row) for row in page.keyboard] == [1, 1]
    played = panel(view, phase, play("5cm"))
    assert presses(played)[-1].verb is Verb.LOCK, "who has played is ready with one press"
    assert panel(view, phase, play("5cm"), menu="ready") == played


def test_movements_say_what_goes_where_rule_3() -> None:
    view, phase = a_round(tokens=Tokens((0, 3, 0), Tokens().lose))
    assert _labels(panel(view, phase, menu="5rb")) == [
        "Win Token: Remove One → Charge Tower",
        "Win Token: Remove One → Median Meridian",
        "Lose Token: Charge Tower → Remove One",
        "Lose Token: Charge Tower → Median Meridian",
        "Move nothing",
        "« Back",
    ]


def test_a_play_being_changed_still_counts_until_another_is_confirmed_rule_4() -> None:
    view, phase = a_round()
    for place, message in pages(view, phase, play("3xr5")).items():
        text = shown(message.text)
        assert "3 on Exchange Store (for a 5) and Remove One" in text
        assert ("counts until you confirm something else" in text) == (place != "")


PLACES = st.text(max_size=8) | st.from_regex(r"[0-9]{0,2}[xcrmb]{0,3}[0-9]?[-wlcrm]{0,3}", fullmatch=True)


def test_a_forged_menu_shows_the_top() -> None:
    view, phase = a_round(2, 5, 5, 7, tokens=Tokens((0, 3, 0), Tokens().lose))
    real = pages(view, phase, None)

    @given(PLACES)
    def shows_a_page(menu: str) -> None:
        assert panel(view, phase, menu=menu) == real.get(menu, real[""])

    shows_a_page()


@pytest.mark.parametrize(
    "menu",
    ["3", "5xx", "5cx", "5cmr", "5x7", "5xr8", "5xr2", "5cm5", "5cmwrc", "5rbwcr", "5xbwrc", "5rb5-", "vs1", "-"],
)
def test_a_place_that_no_press_leads_to_shows_the_top(menu: str) -> None:
    view, phase = a_round(2, 5, 5, 7, tokens=Tokens((0, 3, 0), Tokens().lose))
    assert panel(view, phase, menu=menu) == panel(view, phase)


@pytest.mark.parametrize(
    ("sealed", "says"),
    [
        (play("5cm"), "Your play: 5 on Charge Tower and Median Meridian."),
        (play("5xr7"), "Your play: 5 on Exchange Store (for a 7) and Remove One."),
        (
            play("5rbwcr"),
            "Your play: 5 on Remove One and Bribing the Dog (Win Token: Charge Tower → Remove One).",
        ),
        (play("5rb-"), "Your play: 5 on Remove One and Bribing the Dog (moving nothing)."),
        (Withdraw(), "Your play: no card."),
        (None, "Your play: no card."),
    ],
)
def test_a_ready_panel_says_what_counts_and_the_one_way_back(sealed: Move | None, says: str) -> None:
    view, phase = a_round()
    message = panel(view, phase, sealed, "5xb3", final=True)
    assert f"✅ You are ready.\n{says}\n\nWhile the round lasts, you can still change it." in shown(message.text)
    assert [press.verb for press in presses(message)] == [Verb.UNLOCK]
    closed = SCREENS.panel(CLOSED, view, phase, sealed, True, "")
    assert closed is not None
    assert shown(closed.text).endswith(f"This round is over. What counted:\n{says}")


def test_the_pregame_asks_for_nothing_but_to_be_ready() -> None:
    position = of_stage("pregame")
    assert position.phase is not None
    asked, ready = (panel(position.views[3], position.phase, final=final) for final in (False, True))
    assert [press.verb for press in presses(asked)] == [Verb.LOCK]
    assert [press.verb for press in presses(ready)] == [Verb.UNLOCK]
    assert "You are ready." in shown(ready.text)


def test_whoever_has_no_cards_is_told_and_can_only_be_ready() -> None:
    view, phase = a_round()
    empty = replace(view, hand=())
    asked, ready = (panel(empty, phase, final=final) for final in (False, True))
    assert "You have no cards left and play nothing any more." in shown(asked.text)
    assert [press.verb for press in presses(asked)] == [Verb.LOCK]
    assert "You have no cards left and play nothing." in shown(ready.text)
    assert [press.verb for press in presses(ready)] == [Verb.UNLOCK]


def test_a_closed_panel_says_what_counted_and_asks_for_nothing() -> None:
    for position in positions():
        for view, sealed in zip(position.views, position.sealed, strict=True):
            message = None if position.phase is None else SCREENS.panel(CLOSED, view, position.phase, sealed, True, "")
            if message is not None:
                assert message.keyboard == ()
                text = shown(message.text)
                assert re.search("over|Your choice is made|declined", text)
                assert not re.search("[Pp]ress|ready|still change|may |Until", text)


# --- the choice of an opponent ----------------------------------------------------------------------


def test_the_candidate_chooses_among_the_eligible_or_the_lot_rule_16() -> None:
    chosen = 0
    for view, phase, _ in choices():
        offered = options(view)
        if not isinstance(offered, ChoiceOptions):
            continue
        found = pages(view, phase, None)
        moves = [read_move(press.arg) for page in found.values() for press in presses(page) if press.verb is Verb.FINAL]
        assert Counter(moves) == Counter([Challenge(None), *map(Challenge, offered.players)])
        assert all(check(view, move) is None for move in moves)
        assert all(press.verb in {Verb.MENU, Verb.FINAL} for page in found.values() for press in presses(page))
        assert not any(press.verb is Verb.FINAL for press in presses(found[""])), "a choice is confirmed"
        chosen += 1
    assert chosen


def test_the_candidate_sees_what_everybody_knows_of_the_others() -> None:
    view, phase = a_choice()
    offered = options(view)
    assert isinstance(offered, ChoiceOptions)
    text = shown(panel(view, phase).text)
    for player in offered.players:
        rounds = [sum(player in announced.scored[place] for announced in view.board.announced) for place in range(3)]
        line = "Charge Tower {} · Remove One {} · Median Meridian {}".format(*rounds)
        assert f"• \u2068{NAMES[player]}\u2069: {line}\n" in text


@pytest.mark.parametrize("menu", ["vs", "vs7", "vs12", "5cm", "end", "-", "\u2028"])
def test_a_forged_choice_shows_the_top(menu: str) -> None:
    view, phase = a_choice()
    assert panel(view, phase, menu=menu) == panel(view, phase)
    assert view.viewer is not None
    assert panel(view, phase, menu=f"vs{view.viewer}") == panel(view, phase)


@pytest.mark.parametrize(
    ("sealed", "says"),
    [
        (Challenge(1), "Your choice is made.\nYou have challenged \u2068Bob\u2069."),
        (Challenge(None), "Your choice is made.\nYou have left it to the lot."),
        (None, "Your choice is made.\nYou have left it to the lot."),
        (Decline(), "The challenge\n\nThe host has declined the Death Match."),
    ],
)
def test_the_candidates_old_panel_says_what_came_of_it(sealed: Move | None, says: str) -> None:
    view, phase = a_choice()
    closed = SCREENS.panel(CLOSED, view, phase, sealed, True, "")
    assert closed is not None
    assert shown(closed.text).endswith(says)
    assert closed.keyboard == ()


# --- names ------------------------------------------------------------------------------------------


NAMES_OF_PEOPLE = st.text(max_size=64) | st.sampled_from(
    ["<b>", "&amp;", "\u202eevil", "مرحبا", "\u200b\u200b", "👩‍👩‍👧‍👦" * 20, "a\nb", "x" * 129, "\u2068\u2068"]
)


@given(st.lists(NAMES_OF_PEOPLE, min_size=7, max_size=7), NAMES_OF_PEOPLE)
def test_no_name_breaks_a_screen(names: list[str], title: str) -> None:
    frame = framed(*names, title=title)
    view, phase = a_choice()
    messages = [SCREENS.board(frame, view), SCREENS.panel(frame, view, phase, None, False, "")]
    messages.append(SCREENS.panel(frame, view, phase, None, False, "vs-"))
    for message in messages:
        assert message is not None
        for line in shown(message.text).split("\n"):
            assert line.count("\u2068") == line.count("\u2069")
            assert not re.search("[\u202a-\u202e\u2066\u2067\u200e\u200f\r]", line)


def test_the_longest_panel_there_can_be_fits() -> None:
    frame = framed(*["x" * 129] * 7, title="y" * 255)
    view, phase = a_round(*[7] * 9)
    view = replace(view, points=(100, 100, 100))
    for menu in ("", "7", "7xb", "7xb5", "7xb5wcm"):
        message = SCREENS.panel(frame, view, phase, play("7xb5wmc"), False, menu)
        assert message is not None
        assert 300 < len(shown(message.text)) <= 2000
    view, phase = a_choice()
    assert view.board.candidate is not None
    others = tuple(player for player in range(7) if player != view.viewer)
    board = replace(view.board, candidate=replace(view.board.candidate, eligible=others))
    message = SCREENS.panel(frame, replace(view, board=board), phase, None, False, "")
    assert message is not None
    assert 500 < len(shown(message.text)) <= 2000
