"""Lock 5 closed around the screens of Dog's Judgement, and around screens that say too much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from markupsafe import Markup

from engine.dog.facts import RoundResolved
from engine.dog.rules import DOG
from handler.frame import Frame
from handler.views import VIEWS
from tests.engine.locks import Leak
from tests.handler.dog_words_lock import order_and_words

SCREENS = VIEWS["dog"]
SEEDS = [bytes([number]) * 32 for number in range(40, 52)]


def test_order_and_words_hold() -> None:
    assert order_and_words(DOG, SCREENS, SEEDS) > 1500


def swapped(fact: RoundResolved) -> RoundResolved:
    charge, remove, median = fact.scored
    return replace(fact, scored=(median, remove, charge))


Fault = Callable[[Frame, RoundResolved, Markup], Markup | None]


@pytest.mark.parametrize(
    "fault",
    [
        lambda frame, fact, text: text + Markup("\nIt brought 5."),
        lambda frame, fact, text: text + Markup("\nAnn bribed the Dog."),
        lambda frame, fact, text: text + Markup("\nSomebody gained a token."),
        lambda frame, fact, text: text.replace("No token moved.", "Nobody was unique, and no token moved."),
        lambda frame, fact, text: text.replace("•", "-"),
        lambda frame, fact, text: SCREENS.announce(frame, swapped(fact)),
        lambda frame, fact, text: SCREENS.announce(frame, replace(fact, moved=None)),
        lambda frame, fact, text: None,
    ],
)
def test_an_announcement_that_says_anything_else_is_found(fault: Fault) -> None:
    def announce(frame: Frame, fact: object) -> Markup | None:
        text = SCREENS.announce(frame, fact)
        return fault(frame, fact, text) if isinstance(fact, RoundResolved) and text is not None else text

    with pytest.raises((Leak, ValueError)):
        order_and_words(DOG, replace(SCREENS, announce=announce), SEEDS)
