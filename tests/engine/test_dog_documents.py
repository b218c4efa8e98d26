"""Records of Dog's Judgement as documents: played again by the rules, hands enforced, faults named by their path."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import commitment
from engine.documents import commitments, replay, verify
from engine.reading import Fault, canonical
from tests.engine.broken import Change, drop, fault, put, put_anywhere
from tests.engine.by_hand import LOSE, PLAYERS
from tests.engine.by_hand import dog as known

SEED = bytes(range(32))


def vp(**points: int) -> dict[str, int]:
    return {player: points.get(player, 0) for player in PLAYERS}


NOBODY: dict[str, list[str]] = {"charge_tower": [], "remove_one": [], "median_meridian": []}
TWICE = {"charge_tower": vp(a=4), "remove_one": vp(b=12), "median_meridian": vp(b=12)}
KNOWN_STEPS = [
    {
        "round": 1,
        "scored": {**NOBODY, "charge_tower": ["a"]},
        "charge": 1,
        "moved": LOSE,
        "vp": {"charge_tower": vp(a=4), "remove_one": vp(), "median_meridian": vp()},
    },
    {
        "round": 2,
        "scored": {**NOBODY, "remove_one": ["b"], "median_meridian": ["b"]},
        "charge": 1,
        "moved": None,
        "vp": {"charge_tower": vp(a=4), "remove_one": vp(b=6), "median_meridian": vp(b=6)},
    },
    {
        "round": 3,
        "scored": {**NOBODY, "remove_one": ["b"], "median_meridian": ["b"]},
        "charge": 1,
        "moved": None,
        "vp": TWICE,
    },
    *({"round": number, "scored": NOBODY, "charge": 1, "moved": None, "vp": TWICE} for number in range(4, 10)),
]


def test_a_record_by_hand() -> None:
    assert replay(known()) == {
        "ok": True,
        "steps": KNOWN_STEPS,
        "judgement": {
            "life": vp(a=1, b=2),
            "all_lose": False,
            "garnets": vp(a=2, b=4),
            "candidates": ["c", "d", "e", "f", "g"],
        },
    }


@pytest.mark.parametrize("rounds", [0, 1, 8])
def test_a_cancelled_match_has_fewer_rounds_and_no_judgement(rounds: int) -> None:
    document = {**known(), "cancelled": True}
    document["rounds"] = document["rounds"][:rounds]
    assert replay(document) == {"ok": True, "steps": KNOWN_STEPS[:rounds]}


def test_equal_matches_give_equal_bytes() -> None:
    document = known()
    document["rounds"][0]["plays"]["a"]["events"].reverse()
    document["rounds"][0]["plays"] = dict(reversed(document["rounds"][0]["plays"].items()))
    document["rounds"][1]["plays"]["b"]["move"] = None
    assert canonical(replay(document)) == canonical(replay(known()))


def test_the_order_of_players_is_that_of_the_table() -> None:
    document = {**known(), "players": PLAYERS[::-1]}
    assert replay(document)["judgement"]["candidates"] == ["g", "f", "e", "d", "c"]


A, B = ("rounds", 0, "plays", "a"), ("rounds", 0, "plays", "b")
A_PLAY, B_PLAY = "rounds[0].plays.a", "rounds[0].plays.b"
REMOVE_CHARGE = {"card": 6, "events": ["remove_one", "charge_tower"]}
BROKEN: list[tuple[Change, str]] = [
    # the head
    (put("format", value="raven-dog/2"), "format"),
    (put("game", value="cat"), "game"),
    (put("game", value="gravity"), "players"),
    (put("players", value=PLAYERS[:6]), "players"),
    (put("players", value=[*PLAYERS, "h"]), "players"),
    (put("players", 6, value="a"), "players[6]"),
    (put("players", 6, value=""), "players[6]"),
    (drop("seed"), "seed"),
    (put("seed", value="0" * 63), "seed"),
    (put("cancelled", value=1), "cancelled"),
    (put("cancelled", value=True), "cancelled"),
    # rounds
    (drop("rounds"), "rounds"),
    (put("rounds", value={}), "rounds"),
    (put("rounds", value=[]), "rounds"),
    (drop("rounds", 8), "rounds"),
    (lambda document: document["rounds"].append({"plays": {}}), "rounds"),
    (put("rounds", 4, value=[]), "rounds[4]"),
    (put("rounds", 4, value={}), "rounds[4].plays"),
    (put("rounds", 4, "judgement", value={}), "rounds[4].judgement"),
    (put("rounds", 4, "plays", value=None), "rounds[4].plays"),
    (put("rounds", 4, "plays", "h", value=REMOVE_CHARGE), "rounds[4].plays.h"),
    # plays
    (put(*A, value=None), A_PLAY),
    (put(*A, "locked", value=True), A_PLAY + ".locked"),
    (drop(*A, "card"), A_PLAY + ".card"),
    (put(*A, "card", value=8), A_PLAY + ".card"),
    (put(*A, "card", value=True), A_PLAY + ".card"),
    (drop(*A, "events"), A_PLAY + ".events"),
    (put(*A, "events", value=["charge_tower"]), A_PLAY + ".events"),
    (put(*A, "events", 1, value="bribing_the_dog"), A_PLAY + ".events[1]"),
    (put(*A, "events", 1, value="roulette"), A_PLAY + ".events[1]"),
    (put(*A, "gain", value=7), A_PLAY + ".gain"),
    (drop(*B, "gain"), B_PLAY + ".gain"),
    (put(*B, "gain", value=7), B_PLAY + ".gain"),
    (put(*B, "move", value=LOSE), B_PLAY + ".move"),
    (put(*A, "move", "from", value="median_meridian"), A_PLAY + ".move.from"),
    (put(*A, "move", "to", value="charge_tower"), A_PLAY + ".move.to"),
    (put(*A, "move", "token", value="any"), A_PLAY + ".move.token"),
    # hands and tokens as they are by then
    (put("rounds", 1, "plays", "a", value={**REMOVE_CHARGE, "card": 7}), "rounds[1].plays.a.card"),  # was played
    (put("rounds", 3, "plays", "b", value=REMOVE_CHARGE), "rounds[3].plays.b.card"),  # both were played
    (put("rounds", 8, "plays", "b", value={**REMOVE_CHARGE, "card": 4}), "rounds[8].plays.b.card"),
    (put(*B, "gain", value=5), "rounds[2].plays.b.card"),  # so the second 6 is missing
    (
        put("rounds", 1, "plays", "c", value={"card": 1, "events": ["bribing_the_dog", "remove_one"], "move": LOSE}),
        "rounds[1].plays.c.move.from",  # the Lose Token has gone
    ),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_is_broken_is_named_by_its_path(number: int) -> None:
    change, at = BROKEN[number]
    document = known()
    change(document)
    assert fault(document) == at


def test_a_card_that_was_wanted_joins_the_hand_at_the_end_of_the_round() -> None:
    document = known()
    store = {"card": 7, "events": ["exchange_store", "remove_one"], "gain": 7}
    document["rounds"] = [{"plays": {"c": store}} for _ in range(9)]
    assert replay(document)["steps"][8]["vp"]["remove_one"] == vp(c=63)


def test_an_empty_hand_plays_nothing_in_rounds_8_and_9() -> None:
    document = known()
    cards = [{"plays": {"c": {**REMOVE_CHARGE, "card": card}}} for card in range(1, 8)]
    document["rounds"] = [*cards, {"plays": {}}, {"plays": {}}]
    assert replay(document)["steps"][8]["vp"]["remove_one"] == vp(c=28)
    for place in (7, 8):
        wrong = {**document, "rounds": [*document["rounds"]]}
        wrong["rounds"][place] = cards[0]
        assert fault(wrong) == f"rounds[{place}].plays.c.card"


def test_players_may_have_any_names() -> None:
    document = known()
    document["players"] = [*PLAYERS[:6], "rounds[0]. \ud800\n"]
    assert replay(document)["judgement"]["candidates"][-1] == "rounds[0]. \ud800\n"


def test_verify_asks_for_the_seed_that_was_committed_to() -> None:
    assert fault(known(), verify) == "seed"
    document = {**known(), "seed": SEED.hex()}
    posted = commitment(SEED)
    assert commitments(document) == (posted,)
    assert verify(document, [posted.upper()]) == verify(document) == replay(known())
    for wrong in (["0" * 64], [posted, posted], [""]):
        assert fault(document, partial(verify, posted=wrong)) == "seed"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from([*PLAYERS, *NOBODY]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*PLAYERS, "card", "events", "gain", "move", "from"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=200)
@given(st.data())
def test_no_value_anywhere_gives_a_traceback(data: st.DataObject) -> None:
    document = known()
    put_anywhere(data, document, JSON)
    faults: list[str] = []
    for judge in (replay, verify):
        try:
            judge(document)
        except Fault as caught:
            faults.append(caught.at)
    assert all(faults)
