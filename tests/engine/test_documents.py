"""Records as documents: what is broken in one is named by its path, and deals are verified."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import commitment
from engine.documents import export, replay, verify
from engine.gravity.birds import BIRDS
from engine.gravity.rules import GRAVITY
from engine.reading import Fault, canonical
from tests.engine.broken import Change, drop, fault, put, put_anywhere
from tests.engine.by_hand import gravity as known
from tests.engine.matches import by_chance, finished, house_players, played, record_of

SEED = bytes(range(32))
NAMES = ("Ann", "Bob")


def complete() -> dict[str, Any]:
    """A whole match that was played by house players."""
    return export(finished(SEED, house_players(SEED))[0], NAMES)


def test_a_record_by_hand() -> None:
    assert replay(known()) == {
        "ok": True,
        "winner": "b",
        "scores": {"a": 5, "b": -4},
        "steps": [
            {
                "night": [1, 1],
                "first": "b",
                "responses": {
                    "hawk": "Yes", "penguin": "Yes", "crow": "Yes", "lovebird_b": "N/A", "lark": "N/A",
                    "owl": "N/A", "eagle": "N/A", "robin": "N/A", "parrot": "N/A", "raven": "N/A",
                },
                "scores": {"a": 1, "b": 0},
            },
            {"guesses": [1, 1, 1], "deltas": {"a": 4, "b": -4}, "scores": {"a": 5, "b": -4}},
            {"guesses": [1, 1, 2], "deltas": {"a": 0, "b": 0}, "scores": {"a": 5, "b": -4}},
        ],
    }  # fmt: skip


NIGHT = "rounds[0].nights[0]"


def night(document: dict[str, Any]) -> dict[str, Any]:
    first: dict[str, Any] = document["rounds"][0]["nights"][0]
    return first


R, N = ("rounds", 0), ("rounds", 0, "nights", 0)
BROKEN: list[tuple[Change, str]] = [
    # the head
    (put("format", value="raven-dog/2"), "format"),
    (put("format", value=[]), "format"),
    (drop("format"), "format"),
    (put("game", value="chess"), "game"),
    (put("game", value=["gravity"]), "game"),
    (drop("game"), "game"),
    (drop("players"), "players"),
    (put("players", value=["a"]), "players"),
    (put("players", value=["a", "b", "c"]), "players"),
    (put("players", value=["a", "a"]), "players[1]"),
    (put("players", value=["a", ""]), "players[1]"),
    (put("players", value=["a", 2]), "players[1]"),
    (put("players", value={"a": "b"}), "players"),
    (drop("seed"), "seed"),
    (put("seed", value="00"), "seed"),
    (put("seed", value="g" * 64), "seed"),
    (put("seed", value="0" * 65), "seed"),
    (put("seed", value=0), "seed"),
    (put("resigned", value="c"), "resigned"),
    (put("resigned", value=1), "resigned"),
    (drop("resigned"), "resigned"),
    (put("cancelled", value=True), "cancelled"),
    (put("cancelled", value=1), "cancelled"),
    # rounds
    (drop("rounds"), "rounds"),
    (put("rounds", value=[]), "rounds"),
    (put("rounds", value={}), "rounds"),
    (put("rounds", 0, value=None), "rounds[0]"),
    (put(*R, "extra", value=1), "rounds[0].extra"),
    (drop(*R, "seats"), "rounds[0].seats"),
    (put(*R, "seats", value=[bird.value for bird in BIRDS[:10]]), "rounds[0].seats"),
    (put(*R, "seats", 3, value="hawk"), "rounds[0].seats[3]"),
    (put(*R, "seats", 3, value="dodo"), "rounds[0].seats[3]"),
    (put(*R, "seats", 3, value=["hawk"]), "rounds[0].seats[3]"),
    # reveals
    (drop(*R, "reveals"), "rounds[0].reveals"),
    (put(*R, "reveals", value=None), "rounds[0].reveals"),
    (drop(*R, "reveals", "b"), "rounds[0].reveals.b"),
    (put(*R, "reveals", "c", value=None), "rounds[0].reveals.c"),
    (put(*R, "reveals", "a", value="raven"), "rounds[0].reveals.a"),
    (put(*R, "reveals", "a", value="dodo"), "rounds[0].reveals.a"),
    (put(*R, "reveals", "a", value=False), "rounds[0].reveals.a"),
    # nights and drafts
    (put(*R, "nights", value=None), "rounds[0].nights"),
    (put(*N, value=[]), "rounds[0].nights[0]"),
    (put(*N, "weather", value="fog"), NIGHT + ".weather"),
    (drop(*N, "drafts"), NIGHT + ".drafts"),
    (drop(*N, "drafts", 9), NIGHT + ".drafts"),
    (lambda document: night(document)["drafts"].append(["b", "owl"]), NIGHT + ".drafts"),
    (put(*N, "drafts", 4, value="owl"), NIGHT + ".drafts[4]"),
    (put(*N, "drafts", 4, value=["b"]), NIGHT + ".drafts[4]"),
    (put(*N, "drafts", 4, value=["b", "lark", "bot", "x"]), NIGHT + ".drafts[4]"),
    (put(*N, "drafts", 4, value=["b", "lark", "cat"]), NIGHT + ".drafts[4][2]"),
    (put(*N, "drafts", 4, 0, value="a"), NIGHT + ".drafts[4][0]"),
    (put(*N, "drafts", 4, 0, value="z"), NIGHT + ".drafts[4][0]"),
    (put(*N, "drafts", 4, 0, value=None), NIGHT + ".drafts[4][0]"),
    (put(*N, "drafts", 0, 0, value="a"), NIGHT + ".drafts[0][0]"),
    (put(*N, "drafts", 4, 1, value="hawk"), NIGHT + ".drafts[4][1]"),
    (put(*N, "drafts", 4, 1, value="lovebird_a"), NIGHT + ".drafts[4][1]"),
    (put(*N, "drafts", 4, 1, value="dodo"), NIGHT + ".drafts[4][1]"),
    (put(*N, "drafts", 9, 0, value="b"), NIGHT + ".drafts[9][0]"),
    (put(*N, "drafts", 9, 1, value="hawk"), NIGHT + ".drafts[9][1]"),
    (put(*N, "drafts", 9, 1, value="lovebird_a"), NIGHT + ".drafts[9][1]"),
    (put(*R, "nights", 1, "drafts", 0, 0, value="a"), "rounds[0].nights[1].drafts[0][0]"),
    # actions
    (drop(*N, "actions"), NIGHT + ".actions"),
    (put(*N, "actions", value=[]), NIGHT + ".actions"),
    (put(*N, "actions", "dodo", value={"seat": 1}), NIGHT + ".actions.dodo"),
    (put(*N, "actions", "hawk", value=None), NIGHT + ".actions.hawk"),
    (put(*N, "actions", "hawk", value={"seat": 1, "bird": "owl"}), NIGHT + ".actions.hawk"),
    (put(*N, "actions", "hawk", value={"seat": 12}), NIGHT + ".actions.hawk.seat"),
    (put(*N, "actions", "hawk", value={"seat": True}), NIGHT + ".actions.hawk.seat"),
    (put(*N, "actions", "owl", value={"bird": "hawk"}), NIGHT + ".actions.owl.bird"),
    (put(*N, "actions", "lark", value={"seat": 2}), NIGHT + ".actions.lark.seat"),
    (put(*N, "actions", "penguin", value={"seat": 2}), NIGHT + ".actions.penguin"),
    (put(*N, "actions", "lovebird_a", value={"seat": 2}), NIGHT + ".actions.lovebird_a"),
    # periods
    (drop(*N, "periods"), NIGHT + ".periods"),
    (drop(*N, "periods", 1), NIGHT + ".periods"),
    (lambda document: night(document)["periods"].append({"a": None, "b": None}), NIGHT + ".periods"),
    (put(*N, "periods", 0, value=[]), NIGHT + ".periods[0]"),
    (drop(*N, "periods", 0, "b"), NIGHT + ".periods[0].b"),
    (put(*N, "periods", 0, "c", value=None), NIGHT + ".periods[0].c"),
    (put(*N, "periods", 0, "a", value="hawk"), NIGHT + ".periods[0].a"),
    (put(*N, "periods", 0, "a", "seat", value=12), NIGHT + ".periods[0].a.seat"),
    (put(*N, "periods", 0, "a", "seat", value="1"), NIGHT + ".periods[0].a.seat"),
    (drop(*N, "periods", 0, "a", "bird"), NIGHT + ".periods[0].a.bird"),
    (put(*N, "periods", 0, "a", "bird", value="crow"), NIGHT + ".periods[0].a.bird"),  # its own private reveal
    (put(*N, "periods", 1, "b", value={"seat": 1, "bird": "owl"}), NIGHT + ".periods[1].b.seat"),
    (put(*N, "periods", 1, "b", value={"seat": 2, "bird": "hawk"}), NIGHT + ".periods[1].b.bird"),
    # cut short, but not there
    (put("resigned", value=None), "rounds[0].nights[1].drafts"),
    (put(*R, "nights", 1, "actions", value={}), "rounds[0].nights[1].drafts"),
    (put(*R, "nights", 1, "periods", value=[]), "rounds[0].nights[1].drafts"),
    (lambda document: document["rounds"].append(document["rounds"][0]), "rounds[0].nights[1].drafts"),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_is_broken_is_named_by_its_path(number: int) -> None:
    change, at = BROKEN[number]
    document = known()
    change(document)
    assert fault(document) == at


@pytest.mark.parametrize(
    ("bird", "target", "at"),
    [
        ("hawk", {"seat": 1}, ".actions.hawk.seat"),
        ("hawk", {"bird": "hawk"}, ".actions.hawk.bird"),
        ("lark", {"bird": "hawk"}, ".actions.lark.bird"),
    ],
)
def test_what_was_revealed_cannot_be_chosen_later(bird: str, target: dict[str, Any], at: str) -> None:
    document = known()
    second = {"drafts": night(document)["drafts"], "actions": {bird: target}}
    document["rounds"][0]["nights"][1] = second
    assert fault(document) == "rounds[0].nights[1]" + at


def test_a_bird_named_in_an_earlier_round_cannot_be_named_again() -> None:
    document = complete()
    named = [bird for bird in document["rounds"][0]["reveals"].values() if bird]
    document["rounds"][1]["reveals"]["p2"] = named[0]
    assert fault(document) == "rounds[1].reveals.p2"


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda document: document["rounds"].pop(), "rounds"),
        (lambda document: document["rounds"].append(document["rounds"][3]), "rounds"),
        (lambda document: document["rounds"][3]["nights"].pop(), "rounds[3].nights"),
        (
            lambda document: document["rounds"][3]["nights"].append(document["rounds"][3]["nights"][-1]),
            "rounds[3].nights",
        ),
        (lambda document: document.update(resigned="p1"), "resigned"),
        (lambda document: document.update(cancelled=True), "cancelled"),
    ],
)
def test_a_match_is_as_long_as_the_rules_make_it(change: Change, at: str) -> None:
    document = complete()
    change(document)
    assert fault(document) == at


def test_a_match_that_ended_with_the_raven_leaves_no_further_night() -> None:
    document = known()
    del night(document)["periods"][1]
    night(document)["periods"][0]["a"] = {"seat": 11, "bird": "raven"}
    assert fault(document) == "rounds[0].nights"


@pytest.mark.parametrize("document", [None, 1, "raven-dog/1", [], True])
def test_a_document_is_an_object(document: Any) -> None:
    assert fault(document) == "format"


def test_players_may_have_any_names() -> None:
    text = json.dumps(known()).replace('"a"', '"\\ud800"').replace('"b"', '"rounds[0]. \\n"')
    assert replay(json.loads(text))["winner"] == "rounds[0]. \n"


@pytest.mark.parametrize(("place", "wrong", "turn"), [(4, "a", 1), (5, "b", 0), (9, "b", 0)])
def test_who_drafts_out_of_turn_is_told_whose_turn_it_was(place: int, wrong: str, turn: int) -> None:
    document = known()
    night(document)["drafts"][place][0] = wrong
    with pytest.raises(Fault, match=rf"the turn of players\[{turn}\]$"):
        replay(document)


def test_too_many_players_are_counted_before_anything_else() -> None:
    assert fault({**known(), "players": ["a", "a", None]}) == "players"


def test_who_picked_changes_nothing() -> None:
    document = known()
    night(document)["drafts"][0].append("host")
    night(document)["drafts"][1].append("bot")
    assert replay(document) == replay(known())


def test_a_match_with_host_picks_is_written_and_read_back_to_the_same_bytes() -> None:
    record, _ = finished(SEED, by_chance(Random(11)))
    document = export(record, NAMES)
    by = [entry[2:] for round_ in document["rounds"] for one in round_["nights"] for entry in one["drafts"][:9]]
    assert by.count(["host"]) > 10
    assert by.count(["bot"]) > 3
    unsigned = json.loads(canonical(document))
    for round_ in unsigned["rounds"]:
        for one in round_["nights"]:
            one["drafts"] = [entry[:2] for entry in one["drafts"]]
    assert canonical(verify(document)) == canonical(verify(unsigned))


# --- written by this program ----------------------------------------------------------------------


def test_an_exported_match() -> None:
    document = complete()
    assert list(document) == ["format", "game", "players", "names", "seed", "rounds", "resigned", "silent"]
    assert document["names"] == {"p1": "Ann", "p2": "Bob"}
    assert document["seed"] == SEED.hex()
    assert len(document["rounds"]) == 4
    assert document["rounds"][0]["nights"][0]["drafts"][9][2:] == ["bot"]
    assert document["rounds"][0]["nights"][0]["drafts"][8][2:] == []


def test_an_exported_match_says_who_was_silent_and_where() -> None:
    record, _ = finished(SEED, lambda state, player: None)
    silent = [phase.active for each in record.history if (phase := GRAVITY.phase(each.state)) is not None]
    document = export(record, NAMES, silent)
    for player, picks in (("p1", [1, 3, 5, 7]), ("p2", [0, 2, 4, 6, 8])):  # the tenth is nobody's
        paths = document["silent"][player]
        assert (paths[0], paths[-1]) == ("rounds[0].reveals", "rounds[3].nights[3].periods[0]")
        assert paths[1:5] == [f"rounds[0].nights[0].drafts[{pick}]" for pick in picks][:4]
        assert "rounds[1].nights[2].actions" in paths
        assert len(paths) == len(set(paths))
    assert replay(document) == replay({key: value for key, value in document.items() if key != "silent"})


def test_only_a_match_that_is_over_or_cancelled_is_exported() -> None:
    whole, _ = finished(SEED, house_players(SEED))
    with pytest.raises(ValueError, match="not over"):
        export(record_of(SEED), NAMES)
    with pytest.raises(ValueError, match="had ended"):
        export(whole, NAMES, cancelled=True)


def test_a_match_cut_short_anywhere_reads_back() -> None:
    cuts = 0
    *cut, _ = played(SEED, by_chance(Random(5)))
    for record, state in cut[::3]:
        scores = dict(zip(("p1", "p2"), state.board.scores, strict=True))
        cancelled = verify(export(record, NAMES, cancelled=True))
        assert (cancelled["winner"], cancelled["scores"]) == (None, scores)
        also_sealed = {0: "a"} if state.board.stage == "actions" else {}
        resigned = verify(export(record.then({1: "resign", **also_sealed}), NAMES))
        assert (resigned["winner"], resigned["scores"]) == ("p1", scores)
        assert resigned["steps"] == cancelled["steps"]
        cuts += 1
    assert cuts > 40


# --- verify ---------------------------------------------------------------------------------------


def test_verify_accepts_what_the_seed_deals() -> None:
    document = complete()
    assert verify(document) == verify(document, [commitment(SEED).upper()]) == replay(document)


def test_verify_refuses_another_commitment() -> None:
    posted = commitment(SEED)
    other = ("1" if posted[0] == "0" else "0") + posted[1:]
    assert fault(complete(), lambda document: verify(document, [other])) == "seed"
    assert fault(complete(), lambda document: verify(document, [""])) == "seed"
    assert fault(complete(), lambda document: verify(document, [posted, posted])) == "seed"


@pytest.mark.parametrize("digit", [0, 31, 63])
def test_verify_refuses_a_seed_with_a_digit_changed(digit: int) -> None:
    document = complete()
    seed = document["seed"]
    document["seed"] = seed[:digit] + ("1" if seed[digit] == "0" else "0") + seed[digit + 1 :]
    assert fault(document, verify) == "rounds[0].seats"


@pytest.mark.parametrize("round_", [0, 1, 2, 3])
def test_verify_refuses_two_birds_swapped(round_: int) -> None:
    document = complete()
    seats = document["rounds"][round_]["seats"]
    seats[2], seats[7] = seats[7], seats[2]
    assert fault(document, verify) == f"rounds[{round_}].seats"


def test_verify_needs_a_seed_and_enforces_the_rules_too() -> None:
    assert fault(known(), verify) == "seed"
    document = complete()
    document["rounds"][0]["reveals"]["p1"] = "raven"
    assert fault(document, verify) == "rounds[0].reveals.p1"


# --- anything -------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["hawk", "a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "seat", "bird", "hawk"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=300)
@given(st.data())
def test_no_value_anywhere_gives_a_traceback(data: st.DataObject) -> None:
    document: Any = known()
    put_anywhere(data, document, JSON)
    faults: list[str] = []
    for judge in (replay, verify):
        try:
            judge(document)
        except Fault as caught:
            faults.append(caught.at)
    assert all(faults)
