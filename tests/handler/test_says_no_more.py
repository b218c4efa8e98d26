"""What is said to the right player and to the group says no more than each ruling allows, word by word.

The locks cannot see this: a fact that tells its own player too much is the same fact for every viewer. The seating is
the engine tests' ring (seat 1 Hawk, 2 Penguin, ... 11 Raven, rulebook order) unless a test deals another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from engine.game import Player, Tell
from engine.games import GAMES
from engine.gravity.birds import BIRDS, DRAFTED, NAMES, Bird, Seat
from engine.gravity.choices import check
from engine.gravity.moves import Actions, Guess, Move, Pick, Resign, Reveal, Target
from engine.gravity.night import Seating
from engine.gravity.state import State, view
from handler.frame import GameViews
from handler.message import Message
from handler.views import VIEWS
from tests.engine.matches import RING, close, day_over, draft, opened, to_guesses, told
from tests.handler.positions import BUILDING_BLOCKS, framed, positions, shown

FRAME = framed()
ANN, BOB = "\u2068Ann\u2069", "\u2068Bob\u2069"
BIRD_NAMES = re.compile("|".join(sorted(NAMES.values(), key=len, reverse=True)))
EC, DMO = 0, 1

DMOS: tuple[Bird, ...] = (Bird.HAWK, Bird.CROW, Bird.LARK, Bird.OWL, Bird.RAVEN)
"""What the DMO, who drafts first, takes; the EC has Penguin, Lovebird B, Eagle, Robin and Parrot."""


def screens() -> GameViews:
    return VIEWS["gravity"]


def said(tells: tuple[Tell, ...], to: Player | None) -> str:
    """All that an address is told of a transition, as it is read."""
    say = screens().announce if to is None else screens().whisper
    texts = [say(FRAME, tell.fact) for tell in tells if tell.to == to]
    return "\n".join(shown(text) for text in texts if text is not None)


def panel(state: State, player: Player, menu: str = "") -> Message:
    phase = GAMES["gravity"].phase(state)
    assert phase is not None
    message = screens().panel(FRAME, view(state, player), phase, None, False, menu)
    assert message is not None
    return message


def group(state: State) -> str:
    """The board, as the group reads it."""
    return shown(screens().board(FRAME, view(state, None)).text)


def birds(text: str) -> list[str]:
    return BIRD_NAMES.findall(text)


def swapped(one: Bird, other: Bird, deal: Seating = RING) -> Seating:
    """The deal with two birds in each other's seat."""
    return tuple({one: other, other: one}.get(bird, bird) for bird in deal)


def named(ec: Bird | None, dmo: Bird | None, deal: Seating = RING) -> tuple[Tell, ...]:
    return told(opened(deal), {EC: Reveal(ec), DMO: Reveal(dmo)})


def night(
    deal: Seating, orders: Mapping[Bird, Target], revealed: tuple[tuple[Seat, Bird], ...] = ()
) -> tuple[Tell, ...]:
    """What is told of the first night of a deal in which the birds are sent so."""
    state = draft(close(opened(deal)), DMOS)
    sent = [(bird, orders[bird]) for bird in BIRDS if bird in orders]
    moves: dict[Player, Move] = {
        DMO: Actions(tuple(errand for errand in sent if errand[0] in DMOS)),
        EC: Actions(tuple(errand for errand in sent if errand[0] not in DMOS)),
    }
    return told(state, moves)


def heard(tells: tuple[Tell, ...], player: Player, bird: Bird) -> str:
    """The line of a bird in its player's message."""
    [line] = [line for line in said(tells, player).splitlines() if line.startswith(f"• {NAMES[bird]}")]
    return line


# --- private reveals --------------------------------------------------------------------------------


def test_rule_1_each_player_is_told_one_seat_and_the_group_none() -> None:
    tells = named(Bird.OWL, Bird.HAWK)
    assert re.findall(r"seat (\d+)", said(tells, EC)) == ["7"]
    assert birds(said(tells, EC)) == ["Owl"]
    assert re.findall(r"seat (\d+)", said(tells, DMO)) == ["1"]
    assert birds(said(tells, DMO)) == ["Hawk"]
    assert "seat" not in said(tells, None)
    assert birds(said(tells, None)) == []


