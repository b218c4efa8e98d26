"""Birds and answers in each language: in English exactly the rules' own words, elsewhere none of them left over."""

from __future__ import annotations

import pytest

from engine.gravity.birds import NAMES, Bird
from engine.gravity.facts import NightTold
from handler.views.gravity.terms import bird_name, heard
from handler.words import speaking
from tests.handler.positions import positions


def answers() -> set[str]:
    """Every answer that a bird heard in the positions."""
    told = [tell.fact for position in positions() for tell in position.tells if isinstance(tell.fact, NightTold)]
    return {response.text for fact in told for response in fact.responses}


def test_english_has_the_names_and_answers_of_the_engine() -> None:
    assert {bird: bird_name(bird) for bird in Bird} == NAMES
    assert len(answers()) > 20
    assert {text: heard(text) for text in answers()} == {text: text for text in answers()}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Yes", "Sí"),
        ("No", "No"),
        ("N/A", "N/A"),
        ("1, 5, 10", "1, 5, 10"),
        ("7", "7"),
        ("9: Lark, Parrot", "9: Alondra, Loro"),
        ("11: Lovebird A", "11: Tortolito A"),
    ],
)
def test_spanish_says_them_in_spanish_rule_14(text: str, says: str) -> None:
    with speaking("es"):
        assert heard(text) == says


def test_no_english_bird_is_left_in_a_spanish_answer() -> None:
    with speaking("es"):
        heard_in_spanish = " ".join(heard(text) for text in answers())
        assert len({bird_name(bird) for bird in Bird}) == len(Bird)
    assert [name for name in NAMES.values() if name in heard_in_spanish] == []
