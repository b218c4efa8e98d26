"""The adjudicator's two kinds of Dog's Judgement: the published cases, and every way a question can be bad."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.broken import put_anywhere
from tests.engine.lines import DELETED, answer, ask, changed
from tests.shared import SHARED, needs_shared

PLAYERS = "ABCDEFG"
EVENTS = ["exchange_store", "charge_tower", "remove_one", "median_meridian", "bribing_the_dog"]
VP_EVENTS = EVENTS[1:4]
TOKENS: dict[str, Any] = {"win": dict.fromkeys(VP_EVENTS, 1), "lose": "charge_tower"}
MOVE = {"token": "win", "from": "remove_one", "to": "median_meridian"}
ROUND: dict[str, Any] = {
    "charge": 8,
    "tokens": TOKENS,
    "hands": {player: [1, 2, 3, 4, 5, 6, 7] for player in PLAYERS},
    "plays": {
        "A": {"card": 7, "events": ["charge_tower", "bribing_the_dog"], "move": MOVE},
        "B": {"card": 3, "events": ["remove_one", "exchange_store"], "gain": 5},
        "C": {"card": 6, "events": ["bribing_the_dog", "median_meridian"]},
    },
}
RESOLVED: dict[str, Any] = {
    "charge": 4,
    "scores": {"charge_tower": {"A": 4}, "remove_one": {"B": 3}, "median_meridian": {"C": 6}},
    "tokens": {"win": {"charge_tower": 1, "remove_one": 0, "median_meridian": 2}, "lose": "charge_tower"},
    "briber": "A",
    "moved": MOVE,
    "gained": {"B": 5},
}
VP: dict[str, Any] = {
    "charge_tower": dict(zip(PLAYERS, (9, 0, 3, 0, 5, 0, 0), strict=True)),
    "remove_one": dict(zip(PLAYERS, (1, 8, 0, 0, 2, 4, 6), strict=True)),
    "median_meridian": dict(zip(PLAYERS, (2, 7, 7, 0, 1, 3, 0), strict=True)),
}
JUDGEMENT: dict[str, Any] = {"vp": VP, "tokens": TOKENS}


@needs_shared
@pytest.mark.parametrize("file", ["dog-rounds.jsonl", "dog-judgements.jsonl"])
def test_the_published_cases(file: str) -> None:
    lines = (SHARED / "cases" / file).read_bytes().splitlines()
    assert len(lines) >= 3
    for line in lines:
        assert answer(line) == json.loads(line)["output"]


# --- dog/round --------------------------------------------------------------------------------------


def test_a_round() -> None:
    assert ask("dog/round", ROUND) == RESOLVED


def test_a_round_in_which_nobody_plays() -> None:
    assert ask("dog/round", {"charge": 11, "tokens": TOKENS, "plays": {}}) == {
        "charge": 11,
        "scores": {event: {} for event in VP_EVENTS},
        "tokens": TOKENS,
        "briber": None,
        "moved": None,
        "gained": {},
    }


def test_hands_are_checked_only_if_they_are_given() -> None:
    twice = changed(ROUND, "hands.B", [2, 2, 4])
    assert ask("dog/round", twice)["error"] == "input.plays.B.card: is not in the player's hand"
    assert ask("dog/round", changed(twice, "hands", DELETED)) == RESOLVED
    assert ask("dog/round", changed(ROUND, "hands.B", [3, 3])) == RESOLVED


def test_events_may_stand_in_any_order() -> None:
    assert ask("dog/round", changed(ROUND, "plays.A.events", ["bribing_the_dog", "charge_tower"])) == RESOLVED


def test_a_bribe_may_say_by_null_that_nothing_moves() -> None:
    none = ask("dog/round", changed(ROUND, "plays.A.move", None))
    assert none == ask("dog/round", changed(ROUND, "plays.A.move", DELETED))
    assert (none["briber"], none["moved"], none["tokens"]) == ("A", None, TOKENS)


def test_any_number_of_win_tokens_may_lie_anywhere() -> None:
    tokens = {"win": {"charge_tower": 0, "remove_one": 5, "median_meridian": 0}, "lose": "median_meridian"}
    moved = ask("dog/round", {**ROUND, "tokens": tokens})["tokens"]
    assert moved == {"win": {"charge_tower": 0, "remove_one": 4, "median_meridian": 1}, "lose": "median_meridian"}


def test_the_lose_token_moves_from_where_it_lies() -> None:
    lose = {"token": "lose", "from": "charge_tower", "to": "remove_one"}
    answered = ask("dog/round", changed(ROUND, "plays.A.move", lose))
    assert (answered["tokens"]["lose"], answered["moved"]) == ("remove_one", lose)


A_PLAY = "input.plays.A"
BAD_ROUNDS: list[tuple[str, Any, str]] = [
    ("charge", DELETED, "input.charge"),
    ("charge", 0, "input.charge"),
    ("charge", 12, "input.charge"),
    ("charge", "8", "input.charge"),
    ("charge", True, "input.charge"),
    ("charge", 8.0, "input.charge"),
    ("tokens", DELETED, "input.tokens"),
    ("tokens", [], "input.tokens"),
    ("tokens.draw", 1, "input.tokens.draw"),
    ("tokens.win", DELETED, "input.tokens.win"),
    ("tokens.win", 3, "input.tokens.win"),
    ("tokens.win.remove_one", DELETED, "input.tokens.win.remove_one"),
    ("tokens.win.remove_one", -1, "input.tokens.win.remove_one"),
    ("tokens.win.remove_one", None, "input.tokens.win.remove_one"),
    ("tokens.win.exchange_store", 0, "input.tokens.win.exchange_store"),
    ("tokens.lose", DELETED, "input.tokens.lose"),
    ("tokens.lose", None, "input.tokens.lose"),
    ("tokens.lose", "bribing_the_dog", "input.tokens.lose"),
    ("tokens.lose", ["charge_tower"], "input.tokens.lose"),
    ("hands", None, "input.hands"),
    ("hands", [], "input.hands"),
    ("hands.B", DELETED, "input.hands.B"),
    ("hands.B", {"3": 1}, "input.hands.B"),
    ("hands.G.2", 8, "input.hands.G[2]"),
    ("hands.G.2", 0, "input.hands.G[2]"),
    ("hands.G.2", "3", "input.hands.G[2]"),
    ("hands.H", [], "input.hands"),
    ("hands.A.6", 6, "input.plays.A.card"),
    ("plays", DELETED, "input.plays"),
    ("plays", [], "input.plays"),
    ("plays", dict.fromkeys("ABCDEFGH", ROUND["plays"]["C"]), "input.plays"),
    ("plays", {"": ROUND["plays"]["C"]}, "input.plays"),
    ("plays.H", ROUND["plays"]["C"], "input.hands.H"),
    ("plays.A", None, A_PLAY),
    ("plays.A", "7cb-", A_PLAY),
    ("plays.A.who", "A", A_PLAY + ".who"),
    ("plays.A.card", DELETED, A_PLAY + ".card"),
    ("plays.A.card", 0, A_PLAY + ".card"),
    ("plays.A.card", 8, A_PLAY + ".card"),
    ("plays.A.card", "7", A_PLAY + ".card"),
    ("plays.A.events", DELETED, A_PLAY + ".events"),
    ("plays.A.events", "bribing_the_dog", A_PLAY + ".events"),
    ("plays.A.events", ["bribing_the_dog"], A_PLAY + ".events"),
    ("plays.A.events", EVENTS[2:], A_PLAY + ".events"),
    ("plays.A.events.1", "charge_tower", A_PLAY + ".events[1]"),
    ("plays.A.events.0", "poker", A_PLAY + ".events[0]"),
    ("plays.A.events.0", None, A_PLAY + ".events[0]"),
    ("plays.A.gain", 7, A_PLAY + ".gain"),
    ("plays.B.gain", DELETED, "input.plays.B.gain"),
    ("plays.B.gain", None, "input.plays.B.gain"),
    ("plays.B.gain", 0, "input.plays.B.gain"),
    ("plays.B.gain", 6, "input.plays.B.gain"),
    ("plays.B.gain", "5", "input.plays.B.gain"),
    ("plays.B.move", MOVE, "input.plays.B.move"),
    ("plays.A.move", "wrm", A_PLAY + ".move"),
    ("plays.A.move", False, A_PLAY + ".move"),
    ("plays.A.move", {}, A_PLAY + ".move.token"),
    ("plays.A.move.why", 1, A_PLAY + ".move.why"),
    ("plays.A.move.token", DELETED, A_PLAY + ".move.token"),
    ("plays.A.move.token", "draw", A_PLAY + ".move.token"),
    ("plays.A.move.token", 1, A_PLAY + ".move.token"),
    ("plays.A.move.token", "lose", A_PLAY + ".move.from"),  # it lies on Charge Tower
    ("plays.A.move.from", DELETED, A_PLAY + ".move.from"),
    ("plays.A.move.from", "bribing_the_dog", A_PLAY + ".move.from"),
    ("plays.A.move.to", DELETED, A_PLAY + ".move.to"),
    ("plays.A.move.to", "exchange_store", A_PLAY + ".move.to"),
    ("plays.A.move.to", "remove_one", A_PLAY + ".move.to"),
    ("tokens.win.remove_one", 0, A_PLAY + ".move.from"),
]


@pytest.mark.parametrize(("path", "value", "field"), BAD_ROUNDS)
def test_a_round_that_cannot_be_judged(path: str, value: Any, field: str) -> None:
    assert ask("dog/round", changed(ROUND, path, value))["error"].startswith(field + ": ")


# --- dog/judgement ----------------------------------------------------------------------------------


def test_a_judgement() -> None:
    life = dict(zip(PLAYERS, (1, 2, 1, 0, 0, 0, 0), strict=True))
    assert ask("dog/judgement", JUDGEMENT) == {
        "life": life,
        "all_lose": False,
        "garnets": {player: 2 * each for player, each in life.items()},
        "candidates": ["D", "F", "G"],
    }


def test_the_first_vp_event_gives_the_table_order() -> None:
    question = json.loads(json.dumps(JUDGEMENT))
    question["vp"]["charge_tower"] = dict(reversed(VP["charge_tower"].items()))
    assert ask("dog/judgement", question)["candidates"] == ["G", "F", "D"]


@pytest.mark.parametrize(
    ("held", "candidates"),
    [
        ({}, ["D", "F", "G"]),
        ({"D": 1, "F": 0}, ["F", "G"]),
        ({"D": 1, "F": 2, "G": 1}, ["E"]),
        ({"D": 1, "E": 1, "F": 1, "G": 1}, []),
    ],
)
def test_tokens_held_from_before_keep_from_candidacy(held: dict[str, int], candidates: list[str]) -> None:
    plain, answered = ask("dog/judgement", JUDGEMENT), ask("dog/judgement", {**JUDGEMENT, "held": held})
    assert answered == {**plain, "candidates": candidates}


def test_what_everybody_loses_is_taken_of_what_was_held_too() -> None:
    nobody = {event: dict.fromkeys(PLAYERS, 0) for event in VP_EVENTS}
    tokens = {"win": {"charge_tower": 1, "remove_one": 0, "median_meridian": 0}, "lose": "remove_one"}
    answered = ask("dog/judgement", {"vp": nobody, "tokens": tokens, "held": {"C": 1}})
    assert answered["all_lose"] is True
    assert set(answered["life"].values()) == {0}
    assert answered["candidates"] == [player for player in PLAYERS if player != "C"]


BAD_JUDGEMENTS: list[tuple[str, Any, str]] = [
    ("vp", DELETED, "input.vp"),
    ("vp", [], "input.vp"),
    ("vp.remove_one", DELETED, "input.vp.remove_one"),
    ("vp.exchange_store", {}, "input.vp.exchange_store"),
    ("vp.charge_tower", [], "input.vp.charge_tower"),
    ("vp.charge_tower.G", DELETED, "input.vp.charge_tower"),
    ("vp.charge_tower.H", 0, "input.vp.charge_tower"),
    ("vp.charge_tower", dict.fromkeys(["", *"ABCDEF"], 0), "input.vp.charge_tower"),
    ("vp.charge_tower.A", -1, "input.vp.charge_tower.A"),
    ("vp.charge_tower.A", 1.5, "input.vp.charge_tower.A"),
    ("vp.remove_one.A", DELETED, "input.vp.remove_one.A"),
    ("vp.remove_one.H", 0, "input.vp.remove_one.H"),
    ("vp.median_meridian", None, "input.vp.median_meridian"),
    ("vp.median_meridian.C", "7", "input.vp.median_meridian.C"),
    ("tokens", DELETED, "input.tokens"),
    ("tokens.win.remove_one", -1, "input.tokens.win.remove_one"),
    ("tokens.lose", "dog", "input.tokens.lose"),
    ("held", None, "input.held"),
    ("held", ["A"], "input.held"),
    ("held", {"H": 1}, "input.held.H"),
    ("held", {"A": -1}, "input.held.A"),
    ("held", {"A": None}, "input.held.A"),
]


@pytest.mark.parametrize(("path", "value", "field"), BAD_JUDGEMENTS)
def test_a_judgement_that_cannot_be_made(path: str, value: Any, field: str) -> None:
    assert ask("dog/judgement", changed(JUDGEMENT, path, value))["error"].startswith(field + ": ")


def test_keys_that_no_kind_asks_for_are_ignored() -> None:
    assert ask("dog/round", {**ROUND, "weather": "fog"}) == RESOLVED
    assert ask("dog/judgement", {**JUDGEMENT, "weather": "fog"}) == ask("dog/judgement", JUDGEMENT)


def test_a_number_of_any_length_is_a_number() -> None:
    line = json.dumps({"kind": "dog/judgement", "input": JUDGEMENT}).encode()
    assert answer(line.replace(b'"A": 9', b'"A": ' + b"9" * 5_000)) == ask("dog/judgement", JUDGEMENT)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([*EVENTS, *PLAYERS]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*EVENTS, *PLAYERS, "win", "card", "events", "move"]), inner, max_size=7)
    ),
    max_leaves=8,
)


@given(st.sampled_from(["dog/round", "dog/judgement"]), st.data())
def test_no_value_anywhere_gives_a_traceback(kind: str, data: st.DataObject) -> None:
    base = ROUND if kind == "dog/round" else {**JUDGEMENT, "held": {"A": 1}}
    question = json.loads(json.dumps(base))
    put_anywhere(data, question, JSON)
    assert isinstance(ask(kind, question), dict)
