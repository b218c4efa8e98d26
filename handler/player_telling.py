"""What a player is told in a pass: private results, and the panel of the open phase."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.game import Player
from handler import people
from handler.events import events
from handler.match import is_shown_panels
from handler.message import Message
from handler.ports import Forbidden, MessageLost, Place, Refused
from handler.screening import closed_panel, panel
from handler.screens import Panel
from handler.table import Outcome
from handler.teller import Later, Teller


def tell_players(teller: Teller) -> None:
    """Tell each player whom the bot can write to. Raises Conflict if the lease is lost, StoreUnavailable."""
    for player, who in enumerate(teller.match.seats):
        if who is not None and who.user is not None and who.reachable:
            lost = partial(_lose, teller, who.user)
            teller.guard(str(player), partial(_tell, teller, player, who.user), lost)


def _lose(teller: Teller, user: int) -> Sequence[Outcome[Any] | None]:
    return [people.lose(teller.ports, teller.item.id, user)]


def _tell(teller: Teller, player: Player, user: int) -> None:
    match, address = teller.match, str(player)
    untold = events(match, player, teller.telling.at(address))
    teller.announce(address, untold, partial(_call, teller, player, teller.ports.telegram.send, Place(user)))
    old = teller.telling.panels.get(player)
    if old is not None and (old.number != match.number or match.stage != "playing"):
        _redraw(teller, player, user, old, closed_panel(match, player, old.number))
        _set_panel(teller, player, None)
        old = None
    message = panel(match, player) if is_shown_panels(match, player) else None
    if message is None or (old is not None and old.until == match.deadline):
        return
    if old is not None and _redraw(teller, player, user, old, message):
        _set_panel(teller, player, replace(old, until=match.deadline))
    else:
        sent = _call(teller, player, teller.ports.telegram.send, Place(user), message)
        _set_panel(teller, player, Panel(sent, match.number, match.deadline))


def _redraw(teller: Teller, player: Player, user: int, old: Panel, message: Message) -> bool:
    """Show another text in a panel; False if that panel cannot be edited any more."""
    try:
        _call(teller, player, teller.ports.telegram.edit, user, old.message, message)
    except (MessageLost, Refused, Forbidden) as error:
        teller.give_up(error)
        return False
    return True


def _call(teller: Teller, player: Player, call: Callable[..., Any], *args: Any) -> Any:
    """Make a call to a player if nothing holds it back, else raise Later."""
    held = teller.telling.holds.get(str(player), 0.0)
    if held > teller.ports.clock.now():
        raise Later(held)
    teller.keep_lease()
    return call(*args)


def _set_panel(teller: Teller, player: Player, screen: Panel | None) -> None:
    panels = {key: each for key, each in teller.telling.panels.items() if key != player}
    if screen is not None:
        panels[player] = screen
    teller.telling = replace(teller.telling, panels=panels)
