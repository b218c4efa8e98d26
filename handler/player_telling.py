"""What a player is told in a pass: private results, the picture of what they know, and the panel of the open phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.game import Player
from handler import people, picture_telling
from handler.errands import Errand
from handler.events import events
from handler.match import Match, Parted, Person, is_shown_panels
from handler.message import Message
from handler.picture import Illustration
from handler.ports import Forbidden, MessageLost, Place, Refused, Unreachable
from handler.screening import closed_panel, panel
from handler.screens import Cursor, Panel
from handler.table import Outcome
from handler.teller import Later, Teller
from handler.views import calls
from handler.words import speaking

Owed = Callable[[Player], Illustration | None]
"""The picture that a player is owed in this pass."""


def panel_shown(match: Match, player: Player, message: int) -> Panel:
    """What a message to a player shows that has the panel of the open phase."""
    who = match.seats[player]
    return Panel(message, match.number, match.deadline, None if who is None else who.user, match.paused is not None)


def tell_players(teller: Teller, owed: Owed) -> Iterator[tuple[str, Errand[None]]]:
    """What tells each player whom the bot can write to, and whoever sat in a seat before, with the language for it."""
    for player, who in enumerate(teller.match.seats):
        if who is not None:
            yield who.language, _tell_seat(teller, player, who, owed)
    for each in _parted(teller):
        yield each.language, teller.guard(f"parted{each.serial}", partial(_farewell, teller, each), tuple)


def change_pictures(teller: Teller, owed: Owed) -> Iterator[tuple[str, Errand[None]]]:
    """What shows each player another picture than before, in the place of that one.

    A picture that changes for one player alone says what they did, and takes time to draw: it waits until all have been
    told, for whoever had to wait for it would learn that it came.
    """
    for player, who in enumerate(teller.match.seats):
        if who is not None and who.user is not None and who.reachable and str(player) not in teller.lost:
            lost, user = partial(_lose, teller, who.user), who.user
            yield who.language, teller.guard(str(player), partial(_change_picture, teller, player, user, owed), lost)


def _tell_seat(teller: Teller, player: Player, who: Person, owed: Owed) -> Errand[None]:
    old = teller.telling.panels.get(player)
    if old is not None and _is_of_another(old, who):
        yield from teller.guard(str(player), partial(_give_away, teller, player, old), tuple)
    if who.user is not None and who.reachable:
        lost = partial(_lose, teller, who.user)
        yield from teller.guard(str(player), partial(_tell, teller, player, who.user, owed), lost)


def _lose(teller: Teller, user: int) -> Sequence[Outcome[Any] | None]:
    return [people.lose(teller.ports, teller.item.id, user)]


def _tell(teller: Teller, player: Player, user: int, owed: Owed) -> Errand[None]:
    match, address = teller.match, str(player)
    who = match.seats[player]
    # Whoever has taken a seat over is told nothing of what its cursor had not come to before that.
    taken = Cursor(0 if who is None else who.since, 0)
    untold = events(match, player, max(taken, teller.telling.at(address)))
    call = partial(_call, teller, player)
    yield from teller.announce(address, untold, partial(call, teller.ports.telegram.send, Place(user)))
    # Before the panel, which stays lowest. A new scene is everybody's.
    failure = yield from _picture(teller, player, user, owed, new=True)
    yield from _panel(teller, player, user)
    if failure is not None:
        raise failure


def _change_picture(teller: Teller, player: Player, user: int, owed: Owed) -> Errand[None]:
    failure = yield from _picture(teller, player, user, owed, new=False)
    if failure is not None:
        raise failure


def _picture(
    teller: Teller, player: Player, user: int, owed: Owed, *, new: bool
) -> Errand[picture_telling.Failure | None]:
    """Show the player's picture, if it is due and comes in a new message or not, as asked for."""
    address, wanted = str(player), owed(player)
    if wanted is None or picture_telling.is_new(teller, address, user, wanted) is not new:
        return None
    return (yield from picture_telling.show(teller, address, Place(user), wanted, partial(_call, teller, player)))


