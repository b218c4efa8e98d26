"""Who was silent, and how that is told to them; whoever said aloud that they do nothing was not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.documents import replay
from engine.dog.facts import RoundTold
from engine.dog.moves import Withdraw
from engine.dog.notation import write as dog_text
from engine.gravity.facts import GuessTold, RevealTold
from handler.exporting import record_file
from handler.match import Match, Person
from handler.silence import missed, silences
from handler.views import VIEWS
from tests.handler.positions import framed, shown
from tests.handler.test_notes import drafted, stored

SILENT = replace(framed(), silent=True)
THREES = (0, 0, 0)


def seated(match: Match, player: int, who: Person, *former: tuple[int, int]) -> Match:
    seats = tuple(who if seat == player else each for seat, each in enumerate(match.seats))
    return replace(match, seats=seats, former=former)


def test_whoever_sealed_nothing_was_silent() -> None:
    match = stored("gravity", {0: "?-"}, *drafted(), {1: "a"}, {0: "g-", 1: "g1h"}, {})
    assert silences(match) == ((1,), *((),) * 9, (0,), (), (0, 1))
    assert silences(stored("gravity", {0: "?-", 1: "?h"}, {})) == ((), (1,)), "in a draft one player alone can be"


def test_a_house_player_never_is() -> None:
    assert silences(stored("gravity", {}, house=(1,))) == ((0,),)


def test_nobody_is_in_a_phase_that_a_resignation_cut_short() -> None:
    assert silences(stored("gravity", {1: "resign"})) == ((),)


def test_in_dogs_judgement_no_card_said_aloud_is_no_silence() -> None:
    aloud = dog_text(Withdraw())
    match = stored("dog", {}, {0: aloud, 1: "5cm", 2: aloud, 3: aloud, 4: aloud, 5: aloud})
    assert silences(match) == ((), (6,)), "and in the pre-game there is nothing to say"


def test_it_was_whoever_sat_there_then() -> None:
    match = stored("gravity", {0: "?-"}, *drafted(), {0: "a"})
    house = Person(None, "Strix", since=5)
    assert [missed(seated(match, 1, house, (101, 1)), number) for number in (0, 10)] == [(1,), ()]
    late = Person(105, "Eve", since=5)
    assert [missed(seated(match, 1, late), number) for number in (0, 10)] == [(), (1,)]


@pytest.mark.parametrize(
    ("game", "fact", "says"),
    [
        ("gravity", RevealTold(2, None, None), "Round 2. You were silent, so no bird was named for you."),
        ("gravity", GuessTold(1, 3, 2, None, 0), "Day 3. You were silent, so you made no guess."),
        ("dog", RoundTold(4, None, THREES, None, THREES, ()), "Round 4 of 9. You were silent, so you played no card."),
    ],
)
def test_whoever_was_silent_is_told_so(game: str, fact: object, says: str) -> None:
    text = VIEWS[game].whisper(SILENT, fact)
    assert text is not None
    assert says in shown(text)
    said = VIEWS[game].whisper(framed(), fact)
    assert said is None or "silent" not in said


def test_the_record_says_so_and_is_replayed() -> None:
    match = stored("gravity", {0: "?-"}, *drafted(), {1: "a"}, stage="cancelled")
    document = record_document(match)
    assert document["silent"] == {"p1": ["rounds[0].nights[0].actions"], "p2": ["rounds[0].reveals"]}
    assert replay(document)["ok"]


def record_document(match: Match) -> dict[str, object]:
    _, content, _ = record_file(match)
    found: dict[str, object] = json.loads(content)
    return found
