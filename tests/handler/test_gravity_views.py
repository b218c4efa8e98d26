"""Board, panels and menus of Gravity Pandemic in every position that matches reach."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Phase
from engine.gravity.birds import BIRDS, NAMES, SEATS, Bird
from engine.gravity.choices import amend, check
from engine.gravity.facts import GuessTold, NightTold, Response, RevealTold
from engine.gravity.moves import Actions, Guess, Here, Move, Pass, Pick, Reveal
from engine.gravity.notation import read as read_move
from engine.gravity.view import View
from handler.buttons import Verb
from handler.frame import Frame
from handler.message import Message
from handler.views import VIEWS
from tests.handler.pages import presses, reached
from tests.handler.positions import Position, choices, framed, legal, positions, shown

SCREENS = VIEWS["gravity"]
FRAME = framed()
BIRD_NAMES = sorted(NAMES.values(), key=len, reverse=True)


@cache
def pages(view: View, phase: Phase, sealed: Move | None) -> dict[str, Message]:
    """Every page of an unlocked panel that its own buttons lead to, by the menu's place."""
    return reached(lambda place: SCREENS.panel(FRAME, view, phase, sealed, False, place))


def named_birds(text: str) -> list[str]:
    """The birds a text names, in its order; whole words, longest first."""
    return re.findall(rf"\b(?:{'|'.join(BIRD_NAMES)})\b", text)


def first_of(stage: str) -> tuple[View, Phase]:
    return next((p.views[0], p.phase) for p in positions() if p.phase and p.phase.name == stage)


def test_the_matches_reach_every_stage_and_both_ends_of_a_round() -> None:
    stages = {position.public.board.stage for position in positions()}
    assert stages == {"reveals", "draft", "actions", "guesses", "over"}
    assert any(position.public.board.idle for position in positions())
    assert any(position.public.board.revealed for position in positions())
    assert any(position.public.board.used for position in positions())


def test_every_board_fits_and_reads() -> None:
    for position in positions():
        board = SCREENS.board(FRAME, position.public)
        assert 0 < len(shown(board.text)) <= 4096
        assert bool(presses(board)) == (position.public.board.stage == "draft")


def test_a_board_names_only_public_birds_and_seats() -> None:
    for position in positions():
        board = position.public.board
        text = shown(SCREENS.board(FRAME, position.public).text)
        public = {bird for _, bird in board.revealed} | {bird for _, bird, _ in board.picks}
        if board.stage == "reveals":
            public = set(board.used)
        if board.stage == "draft":
            public.add(Bird.LOVEBIRD_A)  # that nobody drafts it is a rule (4)
        assert set(named_birds(text)) <= {NAMES[bird] for bird in public}
        seats = {int(seat) for seat in re.findall(r"seat (\d+)", text)}
        assert seats == (set() if board.stage == "over" else {seat for seat, _ in board.revealed})


def test_a_board_lists_birds_in_rulebook_order_but_for_the_drafts_own() -> None:
    order = list(NAMES.values())
    lists = 0
    for position in positions():
        text = shown(SCREENS.board(FRAME, position.public).text)
        for line in text.splitlines():
            if " drafted " in line or line.startswith("No longer"):
                lists += 1
                found = named_birds(line)
                assert found == sorted(found, key=order.index)
    assert lists > 100


def test_a_scene_lasts_as_long_as_its_phase_and_never_returns() -> None:
    seen: list[str] = []
    before: tuple[object, ...] = ()
    for position in positions():
        board = position.public.board
        here = (board.stage, board.round, board.night, board.period)
        scene = SCREENS.scene(position.public)
        if here == before:
            assert scene == seen[-1]
        elif here == ("reveals", 1, 0, 0):
            seen = [scene]
        else:
            assert scene not in seen
            seen.append(scene)
        before = here


def test_every_panel_fits_and_reads() -> None:
    for view, phase, sealed in choices():
        messages = [*pages(view, phase, sealed).values(), SCREENS.panel(FRAME, view, phase, sealed, True, "")]
        for message in messages:
            if message is not None:
                assert 0 < len(shown(message.text)) <= 4096
                assert presses(message)


def test_a_panel_is_there_in_every_phase_but_the_draft() -> None:
    for view, phase, _ in choices():
        assert (SCREENS.panel(FRAME, view, phase, None, False, "") is not None) == (phase.name != "draft")


