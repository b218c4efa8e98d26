"""Records kept from releases, which every later release must replay to the same bytes.

``tests/records/<game>-rules-<number>.json`` is a whole match or episode as it was exported under that number of the
rules, and ``tests/records/outcomes/`` holds under the same name what ``replay`` printed of it then. Neither is ever
rewritten.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.documents import replay, verify
from engine.dog.events import Event
from engine.games import GAMES
from engine.reading import canonical, parse
from tests.shared import ROOT

RECORDS = ROOT / "tests" / "records"
KEPT = sorted(RECORDS.glob("*.json"))


def read(file: Path) -> Any:
    return parse(file.read_bytes())


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_kept_record_replays_to_the_same_bytes(file: Path) -> None:
    expected = (RECORDS / "outcomes" / file.name).read_bytes()
    assert canonical(replay(read(file))).encode() + b"\n" == expected
    assert verify(read(file)) == parse(expected)


def test_a_record_is_kept_for_the_rules_of_every_game() -> None:
    assert {f"{game.key}-rules-{game.rules}" for game in GAMES.values()} <= {file.stem for file in KEPT}


def test_the_kept_match_of_gravity_holds_what_is_rare() -> None:
    document = read(RECORDS / "gravity-rules-1.json")
    nights = [night for round_ in document["rounds"] for night in round_["nights"]]
    by = [entry[2:] for night in nights for entry in night["drafts"][:9]]
    assert all(by.count(who) > 5 for who in ([], ["host"], ["bot"]))
    assert any(len(round_["nights"]) < 4 for round_ in document["rounds"])  # the Raven was found
    assert max(len(night["periods"]) for night in nights) > 2
    outcome = replay(document)
    assert len(set(outcome["scores"].values())) == 1  # rule 20 decided
    assert outcome["winner"] == "p1"  # who led last, for otherwise the second player would have won


def test_the_kept_episode_holds_what_is_rare() -> None:
    document = read(RECORDS / "dog-rules-2.json")
    outcome = replay(document)
    rounds, steps = document["main"]["rounds"], outcome["main"]["steps"]
    plays = [play for round_ in rounds for play in round_["plays"].values()]
    bribes = [play for play in plays if "bribing_the_dog" in play["events"]]
    assert {event for play in plays for event in play["events"]} == set(Event)
    assert {"move" in play for play in bribes} == {True, False}
    assert {step["moved"]["token"] for step in steps if step["moved"]} == {"win", "lose"}
    assert {play["gain"] - play["card"] for play in plays if "gain" in play} == {-2, -1, 0, 1, 2}
    assert any(len(step["scored"]["charge_tower"]) > 1 for step in steps)  # several broke the threshold
    assert any(len(round_["plays"]) < len(document["main"]["players"]) for round_ in rounds)
    assert len(outcome["main"]["judgement"]["candidates"]) > 1
    assert document["opponent"] == "lot"
    assert outcome["eliminated"] in document["death"]["players"]