@pytest.mark.parametrize("other", [None, Bird.HAWK, Bird.OWL])
def test_rule_1_what_the_other_named_changes_no_word(other: Bird | None) -> None:
    for own in (None, Bird.OWL):
        assert said(named(own, other), EC) == said(named(own, None), EC)
        assert said(named(own, other), None) == said(named(None, None), None)


def round_over(ec: Bird | None, dmo: Bird | None) -> str:
    """What the group hears when the Raven is found on the first day."""
    state = to_guesses(close(opened(), {EC: Reveal(ec), DMO: Reveal(dmo)}))
    return said(told(state, {EC: Guess(11, Bird.RAVEN)}), None)


def test_rule_3_the_birds_are_named_without_players_and_seats() -> None:
    text = round_over(Bird.OWL, Bird.HAWK)
    [line] = [line for line in text.splitlines() if line.startswith("Named in private this round")]
    assert line == "Named in private this round, and not to be named again: Hawk, Owl."
    assert text == round_over(Bird.HAWK, Bird.OWL)


def test_rule_3_nobody_hears_whether_one_or_both_named_a_bird() -> None:
    assert round_over(Bird.OWL, Bird.OWL) == round_over(Bird.OWL, None) == round_over(None, Bird.OWL)


# --- draft and actions ------------------------------------------------------------------------------


def test_rule_4_a_drafter_is_not_told_where_the_bird_sits() -> None:
    one, other = (close(opened(deal)) for deal in (RING, RING[::-1]))
    for bird in DRAFTED[:9]:
        phase = GAMES["gravity"].phase(one)
        assert phase is not None
        [turn] = phase.active
        tells = told(one, {turn: Pick(bird)})
        assert [said(tells, player) for player in (EC, DMO, None)] == ["", "", ""]
        one, other = (close(state, {turn: Pick(bird)}) for state in (one, other))
        assert group(one) == group(other)
        assert "seat" not in group(one)
    assert one.board.stage == "actions"
    assert all(panel(one, player) == panel(other, player) for player in (EC, DMO))


def test_rule_7_a_refusal_never_depends_on_the_deal() -> None:
    answers = []
    for deal in (RING, RING[::-1], swapped(Bird.RAVEN, Bird.HAWK)):
        state = draft(close(opened(deal)), DMOS)
        refusals = [check(view(state, player), move) for player in (EC, DMO) for move in BUILDING_BLOCKS]
        answers.append([refusal and screens().refusal(refusal.code) for refusal in refusals])
    assert answers[0] == answers[1] == answers[2]
    assert len(set(answers[0])) > 3


def test_rule_7_a_bird_that_stayed_reads_the_same_whatever_the_reason() -> None:
    calm = night(RING, {Bird.PARROT: 1})
    blocked = night(RING, {Bird.PARROT: 1, Bird.RAVEN: Bird.EAGLE})
    assert heard(calm, EC, Bird.EAGLE) == heard(blocked, EC, Bird.EAGLE) == "• Eagle, which stayed home: N/A"


def revealed_hawk() -> State:
    """After a right guess on the first day, the second night's actions."""
    state = close(to_guesses(close(opened())), {EC: Guess(1, Bird.HAWK)})
    return draft(day_over(state), tuple(bird for bird in DRAFTED if bird not in DMOS))


def test_rule_8_a_revealed_bird_acts_for_its_drafter_alone() -> None:
    state = revealed_hawk()
    [owner] = [player for player, bird, _ in state.board.picks if bird is Bird.HAWK]
    acted = told(state, {owner: Actions(((Bird.HAWK, 2),))})
    assert heard(acted, owner, Bird.HAWK) == "• Hawk → seat 2: Yes"
    assert "Hawk" not in said(acted, None)
    assert said(acted, None) == said(told(state), None)


