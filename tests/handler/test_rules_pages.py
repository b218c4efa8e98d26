"""The rules pages: every ruling once, under its number, on a page that a phone shows whole."""

from __future__ import annotations

import re

import pytest

from handler.buttons import PlainPress, read
from handler.views import VIEWS
from handler.views.rules import page
from tests.handler.positions import shown

TOPICS = [(game, each.topic) for game, views in VIEWS.items() for each in views.pages]


@pytest.mark.parametrize(("game", "rulings"), [("gravity", 22), ("dog", 16)])
def test_every_ruling_stands_once_under_its_number(game: str, rulings: int) -> None:
    texts = [shown(page(game, each.topic).text) for each in VIEWS[game].pages]
    numbers = [int(number) for text in texts for number in re.findall(r"^(\d+)\.", text, re.MULTILINE)]
    assert numbers == list(range(1, rulings + 1))


@pytest.mark.parametrize(("game", "topic"), TOPICS)
def test_a_page_is_short_and_leads_to_all_others(game: str, topic: str) -> None:
    message = page(game, topic)
    assert 0 < len(shown(message.text)) <= 2000
    leads = [read(button.data or "") for row in message.keyboard for button in row]
    topics = [PlainPress("rules", f"{game}.{other.topic}") for other in VIEWS[game].pages if other.topic != topic]
    assert leads == [*topics, *(PlainPress("rules", f"{other}.") for other in VIEWS if other != game)]


def test_no_topic_or_a_forged_one_is_how_to_play() -> None:
    first = page("gravity", "play")
    assert page("gravity", "") == page("gravity", "\u2028nonsense") == first
    assert len(re.findall("^•", shown(first.text), re.MULTILINE)) == 8
