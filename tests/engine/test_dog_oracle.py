"""Random rounds, judgements and whole matches of Dog's Judgement, judged twice."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.adjudicator import judged
from engine.documents import replay
from engine.reading import Fault
from tests.engine import dog_oracle
from tests.engine.dog_oracle import FULL_HAND, HOLDING_VP
from tests.shared import SHARED, needs_shared

EVENTS = ["exchange_store", *HOLDING_VP, "bribing_the_dog"]
TABLE = ["Gil", "Ann", "Fay", "Bob", "Eve", "Cid", "Dot"]
"""Seven in table order, which is not the order of their names."""

Json = dict[str, Any]


def asked(kind: str, given_: Json) -> Json:
    """What the adjudicator answers to a line."""
    return judged(json.dumps({"kind": kind, "input": given_}).encode())


# --- chance -----------------------------------------------------------------------------------------


def any_tokens(random: Random) -> Json:
    win = dict.fromkeys(HOLDING_VP, 0)
    for _ in range(3):
        win[random.choice(HOLDING_VP)] += 1
    return {"win": win, "lose": random.choice(HOLDING_VP)}


def movements(tokens: Json) -> list[Json]:
    """Every movement there is (rule 3)."""
    taken = [("win", event) for event in HOLDING_VP if tokens["win"][event]] + [("lose", tokens["lose"])]
    ways = product(taken, HOLDING_VP)
    return [{"token": token, "from": origin, "to": goal} for (token, origin), goal in ways if goal != origin]


def any_play(random: Random, hand: list[int], tokens: Json, on: str | None = None) -> Json:
    """A legal play of a card in the hand, ``on`` an event if one is named."""
    events = random.sample(EVENTS, 2) if on is None else [on, random.choice([event for event in EVENTS if event != on])]
    play: Json = {"card": random.choice(hand), "events": events}
    if "exchange_store" in play["events"]:
        play["gain"] = random.choice([value for value in FULL_HAND if abs(value - play["card"]) <= 2])
    if "bribing_the_dog" in play["events"] and random.random() < 0.8:
        play["move"] = random.choice([*movements(tokens), None])
    return play


def any_round(random: Random) -> Json:
    """A round as a host may send it, its players in any order; often with few numbers, so that many collide, or with
    all numbers on one event.
    """
    tokens, numbers = any_tokens(random), random.sample(FULL_HAND, random.choice((1, 2, 3, 7, 7)))
    hands = {player: [random.choice(numbers) for _ in range(random.randint(0, 7))] for player in TABLE}
    crowded = random.choice((*HOLDING_VP, None, None, None, None))
    if crowded:
        hands = {player: [card] for player, card in zip(TABLE, random.sample(FULL_HAND, 7), strict=True)}
    playing = random.sample(TABLE, random.choice((0, 1, 2, 4, 6, 7, 7)))
    plays = {player: any_play(random, hands[player], tokens, crowded) for player in playing if hands[player]}
    given_ = {"charge": random.randint(1, 11), "tokens": tokens, "plays": plays}
    return {**given_, "hands": hands} if random.random() < 0.5 else given_


def any_judgement(random: Random) -> Json:
    """A judgement as a host may ask for it; low totals, so that many tie."""
    highest = random.choice((0, 1, 2, 8))
    players = random.sample(TABLE, 7)
    vp = {event: {player: random.randint(0, highest) for player in players} for event in HOLDING_VP}
    given_ = {"vp": vp, "tokens": any_tokens(random)}
    held = {player: random.choice((0, 0, 1, 1, 2)) for player in players if random.random() < 0.7}
    return given_ if random.random() < 0.5 else {**given_, "held": held}


def any_match(random: Random) -> Json:
    """The record of a match with some silence, its hands kept by the oracle's reading of rules 1 and 2."""
    hands = {player: list(FULL_HAND) for player in TABLE}
    level, tokens = 1, {"win": dict.fromkeys(HOLDING_VP, 1), "lose": "charge_tower"}
    eager = random.choice((0.01, 0.3, 0.9, 1))
    rounds = []
    for _ in range(9):
        playing = [player for player in TABLE if hands[player] and random.random() < eager]
        plays = {player: any_play(random, hands[player], tokens) for player in playing}
        result = dog_oracle.judge_round({"charge": level, "tokens": tokens, "plays": plays})
        for player in playing:
            hands[player].remove(plays[player]["card"])
            hands[player] += [result["gained"][player]] if player in result["gained"] else []
        level, tokens = result["charge"], result["tokens"]
        rounds.append({"plays": plays})
    return {"format": "raven-dog/1", "game": "dog", "players": TABLE, "seed": None, "rounds": rounds}


def spoilt(random: Random, document: Json) -> Json:
    """The record with something changed in one of its plays, which may or may not be legal afterwards."""
    spoilt_ = json.loads(json.dumps(document))
    plays = [play for round_ in spoilt_["rounds"] for play in round_["plays"].values()]
    play = random.choice(plays or [{}])
    match random.choice(("card", "events", "gain", "move")):
        case "card":
            play["card"] = random.choice(FULL_HAND)
        case "events":
            play["events"] = [random.choice(EVENTS), random.choice(EVENTS)]
        case "gain":
            play["gain"] = random.choice(FULL_HAND)
        case _:
            moved = {"token": random.choice(("win", "lose")), "from": random.choice(HOLDING_VP)}
            play["move"] = {**moved, "to": random.choice(HOLDING_VP)}
    return dict(spoilt_)


