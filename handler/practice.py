"""Practice in private, against house players: one person needs no group for it, and nothing but buttons."""

from __future__ import annotations

from engine.games import GAMES
from handler.opening import open_lobby
from handler.panels import send_panel
from handler.ports import Place
from handler.replies import privately, reply
from handler.table import Ports, change, keep
from handler.telling import settle, show_board_again
from handler.updates import Command, Who
from handler.views import after


def practise(ports: Ports, command: Command) -> None:
    """``/practise``, with the game or without. Typed in a group, it leads into the private chat all the same."""
    game = command.args.lower()
    if game not in GAMES:
        privately(ports, command, after.which_practice(tuple(GAMES)))
    elif command.private or privately(ports, command, after.practice_here(game)):
        place = Place(command.who.id)
        outcome, refusal = open_lobby(ports, place, "", game, command.who, command.update)
        if refusal is not None:
            reply(ports, place, refusal)
        settle(ports, outcome)
        if refusal is not None:
            show_again(ports, command.who)


def show_again(ports: Ports, who: Who) -> None:
    """The way to what goes on in somebody's private chat, where messages have no links: it is shown once more."""
    id = ports.store.at(Place(who.id))
    outcome = None if id is None else change(ports, id, keep)
    settle(ports, outcome)
    if outcome is not None and outcome.match.stage == "lobby":
        show_board_again(ports, outcome.match.id)
    elif outcome is not None:
        send_panel(ports, outcome.match.id, who)