def test_rule_8_the_refusal_of_a_revealed_goal_says_what_everybody_knows() -> None:
    state = revealed_hawk()
    [owner] = [player for player, bird, _ in state.board.picks if bird is Bird.HAWK]
    for target, code in ((1, "seat-revealed"), (Bird.HAWK, "bird-revealed")):
        refusal = check(view(state, owner), Actions(((Bird.HAWK, target),)))
        assert refusal is not None
        assert refusal.code == code
        assert birds(screens().refusal(code)) == []
    labels = [button.label for row in panel(state, owner, "h").keyboard for button in row]
    assert "1" not in labels
    assert "Hawk" not in labels


# --- the night --------------------------------------------------------------------------------------


def test_rule_11_nothing_is_said_of_the_poison() -> None:
    # Hawk and Parrot fall in the ring; with the Raven in seat 7, Lark and Eagle would.
    here, there = (night(deal, {}) for deal in (RING, swapped(Bird.RAVEN, Bird.OWL)))
    for to in (None, DMO):
        assert said(here, to) == said(there, to)
    words = said(here, None) + said(here, EC) + said(here, DMO)
    assert not re.search("poison|flightless|fell|falls|sick", words, re.IGNORECASE)


@pytest.mark.parametrize(
    ("bird", "orders", "line"),
    [
        (Bird.HAWK, {Bird.HAWK: 10}, "• Hawk → seat 10: Yes"),
        (Bird.HAWK, {Bird.HAWK: Bird.PARROT}, "• Hawk → Parrot: Yes"),
        (Bird.CROW, {Bird.CROW: 11}, "• Crow → seat 11: Yes"),
        # The Owl comes to the Eagle as well, but the Lark's own side is not listed.
        (Bird.LARK, {Bird.LARK: Bird.EAGLE, Bird.OWL: 8, Bird.PARROT: 8, Bird.RAVEN: 1}, "• Lark → Eagle: 10"),
        (Bird.LARK, {Bird.LARK: Bird.LOVEBIRD_B}, "• Lark → Lovebird B: N/A"),
        (Bird.OWL, {Bird.OWL: 8, Bird.PARROT: 8, Bird.LARK: Bird.EAGLE}, "• Owl → seat 8: 8: Lark, Parrot"),
        (Bird.OWL, {Bird.OWL: 8}, "• Owl → seat 8: N/A"),
        (Bird.RAVEN, {Bird.RAVEN: 8}, "• Raven → seat 8: N/A"),
        (Bird.RAVEN, {Bird.RAVEN: 11}, "• Raven → seat 11: N/A"),
    ],
)
def test_rule_14_the_first_drafters_birds_say_no_more(bird: Bird, orders: dict[Bird, Target], line: str) -> None:
    tells = night(RING, orders)
    assert heard(tells, DMO, bird) == line
    assert f"• {NAMES[bird]}" not in said(tells, EC)
    assert "N/A" not in said(tells, None)


@pytest.mark.parametrize(
    ("bird", "orders", "line"),
    [
        (Bird.PENGUIN, {}, "• Penguin: Yes"),
        # Lovebird A comes too, and is not listed.
        (Bird.LOVEBIRD_B, {Bird.HAWK: 5, Bird.EAGLE: 5}, "• Lovebird B: 1, 8"),
        (Bird.LOVEBIRD_B, {}, "• Lovebird B: N/A"),
        (Bird.EAGLE, {Bird.EAGLE: 7, Bird.OWL: 3}, "• Eagle → seat 7: 7: Crow"),
        (Bird.ROBIN, {Bird.HAWK: 9, Bird.EAGLE: 9}, "• Robin: N/A"),
        (Bird.PARROT, {Bird.PARROT: 7, Bird.OWL: 8, Bird.EAGLE: 8}, "• Parrot → seat 7: 8: Eagle"),
        (Bird.PARROT, {Bird.PARROT: 11, Bird.RAVEN: 1}, "• Parrot → seat 11: N/A"),
    ],
)
def test_rule_14_the_second_drafters_birds_say_no_more(bird: Bird, orders: dict[Bird, Target], line: str) -> None:
    tells = night(RING, orders)
    assert heard(tells, EC, bird) == line
    assert f"• {NAMES[bird]}" not in said(tells, DMO)


