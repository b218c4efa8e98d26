"""Rulings 1 to 6 and 16 to 22: the course of a match. One test a ruling, its number in the name."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from engine.chance import commitment
from engine.documents import export, verify
from engine.game import IllegalMove, Refusal, Tell
from engine.gravity import facts
from engine.gravity.birds import BIRDS, DRAFTED, Bird, Seat
from engine.gravity.choices import check
from engine.gravity.draft import DMO, EC, birds_left, drafter, first_drafter
from engine.gravity.facts import GuessTold, MatchEnded, Picked, RevealTold, RoundBegan, RoundEnded, Scores
from engine.gravity.moves import Actions, Guess, Here, HostPick, Move, Pass, Pick, Resign, Reveal
from engine.gravity.rules import GRAVITY, advance, phase, seating
from engine.gravity.score import winner
from engine.gravity.state import State, view
from tests.engine.matches import RING, close, day_over, finished, opened, public, to_guesses, to_stage, told

HAWK, PENGUIN, CROW, LOVEBIRD_A, LOVEBIRD_B, LARK, OWL, EAGLE, ROBIN, PARROT, RAVEN = BIRDS


def code(state: State, player: int, move: Move) -> str | None:
    refusal = check(view(state, player), move)
    return None if refusal is None else refusal.code


def seat(bird: Bird) -> Seat:
    """Where a bird sits in RING."""
    return RING.index(bird) + 1


def right(bird: Bird) -> Guess:
    return Guess(seat(bird), bird)


def wrong(bird: Bird) -> Guess:
    return Guess(seat(bird) % 11 + 1, bird)


def private(tells: tuple[Tell, ...], player: int) -> list[object]:
    return [tell.fact for tell in tells if tell.to == player]


# --- private reveals ------------------------------------------------------------------------------


def test_rule_1_each_player_is_told_one_seat_privately() -> None:
    tells = told(opened(), {EC: Reveal(HAWK), DMO: Reveal(HAWK)})
    assert private(tells, EC) == [RevealTold(1, HAWK, 1)]
    assert private(tells, DMO) == [RevealTold(1, HAWK, 1)]
    assert not any(isinstance(fact, RevealTold) for fact in public(tells))


def test_rule_1_silence_is_none() -> None:
    tells = told(opened(), {EC: Reveal(None)})
    assert private(tells, EC) == private(tells, DMO) == [RevealTold(1, None, None)]


def test_rule_1_not_the_raven() -> None:
    assert code(opened(), EC, Reveal(RAVEN)) == "raven-unnameable"
    assert all(code(opened(), EC, Reveal(bird)) is None for bird in BIRDS if bird is not RAVEN)


def test_rule_2_the_bird_named_is_barred_for_its_namer_at_any_seat() -> None:
    state = to_guesses(close(opened(), {EC: Reveal(HAWK)}))
    assert {code(state, EC, Guess(seat, HAWK)) for seat in range(1, 12)} == {"own-reveal"}
    assert code(state, DMO, right(HAWK)) is None
    assert code(state, EC, Guess(1, CROW)) is None
    assert code(to_stage(state, 1, 4, "guesses"), EC, right(HAWK)) == "own-reveal"


def test_rule_2_holds_for_the_rest_of_the_round_only() -> None:
    state = to_stage(close(opened(), {EC: Reveal(HAWK)}), 2, 1, "guesses")
    assert code(state, EC, right(HAWK)) is None


def test_rule_3_the_birds_named_are_announced_and_nothing_else_of_them() -> None:
    state = to_stage(close(opened(), {EC: Reveal(ROBIN), DMO: Reveal(CROW)}), 1, 4, "guesses")
    tells = told(state)
    assert RoundEnded(1, False, (CROW, ROBIN), state.board.scores) in public(tells)
    assert RoundBegan(2, (CROW, ROBIN), state.board.scores) in public(tells)
    both = to_stage(close(opened(), {EC: Reveal(ROBIN), DMO: Reveal(ROBIN)}), 1, 4, "guesses")
    assert any(isinstance(fact, RoundEnded) and fact.named == (ROBIN,) for fact in public(told(both)))


def test_rule_3_neither_player_may_name_them_again() -> None:
    state = to_stage(close(opened(), {EC: Reveal(ROBIN)}), 2, 0, "reveals")
    assert code(state, EC, Reveal(ROBIN)) == code(state, DMO, Reveal(ROBIN)) == "bird-used"
    later = to_stage(close(state, {DMO: Reveal(HAWK)}), 4, 0, "reveals")
    assert later.board.used == (HAWK, ROBIN)


# --- draft ----------------------------------------------------------------------------------------


def test_rule_4_ten_birds_in_strict_alternation() -> None:
    state = to_stage(opened(), 1, 1, "draft")
    order = []
    while state.board.stage == "draft":
        turn = drafter(state.board)
        assert turn is not None
        assert code(state, 1 - turn, Pick(HAWK)) == "not-your-turn"
        order.append(turn)
        state = close(state, {turn: Pick(next(bird for bird in reversed(DRAFTED) if not _taken(state, bird)))})
    assert order == [DMO, EC] * 4 + [DMO]
    assert [player for player, _, _ in state.board.picks] == [DMO, EC] * 5
    assert sorted(bird for _, bird, _ in state.board.picks) == sorted(DRAFTED)


def _taken(state: State, bird: Bird) -> bool:
    return any(bird is picked for _, picked, _ in state.board.picks)


def test_rule_4_a_bird_is_picked_once_and_lovebird_a_never() -> None:
    state = close(to_stage(opened(), 1, 1, "draft"), {DMO: Pick(OWL)})
    assert code(state, EC, Pick(OWL)) == "bird-taken"
    assert code(state, EC, Pick(LOVEBIRD_A)) == "bird-undrafted"


def test_rule_4_picks_are_public_and_the_tenth_is_the_bots() -> None:
    state = to_stage(opened(), 1, 1, "draft")
    for bird in (OWL, HAWK, LARK, CROW, EAGLE, PENGUIN, ROBIN, RAVEN):
        turn = drafter(state.board)
        assert turn is not None
        assert told(state, {turn: Pick(bird)})[0].to is None
        state = close(state, {turn: Pick(bird)})
    assert public(told(state, {DMO: Pick(PARROT)})) == [
        Picked(1, 1, 9, DMO, PARROT, "player"),
        Picked(1, 1, 10, EC, LOVEBIRD_B, "bot"),
    ]


def test_rule_4_a_revealed_bird_is_drafted_like_any_other() -> None:
    state = to_stage(close(to_guesses(opened()), {EC: right(OWL)}), 1, 2, "draft")
    turn = drafter(state.board)
    assert turn is not None
    assert code(state, turn, Pick(OWL)) is None


def test_rule_5_the_dmo_drafts_first_in_the_match() -> None:
    assert first_drafter(None, (0, 0)) == DMO
    assert drafter(to_stage(opened(), 1, 1, "draft").board) == DMO


def test_rule_5_then_whoever_has_fewer_points_quarters_counting() -> None:
    assert first_drafter(EC, (5, 4)) == DMO
    assert first_drafter(EC, (3, 4)) == EC
    assert first_drafter(DMO, (3, 4)) == EC


def test_rule_5_tied_the_one_who_was_not_first_last_night_across_rounds_too() -> None:
    assert first_drafter(DMO, (0, 0)) == EC
    assert first_drafter(EC, (4, 4)) == DMO
    # Lovebird A falls before it can visit, so four silent nights bring no points; the first drafter alternates.
    still = (HAWK, PENGUIN, CROW, LOVEBIRD_B, LARK, OWL, EAGLE, ROBIN, PARROT, LOVEBIRD_A, RAVEN)
    state, firsts = opened(still), []
    for round_, night in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2)):
        state = to_stage(state, round_, night, "draft")
        firsts.append(state.board.first)
    assert state.board.scores == (0, 0)
    assert firsts == [DMO, EC, DMO, EC, DMO, EC]


def test_rule_6_after_five_minutes_the_bot_picks_the_first_bird_left() -> None:
    state = close(to_stage(opened(), 1, 1, "draft"), {DMO: Pick(HAWK)})
    opening = phase(state)
    assert opening is not None
    assert (opening.active, opening.seconds, opening.instant) == ((EC,), 300, True)
    assert public(told(state)) == [Picked(1, 1, 2, EC, PENGUIN, "bot")]


def test_rule_6_the_bot_then_goes_on_picking_at_once_for_the_rest_of_the_night() -> None:
    state = close(close(to_stage(opened(), 1, 1, "draft")), {EC: Pick(OWL)})
    assert state.board.idle == (DMO,)
    again = phase(state)
    assert again is not None
    assert (again.active, again.seconds) == ((DMO,), 0)
    tomorrow = phase(to_stage(state, 1, 2, "draft"))
    assert tomorrow is not None
    assert tomorrow.seconds == 300


def test_rule_6_unless_they_press_first() -> None:
    idle = close(to_stage(opened(), 1, 1, "draft"))
    assert close(close(idle, {EC: Pick(OWL)}), {DMO: Pick(CROW)}).board.idle == ()
    assert code(idle, DMO, Here()) is None
    assert close(idle, {EC: Pick(OWL), DMO: Here()}).board.idle == ()
    assert close(idle, {DMO: Here()}).board.idle == (EC,)
    assert code(idle, EC, Here()) == "not-idle"
    assert code(close(idle, {EC: Pick(OWL)}), DMO, Here()) == "your-turn"


def test_rule_6_the_host_picks_for_the_drafter_by_the_drafters_rules() -> None:
    state = close(to_stage(opened(), 1, 1, "draft"), {DMO: HostPick(OWL)})
    assert state.board.picks == ((DMO, OWL, "host"),)
    assert public(told(state, {EC: HostPick(HAWK)})) == [Picked(1, 1, 2, EC, HAWK, "host")]
    assert code(state, DMO, HostPick(HAWK)) == "not-your-turn"
    assert code(state, EC, HostPick(OWL)) == "bird-taken"
    assert code(state, EC, HostPick(LOVEBIRD_A)) == "bird-undrafted"
    assert code(opened(), EC, HostPick(HAWK)) == "wrong-phase"
    assert check(view(state, None), HostPick(HAWK)) == Refusal("not-a-player")


def test_rule_6_a_host_pick_leaves_the_last_bird_to_the_bot() -> None:
    state = to_stage(opened(), 1, 1, "draft")
    while state.board.stage == "draft":
        turn = drafter(state.board)
        assert turn is not None
        state = close(state, {turn: HostPick(birds_left(state.board)[-1])})
    assert [by for _, _, by in state.board.picks] == ["host"] * 9 + ["bot"]
    assert state.board.picks[-1] == (EC, HAWK, "bot")


def test_rule_6_a_host_pick_makes_nobody_idle_and_brings_nobody_back() -> None:
    awake = close(to_stage(opened(), 1, 1, "draft"), {DMO: HostPick(OWL)})
    assert awake.board.idle == ()
    again = phase(close(awake, {EC: Pick(HAWK)}))
    assert again is not None
    assert (again.active, again.seconds) == ((DMO,), 300)
    idle = close(close(to_stage(opened(), 1, 1, "draft")), {EC: HostPick(OWL)})
    assert idle.board.idle == (DMO,)
    assert close(idle, {DMO: HostPick(CROW)}).board.idle == (DMO,)
    # Whoever comes back while the host picks for the other is back all the same.
    assert close(close(idle, {DMO: HostPick(CROW)}), {EC: HostPick(LARK), DMO: Here()}).board.idle == ()


def test_rule_6_only_the_host_makes_a_host_pick() -> None:
    others = (Reveal(HAWK), Pick(HAWK), Here(), Actions(), Guess(1, HAWK), Pass(), Resign())
    assert GRAVITY.hosted(HostPick(HAWK))
    assert not any(GRAVITY.hosted(move) for move in others)


# --- guessing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guesses", "scores"),
    [
        ({EC: right(HAWK)}, (4, 0)),
        ({EC: wrong(HAWK)}, (-4, 0)),
        ({DMO: right(RAVEN)}, (0, 12)),
        ({DMO: wrong(RAVEN)}, (0, -4)),
        ({EC: right(HAWK), DMO: right(HAWK)}, (4, 4)),
        ({EC: right(RAVEN), DMO: right(RAVEN)}, (12, 12)),
        ({EC: right(HAWK), DMO: right(OWL)}, (4, 4)),
        ({EC: wrong(HAWK), DMO: right(OWL)}, (-4, 4)),
        ({EC: Pass()}, (0, 0)),
    ],
)
def test_rule_16_what_guesses_bring(guesses: dict[int, Move], scores: Scores) -> None:
    state = to_guesses(opened())
    before = state.board.scores
    after = close(state, guesses).board.scores
    assert (after[EC] - before[EC], after[DMO] - before[DMO]) == scores


def test_rule_17_a_right_guess_reveals_the_seat_and_the_bird() -> None:
    state = close(to_guesses(opened()), {EC: right(OWL), DMO: right(CROW)})
    assert state.board.revealed == ((3, CROW), (7, OWL))


def test_rule_17_a_wrong_guess_stays_secret_apart_from_its_cost() -> None:
    state = to_guesses(opened())
    one, another = (told(state, {EC: wrong(bird), DMO: right(OWL)}) for bird in (HAWK, EAGLE))
    assert public(one) == public(another)
    (announced,) = public(one)
    assert isinstance(announced, facts.PeriodClosed)
    assert announced.judged == (facts.Judged(EC, -4, None), facts.Judged(DMO, 4, right(OWL)))
    assert private(one, EC) == [GuessTold(1, 1, 1, wrong(HAWK), -4)]
    assert private(one, DMO) == [GuessTold(1, 1, 1, right(OWL), 4)]


def test_rule_17_what_is_revealed_is_hidden_again_in_the_next_round() -> None:
    state = close(to_guesses(opened()), {EC: right(OWL)})
    assert to_stage(state, 2, 0, "reveals").board.revealed == ()


def test_rule_18_revealed_seats_and_birds_are_refused_and_cost_nothing() -> None:
    state = close(to_guesses(opened()), {EC: right(OWL)})
    assert code(state, DMO, Guess(seat(OWL), HAWK)) == "seat-revealed"
    assert code(state, DMO, Guess(1, OWL)) == "bird-revealed"
    assert code(state, DMO, Guess(12, HAWK)) == "no-such-seat"
    with pytest.raises(IllegalMove):
        advance(state, {DMO: Guess(1, OWL)})


def test_rule_19_a_guess_opens_another_period_and_silence_ends_the_day() -> None:
    state = close(to_guesses(opened()), {EC: wrong(OWL)})
    assert (state.board.stage, state.board.night, state.board.period) == ("guesses", 1, 2)
    assert code(state, DMO, right(OWL)) is None  # the other may guess in it too
    after = day_over(state)
    assert (after.board.stage, after.board.night, after.board.period) == ("draft", 2, 0)
    assert close(state, {EC: Pass(), DMO: Pass()}).board.stage == "draft"


def test_rule_19_the_raven_found_ends_the_round_the_other_guess_still_counting() -> None:
    state = to_guesses(opened())
    before = state.board.scores
    tells = told(state, {EC: right(RAVEN), DMO: wrong(HAWK)})
    after = close(state, {EC: right(RAVEN), DMO: wrong(HAWK)})
    assert (after.board.round, after.board.stage) == (2, "reveals")
    assert after.board.scores == (before[EC] + 12, before[DMO] - 4)
    assert [type(fact) for fact in public(tells)] == [facts.PeriodClosed, RoundEnded, RoundBegan]


def test_shape_a_round_ends_after_the_fourth_day_and_starts_afresh() -> None:
    state = to_stage(close(opened(RING, RING[::-1]), {EC: Reveal(HAWK)}), 1, 4, "guesses")
    assert len(state.flightless) == 9
    after = day_over(state)
    assert (after.board.round, after.board.night) == (2, 0)
    assert after.flightless == (PENGUIN,)
    assert after.named == (None, None)
    assert after.told == ((), ())
    assert after.seats == RING[::-1]
    assert after.board.scores == state.board.scores


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "updates", "result"),
    [
        ((4, 0), [(4, 0)], (EC, "points")),
        ((0, 4), [(0, 4)], (DMO, "points")),
        ((4, 4), [(4, 0), (4, 4)], (EC, "led_last")),
        ((4, 4), [(4, 0), (4, 8), (4, 4)], (DMO, "led_last")),
        ((8, 8), [(0, 4), (8, 4), (8, 8)], (EC, "led_last")),
        ((4, 4), [(4, 4)], (DMO, "never_led")),
        ((0, 0), [], (DMO, "never_led")),
        ((-4, -4), [(0, -4), (-4, -4)], (EC, "led_last")),
    ],
)
def test_rule_20_more_points_or_who_led_last(scores: Scores, updates: list[Scores], result: tuple[int, str]) -> None:
    assert winner(scores, updates) == result


def test_rule_20_guesses_of_one_period_are_one_update() -> None:
    state = close(to_guesses(opened(STILL)), {EC: Guess(1, HAWK), DMO: Guess(3, CROW)})
    assert state.board.updates == ((4, 4),)


def test_rule_20_a_change_of_nothing_is_no_update() -> None:
    state = to_stage(opened(STILL), 4, 4, "guesses")
    assert state.board.updates == ()
    assert public(told(state))[-1] == MatchEnded(DMO, "never_led", (0, 0))


def test_rule_20_a_nights_gain_is_an_update() -> None:
    state = to_stage(opened(STILL), 1, 1, "actions")
    owners = {bird: player for player, bird, _ in state.board.picks}
    after = close(state, {owners[HAWK]: Actions(((HAWK, 8),))})
    gain = (1, 0) if owners[ROBIN] == EC else (0, 1)
    assert after.board.updates == (gain,)


STILL = (HAWK, PENGUIN, CROW, LOVEBIRD_B, LARK, OWL, EAGLE, ROBIN, PARROT, LOVEBIRD_A, RAVEN)
"""Lovebird A sits beside the Raven and so never walks: without actions nobody gains a quarter."""


def test_rule_21_a_resignation_ends_the_match_at_once() -> None:
    for stage in ("reveals", "draft", "actions", "guesses"):
        state = to_stage(opened(), 1, 0 if stage == "reveals" else 1, stage)
        for player in (EC, DMO):
            assert code(state, player, Resign()) is None
            tells = told(state, {player: Resign()})
            assert [tell.fact for tell in tells] == [MatchEnded(1 - player, "resigned", state.board.scores)]


def test_rule_21_whatever_else_was_sealed() -> None:
    state = to_guesses(opened())
    after = close(state, {EC: right(RAVEN), DMO: Resign()})
    assert after.board.winner == EC
    assert after.board.scores == state.board.scores
    assert phase(after) is None
    assert close(state, {EC: Resign(), DMO: Resign()}).board.winner == DMO
    assert code(after, EC, Resign()) == "match-over"


def test_rule_21_two_who_never_come_are_carried_to_the_end() -> None:
    record, state = finished(bytes(32), lambda state, player: None)
    assert state.board.winner is not None
    assert len(record.steps) == 4 * (1 + 4 * (9 + 1 + 1))


def test_rule_22_what_was_secret_is_in_the_record_and_nowhere_else() -> None:
    record, state = finished(bytes(32), lambda state, player: None)
    document = export(record, ("Ann", "Bob"))
    assert document["rounds"][0]["seats"] == [bird.value for bird in seating(bytes(32), 1)]
    assert verify(document, [commitment(bytes(32))])["ok"]
    # The public's view has the board and nothing beside it, even after the end.
    assert {field.name for field in fields(view(state, None))} == {"viewer", "board", "named", "told"}
    assert view(state, None) == view(replace(state, deals=(RING,) * 4, flightless=(), told=((), ())), None)


# --- refusals that no ruling numbers --------------------------------------------------------------


def test_moves_of_another_phase_strangers_and_latecomers_are_refused() -> None:
    state = opened()
    assert code(state, EC, Pass()) == "wrong-phase"
    public_view = view(state, None)
    refusal = check(public_view, Reveal(None))
    assert refusal is not None
    assert refusal.code == "not-a-player"
    with pytest.raises(IllegalMove):
        advance(state, {EC: Pass()})
    over = close(state, {EC: Resign()})
    with pytest.raises(ValueError, match="over"):
        advance(over, {})


def test_only_own_birds_are_sent_and_each_once() -> None:
    state = to_stage(opened(), 1, 1, "actions")
    owners = {bird: player for player, bird, _ in state.board.picks}
    assert code(state, 1 - owners[HAWK], Actions(((HAWK, 1),))) == "not-your-bird"
    assert code(state, owners[HAWK], Actions(((HAWK, 1), (HAWK, 2)))) == "bird-twice"
    assert code(state, owners[HAWK], Actions(((LOVEBIRD_A, 1),))) == "not-your-bird"
    assert code(state, owners[ROBIN], Actions(((ROBIN, 1),))) == "takes-no-target"


def test_nobody_submitting_is_told_apart_from_submitting_nothing() -> None:
    state = to_stage(opened(), 1, 1, "actions")
    answers = [tell.fact for tell in told(state, {EC: Actions()}) if tell.to is not None]
    assert [answer.silent for answer in answers] == [False, True]


def test_amend_lays_targets_over_each_other() -> None:
    amend = GRAVITY.amend
    sealed = amend(amend(None, Actions(((OWL, 3),))), Actions(((HAWK, 5),)))
    assert sealed == Actions(((HAWK, 5), (OWL, 3)))
    assert amend(sealed, Actions(((OWL, 4),))) == Actions(((HAWK, 5), (OWL, 4)))
    assert amend(sealed, Actions(((HAWK, None),))) == Actions(((OWL, 3),))
    assert amend(None, Actions(((HAWK, None),))) == Actions()
    assert amend(right(HAWK), Pass()) == Pass()
    assert amend(None, HostPick(HAWK)) == amend(Pick(OWL), HostPick(HAWK)) == HostPick(HAWK)
    assert amend(HostPick(HAWK), Pick(OWL)) == Pick(OWL)
