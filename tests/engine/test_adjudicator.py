"""The adjudicator: the published cases, guesses by hand, and every way a line can be bad."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adjudicator import adjudicate
from tests.engine.lines import DELETED, NIGHT, RING, SEATS, answer, ask, changed
from tests.shared import SHARED, needs_shared

GUESSES: dict[str, Any] = {
    "seats": SEATS,
    "revealed": [],
    "barred": {"p1": None, "p2": "owl"},
    "guesses": {"p1": {"seat": 1, "bird": "hawk"}, "p2": None},
}


@needs_shared
def test_the_published_nights() -> None:
    lines = (SHARED / "cases" / "gravity-nights.jsonl").read_bytes().splitlines()
    assert len(lines) >= 6
    for line in lines:
        assert answer(line) == json.loads(line)["output"]


def test_a_night() -> None:
    assert ask("gravity/night", NIGHT) == {
        "flightless": ["hawk", "penguin", "parrot"],
        "visits": {"hawk": [10], "lovebird_a": [5]},
        "responses": {bird: "N/A" for bird in RING if bird != "lovebird_a"} | {"hawk": "Yes", "penguin": "Yes"},
        "robin": {"player": "p1", "quarters": 0},
    }


@pytest.mark.parametrize(
    ("bird", "target"),
    [
        ("hawk", {"seat": 0}),
        ("hawk", {"seat": 12}),
        ("hawk", {"seat": -(10**30)}),
        ("lark", {"seat": 3}),
        ("owl", {"bird": "hawk"}),
        ("penguin", {"seat": 3}),
        ("lovebird_a", {"seat": 3}),
        ("hawk", None),
        ("hawk", []),
        ("hawk", [3]),
        ("hawk", {}),
        ("hawk", 3),
        ("hawk", "parrot"),
        ("hawk", True),
        ("hawk", {"seat": "3"}),
        ("hawk", {"seat": True}),
        ("hawk", {"seat": 3.0}),
        ("hawk", {"seat": 3.5}),
        ("hawk", {"seat": None}),
        ("hawk", {"bird": 5}),
        ("hawk", {"bird": ["parrot"]}),
        ("hawk", {"place": 3}),
        ("hawk", {"seat": 3, "why": "x"}),
        ("hawk", {"seat": 3, "bird": "parrot"}),
    ],
)
def test_an_illegal_action_counts_as_not_submitted(bird: str, target: Any) -> None:
    nothing = ask("gravity/night", {**NIGHT, "actions": {}})
    assert ask("gravity/night", {**NIGHT, "actions": {bird: target}}) == nothing


def test_one_bad_action_leaves_the_others_standing() -> None:
    alone = ask("gravity/night", NIGHT)
    assert ask("gravity/night", {**NIGHT, "actions": {**NIGHT["actions"], "crow": {"seat": "11"}}}) == alone


def test_an_action_against_a_revealed_seat_or_bird_counts_as_not_submitted() -> None:
    shown = {**NIGHT, "revealed": ["parrot"]}
    nothing = ask("gravity/night", {**shown, "actions": {}})
    assert ask("gravity/night", {**shown, "actions": {"hawk": {"bird": "parrot"}}}) == nothing
    assert ask("gravity/night", {**shown, "actions": {"hawk": {"seat": 10}}}) == nothing


def test_players_may_have_any_names() -> None:
    drafts = {"🦅 Ж": NIGHT["drafts"]["p1"], "\ud800": NIGHT["drafts"]["p2"]}
    assert ask("gravity/night", {**NIGHT, "drafts": drafts})["robin"]["player"] == "🦅 Ж"


@pytest.mark.parametrize(
    ("guesses", "output"),
    [
        ({}, {"deltas": {"p1": 0, "p2": 0}, "revealed": [], "raven": False, "again": False}),
        (
            {"p1": {"seat": 1, "bird": "hawk"}, "p2": {"seat": 1, "bird": "hawk"}},
            {"deltas": {"p1": 4, "p2": 4}, "revealed": ["hawk"], "raven": False, "again": True},
        ),
        (
            {"p1": {"seat": 11, "bird": "raven"}, "p2": {"seat": 1, "bird": "hawk"}},
            {"deltas": {"p1": 12, "p2": 4}, "revealed": ["hawk", "raven"], "raven": True, "again": False},
        ),
        (
            {"p1": {"seat": 2, "bird": "hawk"}, "p2": None},
            {"deltas": {"p1": -4, "p2": 0}, "revealed": [], "raven": False, "again": True},
        ),
        (
            {"p1": {"seat": 10, "bird": "parrot"}, "p2": {"seat": 3, "bird": "crow"}},
            {"deltas": {"p1": 4, "p2": 4}, "revealed": ["crow", "parrot"], "raven": False, "again": True},
        ),
    ],
)
def test_guesses(guesses: dict[str, Any], output: dict[str, Any]) -> None:
    assert ask("gravity/guesses", {**GUESSES, "guesses": guesses}) == output


BAD_NIGHTS: list[tuple[str, Any, str]] = [
    ("seats", DELETED, "input.seats"),
    ("seats", [], "input.seats"),
    ("seats.7", DELETED, "input.seats.7"),
    ("seats.7", "dodo", "input.seats.7"),
    ("seats.7", "hawk", "input.seats.7"),
    ("seats.7", 7, "input.seats.7"),
    ("seats.7", ["owl"], "input.seats.7"),
    ("seats.12", "owl", "input.seats.12"),
    ("seats.07", "owl", "input.seats.07"),
    ("flightless", DELETED, "input.flightless"),
    ("flightless", "hawk", "input.flightless"),
    ("flightless", ["dodo"], "input.flightless[0]"),
    ("flightless", ["hawk", "hawk"], "input.flightless[1]"),
    ("flightless", ["hawk", "raven"], "input.flightless[1]"),
    ("revealed", DELETED, "input.revealed"),
    ("revealed", {"hawk": 1}, "input.revealed"),
    ("revealed", [None], "input.revealed[0]"),
    ("revealed", ["raven", "hawk"], "input.revealed[0]"),
    ("drafts", DELETED, "input.drafts"),
    ("drafts", [], "input.drafts"),
    ("drafts.p2", DELETED, "input.drafts"),
    ("drafts.p3", [], "input.drafts"),
    ("drafts.p1", None, "input.drafts.p1"),
    ("drafts.p1", ["hawk"], "input.drafts.p1"),
    ("drafts.p1.4", "lovebird_a", "input.drafts.p1[4]"),
    ("drafts.p2.0", "owl", "input.drafts.p2[0]"),
    ("drafts.p1.0", "Hawk", "input.drafts.p1[0]"),
    ("actions", DELETED, "input.actions"),
    ("actions", None, "input.actions"),
    ("actions.dodo", {"seat": 1}, "input.actions.dodo"),
    ("actions", [], "input.actions"),
    ("actions.dodo", None, "input.actions.dodo"),
    ("actions.hawk", {"bird": "dodo"}, "input.actions.hawk.bird"),
    ("actions.owl", {"bird": "dodo"}, "input.actions.owl.bird"),
]
BAD_GUESSES: list[tuple[str, Any, str]] = [
    ("seats.1", DELETED, "input.seats.1"),
    ("revealed", DELETED, "input.revealed"),
    ("revealed", ["owl", "raven"], "input.revealed[1]"),
    ("barred.p1", "raven", "input.barred.p1"),
    ("barred", DELETED, "input.barred"),
    ("barred.p2", DELETED, "input.barred"),
    ("barred.p2", "dodo", "input.barred.p2"),
    ("guesses", DELETED, "input.guesses"),
    ("guesses", None, "input.guesses"),
    ("guesses.p3", None, "input.guesses.p3"),
    ("guesses.p1", 3, "input.guesses.p1"),
    ("guesses.p1.seat", DELETED, "input.guesses.p1.seat"),
    ("guesses.p1.bird", DELETED, "input.guesses.p1.bird"),
    ("guesses.p1.seat", 12, "input.guesses.p1.seat"),
    ("guesses.p1.seat", True, "input.guesses.p1.seat"),
    ("guesses.p1.bird", "dodo", "input.guesses.p1.bird"),
    ("guesses.p1.why", "x", "input.guesses.p1.why"),
    ("guesses.p2", {"seat": 7, "bird": "owl"}, "input.guesses.p2.bird"),
    ("revealed", ["hawk"], "input.guesses.p1.seat"),
    ("barred.p1", "hawk", "input.guesses.p1.bird"),
]


@pytest.mark.parametrize(("path", "value", "field"), BAD_NIGHTS)
def test_a_night_that_cannot_be_judged(path: str, value: Any, field: str) -> None:
    assert ask("gravity/night", changed(NIGHT, path, value))["error"].startswith(field + ": ")


@pytest.mark.parametrize(("path", "value", "field"), BAD_GUESSES)
def test_guesses_that_cannot_be_judged(path: str, value: Any, field: str) -> None:
    assert ask("gravity/guesses", changed(GUESSES, path, value))["error"].startswith(field + ": ")


def test_a_guess_of_a_revealed_bird_elsewhere_is_an_error_too() -> None:
    question = {**GUESSES, "revealed": ["owl"], "guesses": {"p1": {"seat": 1, "bird": "owl"}}}
    assert ask("gravity/guesses", question)["error"].startswith("input.guesses.p1.bird: ")


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (b"{", "line"),
        (b"nonsense", "line"),
        (b"\xff\xfe", "line"),
        (b"\xef\xbb\xbf{}", "kind"),
        ("{}".encode("utf-16"), "line"),
        (b"[]", "line"),
        (b"null", "line"),
        (b'"gravity/night"', "line"),
        (b"[" * 100_000, "line"),
        (b'{"a":' * 100_000, "line"),
        (b'{"kind":' + b"[" * 50_000 + b"]" * 50_000 + b"}", "line"),
        (b'{"kind": NaN}', "line"),
        (b'{"kind": Infinity}', "line"),
        (b'{"kind": ' + b"9" * 10_000 + b"}", "kind"),
        (b'{"kind": ' + b"9" * 10_000 + b", }", "line"),
        (b'{"kind": "gravity/night", "kind": "gravity/night"}', "line"),
        (b"{}", "kind"),
        (b'{"kind": 1, "input": {}}', "kind"),
        (b'{"kind": ["gravity/night"], "input": {}}', "kind"),
        (b'{"kind": "gravity/day", "input": {}}', "kind"),
        (b'{"kind": "gravity/night"}', "input"),
        (b'{"kind": "gravity/night", "input": []}', "input"),
    ],
)
def test_a_line_that_is_no_question(line: bytes, field: str) -> None:
    assert answer(line)["error"].startswith(field + ": ")


@pytest.mark.parametrize("digits", [b"9" * 100, b"9" * 101, b"-" + b"9" * 5_000, b"9" * 5_000])
def test_a_number_of_any_length_is_a_number(digits: bytes) -> None:
    def asked(kind: str, question: Any) -> Any:
        return answer(
            json.dumps({"kind": kind, "input": question}).encode().replace(b'"seat": 11', b'"seat": ' + digits)
        )

    nothing = ask("gravity/night", {**NIGHT, "actions": {}})
    assert asked("gravity/night", {**NIGHT, "actions": {"owl": {"seat": 11}}}) == nothing
    guessed = asked("gravity/guesses", {**GUESSES, "guesses": {"p1": {"seat": 11, "bird": "raven"}}})
    assert guessed == {"error": "input.guesses.p1.seat: is no seat"}


def test_keys_that_no_kind_asks_for_are_ignored() -> None:
    assert ask("gravity/night", {**NIGHT, "weather": "fog"}) == ask("gravity/night", NIGHT)
    assert ask("gravity/guesses", {**GUESSES, "weather": "fog"}) == ask("gravity/guesses", GUESSES)


def test_blank_lines_are_skipped_and_bad_ones_passed_over() -> None:
    good = json.dumps({"kind": "gravity/night", "input": NIGHT, "name": "ignored"}).encode()
    answers = list(adjudicate([b"\n", good + b"\n", b"   \r\n", b"bad\n", good]))
    assert [judged for _, judged in answers] == [True, False, True]
    assert answers[0] == answers[2]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(RING),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*RING, "p1", "seat", "bird"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(["gravity/night", "gravity/guesses"]), st.data())
def test_no_value_anywhere_gives_a_traceback(kind: str, data: st.DataObject) -> None:
    base = NIGHT if kind == "gravity/night" else GUESSES
    field = data.draw(st.sampled_from(sorted(base)))
    question: dict[str, Any] = {**base, field: data.draw(JSON)}
    assert isinstance(ask(kind, question), dict)