def offered(*messages: Message) -> list[Move]:
    return [
        read_move(press.arg)
        for message in messages
        for press in presses(message)
        if press.verb in {Verb.SEAL, Verb.FINAL}
    ]


def test_a_panel_offers_exactly_what_is_legal() -> None:
    for view, phase, sealed in choices():
        if phase.name != "draft":
            moves = offered(*pages(view, phase, sealed).values())
            assert all(check(view, amend(sealed, move)) is None for move in moves)
            assert set(moves) == set(legal(view))


def test_the_draft_offers_exactly_what_is_legal() -> None:
    idle = 0
    for position in positions():
        if position.phase is not None and position.phase.name == "draft":
            moves = offered(SCREENS.board(FRAME, position.public))
            [drafter] = position.phase.active
            assert [move for move in moves if isinstance(move, Pick)] == legal(position.views[drafter])
            assert [move for move in moves if not isinstance(move, Pick)] == legal(position.views[1 - drafter])
            idle += Here() in moves
    assert idle > 10


@pytest.mark.parametrize("stage", ["reveals", "actions", "guesses"])
def test_a_forged_menu_shows_the_top(stage: str) -> None:
    view, phase = first_of(stage)
    real = pages(view, phase, None)

    @given(st.text(max_size=8) | st.from_regex(r"[0-9]{0,3}[a-z]{0,2}", fullmatch=True))
    def shows_a_page(menu: str) -> None:
        assert SCREENS.panel(FRAME, view, phase, None, False, menu) == real.get(menu, real[""])

    shows_a_page()


def test_a_menu_for_a_revealed_seat_shows_the_top() -> None:
    views = [(view, phase) for view, phase, _ in choices() if phase.name == "guesses" and view.board.revealed]
    assert views
    for view, phase in views:
        [(seat, _), *_] = view.board.revealed
        top = SCREENS.panel(FRAME, view, phase, None, False, "")
        assert SCREENS.panel(FRAME, view, phase, None, False, str(seat)) == top


@pytest.mark.parametrize(
    ("stage", "sealed", "says"),
    [
        ("reveals", Reveal(Bird.OWL), "Your choice: Owl."),
        ("reveals", Reveal(None), "Your choice: no bird."),
        ("reveals", None, "Your choice: no bird."),
        ("actions", Actions(), "stays home"),
        ("guesses", Guess(5, Bird.RAVEN), "Your guess: seat 5 is the Raven."),
        ("guesses", Pass(), "No guess this time."),
    ],
)
def test_a_locked_panel_says_what_is_locked_and_the_one_way_back(stage: str, sealed: Move | None, says: str) -> None:
    view, phase = first_of(stage)
    panel = SCREENS.panel(FRAME, view, phase, sealed, True, "h")
    assert panel is not None
    assert "Locked in." in shown(panel.text)
    assert says in shown(panel.text)
    assert [press.verb for press in presses(panel)] == [Verb.UNLOCK]


def test_a_closed_panel_says_what_counted_and_asks_for_nothing() -> None:
    closed = replace(FRAME, closed=True, deadline=None)
    for position in positions():
        for view, sealed in zip(position.views, position.sealed, strict=True):
            message = None if position.phase is None else SCREENS.panel(closed, view, position.phase, sealed, False, "")
            if message is not None:
                assert "This phase is over. What counted:" in shown(message.text)
                assert "change" not in shown(message.text)
                assert message.keyboard == ()


def test_a_closed_board_asks_for_nothing() -> None:
    closed = replace(FRAME, closed=True, deadline=None)
    for position in positions():
        message = SCREENS.board(closed, position.public)
        assert message.keyboard == ()
        assert not re.search("[Pp]ress|private chat|your pick|is picking", shown(message.text))


def test_a_guess_being_changed_still_counts_until_another_is_confirmed() -> None:
    view, phase = first_of("guesses")
    sealed = Guess(5, Bird.HAWK)
    for message in pages(view, phase, sealed).values():
        assert "seat 5 is the Hawk, still counts until you confirm another" in shown(message.text)
    top = SCREENS.panel(FRAME, view, phase, sealed, False, "")
    assert top is not None
    ways = {(press.verb, press.arg) for press in presses(top) if press.verb is not Verb.MENU}
    assert ways == {(Verb.LOCK, ""), (Verb.FINAL, "g-")}