def _panel(teller: Teller, player: Player, user: int) -> Errand[None]:
    match, who = teller.match, teller.match.seats[player]
    old = teller.telling.panels.get(player)
    if who is not None and old is not None and _is_of_another(old, who):
        return  # that one has to go first, and will be tried again
    if old is not None and (old.number != match.number or match.stage != "playing"):
        yield from _redraw(teller, player, user, old, closed_panel(match, player, old.number))
        _set_panel(teller, player, None)
        old = None
    message = panel(match, player) if is_shown_panels(match, player) else None
    if message is None:
        return
    if old is not None:
        shown = panel_shown(match, player, old.message)
        # A press may have come and drawn the panel anew, while one from before it was on its way.
        overdrawn = teller.drawn.get(player, match.box.get(player)) != match.box.get(player)
        if replace(old, user=shown.user) == shown and not overdrawn:
            return
        if (yield from _redraw(teller, player, user, old, message)):
            _set_panel(teller, player, shown)
            teller.drawn[player] = match.box.get(player)
            return
    sent = yield from _call(teller, player, teller.ports.telegram.send, Place(user), message)
    _set_panel(teller, player, panel_shown(match, player, sent))
    teller.drawn[player] = match.box.get(player)


def _is_of_another(panel: Panel, who: Person) -> bool:
    """Whether a seat's panel is in the chat of somebody who sat there before."""
    if panel.user is None:
        return panel.number <= who.since != 0
    return panel.user != who.user


def _parted(teller: Teller) -> Iterator[Parted]:
    """Those who sat in the match before, and have yet to be told that another has their seat."""
    known = tuple(each.serial for each in teller.match.parted)
    teller.telling = replace(teller.telling, parted=tuple(each for each in teller.telling.parted if each in known))
    return (each for each in teller.match.parted if each.serial not in teller.telling.parted)


def _farewell(teller: Teller, parted: Parted) -> Errand[None]:
    held = teller.telling.holds.get(f"parted{parted.serial}", 0.0)
    if held > teller.ports.clock.now():
        raise Later(held)
    try:
        yield partial(teller.ports.telegram.send, Place(parted.user), calls.given_away(teller.match.title, parted.new))
    except (Refused, Forbidden, Unreachable) as error:
        teller.give_up(error)
    teller.telling = replace(teller.telling, parted=(*teller.telling.parted, parted.serial))


def _give_away(teller: Teller, player: Player, old: Panel) -> Errand[None]:
    """The panel of whoever sat there before closes; that another has their seat they are told in a message of its own.
    If it cannot be reached any more, that is no trouble of whoever sits there now.
    """
    if old.user is not None:
        with speaking(teller.match.language):
            closed = calls.panel_closed()
        try:
            yield from _call(teller, player, teller.ports.telegram.edit, old.user, old.message, closed)
        except (MessageLost, Refused, Forbidden, Unreachable) as error:
            teller.give_up(error)
    _set_panel(teller, player, None)


def _redraw(teller: Teller, player: Player, user: int, old: Panel, message: Message) -> Errand[bool]:
    """Show another text in a panel; False if that panel cannot be edited any more."""
    try:
        yield from _call(teller, player, teller.ports.telegram.edit, user, old.message, message)
    except (MessageLost, Refused, Forbidden) as error:
        teller.give_up(error)
        return False
    return True


def _call(teller: Teller, player: Player, call: Callable[..., Any], *args: Any, **options: Any) -> Errand[Any]:
    """Make a call to a player if nothing holds it back, else raise Later."""
    held = teller.telling.holds.get(str(player), 0.0)
    if held > teller.ports.clock.now():
        raise Later(held)
    return (yield partial(call, *args, **options))


def _set_panel(teller: Teller, player: Player, screen: Panel | None) -> None:
    panels = {key: each for key, each in teller.telling.panels.items() if key != player}
    if screen is not None:
        panels[player] = screen
    teller.telling = replace(teller.telling, panels=panels)
