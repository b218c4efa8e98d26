"""What Dog's Judgement announces and whispers, and what a press is answered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.dog.choices import REACH
from engine.dog.events import CARDS, PLAYERS, VP_EVENTS, Event, Movement, Tokens
from engine.dog.facts import (
    CandidateNamed,
    Fact,
    Judgement,
    NoDeathMatch,
    OpponentNamed,
    Published,
    RoundResolved,
    RoundTold,
)
from engine.dog.judgement import judge
from engine.dog.moves import Challenge, Decline, Move, Play, Withdraw
from engine.dog.refusals import CODES
from handler.views import VIEWS
from tests.engine.dog_matches import play
from tests.handler.dog_positions import NAMES, PLAYS, framed, of_stage, positions
from tests.handler.positions import shown

SCREENS = VIEWS["dog"]
CHARGE, REMOVE, MEDIAN = VP_EVENTS
NOBODY = (0,) * 7


def name(player: int) -> str:
    return f"\u2068{NAMES[player]}\u2069"


def announced(fact: Fact, *names: str) -> str:
    text = SCREENS.announce(framed(*names), fact)
    assert text is not None
    return shown(text)


def whispered(fact: Fact) -> str:
    text = SCREENS.whisper(framed(), fact)
    assert text is not None
    return shown(text)


# --- a round, rule 9 --------------------------------------------------------------------------------


def test_a_round_is_announced_exactly_so_rule_9() -> None:
    fact = RoundResolved(3, ((0, 4), (), (1, 2, 6)), 9, Movement("win", CHARGE, REMOVE))
    assert announced(fact) == (
        "Round 3 of 9 is over. Who scored:\n"
        f"• Charge Tower: {name(0)}, {name(4)}\n"
        "• Remove One: nobody\n"
        f"• Median Meridian: {name(1)}, {name(2)}, {name(6)}\n"
        "⚡ Something deep in the tower gives way, and all its lights go out. The threshold is broken.\n"
        "The tower is at level 9.\n"
        "A Win Token moved: Charge Tower → Remove One."
    )


def test_a_threshold_is_broken_with_some_theatre_and_the_same_by_one_or_by_several_rule_5() -> None:
    told = [announced(RoundResolved(1, (scorers, (), ()), 2, None)) for scorers in ((), (3,), (0, 3))]
    assert ["The threshold is broken." in text for text in told] == [False, True, True]
    assert told[1].splitlines()[2:] == told[2].splitlines()[2:]


@pytest.mark.parametrize(
    ("moved", "says"),
    [
        (None, "No token moved."),
        (Movement("win", MEDIAN, CHARGE), "A Win Token moved: Median Meridian → Charge Tower."),
        (Movement("lose", CHARGE, MEDIAN), "The Lose Token moved: Charge Tower → Median Meridian."),
    ],
)
def test_the_last_line_of_a_round_is_the_token_rule_9(moved: Movement | None, says: str) -> None:
    assert announced(RoundResolved(1, ((), (), ()), 1, moved)).splitlines()[-1] == says


def test_scorers_stand_in_table_order_whatever_order_they_come_in_rule_9() -> None:
    one, other = (RoundResolved(1, (scorers, (), ()), 1, None) for scorers in ((0, 3, 5), (5, 0, 3)))
    assert announced(one) == announced(other)


@pytest.mark.parametrize(
    ("text", "says", "gained"),
    [
        ("5cm", "You played 5 on Charge Tower and Median Meridian.", None),
        (
            "5xb3wcr",
            "You played 5 on Exchange Store (for a 3) and Bribing the Dog (Win Token: Charge Tower → Remove One).",
            3,
        ),
        (None, "You played no card.", None),
    ],
)
def test_a_round_is_whispered_to_everybody_whether_they_played_or_not(
    text: str | None, says: str, gained: int | None
) -> None:
    played = None if text is None else play(text)
    fact = RoundTold(2, played, (3, 0, 5), gained, (3, 1, 9), (1, 2, 2, 7))
    assert whispered(fact) == (
        "\u2068The kennel\u2069 · Dog's Judgement\n"
        f"Round 2 of 9. {says}\n"
        "Scored this round: Charge Tower 3 · Remove One 0 · Median Meridian 5\n"
        + ("" if gained is None else "From the Exchange Store: a 3.\n")
        + "Your hand: 1, 2, 2, 7\n"
        "Your VP: Charge Tower 3 · Remove One 1 · Median Meridian 9"
    )


# --- the judgement, rules 10 to 13 ------------------------------------------------------------------


def points(*rows: tuple[int, int, int]) -> tuple[tuple[int, int, int], ...]:
    """The VP of the first players; the others have 1 everywhere."""
    return (*rows, *((1, 1, 1),) * (7 - len(rows)))


def judged(tokens: Tokens, *rows: tuple[int, int, int]) -> list[str]:
    """The judgement's paragraphs."""
    return announced(judge(points(*rows), tokens, NOBODY)).split("\n\n")