def closing(message: Message) -> set[int]:
    """The rows with a button that ends the phase for its player, counted from below: there a new panel opens."""
    return {
        height
        for height, row in enumerate(reversed(message.keyboard))
        if any(press.verb in {Verb.LOCK, Verb.FINAL} for press in presses(Message(message.text, (row,))))
    }


def test_a_double_tap_that_locks_in_the_orders_does_not_end_the_day() -> None:
    """What ends the first period of guesses stands elsewhere than what ended the night."""
    (actions, sending), (guesses, guessing) = map(first_of, ("actions", "guesses"))
    ending = {
        height
        for sealed in (None, Actions())
        for page in pages(actions, sending, sealed).values()
        for height in closing(page)
    }
    fresh = SCREENS.panel(FRAME, guesses, guessing, None, False, "")
    assert ending
    assert fresh is not None
    assert closing(fresh)
    assert not ending & closing(fresh)


def test_a_panel_keeps_the_wrong_guesses_of_the_round_in_order() -> None:
    view, phase = first_of("guesses")
    wrong = [Guess(9, Bird.RAVEN), Guess(3, Bird.PARROT), Guess(3, Bird.PENGUIN), Guess(3, Bird.PARROT)]
    told = tuple(GuessTold(1, 1, period, guess, -4) for period, guess in enumerate(wrong, 1))
    panel = SCREENS.panel(FRAME, replace(view, told=(*view.told, *told)), phase, None, False, "")
    assert panel is not None
    assert "Your wrong guesses this round: seat 3 Penguin, seat 3 Parrot, seat 9 Raven." in shown(panel.text)


def test_the_longest_panel_there_can_be_fits() -> None:
    view, phase = first_of("guesses")
    wrong = tuple(
        GuessTold(1, 1, period, Guess(seat, bird), -4) for period, (seat, bird) in enumerate(product(SEATS, BIRDS), 1)
    )
    text = "11: " + ", ".join(NAMES.values())
    night = NightTold(4, 4, tuple(Response(bird, Bird.LOVEBIRD_A, text) for bird in BIRDS[:5]), silent=False)
    board = replace(view.board, revealed=tuple(zip(SEATS[:10], BIRDS[:10], strict=True)))
    longest = replace(view, board=board, told=(RevealTold(1, Bird.LOVEBIRD_A, 11), night, *wrong))
    frame = framed("x" * 129, "x" * 129, title="y" * 255)
    panel = SCREENS.panel(frame, longest, phase, Guess(11, Bird.LOVEBIRD_A), False, "")
    assert panel is not None
    assert 2000 < len(shown(panel.text)) <= 4096


NAMES_OF_PEOPLE = st.text(max_size=64) | st.sampled_from(
    [
        "<b>",
        "&amp;",
        "\u202eevil",
        "مرحبا",
        "\u200b\u200b",
        "👩‍👩‍👧‍👦" * 20,
        "a\nb",
        "x" * 129,
        "\u2068\u2068",
        "é" * 64,
    ]
)


@given(NAMES_OF_PEOPLE, NAMES_OF_PEOPLE, NAMES_OF_PEOPLE, st.integers(0, 30))
def test_no_name_breaks_a_screen(first: str, second: str, title: str, at: int) -> None:
    frame = framed(first, second, title=title)
    position: Position = positions()[at]
    assert position.phase is not None
    messages = [
        SCREENS.board(frame, position.public),
        SCREENS.panel(frame, position.views[0], position.phase, None, False, ""),
    ]
    for message in messages:
        if message is not None:
            for line in shown(message.text).split("\n"):
                assert line.count("\u2068") == line.count("\u2069")
                assert not re.search("[\u202a-\u202e\u2066\u2067\u200e\u200f\r]", line)


def test_two_players_of_one_name_are_told_apart() -> None:
    frame: Frame = framed("Kim", "Kim")
    draft = next(p for p in positions() if p.public.board.stage == "draft")
    text = shown(SCREENS.board(frame, draft.public).text)
    assert re.search("Kim\u2069 \\((EC|DMO)\\), your pick", text)


def test_a_deadline_is_a_date_time_entity_with_the_time_in_utc_for_old_apps() -> None:
    position = next(p for p in positions() if p.public.board.stage == "actions")
    text = SCREENS.board(replace(FRAME, deadline=1_700_000_000.9), position.public).text
    assert '<tg-time unix="1700000000" format="wT">2023-11-14 22:13:20 UTC</tg-time>' in text
    assert "tg-time" not in SCREENS.board(replace(FRAME, deadline=None), position.public).text
