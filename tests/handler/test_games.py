"""Every place that has to know a game knows each game there is (CONTRIBUTING.md, "Add a game")."""

from __future__ import annotations

import pytest

from engine.adjudicator import KINDS
from engine.archives import ARCHIVES
from engine.games import GAMES
from handler.buttons import PlainPress, read
from handler.desk import COMMANDS, HOSTS, PERSONAL
from handler.message import Message
from handler.views import VIEWS, menus, rules, talk
from handler.words import LANGUAGES, catalogue, speaking
from tests.handler.positions import shown

KEYS = tuple(GAMES)


def wanted(game: str) -> set[str]:
    """The texts that the house asks for, whatever the game."""
    pages = VIEWS[game].pages
    return {
        f"lobby.name.{game}",
        f"lobby.line.{game}.text",
        *(f"lobby.role.{game}.{seat}" for seat in range(GAMES[game].players)),
        *(f"rules.{game}.{part}.{page.topic}" for part in ("page", "tab") for page in pages),
        *(f"rules.{game}.ruling.{number}" for page in pages for number in page.rulings),
        *(declining(game) if GAMES[game].decline is not None else ()),
        *([f"{game}.quit.ask"] if goes_on_without(game) else ()),
    }


def declining(game: str) -> set[str]:
    """What the house asks for where the host can decline what may follow."""
    settings = {f"lobby.{part}.{game}.{word}" for part in ("after", "button.after") for word in ("yes", "no")}
    return settings | {f"{game}.decline.ask", f"{game}.decline.kept"}


def goes_on_without(game: str) -> bool:
    """Whether a player cannot give the match up as it begins, and leaves it in silence."""
    rules = GAMES[game]
    view = rules.view(rules.start(bytes(32)).state, 0)
    return rules.resign is None or rules.check(view, rules.resign) is not None


def presses(message: Message) -> list[object]:
    return [read(button.data) for row in message.keyboard for button in row if button.data is not None]


def test_every_table_of_games_holds_the_same_games() -> None:
    assert set(VIEWS) == set(ARCHIVES) == {kind.partition("/")[0] for kind in KINDS} == set(KEYS)
    assert set(KEYS) <= COMMANDS.keys() & PERSONAL


@pytest.mark.parametrize("game", KEYS)
def test_the_catalogue_words_every_game(game: str) -> None:
    assert len(wanted(game)) > 5
    assert wanted(game) - catalogue("en").entries.keys() == set()
    assert catalogue("en").entries.keys().isdisjoint(declining(game)) == (GAMES[game].decline is None)
    assert (f"{game}.quit.ask" in catalogue("en").entries) == goes_on_without(game)


@pytest.mark.parametrize("game", KEYS)
def test_every_game_is_offered_and_explained(game: str) -> None:
    assert PlainPress("new", game) in presses(talk.which_game(KEYS))
    assert VIEWS[game].pages[0].topic == "play"
    named = catalogue("en").entries[f"lobby.name.{game}"].forms[0]
    assert f"/{game}: open a lobby of {named}" in shown(menus.help_page(KEYS).text)
    others = {PlainPress("rules", f"{other}.") for other in KEYS if other != game}
    assert others < set(presses(rules.page(game, "")))
    assert len(presses(rules.page(game, ""))) == len(VIEWS[game].pages) - 1 + len(others)


def test_the_table_of_commands_holds_each_game_and_nothing_that_is_no_command() -> None:
    names = [entry.name for entry in menus.entries(KEYS)]
    assert [entry.name for entry in menus.entries(())] == [name for name in names if name not in GAMES]
    assert len(set(names)) == len(names)
    assert set(names) == COMMANDS.keys() - {"start"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_command_is_in_the_help_and_in_the_menu_of_whoever_may_use_it(language: str) -> None:
    with speaking(language):
        page = shown(menus.help_page(KEYS).text)
        offered = {audience: dict(menus.menu(audience, KEYS)) for audience in menus.AUDIENCES}
    assert offered["groups"].items() < offered["administrators"].items()
    assert offered["administrators"].keys() - offered["groups"].keys() == HOSTS - {"language"}
    everywhere = {name: does for menu in offered.values() for name, does in menu.items()}
    assert everywhere.keys() == COMMANDS.keys() - {"start"}
    assert all(f"/{name}: {does}" in page and 3 <= len(does) <= 256 for name, does in everywhere.items())