def test_the_judgement_goes_event_by_event_and_ends_with_the_candidate() -> None:
    text = judged(Tokens((2, 0, 1), REMOVE), (9, 0, 8), (4, 1, 8), (4, 0, 2))
    assert text[0].startswith("🐕 The judgement. Nine rounds are over.")
    assert text[1:] == [
        f"Charge Tower · 2 Win Tokens\n{name(0)} leads alone with 9 VP and wins 2 Tokens of Life.",
        "Remove One · no Win Token\nNothing to be won here.",
        f"Median Meridian · 1 Win Token\n{name(0)}, {name(1)} share the lead with 8 VP: a Token of Life each.",
        "What is kept (each Token of Life brings two garnets, ruling 12)\n"
        f"• {name(0)}: 3 Tokens of Life, 6 garnets\n• {name(1)}: 1 Token of Life, 2 garnets",
        "Now the Dog follows its nose to the Lose Token. It lies on Remove One, "
        "and the least VP there, among those without a Token of Life, is 0.",
        "The Dog stops in front of one chair, and sits down.",
        f"{name(2)} is the Elimination Candidate.",
    ]


def test_six_tokens_of_life_cost_everybody_one_rule_11() -> None:
    text = judged(Tokens((1, 1, 1), CHARGE), (9, 9, 9), (9, 9, 9))
    assert text[4].startswith("That makes 6 Tokens of Life.")
    assert (
        text[5] == "What is kept (each Token of Life brings two garnets, ruling 12)\n"
        f"• {name(0)}: 2 Tokens of Life, 4 garnets\n• {name(1)}: 2 Tokens of Life, 4 garnets"
    )
    five = judged(Tokens((1, 1, 1), CHARGE), (9, 9, 9), (9, 9, 8))
    assert not any(part.startswith("That makes") for part in five)


def test_where_nobody_scored_all_seven_share_the_lead_rule_10() -> None:
    silent = announced(judge(((0, 0, 0),) * 7, Tokens(), NOBODY))
    assert silent.count("Nobody scored here, so all seven share the lead: a Token of Life each.") == 3
    assert "That makes 21 Tokens of Life." in silent
    assert f"• {name(6)}: 2 Tokens of Life, 4 garnets" in silent
    assert silent.endswith("There is no Elimination Candidate.")
    level = judged(Tokens((0, 1, 0), CHARGE), *((2, 2, 2),) * 7)
    assert level[2] == "Remove One · 1 Win Token\nAll seven share the lead with 2 VP: a Token of Life each."


def test_joint_candidates_are_named_together_rule_13() -> None:
    text = judged(Tokens((3, 0, 0), MEDIAN), (9, 0, 8), (4, 1, 0), (4, 0, 0))
    assert text[-1] == f"{name(1)}, {name(2)} are joint Elimination Candidates."
    assert "least VP there, among those without a Token of Life, is 0." in text[-3]


def test_if_nobody_keeps_a_token_of_life_all_seven_can_be_joint_candidates() -> None:
    text = judged(Tokens((0, 3, 0), MEDIAN), *((2, 2, 2),) * 7)
    assert text[4].startswith("That makes 7 Tokens of Life.")
    assert text[5] == "Nobody keeps a Token of Life, and there are no garnets."
    assert text[-1] == "All seven are joint Elimination Candidates."