# --- judged twice -----------------------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize(("kind", "judge"), [("round", "judge_round"), ("judgement", "judge_match")])
def test_the_oracle_judges_the_published_cases_right(kind: str, judge: str) -> None:
    lines = (SHARED / "cases" / f"dog-{kind}s.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    assert len(cases) > 2
    for case in cases:
        assert getattr(dog_oracle, judge)(case["input"]) == case["output"], case["name"]


@settings(max_examples=60)
@given(st.integers(min_value=0))
def test_a_round_is_judged_as_the_oracle_judges_it(seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        round_ = any_round(random)
        assert asked("dog/round", round_) == dog_oracle.judge_round(round_)


@settings(max_examples=40)
@given(st.integers(min_value=0))
def test_a_judgement_is_given_as_the_oracle_gives_it(seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        judgement = any_judgement(random)
        assert asked("dog/judgement", judgement) == dog_oracle.judge_match(judgement)


@settings(max_examples=150)
@given(st.integers(min_value=0))
def test_a_match_is_replayed_as_the_oracle_replays_it(seed: int) -> None:
    random = Random(seed)
    document = any_match(random)
    assert replay(document) == dog_oracle.replay(document)
    cut = {**document, "rounds": document["rounds"][: random.randrange(9)], "cancelled": True}
    assert replay(cut) == dog_oracle.replay(cut)


@settings(max_examples=60)
@given(st.integers(min_value=0))
def test_a_spoilt_match_is_refused_where_the_oracle_refuses_it(seed: int) -> None:
    random = Random(seed)
    document = spoilt(random, any_match(random))
    expected = dog_oracle.replay(document)
    if expected["ok"]:
        assert replay(document) == expected
        return
    with pytest.raises(Fault) as refused:
        replay(document)
    # The oracle names the field, replay may name what is wrong inside it.
    assert re.fullmatch(re.escape(expected["at"]) + r"([.\[].+)?", refused.value.at)


# --- what the chance holds --------------------------------------------------------------------------


def test_the_random_rounds_hold_what_is_rare() -> None:
    random, seen = Random(1), Counter[str]()
    for _ in range(3000):
        round_ = any_round(random)
        output = dog_oracle.judge_round(round_)
        scores, plays = output["scores"], round_["plays"]
        charged = [play["card"] for play in plays.values() if "charge_tower" in play["events"]]
        seen["three breaks"] += len(scores["charge_tower"]) == 3
        seen["exactly 11"] += output["charge"] == 11 and round_["charge"] < 11 and not scores["charge_tower"]
        seen["all numbers cancelled"] += len(charged) > 1 and output["charge"] == round_["charge"]
        seen["nobody on an event"] += not charged
        median = list(scores["median_meridian"].values())
        seen["both sides of the median"] += len({value % 10 for value in median}) > 1
        seen["a repeated median"] += len(median) > len(set(median))
        if (briber := output["briber"]) is None:
            seen["no briber"] += 1
            continue
        other = next(event for event in plays[briber]["events"] if event != "bribing_the_dog")
        seen["bribed with the bonus"] += briber in scores.get(other, {})
        seen["bribed without the bonus"] += other in HOLDING_VP and briber not in scores[other]
        seen["bribed from the store"] += other == "exchange_store"
        seen["moved nothing"] += output["moved"] is None
        seen["three tokens stacked"] += 3 in output["tokens"]["win"].values() and output["moved"] is not None
    rare = {name: times for name, times in seen.items() if times < 20}
    assert len(seen) == 12
    assert not rare


def test_the_random_judgements_hold_what_is_rare() -> None:
    random, seen = Random(2), Counter[str]()
    for _ in range(3000):
        judgement = any_judgement(random)
        output = dog_oracle.judge_match(judgement)
        won = sum(output["life"].values())
        tied = [sorted(points.values())[-1] == sorted(points.values())[-2] for points in judgement["vp"].values()]
        win = list(judgement["tokens"]["win"].values())
        seen["a tie for two"] += any(tie and tokens > 1 for tie, tokens in zip(tied, win, strict=True))
        seen["a sole leader of three"] += any(not tie and tokens == 3 for tie, tokens in zip(tied, win, strict=True))
        seen["five in all"] += won == 5 and not output["all_lose"]
        seen["six or more"] += output["all_lose"]
        seen["no candidate"] += not output["candidates"]
        seen["one candidate"] += len(output["candidates"]) == 1
        seen["joint candidates"] += len(output["candidates"]) > 1
        held = judgement.get("held", {})
        saved = [player for player, life in output["life"].items() if not life and held.get(player)]
        seen["saved by what was held"] += bool(saved) and bool(output["candidates"])
    assert len(seen) == 8
    assert not {name: times for name, times in seen.items() if times < 20}


def test_the_random_matches_hold_what_is_rare() -> None:
    random, seen = Random(3), Counter[str]()
    for _ in range(150):
        document = any_match(random)
        outcome = dog_oracle.replay(document)
        seen["all lose one"] += outcome["judgement"]["all_lose"]
        seen["no candidate"] += not outcome["judgement"]["candidates"]
        seen["empty hands"] += len(document["rounds"][8]["plays"]) < 3
        ruined = dog_oracle.replay(spoilt(random, document))
        seen[f"spoilt at {ruined['at'].rpartition('.')[2]}" if "at" in ruined else "spoilt in vain"] += 1
    assert {name for name, times in seen.items() if times >= 3} >= {
        "all lose one", "no candidate", "empty hands",
        "spoilt at card", "spoilt at events", "spoilt at gain", "spoilt at move", "spoilt in vain",
    }, seen  # fmt: skip