def test_rule_14_a_blocked_bird_is_not_told_that_it_was() -> None:
    calm, blocked = night(RING, {}), night(RING, {Bird.RAVEN: Bird.LOVEBIRD_B})
    assert said(calm, EC) == said(blocked, EC)


def test_rule_15_a_blocked_robin_looks_like_an_unvisited_one() -> None:
    unvisited = night(RING, {Bird.RAVEN: Bird.EAGLE})
    blocked = night(RING, {Bird.RAVEN: Bird.ROBIN, Bird.HAWK: 9})
    assert said(unvisited, None) == said(blocked, None)
    assert said(unvisited, EC) == said(blocked, EC)


def test_rule_15_a_gain_names_no_visitor() -> None:
    text = said(night(RING, {Bird.HAWK: 9, Bird.EAGLE: 9}), None)
    assert f"The Robin had company: +½ for {ANN}." in text
    assert birds(text) == ["Robin"]
    assert text == said(night(RING, {Bird.OWL: 9, Bird.PARROT: 9}), None)


# --- guesses ----------------------------------------------------------------------------------------


def test_rule_17_a_wrong_guess_says_its_price_and_nothing_more() -> None:
    state = to_guesses(close(opened()))
    texts = {
        said(told(state, {DMO: Guess(seat, bird)}), to)
        for seat, bird in ((2, Bird.HAWK), (9, Bird.RAVEN), (11, Bird.OWL))
        for to in (None, EC)
    }
    assert texts == {f"{BOB} is wrong. −1\n\nOne more guessing period, for both.", ""}


def test_rule_17_whoever_was_wrong_is_not_told_who_sits_there() -> None:
    state = to_guesses(close(opened()))
    own = said(told(state, {DMO: Guess(2, Bird.HAWK)}), DMO)
    assert birds(own.splitlines()[-1]) == ["Hawk"]
    assert re.findall(r"seat (\d+)", own) == ["2"]


def test_rule_18_a_refused_guess_says_neither_seat_nor_bird() -> None:
    state = to_guesses(close(opened(), {EC: Reveal(Bird.HAWK)}))
    answers = set()
    for seat in range(1, 12):
        refusal = check(view(state, EC), Guess(seat, Bird.HAWK))
        assert refusal is not None
        answers.add(screens().refusal(refusal.code))
        assert check(view(state, DMO), Guess(seat, Bird.HAWK)) is None
    [answer] = answers
    assert birds(answer) == []
    assert not re.search("seat|[0-9](?!\\))", answer)


def test_rule_18_only_the_guessers_own_menu_is_without_the_bird() -> None:
    state, plain = (to_guesses(close(opened(), moves)) for moves in ({EC: Reveal(Bird.HAWK)}, {}))
    assert panel(state, DMO, "5") == panel(plain, DMO, "5")
    own = [button.label for row in panel(state, EC, "5").keyboard for button in row]
    assert "Hawk" not in own
    assert "Owl" in own


# --- the end ----------------------------------------------------------------------------------------


def test_rule_22_no_order_and_no_answer_is_ever_told_to_the_group() -> None:
    read = 0
    for position in positions():
        texts = [said(position.tells, None), shown(screens().board(FRAME, position.public).text)]
        for text in texts:
            assert not re.search("→|N/A|: (?:Yes|No)\\b|stayed home|flightless", text)
            read += 1
    assert read > 500


def test_rule_22_the_end_shows_no_seat() -> None:
    state = draft(close(opened(), {EC: Reveal(Bird.HAWK)}), DMOS)
    tells = told(state, {EC: Resign()})
    for text in (said(tells, None), group(close(state, {EC: Resign()}))):
        assert birds(text) == []
        assert "seat" not in text
    assert said(tells, EC) == said(tells, DMO) == ""
