"""Rulings 7 to 15: what happens in a night. One test a ruling, its number in the name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.gravity.birds import BIRDS, DRAFTED, Bird
from engine.gravity.moves import Actions, Target
from engine.gravity.night import Night, Seating, poisoned, resolve
from engine.gravity.targets import refused
from tests.engine.matches import RING, draft, opened, responses, to_stage, told

HAWK, PENGUIN, CROW, LOVEBIRD_A, LOVEBIRD_B, LARK, OWL, EAGLE, ROBIN, PARROT, RAVEN = BIRDS
EC_BIRDS = (HAWK, PENGUIN, OWL, ROBIN, PARROT)
"""What the EC drafted unless a test says otherwise; the DMO has Crow, Lovebird B, Lark, Eagle and Raven."""


def night(
    actions: Mapping[Bird, Target],
    *,
    seats: Seating = RING,
    flightless: tuple[Bird, ...] = (),
    revealed: tuple[Bird, ...] = (),
    ec: tuple[Bird, ...] = EC_BIRDS,
) -> Night:
    return resolve(seats, flightless, revealed, {bird: 0 if bird in ec else 1 for bird in DRAFTED}, actions)


def ring(text: str) -> Seating:
    """A seating by initials: Hawk, Penguin, Crow, lovebird A, lovebird B, Lark, Owl, Eagle, Robin, parroT, raVen."""
    return tuple(BIRDS["HPCABLOERTV".index(letter)] for letter in text)


WALK = ring("TAPCHBLOERV")
"""Lovebird A at seat 2, Lovebird B at seat 6, and nobody near the Raven."""


def test_rule_7_a_bird_without_an_action_stays_and_the_others_stand() -> None:
    result = night({HAWK: 2})
    assert HAWK in result.visits
    assert OWL not in result.visits
    assert result.responses[OWL] == "N/A"
    assert result.responses[HAWK] == "Yes"


@pytest.mark.parametrize(
    ("bird", "target", "code"),
    [
        (LARK, 3, "takes-a-bird"),
        (CROW, RAVEN, "takes-a-seat"),
        (OWL, HAWK, "takes-a-seat"),
        (EAGLE, HAWK, "takes-a-seat"),
        (PARROT, HAWK, "takes-a-seat"),
        (HAWK, 12, "no-such-seat"),
        (HAWK, 0, "no-such-seat"),
    ],
)
def test_rule_7_each_bird_takes_its_own_kind_of_target(bird: Bird, target: Target, code: str) -> None:
    assert refused(bird, target, ()) == code


@pytest.mark.parametrize("bird", [HAWK, RAVEN])
def test_rule_7_hawk_and_raven_take_both_kinds(bird: Bird) -> None:
    assert refused(bird, 3, ()) is None
    assert refused(bird, CROW, ()) is None


def test_rule_8_a_revealed_seat_or_bird_cannot_be_chosen() -> None:
    revealed = ((3, CROW),)
    assert refused(HAWK, 3, revealed) == "seat-revealed"
    assert refused(HAWK, CROW, revealed) == "bird-revealed"
    assert refused(LARK, CROW, revealed) == "bird-revealed"
    assert refused(RAVEN, 3, revealed) == "seat-revealed"
    assert refused(HAWK, 4, revealed) is None


def test_rule_8_a_revealed_bird_still_acts() -> None:
    result = night({HAWK: 2}, revealed=(HAWK,))
    assert result.visits[HAWK] == (2,)
    assert result.responses[HAWK] == "Yes"


def test_rule_8_a_revealed_robin_is_never_visited() -> None:
    # Lovebird A's way from 4 to 9 would pass the Robin at 6.
    result = night({}, seats=ring("HPCALRBOETV"), revealed=(ROBIN,))
    assert result.visits[LOVEBIRD_A] == (5, 7)
    assert result.robin == 0


def test_rule_9_naming_by_seat_or_by_bird_is_the_same_visit() -> None:
    by_seat, by_bird = night({HAWK: 9, OWL: 9, RAVEN: 3}), night({HAWK: ROBIN, OWL: 9, RAVEN: CROW})
    assert by_seat == by_bird


def test_rule_9_a_bird_may_visit_itself() -> None:
    result = night({HAWK: HAWK, LARK: LARK, CROW: 3, EAGLE: 8})
    assert result.visits[HAWK] == (1,)
    assert result.visits[LARK] == (6,)
    assert result.responses[CROW] == "Yes"
    assert result.responses[EAGLE] == "8: Eagle"


@pytest.mark.parametrize("bird", [PENGUIN, LOVEBIRD_B, ROBIN])
def test_rule_10_penguin_lovebird_b_and_robin_work_without_a_submission(bird: Bird) -> None:
    assert refused(bird, 3, ()) == "takes-no-target"
    result = night({HAWK: LOVEBIRD_B, OWL: 9})
    assert result.responses[PENGUIN] == "Yes"  # the Hawk beside it fell tonight
    assert result.responses[LOVEBIRD_B] == "1"
    assert result.robin == 1


def test_rule_11_the_poison_takes_the_nearest_on_either_side_of_the_raven() -> None:
    assert poisoned(RING, ()) == (HAWK, PENGUIN, PARROT)
    assert poisoned(RING, (HAWK, PENGUIN, PARROT)) == (HAWK, PENGUIN, CROW, ROBIN, PARROT)


def test_rule_11_flightless_seats_are_passed_over() -> None:
    assert poisoned(ring("PHCABLOERTV"), ()) == (HAWK, PENGUIN, PARROT)


def test_rule_11_the_raven_is_passed_over() -> None:
    # Everything clockwise up to the Parrot is down, so both ways lead to the same bird.
    down = (HAWK, PENGUIN, CROW, LOVEBIRD_A, LOVEBIRD_B, LARK, OWL, EAGLE, ROBIN)
    assert poisoned(RING, down) == (*down, PARROT)
    everything = (*down, PARROT)
    assert poisoned(RING, everything) == everything


def test_rule_11_both_are_found_before_either_falls() -> None:
    # With two birds left, the way clockwise and the way counterclockwise find one each, not the same.
    down = (HAWK, PENGUIN, CROW, LOVEBIRD_B, LARK, OWL, EAGLE, ROBIN)
    assert poisoned(RING, down) == (*DRAFTED[:3], LOVEBIRD_A, *DRAFTED[3:9])
    # One bird, reached from one side, does not shift what the other side reaches.
    one_left = tuple(bird for bird in BIRDS if bird not in (OWL, RAVEN))
    assert poisoned(RING, one_left) == tuple(bird for bird in BIRDS if bird is not RAVEN)


def test_rule_11_revealed_and_blocked_birds_are_reached() -> None:
    result = night({RAVEN: HAWK}, revealed=(PARROT,))
    assert result.flightless == (HAWK, PENGUIN, PARROT)


def test_rule_11_it_counts_tonight() -> None:
    assert night({HAWK: PARROT}).responses[HAWK] == "Yes"
    assert night({HAWK: CROW}).responses[HAWK] == "No"


def test_rule_12_a_blocked_bird_does_nothing_and_hears_nothing() -> None:
    result = night({RAVEN: OWL, OWL: 9, HAWK: 7})
    assert result.visits[RAVEN] == (7,)
    assert OWL not in result.visits
    assert result.responses[OWL] == "N/A"
    assert result.robin == 0


@pytest.mark.parametrize("target", [RAVEN, 11])
def test_rule_12_the_raven_naming_itself_does_nothing(target: Target) -> None:
    assert refused(RAVEN, target, ()) is None
    assert night({RAVEN: target, OWL: 11}) == night({OWL: 11})


def test_rule_13_lovebird_a_visits_everybody_on_the_shorter_way_and_lovebird_b() -> None:
    assert night({}, seats=WALK).visits[LOVEBIRD_A] == (3, 4, 5, 6)
    assert night({}, seats=ring("HBCPELOARTV")).visits[LOVEBIRD_A] == (1, 2, 9, 10, 11)
    assert night({}, seats=ring("HPCALOERTBV")).visits[LOVEBIRD_A] == (1, 2, 3, 10, 11)


def test_rule_13_it_skips_the_revealed_and_walks_even_so() -> None:
    assert night({}, seats=WALK, revealed=(LOVEBIRD_B, CROW)).visits[LOVEBIRD_A] == (3, 5)
    assert night({}, seats=WALK, revealed=(LOVEBIRD_A,)).visits[LOVEBIRD_A] == (3, 4, 5, 6)
    assert LOVEBIRD_A not in night({}, revealed=(LOVEBIRD_B,)).visits  # next to it: nobody to visit


def test_rule_13_a_flightless_or_blocked_lovebird_a_stays() -> None:
    assert LOVEBIRD_A not in night({}, flightless=(LOVEBIRD_A,)).visits
    assert LOVEBIRD_A not in night({RAVEN: LOVEBIRD_A}).visits


def test_rule_13_lovebird_a_poisoned_tonight_stays_tonight() -> None:
    assert LOVEBIRD_A not in night({}, seats=ring("AHPCBLOERTV")).visits


def test_rule_13_a_flightless_bird_still_visits() -> None:
    assert night({OWL: 9}, flightless=(OWL,)).visits[OWL] == (9,)


def test_rule_14_hawk_asks_whether_a_bird_is_flightless() -> None:
    assert night({HAWK: PENGUIN}).responses[HAWK] == "Yes"
    assert night({HAWK: 11}).responses[HAWK] == "No"


def test_rule_14_penguin_asks_its_neighbours() -> None:
    lonely = ring("HTPCABLOERV")  # the poison takes Hawk and Robin
    assert night({}, seats=lonely).responses[PENGUIN] == "No"
    assert night({}, seats=lonely, flightless=(CROW,)).responses[PENGUIN] == "Yes"
    assert night({}, seats=lonely, flightless=(PARROT,)).responses[PENGUIN] == "Yes"
    edge = ring("PHCABLOERVT")  # the Penguin's neighbours are Hawk and, across the end, the Parrot
    assert night({}, seats=edge).responses[PENGUIN] == "Yes"


def test_rule_14_a_blocked_penguin_hears_nothing_and_stays_flightless() -> None:
    result = night({RAVEN: PENGUIN, HAWK: PENGUIN})
    assert result.responses[PENGUIN] == "N/A"
    assert result.responses[HAWK] == "Yes"
    assert PENGUIN in result.flightless


def test_rule_14_to_the_crow_raven_and_crow_appear_as_the_raven() -> None:
    assert night({CROW: 11}).responses[CROW] == "Yes"
    assert night({CROW: 3}).responses[CROW] == "Yes"
    assert night({CROW: 1}).responses[CROW] == "No"


def test_rule_14_to_a_flightless_crow_everything_is_the_raven() -> None:
    assert night({CROW: 1}, flightless=(CROW,)).responses[CROW] == "Yes"
    assert night({CROW: 5}, seats=ring("CPHABLOERTV")).responses[CROW] == "Yes"  # poisoned tonight


def test_rule_14_lovebird_b_lists_its_visitors_but_no_lovebird() -> None:
    result = night({HAWK: 5, OWL: 5, RAVEN: 4})
    assert result.responses[LOVEBIRD_B] == "1, 7"
    with_a_lovebird = night({HAWK: 5})
    assert with_a_lovebird.visits[LOVEBIRD_A] == (5,)
    assert with_a_lovebird.responses[LOVEBIRD_B] == "1"
    assert night({}).responses[LOVEBIRD_B] == "N/A"


def test_rule_14_lark_lists_the_opponents_birds_only() -> None:
    result = night({LARK: ROBIN, HAWK: 9, OWL: 9, PARROT: 9, CROW: 9, EAGLE: 9})
    assert result.responses[LARK] == "1, 7, 10"
    walked = night({LARK: LOVEBIRD_B, EAGLE: 5})
    assert walked.visits[LOVEBIRD_A] == (5,)
    assert walked.responses[LARK] == "N/A"


def test_rule_14_an_opposing_lark_gets_the_ravens_seat() -> None:
    raven_against = (HAWK, PENGUIN, OWL, ROBIN, RAVEN)
    assert night({LARK: CROW, RAVEN: CROW}, ec=raven_against).responses[LARK] == "11"
    assert night({LARK: CROW, RAVEN: CROW}).responses[LARK] == "N/A"


def test_rule_14_owl_lists_visitors_without_itself() -> None:
    result = night({OWL: 9, PARROT: 9, LARK: ROBIN})
    assert result.responses[OWL] == "9: Lark, Parrot"
    assert night({OWL: 9}).responses[OWL] == "N/A"
    assert night({OWL: 7, CROW: 7}).responses[OWL] == "7: Crow"


def test_rule_14_owl_sees_the_raven() -> None:
    assert night({OWL: 9, RAVEN: ROBIN}).responses[OWL] == "9: Raven"


def test_rule_14_eagle_sees_whom_a_bird_visited() -> None:
    assert night({EAGLE: 6, LARK: ROBIN}).responses[EAGLE] == "6: Robin"
    assert night({EAGLE: 11, RAVEN: ROBIN}).responses[EAGLE] == "11: Robin"
    assert night({EAGLE: 1}).responses[EAGLE] == "N/A"
    assert night({EAGLE: 8}).responses[EAGLE] == "8: Eagle"
    assert night({EAGLE: 2}, seats=WALK).responses[EAGLE] == "2: Hawk, Penguin, Crow, Lovebird B"


def test_rule_14_eagle_on_a_blocked_bird_sees_nothing() -> None:
    assert night({EAGLE: 1, HAWK: 9, RAVEN: HAWK}).responses[EAGLE] == "N/A"


def test_rule_14_a_blocked_bird_can_be_visited() -> None:
    result = night({RAVEN: HAWK, OWL: 1, LARK: HAWK})
    assert result.responses[OWL] == "1: Lark, Raven"


def test_rule_14_parrot_repeats_exactly() -> None:
    assert night({PARROT: 7, OWL: 9, LARK: ROBIN}).responses[PARROT] == "9: Lark"
    assert night({PARROT: 2}).responses[PARROT] == "Yes"  # the Penguin's neighbour Hawk fell
    assert night({PARROT: 8, EAGLE: 10}).responses[PARROT] == "10: Eagle"  # the very visit it makes


@pytest.mark.parametrize(
    ("seat", "who"), [(10, "itself"), (11, "Raven"), (9, "Robin"), (4, "Lovebird A"), (7, "idle"), (1, "blocked")]
)
def test_rule_14_parrot_on_a_bird_that_heard_nothing(seat: int, who: str) -> None:
    result = night({PARROT: seat, HAWK: 9, RAVEN: HAWK})
    assert result.visits[PARROT] == (seat,), who
    assert result.responses[PARROT] == "N/A", who


def test_rule_15_the_robins_drafter_gains_a_quarter_a_visitor() -> None:
    visited = night({HAWK: 9, OWL: 9, CROW: 9})
    assert visited.robin == 3
    walked = night({}, seats=ring("HPCARBOLETV"))
    assert walked.robin == 1
    assert night({HAWK: 9, RAVEN: ROBIN}).robin == 0


def test_rule_15_each_response_goes_to_the_drafter_alone() -> None:
    state = draft(to_stage(opened(), 1, 1, "draft"), (CROW, LOVEBIRD_B, LARK, EAGLE, RAVEN))
    moves = {0: Actions(((HAWK, 9), (OWL, 9))), 1: Actions(((CROW, 11),))}
    tells = told(state, moves)
    assert [tell.to for tell in tells] == [None, 0, 1]
    ec, dmo = (tell.fact for tell in tells if tell.to is not None)
    assert [response.bird for response in ec.responses] == [HAWK, PENGUIN, OWL, ROBIN, PARROT]
    assert [response.bird for response in dmo.responses] == [CROW, LOVEBIRD_B, LARK, EAGLE, RAVEN]
    assert responses(tells)[CROW] == "Yes"
    assert [response.target for response in ec.responses] == [9, None, 9, None, None]
