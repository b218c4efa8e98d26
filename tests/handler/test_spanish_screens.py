"""Every screen in Spanish: that it can be worded at all, and that it fits where Telegram shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from types import ModuleType

import pytest

from engine.games import GAMES
from handler.message import Message
from handler.views import VIEWS, menus, rules, settings, talk, welcome
from handler.words import speaking
from tests.handler import dog_positions, positions
from tests.handler.pages import reached
from tests.handler.positions import shown

LONGEST = 4096
"""UTF-16 units of a message."""

EACH_GAME = pytest.mark.parametrize(("game", "of"), [("gravity", positions), ("dog", dog_positions)])

ENGLISH = re.compile(r"\b(?:the|you|your|press|round|nobody|with|this|what)\b", re.IGNORECASE)
"""Words that no Spanish text has, apart from the names of the games."""


@pytest.fixture(autouse=True)
def _spanish() -> Iterator[None]:
    with speaking("es"):
        yield


def check(message: Message) -> None:
    text = shown(message.text)
    assert 0 < len(text.encode("utf-16-le")) // 2 <= LONGEST
    assert not ENGLISH.search(text.replace("The kennel", "").replace("The aviary", "")), text
    labels = [button.label for row in message.keyboard for button in row]
    assert all(0 < len(label) <= 64 for label in labels), labels
    assert all(len(row) <= 8 for row in message.keyboard)
    assert not any(ENGLISH.search(label) for label in labels), labels


@EACH_GAME
def test_boards(game: str, of: ModuleType) -> None:
    views, frame = VIEWS[game], of.framed()
    for position in of.positions()[::15]:
        check(views.board(frame, position.public))


@EACH_GAME
def test_panels_and_all_their_pages(game: str, of: ModuleType) -> None:
    frame, tried = of.framed(), 0
    for view, phase, sealed in of.choices()[::9]:
        for final in (False, True):
            for message in reached(partial(VIEWS[game].panel, frame, view, phase, sealed, final)).values():
                check(message)
                tried += 1
    assert tried > 10


@pytest.mark.parametrize("game", tuple(GAMES))
def test_rules_pages(game: str) -> None:
    for page in VIEWS[game].pages:
        check(rules.page(game, page.topic))


def test_what_the_house_says_to_newcomers() -> None:
    games = tuple(GAMES)
    greeting = talk.private_greeting("Ada", "raven_and_dog_bot", games)
    check(greeting)
    check(talk.group_greeting(games))
    check(welcome.with_lobbies(greeting, [("gravity", "Aves", None), ("dog", "Perros", None)]))
    check(menus.help_page(games))
    check(settings.languages("es", group=True))


@EACH_GAME
def test_refusals_and_toasts_fit(game: str, of: ModuleType) -> None:
    for view, _, sealed in of.choices()[::20]:
        toasts = [VIEWS[game].locked(view, True), VIEWS[game].locked(view, False)]
        toasts += [VIEWS[game].sealed(sealed)] if sealed is not None else []
        assert all(0 < len(toast) <= 200 and not ENGLISH.search(toast) for toast in toasts)