def test_the_judgement_wants_a_little_theatre_and_names_the_bribes() -> None:
    text = announced(judge(points((9, 0, 8)), Tokens(), NOBODY))
    assert "It has taken something from all of you, and feels that it owes nobody anything." in text


# --- everything published, rule 14 ------------------------------------------------------------------


def test_all_plays_and_points_are_published_in_short_rule_14() -> None:
    rounds = (
        (play("5cm"), None, *(None,) * 5),
        (play("5xb3wcr"), play("2xr4"), *(None,) * 5),
        (play("7cblcm"), play("1rb-"), *(None,) * 5),
    )
    text = announced(Published(points((1, 22, 3), (0, 0, 4)), rounds)).split("\n\n")
    assert text[0] == (
        "Everything that was played\n"
        f"{name(0)} · Charge Tower 1 · Remove One 22 · Median Meridian 3\n1: 5 C+M · 2: 5 X3+B(WC→R) · 3: 7 C+B(LC→M)"
    )
    assert text[1] == f"{name(1)} · Charge Tower 0 · Remove One 0 · Median Meridian 4\n1: – · 2: 2 X4+R · 3: 1 R+B(–)"
    assert text[6].endswith("\n1: – · 2: – · 3: –")
    assert text[7].startswith("How to read it: 5 X3+B(WC→R) is a 5 on the Exchange Store (X), for a 3,")
    assert len(text) == 8


def test_the_longest_judgement_and_table_leave_room_in_a_message() -> None:
    kims = ("Kimberly-Anne Featherstonhaugh X",) * 7
    table = Published(((100, 100, 100),) * 7, ((play("5xb3wcr"),) * 7,) * 9)
    longest = [announced(table, *kims)]
    for leaders in range(1, 8):
        rows = ((20, 20, 20),) * leaders + ((10, 10, 10),) * (7 - leaders)
        for tokens in (Tokens(), Tokens((3, 0, 0), MEDIAN)):
            longest.append(announced(judge(rows, tokens, NOBODY), *kims))
            longest.append(announced(judge(rows, tokens, (0,) * 6 + (1,)), *kims))
    everybody = Judgement(judge(rows, Tokens(), NOBODY).events, (3,) * 7, True, (3,) * 7, (6,) * 7, MEDIAN, 20, PLAYERS)
    six = tuple(replace(each, leaders=PLAYERS[:6]) for each in everybody.events)
    longest.append(announced(replace(everybody, events=six, candidates=PLAYERS[:6]), *kims))
    assert max(map(len, longest)) > 2000
    assert all(len(text) < 3000 for text in longest)


# --- from this match to the next, rule 16 -----------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "says"),
    [
        (
            CandidateNamed(2, False, (0, 5)),
            f"{name(2)} is to meet one of these in the Death Match: {name(0)}, {name(5)}. "
            f"{name(2)} may choose which, in secret; without a choice the lot decides.",
        ),
        (
            CandidateNamed(2, True, (5,)),
            f"🎲 Several candidates, one place. The lot falls on {name(2)}: it follows from the seed that was sealed "
            "at the start, so everybody can verify it with the record.\n"
            f"{name(2)} is to meet one of these in the Death Match: {name(5)}. "
            f"{name(2)} may choose which, in secret; without a choice the lot decides.",
        ),
        (OpponentNamed(2, 5, "chosen"), f"{name(2)} has chosen: the opponent is {name(5)}."),
        (
            OpponentNamed(2, 5, "lot"),
            f"🎲 The lot has named the opponent of {name(2)}: {name(5)}. It follows from the seed that was sealed "
            "at the start, so everybody can verify it with the record.",
        ),
        (
            NoDeathMatch("no_candidate"),
            "There is no Death Match. Nobody is a candidate, and nobody is eliminated.",
        ),
        (
            NoDeathMatch("no_opponent"),
            "There is no Death Match. Everybody but the candidate holds a Token of Life, so there is nobody to "
            "challenge. Nobody is eliminated.",
        ),
        (NoDeathMatch("declined"), "There is no Death Match. The host has declined it, and nobody is eliminated."),
    ],
)
def test_what_follows_is_announced_rule_16(fact: Fact, says: str) -> None:
    assert announced(fact) == says


def test_only_players_of_one_name_are_told_apart_by_their_seats() -> None:
    text = announced(RoundResolved(1, ((0, 1, 2), (), ()), 1, None), "Kim", "Bob", "Kim", "Dee", "Eva", "Fay", "Gus")
    assert "• Charge Tower: \u2068Kim\u2069 (seat 1), \u2068Bob\u2069, \u2068Kim\u2069 (seat 3)\n" in text


@pytest.mark.parametrize(
    ("text", "scored", "says"),
    [
        ("4rbwcr", (0, 7, 0), "and the token moved as you wished"),
        ("4rb-", (0, 7, 0), "No token moved, as you wished"),
        ("4cb-", (7, 0, 0), "No token moved, as you wished"),
        ("4rbwcr", (0, 4, 0), None),
        ("4rbwcr", (0, 0, 0), None),
        ("4rm", (0, 4, 4), None),
    ],
)
def test_a_briber_is_told_so_only_where_the_score_proves_it(
    text: str, scored: tuple[int, int, int], says: str | None
) -> None:
    told = whispered(RoundTold(2, play(text), scored, None, scored, (1, 2)))
    assert ("The Dog took your bribe" in told) == (says is not None)
    assert says is None or says in told


def test_no_private_fact_is_announced_and_no_public_one_whispered() -> None:
    kinds = set()
    for position in positions():
        for tell in position.tells:
            kinds.add(type(tell.fact))
            say, hush = SCREENS.announce, SCREENS.whisper
            if tell.to is not None:
                say, hush = hush, say
            assert hush(framed(), tell.fact) is None
            text = say(framed(), tell.fact)
            assert text is not None
            assert 0 < len(shown(text)) < 3000
    assert kinds == {RoundResolved, RoundTold, Judgement, Published, CandidateNamed, OpponentNamed, NoDeathMatch}


def test_where_the_host_has_declined_beforehand_nobody_is_said_to_choose() -> None:
    frame = replace(framed(), declined=True)
    assert SCREENS.announce(frame, CandidateNamed(2, False, (0, 5))) is None
    lot = SCREENS.announce(frame, CandidateNamed(2, True, (5,)))
    assert lot is not None
    assert shown(lot) == (
        f"🎲 Several candidates, one place. The lot falls on {name(2)}: it follows from the seed that was sealed "
        "at the start, so everybody can verify it with the record."
    )


# --- toasts -----------------------------------------------------------------------------------------


def test_every_refusal_has_words_that_fit_a_toast() -> None:
    texts = {SCREENS.refusal(code) for code in CODES}
    assert len(texts) == len(CODES)
    assert all(0 < len(text) <= 200 and "<" not in text for text in texts)


def test_the_reach_of_the_store_is_what_the_refusal_says() -> None:
    assert f"within {REACH} of yours, from {CARDS[0]} to {CARDS[-1]}" in SCREENS.refusal("value-out-of-reach")


MOVES: tuple[Move, ...] = (*PLAYS, Withdraw(), Challenge(None), Challenge(3), Decline())


def test_every_sealed_move_has_a_toast() -> None:
    for move in MOVES:
        toast = SCREENS.sealed(move)
        assert 0 < len(toast) <= 200
        assert "<" not in toast
    assert SCREENS.sealed(play("5cm")) == "5 on Charge Tower and Median Meridian. It counts."
    assert SCREENS.sealed(Withdraw()) == "You play no card."


def test_a_play_names_its_value_and_movement_wherever_it_is_shown() -> None:
    texts = {SCREENS.sealed(each) for each in PLAYS}
    assert len(texts) == len(PLAYS)
    bribes = [each for each in PLAYS if Event.BRIBING_THE_DOG in each.events and each.movement is None]
    assert bribes
    assert all("moving nothing" in SCREENS.sealed(Play(e.card, e.events, e.gain)) for e in bribes)


def test_being_ready_and_not_is_said_in_a_word() -> None:
    view = of_stage("round").views[0]
    assert SCREENS.locked(view, True) == "Ready."
    assert SCREENS.locked(view, False) == "Not ready any more. What you chose still counts."
    before = of_stage("pregame").views[0]
    assert (SCREENS.locked(before, True), SCREENS.locked(before, False)) == ("Ready.", "Not ready any more.")
